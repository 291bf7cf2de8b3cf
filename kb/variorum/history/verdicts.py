"""Finds the verdicts of readers that hold between two editions, and puts them in place of steps."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from variorum.facts import StepEnd, Verdict, digest_of_words
from variorum.history.descent import Descent
from variorum.history.sides import NOWHERE, Side
from variorum.rows import State


class Ends:
    """Finds the ends of verdicts among the provisions of an edition.

    Attributes:
        day: The effective date of the edition.
    """

    def __init__(
        self,
        day: str,
        places: Mapping[str, int],
        words: Callable[[int], tuple[str, str]],
        folded: Callable[[], Iterable[tuple[int, str]]],
        read: Callable[[str], str],
    ) -> None:
        """Prepare an edition.

        Args:
            day: The effective date.
            places: The places of the provisions by number or headword, named as in `StepEnd`.
            words: Returns the heading and the body of the provision in a place.
            folded: Returns the places of all provisions, and their canonical words.
            read: Returns the canonical words of an end that was read, by its digest; "" if unknown.
        """
        self.day, self._places, self._words = day, places, words
        self._folded, self._read = folded, read

    def place(self, end: StepEnd) -> int:
        """Return the place of the provision with this name and these words, or -1."""
        place = self._places.get(end.name, NOWHERE)
        if place != NOWHERE and digest_of_words(*self._words(place)) == end.words:
            return place
        return NOWHERE

    def place_for(self, end: StepEnd, verdict: Verdict) -> int:
        """Return the place of an end of a verdict, or -1.

        An edition between the two that were read may print its words under another number, or with
        other cited numbers.
        """
        place = self.place(end)
        if place == NOWHERE and verdict.old_edition < self.day < verdict.new_edition:
            return self._by_words.get(self._read(end.words), NOWHERE)
        return place

    @cached_property
    def _by_words(self) -> dict[str, int]:
        """Return the places by canonical words, -1 for words that several provisions have."""
        places = {"": NOWHERE}
        for place, words in self._folded():
            places[words] = NOWHERE if words in places else place
        return places

    def is_more_than_heading(self, place: int) -> bool:
        """Return whether the provision in a place has words under its heading."""
        return bool(self._words(place)[1])


def ends_of(day: str, side: Side, read: Mapping[str, State]) -> Ends:
    """Return the provisions of an edition by their places, given ends that were read in others."""
    items, canon = side.items, side.folder.canon
    return Ends(
        day,
        side.by_name,
        lambda place: (items[place].state.heading, items[place].state.body),
        lambda: ((item.place, item.words) for item in items),
        lambda digest: canon(read[digest]).whole if digest in read else "",
    )


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
    """
    held = list(_holding(verdicts, old, new))
    if any((old if it.verdict.is_of_old else new).is_more_than_heading(it.place) for it in held):
        yield from held


def _holding(verdicts: Sequence[Verdict], old: Ends, new: Ends) -> Iterator[Holding]:
    onwards = {verdict.asked: verdict for verdict in verdicts if verdict.is_of_old}
    for verdict in verdicts:
        # An edition between the two that were read may print the provision unchanged.
        there = new if verdict.is_of_old else old
        kept = there.place_for(verdict.asked, verdict)
        is_kept = kept != NOWHERE and there.is_more_than_heading(kept)
        if is_kept and verdict.asked not in (*verdict.others, *verdict.also):
            continue
        also: list[int] = []
        if verdict.is_of_old:
            place = old.place_for(verdict.asked, verdict)
            others = [_place_onwards(end, verdict, new, onwards) for end in verdict.others]
            also = [_place_onwards(end, verdict, new, onwards) for end in verdict.also]
        else:
            place = _place_onwards(verdict.asked, verdict, new, onwards)
            others = [old.place_for(end, verdict) for end in verdict.others]
        if NOWHERE not in (place, *others):
            yield Holding(verdict, place, others, [heir for heir in also if heir != NOWHERE])


