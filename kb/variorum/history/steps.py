"""Makes the steps of provisions from one edition to the next, and the links that the base stores of them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from variorum.facts import verdicts_between
from variorum.history.alignment import Alignment
from variorum.history.canonical import Folder
from variorum.history.descent import Descent, Step
from variorum.history.sides import NOWHERE, Item, Side
from variorum.history.verdicts import CHANCES, Ends, decide, holding
from variorum.history.word_diffs import classify, sweeps
from variorum.rows import (
    CHANGE_CLASSES,
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
    LinkRow,
    State,
    StepEvidence,
)
from variorum.text import counted

_MOST_RIVALS = 3
_SOURCE_NOT_READ = "what was taken for its source was read to be another's"


def align(old: Sequence[State], new: Sequence[State], folder: Folder | None = None) -> list[Step]:
    """Return a step for each provision of the older edition, then for each new provision.

    Equal editions give equal steps. The folder caches folded texts across pairs. No verdict is used.
    """
    folder = folder or Folder()
    return _steps_between(Alignment(Side(old, folder), Side(new, folder)), ("", ""), {})


def links_between(
    old: Side, new: Side, days: tuple[str, str], read: Mapping[str, State]
) -> list[LinkRow]:
    """Return a link for each old provision and heir, and each new provision; ends are places.

    A provision has no link if it is the same state in both editions and only its own heir.

    Args:
        old: An edition.
        new: The next edition, made with the same folder.
        days: Their effective dates. Verdicts on steps between them go before what the program finds.
        read: The ends of verdicts on steps that further editions divide, by their digests.
    """
    alignment = Alignment(old, new)
    return [*_links(alignment, _steps_between(alignment, days, read))]


def _steps_between(
    alignment: Alignment, days: tuple[str, str], read: Mapping[str, State]
) -> list[Step]:
    descent, items = Descent(alignment), alignment.new.items
    ends = [
        Ends(day, side, read)
        for day, side in zip(days, (alignment.old, alignment.new), strict=True)
    ]
    steps = descent.steps
    given, news = decide(steps, holding(verdicts_between(*days), *ends))
    for step in steps:
        step.kinds = MERGED if step.merged else GONE
        if step.heir != NOWHERE:
            step.kinds = _changes(alignment.old.items[step.old], items[step.heir])
            step.kinds = step.kinds & ~KEPT | SPLIT if step.parts else step.kinds
        step.kinds |= COPIED if step.copies else 0
        if step.doubt:
            step.kinds |= UNCERTAIN
            step.confidence = STEP_CERTAIN
        elif step.confidence < STEP_CERTAIN and not step.verdict:
            step.kinds |= UNCERTAIN
            if step.heir != NOWHERE:
                known = given | descent.chances_of_new.keys()
                step.rivals = [it for it in _rivals(alignment, step) if it not in known]
    reached = set(chain.from_iterable([step.new for step in steps]))
    for place in range(len(items)):
        if place in news:
            chance = CHANCES[news[place].readings]
            steps.append(Step(NOWHERE, place, kinds=NEW, confidence=chance, verdict=news[place]))
        elif place not in reached:
            chance = descent.chances_of_new.get(place, STEP_CERTAIN)
            doubt = "" if place in descent.chances_of_new else _SOURCE_NOT_READ
            kinds = NEW | (UNCERTAIN if doubt or chance < STEP_CERTAIN else 0)
            steps.append(Step(NOWHERE, place, kinds=kinds, confidence=chance, doubt=doubt))
    return steps


def _rivals(alignment: Alignment, step: Step) -> list[int]:
    """Return the places of the best candidates besides the heir."""
    row = alignment.scores.get(step.old, {})
    # Rounded, since versions of Python differ in the last digits of sums.
    ranked = sorted(row, key=lambda place: -round(row[place].points, 6))
    return [place for place in ranked if place != step.heir][:_MOST_RIVALS]


def _changes(old: Item, new: Item) -> int:
    """Return whether a provision was kept, or renumbered, reworded or both, as bits."""
    if old.state is new.state:
        return KEPT
    before, after = old.canon, new.canon
    if old.is_entry and new.is_entry:
        is_moved, is_reworded = before.heading != after.heading, False
    else:
        is_moved = old.is_entry != new.is_entry or old.state.number != new.state.number
        is_reworded = before.heading != after.heading and not old.is_entry
    is_reworded = is_reworded or before.text + before.examples != after.text + after.examples
    return (RENUMBERED if is_moved else 0) | (REWORDED if is_reworded else 0) or KEPT


# Links -------------------------------------------------------------------------------------------


def _links(alignment: Alignment, steps: Sequence[Step]) -> Iterator[LinkRow]:
    old, new = alignment.old.items, alignment.new.items
    heirs = {
        step.old: step.new[0]
        for step in steps
        if step.old != NOWHERE and step.new and not step.kinds & GONE
    }
    swept = sweeps(
        (old[place].words, new[heir].words)
        for place, heir in heirs.items()
        if old[place].words != new[heir].words
    )
    leading_to = Counter(chain.from_iterable([step.new for step in steps]))
    for step in steps:
        news = step.new
        is_kept = step.kinds == KEPT and leading_to[news[0]] == 1
        if is_kept and old[step.old].state == new[news[0]].state:
            continue
        why = step.confidence, _evidence(alignment, step)
        if step.old == NOWHERE:
            yield LinkRow(NOWHERE, news[0], 0, step.kinds, 0, *why)
            continue
        if step.kinds & GONE:  # perhaps also copied
            yield LinkRow(step.old, NOWHERE, 0, step.kinds, 0, *why)
        item = old[step.old]
        for rank, place in enumerate(news, bool(step.kinds & GONE)):
            heir = new[place]
            follow = all(
                NOWHERE in (before, after) or heirs.get(before) == after
                for befores, afters in zip(item.cites, heir.cites, strict=False)
                for before, after in zip(befores, afters, strict=True)
            )
            ends = (item.state, item.canon), (heir.state, heir.canon)
            change = classify(*ends, swept, citations_follow=follow)
            yield LinkRow(step.old, place, rank, step.kinds, CHANGE_CLASSES.index(change), *why)


def _evidence(alignment: Alignment, step: Step) -> StepEvidence:
    """Return what a step rests on, the strongest reasons first."""
    if step.verdict:
        return StepEvidence(step.verdict.readings, step.verdict.reason, ())
    if step.doubt:
        reasons = [step.doubt]
    elif step.old == NOWHERE:
        reasons = ["nothing like it before"]
    elif not step.kinds & (GONE | MERGED) or step.merged:
        new = alignment.new.items
        reasons = [*_reasons(alignment, step.old, step.new[0])]
        reasons += [f"split off: {new[part].state.address}" for part in step.parts]
        reasons += [f"said again: {new[copy].state.address}" for copy in step.copies]
    else:
        is_like = alignment.scores.get(step.old)
        reasons = [
            "what is most like it is another's heir" if is_like else "nothing like it is left"
        ]
    return StepEvidence("", "", tuple(reasons))


def _reasons(alignment: Alignment, old: int, new: int) -> Iterator[str]:
    """Yield what speaks for and against an heir, in our words."""
    if alignment.anchors.get(old) == new:
        yield "same words, which stand once in each edition"
        return
    score = alignment.scores.get(old, {}).get(new) or alignment.score(old, new)
    words = score.likeness.words
    alike = f"words alike by {min(words, 0.99) * 100:.0f} %"
    yield "same words, as others have too" if words >= 1.0 else alike
    if score.votes:
        against = f", {score.against} do not" if score.against else ""
        yield f"{counted(score.votes, 'citation')} of it became citations of this{against}"
    elif score.against:
        cited = counted(score.against, "citation")
        yield f"against it: {cited} of it became citations of something else"
    if score.is_family:
        yield "stands under the heir of what it stood under"
    if score.children:
        yield f"{score.children * 100:.0f} % of what stands under it came along"
    if score.neighbours:
        yield "both neighbours came along" if score.neighbours > 1 else "one neighbour came along"
