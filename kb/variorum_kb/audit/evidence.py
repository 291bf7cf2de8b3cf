"""Which of several provisions the words beside a citation speak of."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

_AFTER, _BEFORE = 240, 160
_BLANK = re.compile(r"\n[^\w\n]*\n")
_WORD = re.compile(r"[a-z0-9]+(?:['’][a-z]+)?")
# Words in a row that two texts hardly share by chance, and how many make a quotation.
_RUN, _QUOTED = 4, 6
# Right behind the number, or right before it: "CR 702.35 (Madness", "Madness, CR 702.35".
_NEXT_TO = re.compile(r"[\s\"'“‘(\[{:,.*_`—–/#-]{0,8}")
_SIGNS_BEFORE = " \t\r\n\"'“”’)([{:,;.*_`—–/#-"


class Beside(NamedTuple):
    """The words on both sides of a citation, up to its neighbours.

    Attributes:
        before: What stands before it.
        after: What stands behind it.
    """

    before: str
    after: str


class Said(NamedTuple):
    """What the words beside a citation say.

    Attributes:
        which: The place of the provision among the candidates.
        is_strong: Whether they quote it, or name it right beside the number.
        words: The name or the quotation.
    """

    which: int
    is_strong: bool
    words: str


@dataclass(frozen=True, slots=True)
class Marks:
    """By what candidates are told apart.

    Attributes:
        names: The headings of each that no other has.
        runs: In which candidate alone so many words follow each other.
    """

    names: tuple[tuple[str, re.Pattern[str], int], ...]
    runs: dict[tuple[str, ...], int]

    def look(self, beside: Beside) -> Said | None:
        """Return which candidate the words beside a citation speak of; None if they do not say."""
        quoted = self._quoted(beside.after) or self._quoted(beside.before)
        if quoted is not None:
            return quoted
        found = [
            Said(which, _is_next(name, beside), name)
            for name, pattern, which in self.names
            if pattern.search(beside.after) or pattern.search(beside.before)
        ]
        strong = [one for one in found if one.is_strong] or found
        return strong[0] if len({one.which for one in strong}) == 1 else None

    def _quoted(self, text: str) -> Said | None:
        words = _WORD.findall(text.casefold())
        best: tuple[int, int, int] = (0, 0, 0)
        start, which = 0, -1
        for place in range(len(words) - _RUN + 1):
            here = self.runs.get(tuple(words[place : place + _RUN]), -1)
            if here != which:
                start, which = place, here
            if here >= 0:
                best = max(best, (place + _RUN - start, -start, here))
        length, begin, which = best
        if length < _QUOTED:
            return None
        return Said(which, is_strong=True, words=" ".join(words[-begin : length - begin]))


def marks_of(candidates: Sequence[tuple[Iterable[str], Iterable[str]]]) -> Marks:
    """Return by what some provisions are told apart.

    Args:
        candidates: Of each, the headings it had and the texts it had.
    """
    names: dict[str, set[int]] = {}
    runs: dict[tuple[str, ...], set[int]] = {}
    for place, (headings, texts) in enumerate(candidates):
        for heading in headings:
            names.setdefault(heading, set()).add(place)
        for text in texts:
            words = _WORD.findall(text.casefold())
            for start in range(len(words) - _RUN + 1):
                runs.setdefault(tuple(words[start : start + _RUN]), set()).add(place)
    return Marks(
        tuple(
            (name, re.compile(rf"(?<!\w){re.escape(name)}(?!\w)"), min(places))
            for name, places in sorted(names.items())
            if len(places) == 1
        ),
        {run: min(places) for run, places in runs.items() if len(places) == 1},
    )


def words_beside(text: str, start: int, end: int, left: int, right: int) -> Beside:
    """Return the words beside a citation.

    Args:
        text: All of it.
        start: Where the citation begins.
        end: Where it ends, exclusive.
        left: Where the citation before it ends.
        right: Where the next one begins.
    """
    before = text[max(left, start - _BEFORE) : start]
    after = text[end : min(right, end + _AFTER)]
    blanks = list(_BLANK.finditer(before))
    if blanks:
        before = before[blanks[-1].end() :]
    blank = _BLANK.search(after)
    return Beside(before, after[: blank.start()] if blank else after)


def _is_next(name: str, beside: Beside) -> bool:
    signs = _NEXT_TO.match(beside.after)
    return beside.after.startswith(name, signs.end() if signs else 0) or beside.before.rstrip(
        _SIGNS_BEFORE
    ).endswith(name)
