"""Finds which meaning of a number the words beside a citation name or quote."""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from sys import intern
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from variorum.audit.heirs import Meaning, NumberVerdicts
from variorum.rows import text_of
from variorum.text import ascii_words
from variorum.words import BY_CHANCE

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase

_QUOTES = re.compile("[\"“‘'«]")
# Two texts rarely share the first number of words in a row by chance. A quotation has at least the
# second number of words, of which the third are neither short nor common.
_RUN, _QUOTED, _TELLING = 4, 6, 3
_LONG_WORD = 4
# A name of this many words is not beside a number by chance.
_LONG_NAME = 4
# A quotation ends at a closing bracket.
_CLOSING = re.compile(r"[)\]}]")
# Signs between a number and a name: "CR 702.35 (Madness", "Madness, CR 702.35".
_SIGNS = r"[ \t\"'“”‘’(\[\])}{:;,.*_`—–/#=-]{0,6}(?:(?:the|an?)[ ])?"
_PARENTHESIS = re.compile(r"[(\[][ ]?\Z")
# "Winds of Abandon" is the title of a card, and does not name the keyword.
_TITLE = re.compile(r"\b[A-Z][\w’']+ of (?:the )?\Z")


class Context(NamedTuple):
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


class _Name(NamedTuple):
    """A heading in all forms that people write, their common beginning, and whose it is."""

    name: str
    stem: str
    form: str
    which: int = 0


class _Marks:
    """Distinguishes the meanings of a number by names and by runs of words that only one has."""

    def __init__(self, meanings: Sequence[tuple[Iterable[str], Iterable[str]]]) -> None:
        names = [(name, place) for place, (each, _) in enumerate(meanings) for name in each]
        self._names = [
            _name_of(name)._replace(which=which) for name, which in sorted(_of_one(names).items())
        ]
        self._texts = [(text, place) for place, (_, texts) in enumerate(meanings) for text in texts]

    @cached_property
    def _runs(self) -> dict[tuple[str, ...], int]:
        """Map runs of words to the only meaning that has them. Equal words share an object."""
        split = [([*map(intern, ascii_words(text))], place) for text, place in self._texts]
        return _of_one(
            (run, place)
            for words, place in split
            for run in zip(*[words[start:] for start in range(_RUN)], strict=False)
        )

    def look(self, before: str, after: str, *, in_doubt: bool) -> Context | None:
        """Return the meaning that the words beside a citation are about; None if unclear.

        In doubt, a quotation needs no quotation marks, and a name may be further away.
        """
        if in_doubt or _QUOTES.search(after) or _QUOTES.search(before):
            quoted = self._quoted(after) or self._quoted(before)
            if quoted is not None:
                return quoted
        folded = f"{before}\0{after}".casefold()
        names = [name for name in self._names if name.stem in folded]
        context = _next_to(names, before, after)
        return _nearest(names, before, after) if context is None and in_doubt else context

    def _quoted(self, text: str) -> Context | None:
        """Return the meaning that a text quotes, by the longest run of words."""
        best: tuple[int, list[str], int] = (0, [], -1)
        for part in _CLOSING.split(text):
            words = ascii_words(part)
            # Every quotation is long enough to contain one of these runs.
            sampled = range(0, len(words) - _RUN + 1, _QUOTED - _RUN + 1)
            if not any(tuple(words[place : place + _RUN]) in self._runs for place in sampled):
                continue
            start, which = 0, -1
            for place in range(len(words) - _RUN + 1):
                here = self._runs.get(tuple(words[place : place + _RUN]), -1)
                if here != which:
                    start, which = place, here
                length = place + _RUN - start
                if here >= 0 and length > best[0]:
                    best = (length, words[start : start + length], here)
        length, quoted, which = best
        if length < _QUOTED or sum(map(_may_tell, quoted)) < _TELLING:
            return None
        return Context(which, is_strong=True, words=" ".join(quoted))


_Mark = TypeVar("_Mark", str, tuple[str, ...])


