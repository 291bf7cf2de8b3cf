"""Where the provisions of one edition are in any other; and what else, or before, a number meant."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec.structs import asdict, replace

from variorum import rows
from variorum.answers.questions import Asked
from variorum.answers.stored import all_runs, joined
from variorum.history.lineages import Destination, Lineages
from variorum.records import lineage
from variorum.records.lineage import CrosswalkRow, DecidedStep, NumberedBearer, OtherRule
from variorum.rule_numbers import order_of
from variorum.text import words_of

if TYPE_CHECKING:
    from variorum.answers.editions import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase, Subject

# Words in citations: "rules 601.2e-g"; one edition prints "rule702.72".
_CITING = {"rule", "rules", "and", "or", "to", "through", *"abcdefghijklmnopqrstuvwxyz"}


# From one edition to another ---------------------------------------------------------------------


def crosswalk_rows(
    base: "KnowledgeBase",
    start: "str | EditionEntry",
    stop: "str | EditionEntry" = "current",
    *,
    glossary: bool = False,
) -> list[CrosswalkRow]:
    """Return where the numbers of one edition are in another, earlier or later.

    A row for each number of the first edition in printed order is followed by one for each new number of
    the other. With `glossary`, also return rows that name only glossary entries.
    """
    here, there = base.edition(start).place, base.edition(stop).place
    first, last = sorted((here, there))
    lineages = Lineages(base.links.between(first, last), last)
    ways = {it: lineages.way(it, here, there) for it in base.reader.states_of(here)}
    reached = {state for way in ways.values() for state in way.states}
    arrived = [state for state in base.reader.states_of(there) if state not in reached]
    origins = {it: lineages.way(it, there, here) for it in arrived}
    found = rows_of(base, ways.items())
    for way, row in zip(origins.values(), rows_of(base, origins.items()), strict=True):
        kinds = (rows.GONE if here > there else rows.NEW) | way.bits & rows.UNCERTAIN
        found.append(replace(row, old=None, new=[row.old or ""], kinds=rows.kinds_of(kinds)))
    # Keep a row if one side has a number: an entry became a rule, or a rule became an entry.
    return [
        row
        for row in found
        if glossary or not all(rows.headword_of(name) for name in (row.old, *row.new) if name)
    ]


def destination_of(
    subject: "Subject", target: "EditionEntry", asked: str = ""
) -> lineage.Destination:
    """Return where a provision is in another edition, and others that have had the number asked for."""
    (row,) = rows_of(subject.base, [(subject.state.id, subject.destination(target))])
    about = asdict(row) | {"asked": asked or subject.name, "edition": subject.edition.label}
    return lineage.Destination(**about, others=others_of(subject))


def rows_of(base: "KnowledgeBase", ways: Collection[tuple[int, Destination]]) -> list[CrosswalkRow]:
    """Return destinations, each with the state that it is of, in the form of `cr crosswalk --json`."""
    ids = {id_ for state, way in ways for id_ in (state, *way.states)}
    names = base.reader.names_by_id(ids)
    verdicts = base.links.readings_of(link for _, way in ways for link in way.taken)
    # Only the words of provisions that may be reworded are read.
    compared = [it for it in ways if it[1].bits & (rows.REWORDED | rows.MERGED) and it[1].states]
    states = base.states.of(id_ for state, way in compared for id_ in (state, way.states[0]))
    found: list[CrosswalkRow] = []
    for state, way in ways:
        old, new = names[state], [names[heir] for heir in way.states]
        bits = kinds_between(
            way,
            is_same_place=new[:1] == [old],
            is_same_text=not (new and way.bits & (rows.REWORDED | rows.MERGED))
            or _is_same_text(base, states[state], states[way.states[0]]),
        )
        taken = [(link.edition, verdicts.get(link.evidence)) for link in way.taken]
        read = [DecidedStep(base.labels[edition], *why) for edition, why in taken if why]
        kinds, chance = rows.kinds_of(bits), round(way.confidence, 4)
        found.append(CrosswalkRow(old, new, kinds, chance, read))
    return found


def kinds_between(way: Destination, *, is_same_place: bool, is_same_text: bool) -> int:
    """Return the kinds of all steps to a destination, as bits."""
    if not way.states:  # by its last link, it came or went
        return (rows.GONE if way.taken[-1].new is None else rows.NEW) | way.bits & rows.UNCERTAIN
    bits = way.bits & ~rows.REWORDED
    bits |= (0 if is_same_place else rows.RENUMBERED) | (0 if is_same_text else rows.REWORDED)
    if len(way.states) == 1:
        # A provision that was split and merged again counts as not split.
        bits &= ~(rows.SPLIT | rows.COPIED)
    return bits or rows.KEPT


def _is_same_text(base: "KnowledgeBase", old: rows.State, new: rows.State) -> bool:
    """Return whether two texts differ only in typography and cited numbers."""
    before, after = (rows.words_or_mark(state) for state in (old, new))
    if words_of(before) == words_of(after):
        return True  # also of "419,8" and "419.8", of which one is no citation
    is_alike = before != old.body and has_same_words(old, new)
    return is_alike and base.folded.canon(old).whole == base.folded.canon(new).whole


@lru_cache(8192)  # comparisons with the same edition share most pairs
def has_same_words(old: rows.State, new: rows.State) -> bool:
    """Return whether two texts have the same words, but for those that a citation may have."""
    before, after = (words_of(rows.words_or_mark(state)) for state in (old, new))
    cited = {word for word in {*before, *after} if not word.isalpha()} | _CITING
    return [it for it in before if it not in cited] == [it for it in after if it not in cited]


# Since when and until when a number meant a provision ---------------------------------------------


def _named_in(base: "KnowledgeBase", state: int, place: int) -> tuple[int, int]:
    """Return the first and the last edition around one through which a provision kept its name."""
    life, name = base.lineages.life(state, place), base.states[state].address
    named = [it for it in life if base.states[it.state].address == name]
    runs = joined((stretch.first, stretch.last) for stretch in named)
    return next((run for run in runs if run[0] <= place <= run[1]), (place, place))


def named_since(base: "KnowledgeBase", heir: int, way: Destination, start: int, stop: int) -> str:
    """Return the edition that gave a provision its present name, or merged it into another."""
    merged = [link.edition for link in way.taken if link.bits & rows.MERGED and start < stop]
    return base.labels[merged[-1] if merged else _named_in(base, heir, stop)[0]]


def since_when(subject: "Subject", target: "EditionEntry") -> tuple[str, str, str]:
    """Return the first and the last edition in which a number meant a provision, and what ended that.

    The last is the edition that gave it its name in another edition, merged or removed it; "" if
    it came later.
    """
    base, place, way = subject.base, subject.edition.place, subject.destination(target)
    first, last = _named_in(base, subject.state.id, place)
    since = "" if way.loss is None else base.labels[way.loss.edition]
    if way.states and way.heir is not None:
        parted = [link.edition for link in way.taken if link.bits & rows.SPLIT and way.states[1:]]
        named = named_since(base, way.heir, way, place, target.place)
        since = base.labels[parted[-1]] if parted else named
    return base.labels[first], base.labels[last], since


# What else a number means, or meant --------------------------------------------------------------


def namesakes(
    base: "KnowledgeBase", asked: Asked, shown: "Sequence[Subject]"
) -> list[tuple[rows.State, Destination]]:
    """Return today's provisions of a number that means other ones in the edition asked about.

    Each comes with where it is in that edition.
    """
    today, place = base.edition().place, shown[0].edition.place
    ids = {subject.state.id for subject in shown}
    others = [it for it in base.matching(asked.question, today) if it.id not in ids]
    ways = [(it, base.lineages.way(it.id, today, place)) for it in others]
    return [(it, way) for it, way in ways if ids.isdisjoint(way.states)]


def others_of(subject: "Subject") -> list[OtherRule]:
    """Return the other provisions that have had the number asked for; none if an edition was named."""
    base = subject.base
    return meanings(base, subject.asked, len(base.labels), [subject]) if subject.asked else []


def meanings(
    base: "KnowledgeBase", word: str, before: int, shown: "Sequence[Subject]" = ()
) -> list[OtherRule]:
    """Return the rules that a number or headword meant before an edition, newest first.

    Left out is what is shown and, if that is of this edition, what had become part of it.
    """
    states, lineages = base.states, base.lineages
    own = {lineages.onward(it.state.id, it.edition.place)[-1][:2] for it in shown}
    ids = {it.state.id for it in shown if it.edition.place == before}
    today = min(max(before, base.current.place if base.current else 0), len(base.labels) - 1)
    uses = [use for use in base.uses(word) if use.last < before]
    others: list[OtherRule] = []
    for end, same in groupby(uses, lambda use: lineages.onward(use.state, use.last)[-1][:2]):
        runs = [*same]
        (first, began, _), (held, _, last) = runs[0], runs[-1]
        if end in own or (ids and not ids.isdisjoint(lineages.way(held, last, before).states)):
            continue
        way = lineages.way(held, last, today)
        if not way.states:  # parts may have been split off before it was removed
            way = lineages.way(first, began, today)
        bearer = base.at(held, last)
        names = [rows.name_of(states[heir]) for heir in way.states]
        about = bearer.about
        is_moved = bool(names) and names[0] != bearer.name.partition("#")[0]
        other = OtherRule(
            number=word if bearer.number else bearer.name,
            from_=base.labels[began],
            to=base.labels[last],
            # Two sections were left blank, and their headings say so in a sentence.
            about="" if about.endswith((".", "]")) else about.replace("_", ""),
            text=rows.wording_of(bearer.state),
            now=names[0] if names else None,
            heirs=names,
            kinds=rows.kinds_of(way.bits | (rows.RENUMBERED if is_moved else 0)),
            confidence=round(way.confidence, 4),
            removed=base.labels[way.loss.edition] if way.loss and not names else None,
        )
        others.insert(0, other)
    return others


# Every number ever printed -----------------------------------------------------------------------


def number_table(
    base: "KnowledgeBase", on: "str | EditionEntry" = "current"
) -> lineage.NumberTable:
    """Return every number that an edition printed, its bearers, and their heirs in one edition."""
    stop = base.edition(on)
    base.links.load()
    # Every edition of a run has the same provision, so its last edition stands for all.
    runs = [
        (state.id, first, last, min(last, max(stop.place, first)))
        for state, first, last in all_runs(base)
        if state.kind != "glossary"
    ]
    ways = [(id_, base.lineages.way(id_, place, stop.place)) for id_, *_, place in runs]
    found = [
        (row.old or "", first, last, row, [step.edition for step in row.read])
        for (_, first, last, _), row in zip(runs, rows_of(base, ways), strict=True)
    ]
    found.sort(key=lambda it: (order_of(it[0].split("#")[0]), *it[:3]))
    numbers: dict[str, list[NumberedBearer]] = defaultdict(list)
    for number, first, last, row, read in found:
        bearers, begun = numbers[number], base.labels[first]
        # Neighbouring runs with equal rows are one. The confidence falls slightly with each edition.
        for it in bearers[-1:]:
            before = it.now, it.kinds, it.read, round(it.confidence, 2)
            same = row.new, row.kinds, read, round(row.confidence, 2)
            if it.last == base.labels[first - 1] and before == same:
                begun = bearers.pop().first
        about = row.new, row.kinds, row.confidence, read
        bearers.append(NumberedBearer(number, begun, base.labels[last], *about))
    labels = list(base.labels)
    return lineage.NumberTable("variorum-crosswalk", 1, stop.label, labels, dict(numbers))
