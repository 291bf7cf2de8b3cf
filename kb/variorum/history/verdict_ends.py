"""Finds the verdicts that hold between two editions: both print the words that were read.

Separate from `verdicts`, because importing the alignment takes longer than most answers.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from variorum.facts import StepEnd, Verdict, digest_of_words

_NOWHERE = -1  # as `sides.NOWHERE`


class Ends:
    """Finds the ends of verdicts among the provisions of an edition."""

    def __init__(self, places: Mapping[str, int], words: Callable[[int], tuple[str, str]]) -> None:
        """Prepare an edition.

        Args:
            places: The places of the provisions by number or headword, named as in `StepEnd`.
            words: Returns the heading and the body of the provision in a place.
        """
        self._places, self._words = places, words

    def place(self, end: StepEnd) -> int:
        """Return the place of the provision with this name and these words, or -1."""
        place = self._places.get(end.name, _NOWHERE)
        if place != _NOWHERE and digest_of_words(*self._words(place)) == end.words:
            return place
        return _NOWHERE

    def is_more_than_heading(self, place: int) -> bool:
        """Return whether the provision in a place has words under its heading."""
        return bool(self._words(place)[1])


class Holding(NamedTuple):
    """A verdict that holds between two editions, with the places of its ends.

    Attributes:
        verdict: The verdict.
        place: The place of the provision on whose step readers decided.
        others: The places of its heirs or sources.
        also: The places of further provisions with the same words, if the edition has them.
    """

    verdict: Verdict
    place: int
    others: list[int]
    also: list[int]


def holding(verdicts: Sequence[Verdict], old: Ends, new: Ends) -> Iterator[Holding]:
    """Yield the verdicts that hold between two editions, in their order.

    A verdict holds if the editions print both of its ends with the numbers and the words that were
    read. If the newer edition lacks the newer end, other verdicts on this end lead to its heir.

    Another rulebook may have a section 400 with the same heading. So verdicts on headings hold only
    beside a verdict on a provision with words.

    Args:
        verdicts: Verdicts on steps that may be between the two.
        old: An edition.
        new: A later edition.
    """
    held = list(_holding(verdicts, old, new))
    asked = (
        (old if holding_verdict.verdict.is_of_old else new, holding_verdict.place)
        for holding_verdict in held
    )
    if any(side.is_more_than_heading(place) for side, place in asked):
        yield from held


def _holding(verdicts: Sequence[Verdict], old: Ends, new: Ends) -> Iterator[Holding]:
    onwards = {verdict.asked: verdict for verdict in verdicts if verdict.is_of_old}
    for verdict in verdicts:
        # An edition between the two that were read may print the provision unchanged.
        there = new if verdict.is_of_old else old
        kept = there.place(verdict.asked)
        is_kept = kept != _NOWHERE and there.is_more_than_heading(kept)
        if is_kept and verdict.asked not in (*verdict.others, *verdict.also):
            continue
        if verdict.is_of_old:
            place = old.place(verdict.asked)
            others = [_place_onwards(end, new, onwards) for end in verdict.others]
            also = [_place_onwards(end, new, onwards) for end in verdict.also]
        else:
            place = _place_onwards(verdict.asked, new, onwards)
            others = [old.place(end) for end in verdict.others]
            also = []
        if _NOWHERE not in (place, *others):
            yield Holding(verdict, place, others, [heir for heir in also if heir != _NOWHERE])


def _place_onwards(end: StepEnd, new: Ends, onwards: Mapping[StepEnd, Verdict]) -> int:
    """Return the place of a newer end, or of its heir according to other verdicts, or -1."""
    seen: set[StepEnd] = set()
    while end not in seen:
        place = new.place(end)
        onward = onwards.get(end)
        if place != _NOWHERE or onward is None or not onward.others:
            return place
        seen.add(end)
        end = onward.others[0]
    return _NOWHERE
