"""Makes the steps of provisions from one edition to the next, with confidence and evidence."""

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from variorum.history.aligning.align import Aligner
from variorum.history.aligning.sides import NOWHERE, Item, Side
from variorum.history.aligning.splits_and_merges import DescentFinder
from variorum.history.aligning.surroundings_points import Score
from variorum.history.canonical import Folder
from variorum.history.confidence.chances import chance_of, chance_of_new
from variorum.history.confidence.confidence import ConfidenceJudge
from variorum.model import STEP_CERTAIN
from variorum.rows import State
from variorum.thresholds.lineages import ANCHOR_CHANCE

_MOST_RIVALS = 3
_SAME_WORDS = ("same words, which stand once in each edition",)


class StepKind(Enum):
    """The kinds of a step; the values are shown to users, and several can apply."""

    KEPT = "kept"
    RENUMBERED = "renumbered"
    REWORDED = "reworded"
    SPLIT = "split"
    MERGED = "merged"
    COPIED = "copied"
    NEW = "new"
    GONE = "gone"
    UNCERTAIN = "uncertain"


class StepVerdict(NamedTuple):
    """The verdict of readers on a step.

    Attributes:
        readings: How many readers agreed, or "decided" if a third reader settled it.
        reason: The reason, in our words.
    """

    readings: str
    reason: str


class Step(NamedTuple):
    """How a provision came from one edition to the next.

    Attributes:
        old: The provision's place in the older edition; -1 if it is new.
        new: The places of its heirs in the newer edition, the main heir first. An uncertain step
            has the candidates, the likeliest first. Empty if the provision is gone, even
            uncertainly.
        kinds: The kinds, in the order of `StepKind`; with *uncertain*, also the likeliest kinds.
        confidence: The chance that the main heir, or its absence, is right.
        evidence: The reasons for the step, in our words, the strongest first.
        verdict: The verdict of readers; None if only the alignment decided.
        copies: The copies among `new`; not kept if a verdict replaces a step.
    """

    old: int
    new: tuple[int, ...]
    kinds: tuple[StepKind, ...]
    confidence: float
    evidence: tuple[str, ...]
    verdict: StepVerdict | None = None
    copies: tuple[int, ...] = ()


def align(
    old: Sequence[State],
    new: Sequence[State],
    folder: Folder | None = None,
) -> list[Step]:
    """Return a step for each provision of the older edition, then for each new provision.

    Equal editions give equal steps.

    Args:
        old: The provisions of an edition in printed order.
        new: The provisions of the next edition.
        folder: Caches folded texts across pairs.
    """
    folder = folder or Folder()
    return Steps(Aligner(Side(old, folder), Side(new, folder))).all()


