"""Finds which meaning of a number the words beside a citation name or quote."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from sys import intern
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from variorum.audit.meanings import NumberMeanings
from variorum.rows import text_of
from variorum.text import ascii_words
from variorum.words import BY_CHANCE

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase

_QUOTES = re.compile("[\"“‘'«]")
# Two texts rarely share the first number of words in a row by chance. A quotation has at least the
# second number of words, of which the third are neither short nor common.
_RUN, _QUOTED, _TELLING, _LONG_WORD = 4, 6, 3, 4
# A name of this many words is not beside a number by chance.
_LONG_NAME = 4
# A quotation ends at a closing bracket.
_CLOSING = re.compile(r"[)\]}]")
# Signs between a number and a name: "CR 702.35 (Madness", "Madness, CR 702.35".
_SIGNS = r"[ \t\"'“”‘’(\[\])}{:;,.*_`—–/#=-]{0,6}(?:(?:the|an?)[ ])?"
_PARENTHESIS = re.compile(r"[(\[][ ]?\Z")
# "Winds of Abandon" is the title of a card, and does not name the keyword.
_TITLE = re.compile(r"\b[A-Z][\w’']+ of (?:the )?\Z")


class Named(NamedTuple):
    """The meaning, by its place, that the words beside a citation point to.

    It is strong if the words quote the provision, or name it right beside the number.
    """

    which: int
    is_strong: bool
    words: str

    @property
    def is_quoted(self) -> bool:
        """Say whether the words are a quotation, or a name too long to be there by chance."""
        return self.words.count(" ") + 1 >= (_LONG_NAME if self.is_strong else _QUOTED)


class _Marks(NamedTuple):
    """The names, and the runs of words, that only one meaning of a number has; it by its place."""

    names: dict[str, int]
    runs: dict[tuple[str, ...], int]


_Mark = TypeVar("_Mark", str, tuple[str, ...])


class NameFinder:
    """Looks for the former headings and texts of numbers beside citations."""

    def __init__(self, base: "KnowledgeBase", numbers: NumberMeanings) -> None:
        self._base, self._numbers = base, numbers
        self._known: dict[str, _Marks] = {}

    def find(self, number: str, before: str, after: str, *, in_doubt: bool) -> Named | None:
        """Return the meaning that the words beside a number are about; None if unclear.

        In doubt, a quotation needs no quotation marks, and a name may be further away.
        """
        if len(self._numbers.of(number)) <= 1:
            return None
        marks = self._marks(number)
        if in_doubt or _QUOTES.search(after) or _QUOTES.search(before):
            quoted = _quoted(marks, after) or _quoted(marks, before)
            if quoted is not None:
                return quoted
        folded = f"{before}\0{after}".casefold()
        names = [(name, which) for name, which in marks.names.items() if _form(name)[0] in folded]
        named = _next_to(names, before, after)
        return _nearest(names, before, after) if named is None and in_doubt else named

    def _marks(self, number: str) -> _Marks:
        if number not in self._known:
            states, over = self._base.states, self._base.headings.over
            names: list[tuple[str, int]] = []
            runs: list[tuple[tuple[str, ...], int]] = []
            for which, meaning in enumerate(self._numbers.of(number)):
                for run in meaning.runs:
                    names += [(name, which) for name in over(states[run.state], run.last)]
                for text in {text_of(states[run.state].body) for run in meaning.runs}:
                    words = [*map(intern, ascii_words(text))]
                    parts = zip(*[words[start:] for start in range(_RUN)], strict=False)
                    runs += [(part, which) for part in parts]
            self._known[number] = _Marks(dict(sorted(_of_one(names).items())), _of_one(runs))
        return self._known[number]


def _of_one(marks: Iterable[tuple[_Mark, int]]) -> dict[_Mark, int]:
    """Map marks to meanings, without marks that several meanings have."""
    owners: dict[_Mark, int] = {}
    for mark, place in marks:
        if owners.setdefault(mark, place) != place:
            owners[mark] = -1
    return {mark: place for mark, place in owners.items() if place >= 0}


def _quoted(marks: _Marks, text: str) -> Named | None:
    """Return the meaning that a text quotes, by the longest run of words."""
    best: tuple[list[str], int] = ([], -1)
    for part in _CLOSING.split(text):
        words = ascii_words(part)
        runs = [marks.runs.get(run, -1) for run in zip(*[words[n:] for n in range(_RUN)])]  # noqa: B905
        start = 0
        for place, which in enumerate(runs):
            start = start if place and runs[place - 1] == which else place
            if which >= 0 and place + _RUN - start > len(best[0]):
                best = words[start : place + _RUN], which
    quoted, which = best
    telling = [
        word
        for word in quoted
        if len(word) >= _LONG_WORD and word.isalpha() and word not in BY_CHANCE
    ]
    if len(quoted) < _QUOTED or len(telling) < _TELLING:
        return None
    return Named(which, is_strong=True, words=" ".join(quoted))


@lru_cache(maxsize=4096)
def _form(heading: str) -> tuple[str, re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return a heading as people write it, in any case, number or tense.

    Its beginning in small letters, and patterns for it anywhere, right after a number, right before.
    """
    last = heading[-1:].casefold()
    stem, ends = heading, r"(?:s|es|d|ed|[a-z]?ing)?"
    if last == "e":
        stem, ends = heading[:-1], r"(?:e[sd]?|ing)"
    elif last == "y":
        stem, ends = heading[:-1], r"(?:y(?:s|ed|ing)?|ies|ied)"
    form = rf"(?<!\w){re.escape(stem)}{ends}(?!\w)"
    patterns = [
        re.compile(each, re.IGNORECASE) for each in (form, _SIGNS + form, rf"{form}{_SIGNS}\Z")
    ]
    return stem.casefold(), patterns[0], patterns[1], patterns[2]


def _next_to(names: Sequence[tuple[str, int]], before: str, after: str) -> Named | None:
    """Return the meaning named right beside the number; before it, if the number is in parentheses."""
    behind = {which: name for name, which in names if _form(name)[2].match(after)}
    ahead = {which: name for name, which in names if _form(name)[3].search(before)}
    for named in (ahead, behind) if _PARENTHESIS.search(before) else (behind, ahead):
        if len(named) == 1:
            ((which, name),) = named.items()
            return Named(which, is_strong=True, words=name)
        if named:
            return None
    return None


def _nearest(names: Sequence[tuple[str, int]], before: str, after: str) -> Named | None:
    """Return the meaning named nearest to the number, preferably on its line."""
    places: list[tuple[bool, int, str, int]] = []
    for name, which in names:
        for text in (after, before):
            for match in _form(name)[1].finditer(text):
                is_title = match[0][0].isupper() and _TITLE.search(text, 0, match.start())
                if not is_title:
                    between = text[: match.start()] if text is after else text[match.end() :]
                    places.append(("\n" in between, len(between), name, which))
    if not places:
        return None
    *_, name, which = min(places, key=lambda place: place[:2])
    return Named(which, is_strong=False, words=name)
