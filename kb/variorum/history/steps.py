"""Makes the steps of provisions from one edition to the next, with the verdicts of readers, and their links."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise

from variorum import rows
from variorum.facts import Verdict, digest_of_words, verdicts_between
from variorum.history.alignment import Alignment, Step
from variorum.history.canonical import Folder
from variorum.history.lineages import Link
from variorum.history.sides import NOWHERE, Item, Side
from variorum.history.word_diffs import SWEPT_IN, kept_runs
from variorum.rows import State
from variorum.text import SLOT

# What a link rests on: how often it was read, and the reason for the verdict; else our reasons, a line each.
Why = tuple[str, str, str]
# An edition and its day.
Dated = tuple[Side, str]
# A verdict that holds between two editions, and the places of its ends: of what was asked, others, also.
Held = tuple[Verdict, int, list[int], list[int]]

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
    """Return the steps between two editions without verdicts; the folder keeps texts that many have."""
    folder = folder or Folder()
    return _steps(Alignment(Side(old, folder), Side(new, folder)), [])


def links_between(
    old: Side, new: Side, days: tuple[str, str], place: int, read: Mapping[str, State]
) -> Iterator[tuple[Link, Why]]:
    """Yield a link for each old provision and heir, and each new provision, with its evidence.

    `place` is that of the newer edition. A provision has no link if it is the same state in both editions
    and only its own heir. Verdicts on steps between the days of the editions, which one folder made, go
    before what the program finds; `read` has the ends of all verdicts, by their digests.
    """
    alignment, verdicts = Alignment(old, new), verdicts_between(*days)
    steps = _steps(alignment, held_between(verdicts, (old, days[0]), (new, days[1]), read))
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
            after = heir.state.id if heir else None
            yield Link(place, before, after, rank, step.kinds, change, step.confidence), why


def held_between(
    verdicts: Iterable[Verdict], old: Dated, new: Dated, read: Mapping[str, State]
) -> list[Held]:
    """Return the verdicts that hold between two editions, in their order.

    The editions must print both ends with the numbers and the words that were read. One between the two that
    were read may print the words under another number or with other cited numbers, or the provision unchanged.
    Another rulebook may have a section 400 with the same heading, so verdicts on headings hold only beside
    a verdict on a provision with words.
    """
    held, has_words = list[Held](), False

    def place_of(side: Side, day: str, end: str) -> int:
        name, _, digest = end.rpartition(" ")
        items, place = side.items, side.by_name.get(name, NOWHERE)
        if place != NOWHERE and digest == digest_of_words(*items[place].state[3:5]):
            return place
        if verdict.old_edition < day < verdict.new_edition and digest in read:
            words = side.folder.canon(read[digest]).whole
            places = [item.place for item in items if words and item.words == words]
            return places[0] if len(places) == 1 else NOWHERE
        return NOWHERE

    for verdict in verdicts:
        here, there = (old, new) if verdict.is_of_old else (new, old)
        asked, unchanged = (place_of(*it, verdict.asked) for it in (here, there))
        others, also = ([place_of(*there, it) for it in some] for some in verdict[5:7])
        is_there = unchanged != NOWHERE and bool(there[0].items[unchanged].state.body)
        if NOWHERE not in (asked, *others) and (others or not is_there):
            also = [place for place in also if others and place != NOWHERE]
            held.append((verdict, asked, others, also))
            has_words = has_words or bool(here[0].items[asked].state.body)
    return held if has_words else []


def _decide(steps: Sequence[Step], held: Collection[Held]) -> dict[int, Verdict]:
    """Put verdicts in place of the steps of all old provisions; return those on provisions that are new."""
    of_old = [it for it in held if it[0].is_of_old]
    of_new = [it for it in held if not it[0].is_of_old]
    news = {place: verdict for verdict, place, *_ in of_new if verdict.verdict == "new"}
    given = {it[1] for it in of_new}.union(*[others + also for *_, others, also in of_old])
    for step in steps:
        step.parts = [place for place in step.parts if place not in given]
        step.copies = [place for place in step.copies if place not in given]
    for verdict, place, others, also in of_old:
        step, is_merged = steps[place], verdict.verdict == "merged"
        step.verdict, step.confidence = verdict, _CHANCES[verdict.readings]
        # Readers named only some copies.
        step.copies = also + (step.copies if step.heir in others[:1] else [])
        step.merged = others if is_merged else []
        step.heir, *step.parts = (not is_merged and others) or [NOWHERE]
    taken = {step.heir for step in steps if step.verdict} - {NOWHERE} | news.keys()
    for step in [it for it in steps if it.heir in taken and not it.verdict]:
        step.heir, step.confidence = NOWHERE, _DISPUTED
    for verdict, place, others, _ in of_new:
        if verdict.verdict in {"part", "copy"} and place not in (step := steps[others[0]]).new:
            (step.parts if verdict.verdict == "part" else step.copies).append(place)
    return news


def _steps(alignment: Alignment, held: Collection[Held]) -> list[Step]:
    """Return a step for each old provision, then for each new one, with the verdicts that hold."""
    old, new, steps = alignment.old, alignment.new, alignment.steps
    news = _decide(steps, held)
    for step in steps:
        step.kinds = rows.MERGED if step.merged else rows.GONE
        if step.heir != NOWHERE:
            step.kinds = _changes(old.items[step.old], new.items[step.heir])
            step.kinds = step.kinds & ~rows.KEPT | rows.SPLIT if step.parts else step.kinds
        step.kinds |= rows.COPIED if step.copies else 0
        if step.confidence < rows.STEP_CERTAIN:
            step.kinds |= rows.UNCERTAIN
            # Rounded, since versions of Python differ in the last digits of sums.
            row = alignment.points.get(step.old, {}) if step.heir != NOWHERE else {}
            near = sorted([(-round(points, 6), place) for place, points in row.items()])
            others = [it for _, it in near if it not in {step.heir, *alignment.chances_of_new}]
            step.rivals = others[:_MOST_RIVALS]
    reached = set(chain.from_iterable([step.new for step in steps]))
    for place in sorted({*range(len(new.items))} - reached | news.keys()):
        it, chance = news.get(place), alignment.chances_of_new.get(place, _DISPUTED)
        chance = _CHANCES[it.readings] if it else chance
        kinds = rows.NEW | (rows.UNCERTAIN if chance < rows.STEP_CERTAIN else 0)
        steps.append(Step(NOWHERE, place, kinds=kinds, confidence=chance, verdict=it))
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


def _replacements(before: str, after: str) -> set[tuple[str, str]]:
    """Return encoded words and their replacements; either may be empty."""
    pairs = pairwise(kept_runs(before, after, few=0))
    return {
        (before[a + size : until.a], after[b + size : until.b]) for (a, b, size), until in pairs
    } - {("", "")}


def _swept(rewordings: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return the phrases that were replaced in many provisions, given all canonical words before and after."""
    changed = [_replacements(*pair) for pair in rewordings if pair[0] != pair[1]]
    return {
        (before, after)
        for (before, after), count in Counter(chain.from_iterable(changed)).items()
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
        return _SWEEP if _replacements(old.words, new.words) <= swept else _SUBSTANTIVE
    cited, now = ([(it.first, it.last) for it in side.canon.citations] for side in (old, new))
    if cited == now:
        return _TYPOGRAPHIC
    ends = zip(chain(*old.cites), chain(*new.cites), strict=False)
    follow = all(NOWHERE in pair or heirs.get(pair[0]) == pair[1] for pair in ends)
    return _CITATION if follow else _SUBSTANTIVE


def _evidence(alignment: Alignment, step: Step) -> Iterable[str]:
    """Return what speaks for and against a step that nobody read, the strongest reasons first, in our words."""
    if step.old == NOWHERE:
        return ["nothing like it before"]
    if step.is_gone or not step.new:
        has_others = alignment.points.get(step.old)
        return [
            "what is most like it is another's heir" if has_others else "nothing like it is left"
        ]
    old, new = alignment.old.items[step.old], alignment.new.items[step.new[0]]
    if alignment.anchors.get(step.old) == new.place:
        where = " and number" if old.name == new.name else ", which stand once in each edition"
        return [f"same words{where}"]
    is_family, neighbours, children = alignment.relatives(old, new)
    words = alignment.scale.likeness(old, new).words
    cited: Mapping[int, int] = alignment.votes.get(step.old, {})
    counts = f"{cited.get(new.place, 0)} of {sum(cited.values())}"
    alike = f"words alike by {min(words, 0.99) * 100:.0f} %"
    reasons = {
        "same words, as others have too" if words >= 1.0 else alike: True,
        f"{counts} citations of it became citations of this": cited,
        "stands under the heir of what it stood under": is_family,
        f"{children * 100:.0f} % of what stands under it came along": children,
        f"{('one neighbour', 'both neighbours')[neighbours > 1]} came along": (
            neighbours and not (old.is_entry or new.is_entry)
        ),
    }
    return [reason for reason, holds in reasons.items() if holds]
