"""Makes the steps of provisions from one edition to the next, and the links that the base stores of them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from variorum.facts import verdicts_between
from variorum.history.alignment import Alignment, Step
from variorum.history.canonical import Folder
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
    return steps_between(Alignment(Side(old, folder), Side(new, folder)), ("", ""), {})


def links_between(
    old: Side, new: Side, days: tuple[str, str], read: Mapping[str, State]
) -> list[LinkRow]:
    """Return a link for each old provision and heir, and each new provision; ends are places.

    A provision has no link if it is the same state in both editions and only its own heir. Verdicts on
    steps between the days of the editions, which one folder made, go before what the program finds; `read`
    has the ends of verdicts on steps that further editions divide, by their digests.
    """
    alignment = Alignment(old, new)
    return [*_links(alignment, steps_between(alignment, days, read))]


def steps_between(
    alignment: Alignment, days: tuple[str, str], read: Mapping[str, State]
) -> list[Step]:
    """Return the steps of an alignment, with the verdicts that hold."""
    old, new, steps = alignment.old, alignment.new, alignment.steps
    ends = [Ends(day, side, read) for day, side in zip(days, (old, new), strict=True)]
    given, news = decide(steps, holding(verdicts_between(*days), *ends))
    chances = alignment.chances_of_new | {at: CHANCES[it.readings] for at, it in news.items()}
    for step in steps:
        step.kinds = MERGED if step.merged else GONE
        if step.heir != NOWHERE:
            step.kinds = _changes(old.items[step.old], new.items[step.heir])
            step.kinds = step.kinds & ~KEPT | SPLIT if step.parts else step.kinds
        step.kinds |= COPIED if step.copies else 0
        if step.doubt:
            step.confidence = STEP_CERTAIN
        if step.doubt or (step.confidence < STEP_CERTAIN and not step.verdict):
            step.kinds |= UNCERTAIN
            taken = {step.heir, *given, *alignment.chances_of_new}
            # Rounded, since versions of Python differ in the last digits of sums.
            row = alignment.points.get(step.old, {}).items()
            near = sorted((-round(points, 6), place) for place, points in row if place not in taken)
            is_open = step.heir != NOWHERE and not step.doubt
            step.rivals = [place for _, place in near[:_MOST_RIVALS]] if is_open else []
    reached = set(chain.from_iterable([step.new for step in steps]))
    for place in sorted({*range(len(new.items))} - reached | news.keys()):
        chance, doubt = chances.get(place, STEP_CERTAIN), ""
        if place not in chances:
            doubt = _SOURCE_NOT_READ
        kinds = NEW | (UNCERTAIN if doubt or chance < STEP_CERTAIN else 0)
        verdict = news.get(place)
        steps.append(
            Step(NOWHERE, place, kinds=kinds, confidence=chance, verdict=verdict, doubt=doubt)
        )
    return steps


def _changes(old: Item, new: Item) -> int:
    """Return whether a provision was kept, or renumbered, reworded or both, as bits."""
    if old.state is new.state:
        return KEPT
    before, after = old.canon, new.canon
    is_other_heading = before.heading != after.heading
    is_moved = (old.is_entry, old.state.number) != (new.is_entry, new.state.number)
    is_moved = is_moved or (old.is_entry and is_other_heading)
    is_reworded = before.body != after.body or (is_other_heading and not old.is_entry)
    return (RENUMBERED if is_moved else 0) | (REWORDED if is_reworded else 0) or KEPT


# Links -------------------------------------------------------------------------------------------


def _links(alignment: Alignment, steps: Sequence[Step]) -> Iterator[LinkRow]:
    old, new = alignment.old.items, alignment.new.items
    heirs = {
        step.old: step.new[0]
        for step in steps
        if step.old != NOWHERE and step.new and not step.kinds & GONE
    }
    pairs = [(old[place].words, new[heir].words) for place, heir in heirs.items()]
    swept = sweeps([pair for pair in pairs if pair[0] != pair[1]])
    leading_to = Counter(chain.from_iterable([step.new for step in steps]))
    for step in steps:
        news, item = step.new, old[step.old]
        is_kept = step.kinds == KEPT and leading_to[news[0]] == 1
        if is_kept and item.state == new[news[0]].state:
            continue
        why = step.confidence, _evidence(alignment, step)
        if step.old == NOWHERE:
            yield LinkRow(NOWHERE, news[0], 0, step.kinds, 0, *why)
            continue
        if step.kinds & GONE:  # perhaps also copied
            yield LinkRow(step.old, NOWHERE, 0, step.kinds, 0, *why)
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
    elif step.new and not step.kinds & GONE:
        new = alignment.new.items
        reasons = [*_reasons(alignment, alignment.old.items[step.old], new[step.new[0]])]
        reasons += [f"split off: {new[part].state.address}" for part in step.parts]
        reasons += [f"said again: {new[copy].state.address}" for copy in step.copies]
    elif alignment.points.get(step.old):
        reasons = ["what is most like it is another's heir"]
    else:
        reasons = ["nothing like it is left"]
    return StepEvidence("", "", tuple(reasons))


def _reasons(alignment: Alignment, old: Item, new: Item) -> Iterator[str]:
    """Yield what speaks for and against an heir, in our words."""
    if alignment.anchors.get(old.place) == new.place:
        is_there = old.name == new.name
        yield "same words" + (" and number" if is_there else ", which stand once in each edition")
        return
    words, cited = alignment.scale.likeness(old, new).words, alignment.votes.get(old.place, {})
    alike = f"words alike by {min(words, 0.99) * 100:.0f} %"
    yield "same words, as others have too" if words >= 1.0 else alike
    votes, against = cited.get(new.place, 0), sum(cited.values()) - cited.get(new.place, 0)
    if votes:
        but = f", {against} do not" if against else ""
        yield f"{counted(votes, 'citation')} of it became citations of this{but}"
    elif against:
        yield f"against it: {counted(against, 'citation')} of it became citations of something else"
    is_family, neighbours, children = alignment.relatives(old, new)
    if is_family:
        yield "stands under the heir of what it stood under"
    if children:
        yield f"{children * 100:.0f} % of what stands under it came along"
    if neighbours and not (old.is_entry or new.is_entry):
        yield "both neighbours came along" if neighbours > 1 else "one neighbour came along"
