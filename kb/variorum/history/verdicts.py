"""Replaces steps of the alignment by verdicts of readers."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from variorum.facts import Verdict
from variorum.history.sides import NOWHERE, Side
from variorum.history.steps import Step, changes_of
from variorum.history.verdict_ends import Ends, holding
from variorum.model import STEP_CERTAIN
from variorum.rows import COPIED, GONE, KEPT, MERGED, NEW, SPLIT, UNCERTAIN
from variorum.stored_rows import StepEvidence

# The chance that readers are right. Two who read alone agreed on 93 of 100 hard steps, so each errs
# on some 3; where a third had to decide, or only one read, this is the chance of one reader.
_CHANCES = {"2": 0.99, "decided": 0.95, "1": 0.95, "computed": 0.9}

_NOT_READ = "what was taken for its heir was read to be another's"
_SOURCE_NOT_READ = "what was taken for its source was read to be another's"


def decide(steps: Sequence[Step], old: Side, new: Side, verdicts: Sequence[Verdict]) -> list[Step]:
    """Return the steps between two editions, with verdicts instead of steps of the alignment.

    Args:
        steps: The steps of the alignment.
        old: An edition.
        new: A later edition.
        verdicts: The verdicts on steps that may be between them.

    Returns:
        A step for each provision of the older edition, then for each new provision.
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
