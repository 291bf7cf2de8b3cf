"""Makes the steps of provisions from one edition to the next, and the links that the base stores of them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from variorum import rows
from variorum.facts import verdicts_between
from variorum.history.alignment import Alignment, Step
from variorum.history.canonical import Folder
from variorum.history.lineages import Link
from variorum.history.sides import NOWHERE, Item, Side
from variorum.history.verdicts import CHANCES, DISPUTED, Ends, decide, holding
from variorum.history.word_diffs import SWEPT_IN, kept_runs
from variorum.rows import State
from variorum.text import SLOT, counted

# What a link rests on: how often it was read, and the reason for the verdict; else our reasons, a line each.
Why = tuple[str, str, str]

_MOST_RIVALS = 3
# A swept phrase and its replacement have at most this many words.
_LONGEST = 6
_NONE, _TYPOGRAPHIC, _CITATION, _SWEEP, _SUBSTANTIVE = rows.CHANGE_CLASSES


def align(old: Sequence[State], new: Sequence[State], folder: Folder | None = None) -> list[Step]:
    """Return a step for each provision of the older edition, then for each new provision.

    Equal editions give equal steps. The folder caches folded texts across pairs. No verdict is used.
    """
    folder = folder or Folder()
    return steps_between(Alignment(Side(old, folder), Side(new, folder)), ("", ""), {})


def links_between(
    old: Side, new: Side, days: tuple[str, str], place: int, read: Mapping[str, State]
) -> list[tuple[Link, Why]]:
    """Return a link for each old provision and heir, and each new provision, with its evidence.

    `place` is that of the newer edition. A provision has no link if it is the same state in both editions
    and only its own heir. Verdicts on steps between the days of the editions, which one folder made, go
    before what the program finds; `read` has the ends of verdicts on steps that further editions divide, by
    their digests.
    """
    alignment, links = Alignment(old, new), list[tuple[Link, Why]]()
    steps = steps_between(alignment, days, read)
    heirs = {it.old: it.new[0] for it in steps if it.old != NOWHERE and it.new and not it.is_gone}
    leading_to = Counter(chain.from_iterable([step.new for step in steps]))
    pairs = [(old.items[place].words, new.items[heir].words) for place, heir in heirs.items()]
    is_sweep = sweeps([pair for pair in pairs if pair[0] != pair[1]])
    for step in steps:
        item, news = old.items[step.old], [new.items[it] for it in step.new]
        is_kept = step.kinds == rows.KEPT and leading_to[news[0].place] == 1
        if is_kept and item.state == news[0].state:
            continue
        before = None if step.old == NOWHERE else item.state.id
        why = "", "", "\n".join(_evidence(alignment, step))
        if step.verdict:
            why = step.verdict.readings, step.verdict.reason, ""
        # What is gone may also be copied.
        for rank, heir in enumerate([*[None] * step.is_gone, *news]):
            change = ""
            if before is not None and heir:
                change = _class(item, heir, heirs, is_sweep)
            ends = before, heir.state.id if heir else None
            link = Link(place, place - 1, *ends, rank, step.kinds, change, step.confidence)
            links.append((link, why))
    return links


def steps_between(
    alignment: Alignment, days: tuple[str, str], read: Mapping[str, State]
) -> list[Step]:
    """Return the steps of an alignment, with the verdicts that hold."""
    old, new, steps = alignment.old, alignment.new, alignment.steps
    ends = [Ends(day, side, read) for day, side in zip(days, (old, new), strict=True)]
    given, news = decide(steps, holding(verdicts_between(*days), *ends))
    chances = alignment.chances_of_new | {at: CHANCES[it.readings] for at, it in news.items()}
    for step in steps:
        step.kinds = rows.MERGED if step.merged else rows.GONE
        if step.heir != NOWHERE:
            step.kinds = _changes(old.items[step.old], new.items[step.heir])
            step.kinds = step.kinds & ~rows.KEPT | rows.SPLIT if step.parts else step.kinds
        step.kinds |= rows.COPIED if step.copies else 0
        if step.confidence < rows.STEP_CERTAIN and not step.verdict:
            step.kinds |= rows.UNCERTAIN
            taken = {step.heir, *given, *alignment.chances_of_new}
            # Rounded, since versions of Python differ in the last digits of sums.
            row = alignment.points.get(step.old, {}).items()
            near = sorted((-round(points, 6), place) for place, points in row if place not in taken)
            step.rivals = [place for _, place in near[:_MOST_RIVALS] if step.heir != NOWHERE]
    reached = set(chain.from_iterable([step.new for step in steps]))
    for place in sorted({*range(len(new.items))} - reached | news.keys()):
        chance = chances.get(place, DISPUTED)
        kinds = rows.NEW | (rows.UNCERTAIN if chance < rows.STEP_CERTAIN else 0)
        verdict = news.get(place)
        steps.append(Step(NOWHERE, place, kinds=kinds, confidence=chance, verdict=verdict))
    return steps


def _changes(old: Item, new: Item) -> int:
    """Return whether a provision was kept, or renumbered, reworded or both, as bits."""
    if old.state is new.state:
        return rows.KEPT
    before, after = old.canon, new.canon
    is_other_heading = before.heading != after.heading
    is_moved = (old.is_entry, old.state.number) != (new.is_entry, new.state.number)
    is_moved = is_moved or (old.is_entry and is_other_heading)
    is_reworded = before.body != after.body or (is_other_heading and not old.is_entry)
    return (rows.RENUMBERED if is_moved else 0) | (rows.REWORDED if is_reworded else 0) or rows.KEPT


# Classes of changes -------------------------------------------------------------------------------


def _replacements(before: str, after: str) -> Iterator[tuple[str, str]]:
    """Yield encoded words and their replacements; either may be empty."""
    place = there = 0
    for start, first, size in kept_runs(before, after, few=0):
        if (place, there) != (start, first):
            yield before[place:start], after[there:first]
        place, there = start + size, first + size


def sweeps(rewordings: Iterable[tuple[str, str]]) -> Callable[[str, str], bool]:
    """Return what tells whether words changed only by phrases that were replaced in many provisions.

    `rewordings` are all canonical words before and after.
    """
    times = Counter(phrase for pair in rewordings for phrase in {*_replacements(*pair)})
    swept = {
        (before, after)
        for (before, after), count in times.items()
        if count >= SWEPT_IN and before and (after or len(before) > 1)
        if max(len(before), len(after)) <= _LONGEST and SLOT not in before + after
    }
    return lambda before, after: swept.issuperset(_replacements(before, after))


def _class(
    old: Item, new: Item, heirs: Mapping[int, int], is_sweep: Callable[[str, str], bool]
) -> str:
    """Return the class of a change, see rows.CHANGE_CLASSES.

    A change of punctuation, capitals or quotes is typographic; one of citations that now lead to the heirs
    of their old targets is no change of substance.
    """
    if (old.state.heading, old.state.body) == (new.state.heading, new.state.body):
        return _NONE
    if old.words != new.words:
        return _SWEEP if is_sweep(old.words, new.words) else _SUBSTANTIVE
    cited, now = ([(it.first, it.last) for it in side.canon.citations] for side in (old, new))
    if cited == now:
        return _TYPOGRAPHIC
    follow = all(
        NOWHERE in (before, after) or heirs.get(before) == after
        for befores, afters in zip(old.cites, new.cites, strict=False)
        for before, after in zip(befores, afters, strict=True)
    )
    return _CITATION if follow else _SUBSTANTIVE


# Evidence ------------------------------------------------------------------------------------------


def _evidence(alignment: Alignment, step: Step) -> Iterator[str]:
    """Yield what a step rests on that nobody read, the strongest reasons first, in our words."""
    if step.old == NOWHERE:
        yield "nothing like it before"
    elif step.is_gone or not step.new:
        has_others = alignment.points.get(step.old)
        yield "what is most like it is another's heir" if has_others else "nothing like it is left"
    else:
        new = alignment.new.items
        yield from _reasons(alignment, alignment.old.items[step.old], new[step.new[0]])
        yield from [f"split off: {new[part].state.address}" for part in step.parts]
        yield from [f"said again: {new[copy].state.address}" for copy in step.copies]


def _reasons(alignment: Alignment, old: Item, new: Item) -> Iterator[str]:
    """Yield what speaks for and against an heir."""
    if alignment.anchors.get(old.place) == new.place:
        is_there = old.name == new.name
        yield "same words" + (" and number" if is_there else ", which stand once in each edition")
        return
    words, cited = alignment.scale.likeness(old, new).words, alignment.votes.get(old.place, {})
    alike = f"words alike by {min(words, 0.99) * 100:.0f} %"
    votes, against = cited.get(new.place, 0), sum(cited.values()) - cited.get(new.place, 0)
    but = f", {against} do not" if against else ""
    is_family, neighbours, children = alignment.relatives(old, new)
    neighbours = 0 if old.is_entry or new.is_entry else neighbours
    reasons = {
        "same words, as others have too" if words >= 1.0 else alike: True,
        f"{counted(votes, 'citation')} of it became citations of this{but}": votes,
        f"against it: {counted(against, 'citation')} of it became citations of something else": (
            against and not votes
        ),
        "stands under the heir of what it stood under": is_family,
        f"{children * 100:.0f} % of what stands under it came along": children,
        "both neighbours came along": neighbours > 1,
        "one neighbour came along": neighbours == 1,
    }
    yield from [reason for reason, holds in reasons.items() if holds]
