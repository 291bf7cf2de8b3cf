"""Makes the steps of provisions from one edition to the next, with confidence and evidence."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from variorum.facts import Verdict, verdicts_between
from variorum.history.alignment import Alignment, Score
from variorum.history.canonical import Folder
from variorum.history.descent import Descent, find_descent
from variorum.history.sides import NOWHERE, Item, Side
from variorum.history.verdicts import Decided, decide, ends_of, holding
from variorum.rows import (
    COPIED,
    GONE,
    KEPT,
    MERGED,
    NEW,
    RENUMBERED,
    REWORDED,
    SPLIT,
    STEP_CERTAIN,
    UNCERTAIN,
    State,
    StepEvidence,
)

_MOST_RIVALS = 3
_SAME_WORDS = "same words, which stand once in each edition"
_NOT_READ = "what was taken for its heir was read to be another's"
_SOURCE_NOT_READ = "what was taken for its source was read to be another's"
# The chance that readers are right. Two who read alone agreed on 93 of 100 hard steps, so each errs
# on some 3; where a third had to decide, or only one read, this is the chance of one reader.
_CHANCES = {"2": 0.99, "decided": 0.95, "1": 0.95, "computed": 0.9}


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
    """

    old: int
    new: tuple[int, ...]
    kinds: int
    confidence: float
    evidence: StepEvidence


def align(old: Sequence[State], new: Sequence[State], folder: Folder | None = None) -> list[Step]:
    """Return a step for each provision of the older edition, then for each new provision.

    Equal editions give equal steps. The folder caches folded texts across pairs. No verdict is used.
    """
    folder = folder or Folder()
    return steps_between(Side(old, folder), Side(new, folder))


def steps_between(
    old: Side,
    new: Side,
    days: tuple[str, str] = ("", ""),
    read: Mapping[str, State] | None = None,
) -> list[Step]:
    """Return the steps between two editions made with the same folder.

    Args:
        old: An edition.
        new: The next edition.
        days: Their effective dates. Verdicts on steps between them go before what the program finds.
        read: The ends of verdicts on steps that further editions divide, by their digests.
    """
    alignment = Alignment(old, new)
    descent = find_descent(alignment)
    ends = [ends_of(day, side, read or {}) for day, side in zip(days, (old, new), strict=True)]
    held = list(holding(verdicts_between(*days), *ends))
    decided = decide(descent, held)
    steps = [_step(alignment, descent, decided, item) for item in old.items]
    reached = {place for step in steps for place in step.new}
    for place in range(len(new.items)):
        if place in decided.news:
            steps.append(_read(NOWHERE, (place,), NEW, decided.news[place]))
        elif place not in reached:
            chance = descent.chances_of_new.get(place)
            if chance is None:
                steps.append(_doubted(NOWHERE, (place,), NEW, _SOURCE_NOT_READ))
            else:
                steps.append(_found(NOWHERE, (place,), NEW, chance, ["nothing like it before"]))
    return steps


def _step(alignment: Alignment, descent: Descent, decided: Decided, item: Item) -> Step:
    """Return the step of an old provision."""
    old, items = item.place, alignment.new.items
    heir, parts, copies = descent.heirs.get(old), descent.parts[old], descent.copies[old]
    if heir is None:
        heirs = (*descent.absorbed[old], *copies)
        kinds = MERGED if descent.absorbed[old] else GONE
    else:
        heirs = (heir, *parts, *copies)
        kinds = changes_of(item, items[heir])
        kinds = (kinds & ~KEPT | SPLIT) if parts else kinds
    kinds |= COPIED if copies else 0
    for more, kind in ((decided.parts[old], SPLIT), (decided.copies[old], COPIED)):
        places = [place for place in more if place not in heirs]
        if places and heir is not None:
            heirs = (*heirs, *places)
            kinds = kinds if kinds & kind else kinds & ~KEPT | kind
    if old in decided.olds:
        return _read(old, heirs, kinds, decided.olds[old])
    if old in decided.doubtful:
        return _doubted(old, heirs, kinds, _NOT_READ)
    chance = descent.chances[old]
    rivals = _rivals(alignment, old, NOWHERE if heir is None else heir)
    if kinds == GONE:
        reasons = [
            "what is most like it is another's heir" if rivals else "nothing like it is left"
        ]
    else:
        reasons = [*_reasons(alignment, old, heirs[0])]
    if heir is not None and chance < STEP_CERTAIN:
        more = [rival for rival in rivals if rival not in decided.given]
        heirs = tuple(dict.fromkeys([*heirs, *more]))
    reasons += [f"split off: {items[part].state.address}" for part in parts]
    reasons += [f"said again: {items[copy].state.address}" for copy in copies]
    return _found(old, heirs, kinds, chance, reasons)


def _found(
    old: int, new: tuple[int, ...], kinds: int, chance: float, reasons: Sequence[str]
) -> Step:
    doubt = UNCERTAIN if chance < STEP_CERTAIN else 0
    return Step(old, new, kinds | doubt, chance, StepEvidence("", "", tuple(reasons)))


def _read(old: int, new: tuple[int, ...], kinds: int, verdict: Verdict) -> Step:
    evidence = StepEvidence(verdict.readings, verdict.reason, ())
    return Step(old, new, kinds, _CHANCES[verdict.readings], evidence)


def _doubted(old: int, new: tuple[int, ...], kinds: int, reason: str) -> Step:
    return Step(old, new, kinds | UNCERTAIN, STEP_CERTAIN, StepEvidence("", "", (reason,)))


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