def _of_one(marks: Iterable[tuple[_Mark, int]]) -> dict[_Mark, int]:
    """Map marks to meanings, without marks that several meanings have."""
    owners: dict[_Mark, int] = {}
    for mark, place in marks:
        if owners.setdefault(mark, place) != place:
            owners[mark] = -1
    return {mark: place for mark, place in owners.items() if place >= 0}


def _may_tell(word: str) -> bool:
    return len(word) >= _LONG_WORD and word.isalpha() and word not in BY_CHANCE


@lru_cache(maxsize=4096)
def _name_of(heading: str) -> _Name:
    """Return a heading as people write it: any case, number or tense."""
    last = heading[-1:].casefold()
    stem, ends = heading, r"(?:s|es|d|ed|[a-z]?ing)?"
    if last == "e":
        stem, ends = heading[:-1], r"(?:e[sd]?|ing)"
    elif last == "y":
        stem, ends = heading[:-1], r"(?:y(?:s|ed|ing)?|ies|ied)"
    return _Name(heading, stem.casefold(), rf"(?<!\w){re.escape(stem)}{ends}(?!\w)")


@lru_cache(maxsize=4096)
def _pattern(form: str) -> re.Pattern[str]:
    return re.compile(form, re.IGNORECASE)


def _next_to(names: Sequence[_Name], before: str, after: str) -> Context | None:
    """Return the meaning named right beside the number; before it, if the number is in parentheses."""
    behind = {name.which: name for name in names if _pattern(_SIGNS + name.form).match(after)}
    ahead = {
        name.which: name for name in names if _pattern(rf"{name.form}{_SIGNS}\Z").search(before)
    }
    for named in (ahead, behind) if _PARENTHESIS.search(before) else (behind, ahead):
        if len(named) == 1:
            ((which, name),) = named.items()
            return Context(which, is_strong=True, words=name.name)
        if named:
            return None
    return None


def _nearest(names: Sequence[_Name], before: str, after: str) -> Context | None:
    """Return the meaning named nearest to the number, preferably on its line."""
    places: list[tuple[bool, int, _Name]] = []
    for name in names:
        behind = _pattern(name.form).search(after)
        if behind is not None and not _is_in_title(after, behind.start()):
            places.append(("\n" in after[: behind.start()], behind.start(), name))
        for ahead in _pattern(name.form).finditer(before):
            if not _is_in_title(before, ahead.start()):
                between = before[ahead.end() :]
                places.append(("\n" in between, len(between), name))
    if not places:
        return None
    _, _, nearest = min(places, key=lambda place: place[:2])
    return Context(nearest.which, is_strong=False, words=nearest.name)


def _is_in_title(text: str, start: int) -> bool:
    return text[start].isupper() and _TITLE.search(text, 0, start) is not None


class MeaningsOfNumbers:
    """Looks for the former headings and texts of numbers beside citations."""

    def __init__(self, base: "KnowledgeBase", numbers: NumberVerdicts) -> None:
        self._base, self._numbers = base, numbers
        self._marks: dict[str, _Marks] = {}

    def look(self, number: str, before: str, after: str, *, in_doubt: bool) -> Context | None:
        """Return the meaning that the words beside a number name or quote."""
        meanings = self._numbers.meanings_of(number)
        if len(meanings) <= 1:
            return None
        if number not in self._marks:
            self._marks[number] = _Marks(
                [(self.names_of(each), self.texts_of(each)) for each in meanings]
            )
        return self._marks[number].look(before, after, in_doubt=in_doubt)

    def names_of(self, meaning: Meaning) -> list[str]:
        """Return the headings of a provision, and of those above it, while it had a number."""
        states, over = self._base.states, self._base.headings.over
        each_over = [over(states[run.state], run.last) for run in meaning.runs]
        return list(dict.fromkeys([name for names in each_over for name in names]))

    def texts_of(self, meaning: Meaning) -> list[str]:
        """Return the texts of a provision while it had a number."""
        states = self._base.states
        return list(dict.fromkeys([text_of(states[run.state].body) for run in meaning.runs]))
