"""Finds which of several provisions the words beside a citation are about."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from sys import intern
from typing import NamedTuple, TypeVar

from variorum.audit.judging.sentence import ADDRESS
from variorum.text import ascii_words
from variorum.words import BY_CHANCE

_AFTER, _BEFORE = 240, 160
_BLANK = re.compile(r"\n[^\w\n]*\n")
_QUOTES = re.compile("[\"“‘'«]")
# Two texts rarely share the first number of words in a row by chance. A quotation has at least the
# second number of words.
_RUN, _QUOTED = 4, 6
# A name of this many words is not beside a number by chance.
_LONG_NAME = 4
# A quotation must have this many words that are neither short nor common.
_TELLING = 3
# A quotation ends at a closing bracket.
_CLOSING = re.compile(r"[)\]}]")
# Words that only one candidate has suggest that it is meant, if there are this many of at least this
# length.
_OWN_WORDS, _OWN_LENGTH = 3, 4
# Signs between a number and a name: "CR 702.35 (Madness", "Madness, CR 702.35".
SIGNS = r"[ \t\"'“”‘’(\[\])}{:;,.*_`—–/#=-]{0,6}(?:(?:the|an?)[ ])?"
# Headings are looked up by this many first letters. A heading beside a citation is within this many
# characters of it.
_START, _NEAR = 3, 40
_PARENTHESIS = re.compile(r"[(\[][ ]?\Z")
# Signs between names of a list: "Embalm / Eternalize, CR 702.128a", "CR 701.15a / CR 701.35a: Goad
# and detain".
JOINED = r"(?:[ ]?[/,&+][ ]?|[ ](?:and|or)[ ])"
# "Winds of Abandon" is the title of a card, and does not name the keyword.
_TITLE = re.compile(r"\b[A-Z][\w’']+ of (?:the )?\Z")
# Words after this sign are about the number before it.
_LEADS_ON = re.compile(r"[)\]\"'`”’.*_]{0,3}[ \t]?(?:[:=—–-]|[\"“‘(\[])")


class Beside(NamedTuple):
    """The words on both sides of a citation, up to its neighbours.

    Attributes:
        before: The text before it.
        after: The text after it.
        listed: The names of a list beside the citation.
    """

    before: str
    after: str
    listed: str = ""


class CitationContext(NamedTuple):
    """The candidate that the words beside a citation point to.

    Attributes:
        which: The place of the provision among the candidates.
        is_strong: Whether the words quote the provision, or name it right beside the number.
        words: The name, the quotation or the words.
        is_hint: Whether the words are no name or quotation, but no other candidate has them.
    """

    which: int
    is_strong: bool
    words: str
    is_hint: bool = False

    @property
    def is_quoted(self) -> bool:
        """Say whether the words are a quotation, or a name too long to be there by chance."""
        return self.words.count(" ") + 1 >= (_LONG_NAME if self.is_strong else _QUOTED)


class Name(NamedTuple):
    """A heading in all forms that people write: any case, number or tense.

    Attributes:
        name: The heading.
        stem: The beginning that all forms share, in small letters.
        form: The pattern that matches any form.
        which: The place of the provision among the candidates.
    """

    name: str
    stem: str
    form: str
    which: int = 0


class Marks:
    """Distinguishes candidates by names, runs of words and words that only one has."""

    def __init__(self, candidates: Sequence[tuple[Iterable[str], Iterable[str]]]) -> None:
        """Prepare.

        Args:
            candidates: The headings and the texts of each candidate through time.
        """
        names = [(name, place) for place, (each, _) in enumerate(candidates) for name in each]
        self._names = [
            name_of(name)._replace(which=which) for name, which in sorted(_of_one(names).items())
        ]
        self._texts = [
            (text, place) for place, (_, texts) in enumerate(candidates) for text in texts
        ]

    def _words(self) -> Iterator[tuple[list[str], int]]:
        """Yield the words of each text. Equal words share an object, to save memory."""
        return (([*map(intern, ascii_words(text))], place) for text, place in self._texts)

    @cached_property
    def _runs(self) -> dict[tuple[str, ...], int]:
        """Map runs of words to the only candidate that has them."""
        runs = [
            (run, place)
            for words, place in self._words()
            for run in zip(*[words[start:] for start in range(_RUN)], strict=False)
        ]
        return _of_one(runs)

    @cached_property
    def _own(self) -> dict[str, int]:
        """Map words to the only candidate that has them."""
        each = [
            (word, place) for words, place in self._words() for word in words if _may_tell(word)
        ]
        return _of_one(each)

    def look(self, beside: Beside, *, in_doubt: bool) -> CitationContext | None:
        """Return the candidate that the words beside a citation are about; None if unclear.

        Args:
            beside: The words.
            in_doubt: Whether a hint is enough, because there is no other evidence.
        """
        if in_doubt or _QUOTES.search(beside.after) or _QUOTES.search(beside.before):
            quoted = self._quoted(beside.after) or self._quoted(beside.before)
            if quoted is not None:
                return quoted
        folded = f"{beside.before}\0{beside.after}".casefold()
        names = [name for name in self._names if name.stem in folded]
        context = _next_to(names, beside)
        if context is None and in_doubt:
            context = _nearest(names, beside) or self._by_words(folded)
        return None if context and _are_listed(names, context, beside) else context

    def _quoted(self, text: str) -> CitationContext | None:
        """Return the candidate that a text quotes, by the longest run of words."""
        best: tuple[int, list[str], int] = (0, [], -1)
        for part in _CLOSING.split(text):
            words = ascii_words(part)
            if not self._may_quote(words):
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
        return CitationContext(which, is_strong=True, words=" ".join(quoted))

    def _may_quote(self, words: Sequence[str]) -> bool:
        """Say whether the words may contain a quotation.

        Only some runs of words are looked up. Every quotation is long enough to contain one.
        """
        runs = self._runs
        places = range(0, len(words) - _RUN + 1, _QUOTED - _RUN + 1)
        return any(tuple(words[place : place + _RUN]) in runs for place in places)

    def _by_words(self, folded: str) -> CitationContext | None:
        own = self._own
        owners = {word: own[word] for word in ascii_words(folded) if word in own}
        counts = Counter(owners.values())
        if len(counts) != 1:
            return None
        ((which, count),) = counts.items()
        if count < _OWN_WORDS:
            return None
        return CitationContext(which, is_strong=False, words=", ".join(owners), is_hint=True)


_Mark = TypeVar("_Mark", str, tuple[str, ...])


def _of_one(marks: Iterable[tuple[_Mark, int]]) -> dict[_Mark, int]:
    """Map marks to candidates, without marks that several candidates have."""
    owners: dict[_Mark, int] = {}
    for mark, place in marks:
        if owners.setdefault(mark, place) != place:
            owners[mark] = -1
    return {mark: place for mark, place in owners.items() if place >= 0}


def _may_tell(word: str) -> bool:
    return len(word) >= _OWN_LENGTH and word.isalpha() and word not in BY_CHANCE


@lru_cache(maxsize=4096)
def name_of(heading: str) -> Name:
    """Return a heading as people write it.

    >>> name_of("Copy").stem
    'cop'
    """
    last = heading[-1:].casefold()
    stem, ends = heading, r"(?:s|es|d|ed|[a-z]?ing)?"
    if last == "e":
        stem, ends = heading[:-1], r"(?:e[sd]?|ing)"
    elif last == "y":
        stem, ends = heading[:-1], r"(?:y(?:s|ed|ing)?|ies|ied)"
    return Name(heading, stem.casefold(), rf"(?<!\w){re.escape(stem)}{ends}(?!\w)")


@lru_cache(maxsize=4096)
def _pattern(form: str) -> re.Pattern[str]:
    return re.compile(form, re.IGNORECASE)


def words_beside(text: str, start: int, end: int, left: int, right: int) -> Beside:
    """Return the words beside a citation.

    Args:
        text: The whole text.
        start: Where the citation begins.
        end: Where it ends, exclusive.
        left: Where the citation before it ends.
        right: Where the next one begins.
    """
    begin = max(left, start - _BEFORE)
    if begin == left and left and _LEADS_ON.match(text, left):
        begin = text.rfind("\n", begin, start) + 1 or start
    before = ADDRESS.sub("", text[begin:start])
    after = ADDRESS.sub("", text[end : min(right, end + _AFTER)])
    blanks = list(_BLANK.finditer(before))
    if blanks:
        before = before[blanks[-1].end() :]
    blank = _BLANK.search(after)
    return Beside(before, after[: blank.start()] if blank else after)


class Names:
    """Looks for many headings beside many citations."""

    def __init__(self, headings: Iterable[str]) -> None:
        self.names = frozenset(headings)
        self._by_start: dict[str, list[Name]] = {}
        for heading in sorted(self.names):
            form = name_of(heading)
            self._by_start.setdefault(form.stem[:_START], []).append(form)

    def beside(self, beside: Beside) -> str:
        """Return the heading right beside a citation; "" if there is none, or several."""
        near = Beside(beside.before[-_NEAR:], beside.after[:_NEAR])
        context = _next_to(self._in(f"{near.before}\0{near.after}"), near)
        return context.words if context else ""

    def among(self, beside: Beside) -> list[Name]:
        """Return the headings anywhere in the words beside a citation."""
        text = "\0".join(beside)
        return [name for name in self._in(text) if _pattern(name.form).search(text)]

    def _in(self, text: str) -> list[Name]:
        folded = text.casefold()
        starts = {word[:_START] for word in ascii_words(folded)}
        names = [name for start in sorted(starts) for name in self._by_start.get(start, ())]
        return [
            name._replace(which=place) for place, name in enumerate(names) if name.stem in folded
        ]


def _next_to(names: Sequence[Name], beside: Beside) -> CitationContext | None:
    """Return the candidate named right beside the number; before it, if the number is in parentheses."""
    folded_before, folded_after = beside.before.casefold(), beside.after.casefold()
    behind = {
        name.which: name
        for name in names
        if name.stem in folded_after and _pattern(SIGNS + name.form).match(beside.after)
    }
    before = {
        name.which: name
        for name in names
        if name.stem in folded_before and _pattern(rf"{name.form}{SIGNS}\Z").search(beside.before)
    }
    both = (before, behind) if _PARENTHESIS.search(beside.before) else (behind, before)
    for named in both:
        if len(named) == 1:
            ((which, name),) = named.items()
            return CitationContext(which, is_strong=True, words=name.name)
        if named:
            return None
    return None


def _are_listed(names: Sequence[Name], context: CitationContext, beside: Beside) -> bool:
    """Say whether a name is in a list with another candidate's name."""
    here = [name for name in names if name.which == context.which]
    pairs = [
        (name, further) for name in here for further in names if further.which != context.which
    ]
    return any(
        _pattern(f"{first.form}{JOINED}{second.form}").search(part)
        for name, further in pairs
        for first, second in ((name, further), (further, name))
        for part in beside
    )


def _is_in_title(text: str, start: int) -> bool:
    return text[start].isupper() and _TITLE.search(text, 0, start) is not None


def _nearest(names: Sequence[Name], beside: Beside) -> CitationContext | None:
    """Return the candidate named nearest to the number, preferably on its line."""
    places: list[tuple[bool, int, Name]] = []
    for name in names:
        behind = _pattern(name.form).search(beside.after)
        if behind is not None and not _is_in_title(beside.after, behind.start()):
            places.append(("\n" in beside.after[: behind.start()], behind.start(), name))
        for before in _pattern(name.form).finditer(beside.before):
            if not _is_in_title(beside.before, before.start()):
                between = beside.before[before.end() :]
                places.append(("\n" in between, len(between), name))
    if not places:
        return None
    _, _, nearest = min(places, key=lambda place: place[:2])
    return CitationContext(nearest.which, is_strong=False, words=nearest.name)
