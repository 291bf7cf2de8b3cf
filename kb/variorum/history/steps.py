"""Makes the steps of provisions from one edition to the next, with the verdicts of readers, and their links."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from variorum import rows
from variorum.facts import Verdict, digest_of_words, verdicts_between
from variorum.history.alignment import Alignment, Step
from variorum.history.canonical import Folder
from variorum.history.lineages import Link
from variorum.history.sides import NOWHERE, Item, Side
from variorum.history.word_diffs import SWEPT_IN, kept_runs
from variorum.rows import State
from variorum.text import SLOT, counted

# What a link rests on: how often it was read, and the reason for the verdict; else our reasons, a line each.
Why = tuple[str, str, str]

_MOST_RIVALS = 3
# A swept phrase and its replacement have at most this many words.
_LONGEST = 6
# The chance of a step whose heir or source was read to be another's.
_DISPUTED = 0.45
# The chance that readers are right, by `Verdict.readings`. Two who read alone agreed on 93 of 100 hard steps,
# so each errs on some 3. Where a third had to decide, or only one read, this is the chance of one reader.
_CHANCES = {"2": 0.99, "decided": 0.95, "1": 0.95, "computed": 0.9}
_NONE, _TYPOGRAPHIC, _CITATION, _SWEEP, _SUBSTANTIVE = rows.CHANGE_CLASSES


def align(old: Sequence[State], new: Sequence[State], folder: Folder | None = None) -> list[Step]:
    """Return a step for each provision of the older edition, then for each new provision.

    Equal editions give equal steps. The folder caches folded texts across pairs. No verdict is used.
    """
    folder = folder or Folder()
    return _steps(Alignment(Side(old, folder), Side(new, folder)), [])


def links_between(
    old: Side, new: Side, days: tuple[str, str], place: int, read: Mapping[str, State]
) -> Iterator[tuple[Link, Why]]:
    """Yield a link for each old provision and heir, and each new provision, with its evidence.

    `place` is that of the newer edition. A provision has no link if it is the same state in both editions
    and only its own heir. Verdicts on steps between the days of the editions, which one folder made, go
    before what the program finds; `read` has the ends of verdicts on steps that further editions divide, by
    their digests.
    """
    alignment, ends = (
        Alignment(old, new),
        [Ends(*it, read) for it in zip(days, (old, new), strict=True)],
    )
    steps = _steps(alignment, holding(verdicts_between(*days), *ends))
    heirs = {it.old: it.new[0] for it in steps if it.old != NOWHERE and it.new and not it.is_gone}
    leading_to = Counter(chain.from_iterable([step.new for step in steps]))
    swept = _swept((old.items[it].words, new.items[heir].words) for it, heir in heirs.items())
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
            change = "" if before is None or heir is None else _class(item, heir, heirs, swept)
            both = before, heir.state.id if heir else None
            yield Link(place, place - 1, *both, rank, step.kinds, change, step.confidence), why


def _steps(alignment: Alignment, held: "Sequence[Holding]") -> list[Step]:
    """Return the steps of an alignment, with the verdicts that hold."""
    old, new, steps = alignment.old, alignment.new, alignment.steps
    given, news = _decide(steps, held)
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
        verdict, chance = news.get(place), alignment.chances_of_new.get(place, _DISPUTED)
        chance = _CHANCES[verdict.readings] if verdict else chance
        kinds = rows.NEW | (rows.UNCERTAIN if chance < rows.STEP_CERTAIN else 0)
        steps.append(Step(NOWHERE, place, kinds=kinds, confidence=chance, verdict=verdict))
    return steps


def _changes(old: Item, new: Item) -> int:
    """Return whether a provision was kept, or renumbered, reworded or both, as bits."""
    if old.state is new.state:
        return rows.KEPT
    is_other_heading = old.canon.heading != new.canon.heading
    is_moved = (old.is_entry, old.state.number) != (new.is_entry, new.state.number)
    is_moved = is_moved or (old.is_entry and is_other_heading)
    is_reworded = old.canon.body != new.canon.body or (is_other_heading and not old.is_entry)
    return (rows.RENUMBERED if is_moved else 0) | (rows.REWORDED if is_reworded else 0) or rows.KEPT


# Verdicts -----------------------------------------------------------------------------------------


class Ends(NamedTuple):
    """The provisions of an edition as ends of verdicts; `read` has those of any edition, by their digests."""

    day: str
    side: Side
    read: Mapping[str, State]

    def place(self, end: str, verdict: Verdict) -> int:
        """Return the place of an end of a verdict, with its number or headword and its words, or -1.

        An edition between the two that were read may print its words under another number, or with
        other cited numbers; not if several provisions have them.
        """
        name, _, digest = end.rpartition(" ")
        items, place = self.side.items, self.side.by_name.get(name, NOWHERE)
        if place != NOWHERE and digest == digest_of_words(*items[place].state[3:5]):
            return place
        if verdict.old_edition < self.day < verdict.new_edition and digest in self.read:
            words = self.side.folder.canon(self.read[digest]).whole
            places = [item.place for item in items if words and item.words == words]
            return places[0] if len(places) == 1 else NOWHERE
        return NOWHERE


class Holding(NamedTuple):
    """A verdict that holds between two editions, with the places of its ends.

    `place` is that of the provision on whose step readers decided, `others` those of its heirs or sources,
    and `also` those of further provisions with the same words, if the edition has them.
    """

    verdict: Verdict
    place: int
    others: list[int]
    also: list[int]


def holding(verdicts: Sequence[Verdict], old: Ends, new: Ends) -> list[Holding]:
    """Return the verdicts that hold between two editions, in their order.

    A verdict holds if the editions print both of its ends with the numbers and the words that were read.
    Another rulebook may have a section 400 with the same heading, so verdicts on headings hold only beside
    a verdict on a provision with words.
    """
    held, has_words = list[Holding](), False
    for it in verdicts:
        here, there = (old, new) if it.is_of_old else (new, old)
        # An edition between the two that were read may print the provision unchanged.
        unchanged = there.place(it.asked, it)
        is_named = it.asked in (*it.others, *it.also)
        if unchanged != NOWHERE and there.side.items[unchanged].state.body and not is_named:
            continue
        place = here.place(it.asked, it)
        others, also = ([there.place(end, it) for end in ends] for ends in (it.others, it.also))
        if NOWHERE not in (place, *others):
            held.append(Holding(it, place, others, [at for at in also if at != NOWHERE]))
            has_words = has_words or bool(here.side.items[place].state.body)
    return held if has_words else []


def _decide(steps: Sequence[Step], held: Sequence[Holding]) -> tuple[set[int], dict[int, Verdict]]:
    """Put verdicts in place of the steps of all old provisions.

    Returns the new provisions whose sources were decided, and the verdicts on those that are new.
    """
    found = [(step.heir, step.copies, bool(step.parts)) for step in steps]
    news = {it.place: it.verdict for it in held if it.verdict.verdict == "new"}
    # Parts and copies do not decide the steps of their sources.
    further = [it for it in held if it.verdict.verdict in {"part", "copy"}]
    for verdict, place, others, also in [it for it in held if it not in further]:
        sources, heirs = ([place], others) if verdict.is_of_old else (others, [place])
        for nth, step in enumerate([steps[source] for source in sources]):
            if verdict.is_of_old or step.verdict is None:
                is_merged = verdict.verdict == "merged" if verdict.is_of_old else nth > 0
                step.verdict, step.confidence = verdict, _CHANCES[verdict.readings]
                step.merged, step.copies = heirs if is_merged else [], also if others else []
                step.heir, *step.parts = (not is_merged and heirs) or [NOWHERE]
    read = [step for step in steps if step.verdict]
    taken = {step.heir for step in read} - {NOWHERE} | news.keys()
    given = taken.union(*[step.new for step in read], [it.place for it in further])
    for step, (heir, copies, was_split) in zip(steps, found, strict=True):
        if step.verdict is None:
            if step.heir in taken or not news.keys().isdisjoint(step.merged[:1]):
                # No verdict decides this step, so the provision may be gone.
                into = [heir] if heir != NOWHERE and heir not in news else []
                step.heir, step.parts, step.copies, step.merged = NOWHERE, [], [], into
                step.confidence = _DISPUTED
            step.parts = [place for place in step.parts if place not in given]
            step.copies = [place for place in step.copies if place not in given]
        elif step.heir == heir != NOWHERE and not was_split:
            # Readers named only some copies.
            step.copies = [*step.copies, *[copy for copy in copies if copy not in given]]
    for verdict, place, others, _ in further:
        step = steps[others[0]]
        if step.heir != NOWHERE and place not in step.new:
            (step.parts if verdict.verdict == "part" else step.copies).append(place)
    return given, news


# Classes of changes -------------------------------------------------------------------------------


def _replacements(before: str, after: str) -> Iterator[tuple[str, str]]:
    """Yield encoded words and their replacements; either may be empty."""
    place = there = 0
    for start, first, size in kept_runs(before, after, few=0):
        if (place, there) != (start, first):
            yield before[place:start], after[there:first]
        place, there = start + size, first + size


def _swept(rewordings: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return the phrases that were replaced in many provisions, given all canonical words before and after."""
    changed = [pair for pair in rewordings if pair[0] != pair[1]]
    times = Counter(phrase for pair in changed for phrase in {*_replacements(*pair)})
    return {
        (before, after)
        for (before, after), count in times.items()
        if count >= SWEPT_IN and before and (after or len(before) > 1)
        if max(len(before), len(after)) <= _LONGEST and SLOT not in before + after
    }