class Steps:
    """Makes the steps of one alignment."""

    def __init__(self, aligner: Aligner) -> None:
        self._aligner = aligner
        self._judge = ConfidenceJudge(aligner)
        self._descent = DescentFinder(aligner, self._judge).find()

    def all(self) -> list[Step]:
        """Return all steps."""
        steps = [self._step(item) for item in self._aligner.old.items]
        reached = {place for step in steps for place in step.new}
        return [*steps, *self._arrivals(reached)]

    def _arrivals(self, reached: set[int]) -> Iterator[Step]:
        for item in self._aligner.new.items:
            if item.place not in reached:
                result = self._descent.new_results.get(item.place, STEP_CERTAIN)
                chance = chance_of_new(result, self._new_bits(item), is_entry=item.is_entry)
                kinds = _with_doubt([StepKind.NEW], chance)
                evidence = ("nothing like it before",)
                yield Step(NOWHERE, (item.place,), kinds, chance, evidence)

    def _new_bits(self, item: Item) -> float:
        """Return the weight of the words that the older edition lacks."""
        lacking = [sign for sign in item.words if sign not in self._aligner.old.where]
        return self._aligner.scale.bits("".join(lacking))

    def _step(self, item: Item) -> Step:
        old, descent = item.place, self._descent
        heir = descent.heirs.get(old)
        copies = tuple(sorted(descent.copies.get(old, ())))
        if heir is None:
            return self._without_heir(item, copies)
        if self._aligner.anchors.get(old) == heir and not copies and old not in descent.parts:
            changes = changes_of(item, self._aligner.new.items[heir])
            return Step(old, (heir,), tuple(changes), ANCHOR_CHANCE, _SAME_WORDS)
        parts = tuple(descent.parts.get(old, ()))
        result = descent.results.get(old)
        chance = chance_of(*result) if result else self._judge.heir(old)
        kinds = changes_of(item, self._aligner.new.items[heir])
        if parts:
            kinds = [kind for kind in kinds if kind is not StepKind.KEPT]
            kinds.append(StepKind.SPLIT)
        if copies:
            kinds.append(StepKind.COPIED)
        heirs = (heir, *parts, *copies)
        shown_kinds = _with_doubt(kinds, chance)
        if StepKind.UNCERTAIN in shown_kinds:
            heirs = tuple(dict.fromkeys([*heirs, *self._rivals(old, heir)]))
        evidence = (*self._evidence(old, heir), *self._of_parts(parts, copies))
        return Step(old, heirs, shown_kinds, chance, evidence, None, copies)

    def _without_heir(self, item: Item, copies: tuple[int, ...]) -> Step:
        old, descent = item.place, self._descent
        absorbed = tuple(descent.absorbed.get(old, ()))
        chance = chance_of(*descent.results[old])
        if absorbed:
            kinds = _with_doubt([StepKind.MERGED], chance)
            evidence = tuple(self._evidence(old, absorbed[0]))
            return Step(old, absorbed, kinds, chance, evidence)
        evidence_of_loss = (
            "what is most like it is another's heir"
            if self._rivals(old, NOWHERE)
            else "nothing like it is left"
        )
        kinds = _with_doubt([StepKind.GONE], chance)
        return Step(old, copies, kinds, chance, (evidence_of_loss,))

    def _rivals(self, old: int, heir: int) -> list[int]:
        """Return the places of the best candidates besides the heir."""
        row = self._aligner.scores.get(old, {})
        # Rounded, since versions of Python differ in the last digits of sums.
        ranked = sorted(row, key=lambda place: -round(row[place].total, 6))
        return [place for place in ranked if place != heir][:_MOST_RIVALS]

    # Reasons -------------------------------------------------------------------------------------

    def _evidence(self, old: int, heir: int) -> tuple[str, ...]:
        aligner = self._aligner
        if aligner.anchors.get(old) == heir:
            return _SAME_WORDS
        score = aligner.scores.get(old, {}).get(heir) or aligner.score(old, heir)
        return tuple(_reasons(score))

    def _of_parts(self, parts: tuple[int, ...], copies: tuple[int, ...]) -> Iterator[str]:
        items = self._aligner.new.items
        for place in parts:
            yield f"split off: {items[place].address}"
        for place in copies:
            yield f"said again: {items[place].address}"


def _with_doubt(kinds: list[StepKind], chance: float) -> tuple[StepKind, ...]:
    return (*kinds, StepKind.UNCERTAIN) if chance < STEP_CERTAIN else tuple(kinds)


def changes_of(old_item: Item, new_item: Item) -> list[StepKind]:
    """Return whether a provision was kept, or renumbered, reworded or both."""
    if old_item.state is new_item.state:
        return [StepKind.KEPT]
    kinds: list[StepKind] = []
    if not _is_same_place(old_item, new_item):
        kinds.append(StepKind.RENUMBERED)
    is_other_heading = old_item.canon.heading != new_item.canon.heading and not old_item.is_entry
    wordings = [item.canon.text + item.canon.examples for item in (old_item, new_item)]
    if wordings[0] != wordings[1] or is_other_heading:
        kinds.append(StepKind.REWORDED)
    return kinds or [StepKind.KEPT]


def _is_same_place(old_item: Item, new_item: Item) -> bool:
    """Return whether the number, or the folded headword, stayed the same."""
    if old_item.is_entry and new_item.is_entry:
        return old_item.canon.heading == new_item.canon.heading
    return (
        not (old_item.is_entry or new_item.is_entry)
        and old_item.state.number == new_item.state.number
    )


def _reasons(score: Score) -> Iterator[str]:
    likeness = score.likeness.words
    if likeness >= 1.0:
        yield "same words, as others have too"
    else:
        yield f"words alike by {min(likeness, 0.99) * 100:.0f} %"
    if score.votes:
        against = f", {score.against:.0f} do not" if score.against else ""
        yield f"{_citations(score.votes)} of it became citations of this{against}"
    elif score.against:
        yield f"against it: {_citations(score.against)} of it became citations of something else"
    if score.parent:
        yield "stands under the heir of what it stood under"
    if score.children:
        yield f"{score.children * 100:.0f} % of what stands under it came along"
    if score.neighbours:
        yield "both neighbours came along" if score.neighbours > 1 else "one neighbour came along"


def _citations(count: float) -> str:
    return "1 citation" if count == 1 else f"{count:.0f} citations"
