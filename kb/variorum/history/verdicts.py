"""Finds the verdicts of readers that hold between two editions, and puts them in place of steps."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from variorum.facts import StepEnd, Verdict, digest_of_words
from variorum.history.sides import NOWHERE, Side
from variorum.history.steps import Step, changes_of
from variorum.model import STEP_CERTAIN
from variorum.rows import COPIED, GONE, KEPT, MERGED, NEW, SPLIT, UNCERTAIN
from variorum.stored_rows import StepEvidence

# The chance that readers are right. Two who read alone agreed on 93 of 100 hard steps, so each errs
# on some 3; where a third had to decide, or only one read, this is the chance of one reader.
_CHANCES = {"2": 0.99, "decided": 0.95, "1": 0.95, "computed": 0.9}

_NOT_READ = "what was taken for its heir was read to be another's"
_SOURCE_NOT_READ = "what was taken for its source was read to be another's"


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
        place = self._places.get(end.name, NOWHERE)
        if place != NOWHERE and digest_of_words(*self._words(place)) == end.words:
            return place
        return NOWHERE

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
        is_kept = kept != NOWHERE and there.is_more_than_heading(kept)
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
        if NOWHERE not in (place, *others):
            yield Holding(verdict, place, others, [heir for heir in also if heir != NOWHERE])


def _place_onwards(end: StepEnd, new: Ends, onwards: Mapping[StepEnd, Verdict]) -> int:
    """Return the place of a newer end, or of its heir according to other verdicts, or -1."""
    seen: set[StepEnd] = set()
    while end not in seen:
        place = new.place(end)
        onward = onwards.get(end)
        if place != NOWHERE or onward is None or not onward.others:
            return place
        seen.add(end)
        end = onward.others[0]
    return NOWHERE


def decide(steps: Sequence[Step], old: Side, new: Side, verdicts: Sequence[Verdict]) -> list[Step]:
    """Return the steps of the alignment, with verdicts in place of those that readers decided.

    A step for each provision of the older edition comes first, then one for each new provision.
    """
    return _combined(steps, _Table(old, new, verdicts)) if verdicts else list(steps)


@dataclass(slots=True)
class _Table:
    """Verdicts by the places of two editions.

    Attributes:
        steps: The decided steps of old provisions.
        arrivals: The steps of new provisions without a source.
        parts: The new provisions that were split off each old provision.
        copies: The new provisions that repeat each old provision.
    """

    old: Side
    new: Side
    verdicts: Sequence[Verdict]
    steps: dict[int, Step] = field(default_factory=dict[int, Step])
    arrivals: dict[int, Step] = field(default_factory=dict[int, Step])
    parts: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    copies: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        """Find the places of all ends."""
        for held in holding(self.verdicts, ends_of(self.old), ends_of(self.new)):
            if held.verdict.is_of_old:
                self._decide_old(held.verdict, held.place, held.others, held.also)
            else:
                self._decide_new(held.verdict, held.place, held.others)

    def _decide_old(self, verdict: Verdict, place: int, heirs: list[int], also: list[int]) -> None:
        if verdict.verdict == "gone":
            self.steps[place] = _step(place, (), GONE, verdict)
            return
        if verdict.verdict == "merged":
            kinds = MERGED
        else:
            kinds = changes_of(self.old.items[place], self.new.items[heirs[0]])
        if verdict.verdict == "split":
            kinds = kinds & ~KEPT | SPLIT
        kinds |= COPIED if also else 0
        self.steps[place] = _step(place, dict.fromkeys([*heirs, *also]), kinds, verdict)

    def _decide_new(self, verdict: Verdict, place: int, sources: list[int]) -> None:
        match verdict.verdict:
            case "new":
                self.arrivals[place] = _step(NOWHERE, (place,), NEW, verdict)
            case "part":
                self.parts[sources[0]].append(place)
            case "copy":
                self.copies[sources[0]].append(place)
            case _:
                main, *rest = sources
                kinds = changes_of(self.old.items[main], self.new.items[place])
                self.steps.setdefault(main, _step(main, (place,), kinds, verdict))
                for source in rest:
                    merged = _step(source, (place,), MERGED, verdict)
                    self.steps.setdefault(source, merged)


def _step(old: int, heirs: Iterable[int], kinds: int, verdict: Verdict) -> Step:
    evidence = StepEvidence(verdict.readings, verdict.reason, ())
    return Step(old, tuple(heirs), kinds, _CHANCES[verdict.readings], evidence)


def ends_of(side: Side) -> Ends:
    """Return the provisions of an edition by their places."""
    items = side.items
    return Ends(side.by_name, lambda place: (items[place].state.heading, items[place].state.body))


def _combined(steps: Sequence[Step], table: _Table) -> list[Step]:
    """Return all steps, with decided steps instead of the alignment's."""
    taken = {step.new[0] for step in table.steps.values() if _has_heir(step)}
    taken |= table.arrivals.keys()
    given = taken.union(*table.parts.values(), *table.copies.values())
    given |= {place for step in table.steps.values() for place in step.new}
    combined: list[Step] = []
    for step in steps:
        if step.old == NOWHERE:
            continue
        decided = table.steps.get(step.old)
        if decided is None:
            better = _without(step, taken, given, table.arrivals)
        else:
            better = _with_copies(decided, step, given)
        if step.old in table.parts or step.old in table.copies:
            better = _with_more(better, table)
        combined.append(better)
    reached = {place for step in combined for place in step.new}
    return [*combined, *_arrivals(steps, reached, table)]


