"""Which verdicts of readers hold for two editions: both of their ends stand there as they were read.

Apart from `verdicts`, since the alignment that it imports takes longer than most answers.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from variorum_kb.facts.verdicts import StepEnd, Verdict, digest_of_words

_NOWHERE = -1  # as `sides.NOWHERE`


class Ends:
    """The provisions of an edition, to find the ends of verdicts among them."""

    def __init__(self, places: Mapping[str, int], words: Callable[[int], tuple[str, str]]) -> None:
        """Prepare an edition.

        Args:
            places: Where provisions stand, by the names that `StepEnd` gives them.
            words: Returns the heading and the body of what stands in a place.
        """
        self._places, self._words = places, words

    def place(self, end: StepEnd) -> int:
        """Return where a provision with this name and these words stands; or -1."""
        place = self._places.get(end.name, _NOWHERE)
        if place != _NOWHERE and digest_of_words(*self._words(place)) == end.words:
            return place
        return _NOWHERE

    def is_more_than_heading(self, place: int) -> bool:
        """Say whether what stands in a place has words under its heading."""
        return bool(self._words(place)[1])


class Holding(NamedTuple):
    """A verdict that holds for two editions, its ends by their places in these.

    Attributes:
        verdict: What was decided.
        place: Where the provision stands that was asked about.
        others: Where its heirs or sources stand.
        also: Where the same is said as well, as far as that is here.
    """

    verdict: Verdict
    place: int
    others: list[int]
    also: list[int]


def holding(verdicts: Sequence[Verdict], old: Ends, new: Ends) -> Iterator[Holding]:
    """Yield the verdicts that hold for two editions, those on old provisions first.

    A verdict holds where both ends that it names stand as they were read: the same number with the
    same words. Where the newer end does not stand, since the edition that has it is not here,
    other verdicts are followed from it.

    Headings alone prove nothing, since another rulebook may have a section 400 called so, too: they
    hold beside a verdict on more than a heading.

    Args:
        verdicts: On steps that may lie between the two.
        old: An edition.
        new: A later one.
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
    for verdict in sorted(verdicts, key=lambda verdict: not verdict.is_of_old):
        if verdict.is_of_old:
            place = old.place(verdict.asked)
            others = [_place_onwards(end, new, onwards) for end in verdict.others]
            also = [_place_onwards(end, new, onwards) for end in verdict.also]
        else:
            place = _place_onwards(verdict.asked, new, onwards)
            others = [old.place(end) for end in verdict.others]
            also = []
        if _NOWHERE not in (place, *others):
            yield Holding(verdict, place, others, [spot for spot in also if spot != _NOWHERE])


def _place_onwards(end: StepEnd, new: Ends, onwards: Mapping[StepEnd, Verdict]) -> int:
    """Return where a newer end stands, or what verdicts say that it became; or -1."""
    seen: set[StepEnd] = set()
    while end not in seen:
        place = new.place(end)
        onward = onwards.get(end)
        if place != _NOWHERE or onward is None or not onward.others:
            return place
        seen.add(end)
        end = onward.others[0]
    return _NOWHERE
