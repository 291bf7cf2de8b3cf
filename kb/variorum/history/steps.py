"""Makes the steps of provisions from one edition to the next, with confidence and evidence."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from variorum.history.alignment import Alignment, Score
from variorum.history.canonical import Folder
from variorum.history.descent import find_descent
from variorum.history.sides import NOWHERE, Item, Side
from variorum.model import STEP_CERTAIN
from variorum.rows import (
    COPIED,
    GONE,
    KEPT,
    MERGED,
    NEW,
    RENUMBERED,
    REWORDED,
    SPLIT,
    UNCERTAIN,
    State,
)
from variorum.stored_rows import StepEvidence

_MOST_RIVALS = 3
_SAME_WORDS = "same words, which stand once in each edition"


class Step(NamedTuple):
    """How a provision came from one edition to the next.

    Attributes:
        old: The provision's place in the older edition; -1 if it is new.
        new: The places of its heirs in the newer edition, the main heir first. An uncertain step
            has the candidates, the likeliest first. Empty if the provision is gone, even
            uncertainly.
        kinds: Bits, see rows.STEP_KINDS; with *uncertain*, also the likeliest kinds.
        confidence: The chance that the main heir, or its absence, is right.
        evidence: What it rests on, the strongest reasons first.
        copies: The copies among `new`; not kept if a verdict replaces a step.
    """

    old: int
    new: tuple[int, ...]
    kinds: int
    confidence: float
    evidence: StepEvidence
    copies: tuple[int, ...] = ()


def align(old: Sequence[State], new: Sequence[State], folder: Folder | None = None) -> list[Step]:
    """Return a step for each provision of the older edition, then for each new provision.

    Equal editions give equal steps. The folder caches folded texts across pairs.
    """
    folder = folder or Folder()
    return steps_between(Side(old, folder), Side(new, folder))


def steps_between(old: Side, new: Side) -> list[Step]:
    """Return the steps between two editions made with the same folder, without verdicts."""
    alignment = Alignment(old, new)
    descent = find_descent(alignment)
    steps: list[Step] = []
    for item in old.items:
        place, heir = item.place, descent.heirs.get(item.place)
        chance = descent.chances[place]
        parts = tuple(descent.parts.get(place, ()))
        copies = tuple(sorted(descent.copies.get(place, ())))
        evidence = [f"split off: {new.items[part].state.address}" for part in parts]
        evidence += [f"said again: {new.items[copy].state.address}" for copy in copies]
        if heir is not None:
            kinds = changes_of(item, new.items[heir])
            if parts:
                kinds = kinds & ~KEPT | SPLIT
            if copies:
                kinds |= COPIED
            heirs = (heir, *parts, *copies)
            if chance < STEP_CERTAIN:
                heirs = tuple(dict.fromkeys([*heirs, *_rivals(alignment, place, heir)]))
            evidence = [*_reasons(alignment, place, heir), *evidence]
        elif place in descent.absorbed:
            heirs, kinds = tuple(descent.absorbed[place]), MERGED
            evidence = [*_reasons(alignment, place, heirs[0])]
        else:
            heirs, kinds = copies, GONE
            is_rivalled = bool(_rivals(alignment, place, NOWHERE))
            lost = "what is most like it is another's heir"
            evidence = [lost if is_rivalled else "nothing like it is left"]
        steps.append(_step(place, heirs, kinds, chance, evidence)._replace(copies=copies))
    reached = {place for step in steps for place in step.new}
    for place, chance in sorted(descent.chances_of_new.items()):
        if place not in reached:
            steps.append(_step(NOWHERE, (place,), NEW, chance, ["nothing like it before"]))
    return steps


def _step(
    old: int, new: tuple[int, ...], kinds: int, chance: float, reasons: Sequence[str]
) -> Step:
    doubt = UNCERTAIN if chance < STEP_CERTAIN else 0
    return Step(old, new, kinds | doubt, chance, StepEvidence("", "", tuple(reasons)))


def _rivals(alignment: Alignment, old: int, heir: int) -> list[int]:
    """Return the places of the best candidates besides the heir."""
    row = alignment.scores.get(old, {})
    # Rounded, since versions of Python differ in the last digits of sums.
    ranked = sorted(row, key=lambda place: -round(row[place].total, 6))
    return [place for place in ranked if place != heir][:_MOST_RIVALS]


def changes_of(old: Item, new: Item) -> int:
    """Return whether a provision was kept, or renumbered, reworded or both, as bits."""
    if old.state is new.state:
        return KEPT
    is_same_place = old.is_entry == new.is_entry and (
        old.canon.heading == new.canon.heading
        if old.is_entry
        else old.state.number == new.state.number
    )
    is_other_heading = old.canon.heading != new.canon.heading and not old.is_entry
    is_other_text = old.canon.text + old.canon.examples != new.canon.text + new.canon.examples
    kinds = 0 if is_same_place else RENUMBERED
    return kinds | (REWORDED if is_other_text or is_other_heading else 0) or KEPT


def _reasons(alignment: Alignment, old: int, new: int) -> Iterator[str]:
    """Yield what speaks for and against an heir, in our words."""
    if alignment.anchors.get(old) == new:
        yield _SAME_WORDS
        return
    score: Score = alignment.scores.get(old, {}).get(new) or alignment.score(old, new)
    likeness = score.likeness.words
    if likeness >= 1.0:
        yield "same words, as others have too"
    else:
        yield f"words alike by {min(likeness, 0.99) * 100:.0f} %"
    if score.votes:
        against = f", {score.against} do not" if score.against else ""
        yield f"{_citations(score.votes)} of it became citations of this{against}"
    elif score.against:
        yield f"against it: {_citations(score.against)} of it became citations of something else"
    if score.parent:
        yield "stands under the heir of what it stood under"
    if score.children:
        yield f"{score.children * 100:.0f} % of what stands under it came along"
    if score.neighbours:
        yield "both neighbours came along" if score.neighbours > 1 else "one neighbour came along"


def _citations(count: int) -> str:
    return "1 citation" if count == 1 else f"{count} citations"