def _has_heir(step: Step) -> bool:
    return bool(step.new) and not step.kinds & (MERGED | GONE)


def _without(step: Step, taken: set[int], given: set[int], arrivals: Collection[int]) -> Step:
    """Return a step without the heirs, parts and copies that readers gave to another provision."""
    if given.isdisjoint(step.new):
        return step
    is_absorbed = step.kinds & MERGED and step.new[0] in arrivals
    if not (_has_heir(step) or is_absorbed):
        return step
    if step.new[0] in taken:
        # No verdict decides this step, so the provision may be gone.
        is_new = step.new[0] in arrivals
        kinds = (GONE if is_new else MERGED) | UNCERTAIN
        return _doubtful(step.old, () if is_new else step.new[:1], kinds, _NOT_READ)
    left = (step.new[0], *(place for place in step.new[1:] if place not in given))
    if len(left) > 1:
        return step._replace(new=left)
    return step._replace(new=left, kinds=step.kinds & ~(SPLIT | COPIED))


def _with_copies(decided: Step, aligned: Step, given: set[int]) -> Step:
    """Return a decided step with the alignment's copies, since readers named only some."""
    is_same = decided.new[:1] == aligned.new[:1] and not decided.kinds & MERGED
    more = [copy for copy in aligned.copies if copy not in decided.new and copy not in given]
    if not is_same or not more or aligned.kinds & SPLIT:
        return decided
    return decided._replace(new=(*decided.new, *more), kinds=decided.kinds | COPIED)


def _with_more(step: Step, table: _Table) -> Step:
    """Return a step with the parts and copies that readers named."""
    for more, kind in ((table.parts, SPLIT), (table.copies, COPIED)):
        places = [place for place in more.get(step.old, ()) if place not in step.new]
        if places and not step.kinds & (MERGED | GONE):
            kinds = step.kinds if step.kinds & kind else step.kinds & ~KEPT | kind
            step = step._replace(new=(*step.new, *places), kinds=kinds)
    return step


def _arrivals(steps: Sequence[Step], reached: set[int], table: _Table) -> Iterator[Step]:
    """Yield the steps of new provisions without a source."""
    known = {step.new[0]: step for step in steps if step.old == NOWHERE}
    for place in range(len(table.new.items)):
        if place in table.arrivals:
            yield table.arrivals[place]
        elif place not in reached:
            doubtful = _doubtful(NOWHERE, (place,), NEW | UNCERTAIN, _SOURCE_NOT_READ)
            yield known.get(place, doubtful)


def _doubtful(old: int, new: tuple[int, ...], kinds: int, reason: str) -> Step:
    return Step(old, new, kinds, STEP_CERTAIN, StepEvidence("", "", (reason,)))