def _place_onwards(
    end: StepEnd, verdict: Verdict, new: Ends, onwards: Mapping[StepEnd, Verdict]
) -> int:
    """Return the place of a newer end, or of its heir according to other verdicts, or -1."""
    seen: set[StepEnd] = set()
    while end not in seen:
        place = new.place_for(end, verdict)
        onward = onwards.get(end)
        if place != NOWHERE or onward is None or not onward.others:
            return place
        seen.add(end)
        end = onward.others[0]
    return NOWHERE


@dataclass(slots=True)
class Decided:
    """What readers decided between two editions, by places.

    Attributes:
        olds: The verdicts on the steps of old provisions.
        news: The verdicts on new provisions that came from nothing.
        parts: The new provisions that were read to be split off an old one.
        copies: The new provisions that were read to repeat an old one.
        given: All new provisions whose sources were decided.
        doubtful: The old provisions whose heir was given to another, though nobody read their step.
    """

    olds: dict[int, Verdict] = field(default_factory=dict[int, Verdict])
    news: dict[int, Verdict] = field(default_factory=dict[int, Verdict])
    parts: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    copies: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    given: set[int] = field(default_factory=set[int])
    doubtful: set[int] = field(default_factory=set[int])


def decide(descent: Descent, held: Sequence[Holding]) -> Decided:
    """Put verdicts into a descent in place of what it has."""
    decided, heirs = Decided(), descent.heirs
    aligned = {old: (heir, descent.copies[old]) for old, heir in heirs.items()}
    split = {old for old, parts in descent.parts.items() if parts}
    for it in held:
        _put(descent, decided, it)
    taken = {heirs[old] for old in decided.olds if old in heirs} | decided.news.keys()
    decided.given |= taken
    for old in decided.olds:
        decided.given.update(descent.parts[old], descent.copies[old], descent.absorbed[old])
    for old in {**heirs, **descent.absorbed}.keys() - decided.olds.keys():
        _leave_to_others(descent, decided, old, taken)
    for old, (heir, copies) in aligned.items():
        # Readers named only some copies.
        if old in decided.olds and heirs.get(old) == heir and old not in split:
            descent.copies[old] += [copy for copy in copies if copy not in decided.given]
    return decided


def _put(descent: Descent, decided: Decided, held: Holding) -> None:
    verdict, place, others, also = held
    match verdict.verdict:
        case "new":
            decided.news[place] = verdict
        case "part" | "copy":
            further = decided.parts if verdict.verdict == "part" else decided.copies
            further[others[0]].append(place)
            decided.given.add(place)
        case _ if not verdict.is_of_old:
            for nth, source in enumerate(others):
                if source not in decided.olds:
                    _clear(descent, source)
                    decided.olds[source] = verdict
                    if nth:
                        descent.absorbed[source] = [place]
                    else:
                        descent.heirs[source] = place
        case kind:
            _clear(descent, place)
            decided.olds[place] = verdict
            if kind == "merged":
                descent.absorbed[place] = others
            elif kind != "gone":
                descent.heirs[place], descent.parts[place] = others[0], others[1:]
            descent.copies[place] = [] if kind == "gone" else also


def _clear(descent: Descent, old: int) -> None:
    descent.heirs.pop(old, None)
    for others in (descent.parts, descent.copies, descent.absorbed):
        others.pop(old, None)


def _leave_to_others(descent: Descent, decided: Decided, old: int, taken: AbstractSet[int]) -> None:
    """Take from a provision the heirs, parts and copies that readers gave to another."""
    heir = descent.heirs.get(old)
    if heir in taken or not decided.news.keys().isdisjoint(descent.absorbed[old][:1]):
        # No verdict decides this step, so the provision may be gone.
        _clear(descent, old)
        decided.doubtful.add(old)
        if heir is not None and heir not in decided.news:
            descent.absorbed[old] = [heir]
        return
    for others in (descent.parts, descent.copies):
        others[old] = [place for place in others[old] if place not in decided.given]