def _class(old: Item, new: Item, heirs: Mapping[int, int], swept: set[tuple[str, str]]) -> str:
    """Return the class of a change, see rows.CHANGE_CLASSES.

    A change of punctuation, capitals or quotes is typographic; one of citations that now lead to the heirs
    of their old targets is no change of substance.
    """
    if (old.state.heading, old.state.body) == (new.state.heading, new.state.body):
        return _NONE
    if old.words != new.words:
        return _SWEEP if swept.issuperset(_replacements(old.words, new.words)) else _SUBSTANTIVE
    cited, now = ([(it.first, it.last) for it in side.canon.citations] for side in (old, new))
    if cited == now:
        return _TYPOGRAPHIC
    ends = zip(chain(*old.cites), chain(*new.cites), strict=False)
    follow = all(NOWHERE in pair or heirs.get(pair[0]) == pair[1] for pair in ends)
    return _CITATION if follow else _SUBSTANTIVE


# Evidence ------------------------------------------------------------------------------------------


def _evidence(alignment: Alignment, step: Step) -> Iterator[str]:
    """Yield what speaks for and against a step that nobody read, the strongest reasons first, in our words."""
    if step.old == NOWHERE:
        yield "nothing like it before"
        return
    if step.is_gone or not step.new:
        has_others = alignment.points.get(step.old)
        yield "what is most like it is another's heir" if has_others else "nothing like it is left"
        return
    items = alignment.new.items
    old, new = alignment.old.items[step.old], items[step.new[0]]
    is_family, neighbours, children = alignment.relatives(old, new)
    neighbours = 0 if old.is_entry or new.is_entry else neighbours
    words, cited = alignment.scale.likeness(old, new).words, alignment.votes.get(old.place, {})
    votes, against = cited.get(new.place, 0), sum(cited.values()) - cited.get(new.place, 0)
    but = f", {against} do not" if against else ""
    alike = f"words alike by {min(words, 0.99) * 100:.0f} %"
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
    if alignment.anchors.get(old.place) == new.place:
        where = " and number" if old.name == new.name else ", which stand once in each edition"
        reasons = {f"same words{where}": True}
    yield from [reason for reason, holds in reasons.items() if holds]
    yield from [f"split off: {items[part].state.address}" for part in step.parts]
    yield from [f"said again: {items[copy].state.address}" for copy in step.copies]
