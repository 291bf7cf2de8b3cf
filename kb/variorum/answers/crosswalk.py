"""Finds the provisions of one edition in any other, and the table of every number ever printed."""

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import asdict, replace

from variorum import rows
from variorum.answers.finding import others_of
from variorum.history.lineages import Destination, Lineages, walk
from variorum.records import lineage
from variorum.records.lineage import CrosswalkRow, DecidedStep, NumberedBearer, NumberTable
from variorum.rule_numbers import order_of
from variorum.text import words_of

if TYPE_CHECKING:
    from variorum.answers.editions import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase, Subject

# Words in citations: "rules 601.2e-g"; one edition prints "rule702.72".
_CITING = {"rule", "rules", "and", "or", "to", "through", *"abcdefghijklmnopqrstuvwxyz"}


def kinds_between(
    way: Destination, *, is_same_place: bool, is_same_text: bool, is_backwards: bool = False
) -> int:
    """Return the kinds of all steps to a destination, as bits."""
    if not way.states:
        return (rows.NEW if is_backwards else rows.GONE) | way.bits & rows.UNCERTAIN
    bits = way.bits & ~rows.REWORDED
    bits |= (0 if is_same_place else rows.RENUMBERED) | (0 if is_same_text else rows.REWORDED)
    if len(way.states) == 1:
        # A provision that was split and merged again counts as not split.
        bits &= ~(rows.SPLIT | rows.COPIED)
    return bits or rows.KEPT


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
    ways = walk(lineages, base.reader.states_of(here), here, there)
    reached = {state for way in ways.values() for state in way.states}
    arrived = [state for state in base.reader.states_of(there) if state not in reached]
    origins = walk(lineages, arrived, there, here)
    found = [*rows_of(base, ways, is_backwards=here > there).values()]
    for state, row in rows_of(base, origins).items():
        kinds = (rows.GONE if here > there else rows.NEW) | origins[state].bits & rows.UNCERTAIN
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
    ways = {subject.state.id: subject.destination(target)}
    is_backwards = subject.edition.place > target.place
    (row,) = rows_of(subject.base, ways, is_backwards=is_backwards).values()
    about = asdict(row) | {"asked": asked or subject.name, "edition": subject.edition.label}
    return lineage.Destination(**about, others=others_of(subject))


def rows_of(
    base: "KnowledgeBase", ways: Mapping[int, Destination], *, is_backwards: bool = False
) -> dict[int, CrosswalkRow]:
    """Return destinations, by states of the first edition, in the form of `cr crosswalk --json`."""
    heirs = [heir for way in ways.values() for heir in way.states]
    names = base.reader.names_by_id(list(dict.fromkeys([*ways, *heirs])))
    verdicts = base.links.readings_of(link for way in ways.values() for link in way.taken)
    # Only the words of provisions that may be reworded are read.
    compared = [id_ for id_, way in ways.items() if way.bits & (rows.REWORDED | rows.MERGED)]
    states = base.states.of([it for id_ in compared for it in (id_, *ways[id_].states[:1])])
    found: dict[int, CrosswalkRow] = {}
    for state, way in ways.items():
        old, new = names[state], [names[heir] for heir in way.states]
        bits = kinds_between(
            way,
            is_same_place=new[:1] == [old],
            is_same_text=not (new and state in states)
            or _is_same_text(base, states[state], states[way.states[0]]),
            is_backwards=is_backwards,
        )
        read = [
            DecidedStep(base.labels[link.edition], *verdicts[link.evidence])
            for link in way.taken
            if link.evidence in verdicts
        ]
        kinds, chance = rows.kinds_of(bits), round(way.confidence, 4)
        found[state] = CrosswalkRow(old, new, kinds, chance, read)
    return found


def _is_same_text(base: "KnowledgeBase", old: rows.State, new: rows.State) -> bool:
    """Return whether two texts differ only in typography and cited numbers."""
    before, after = (rows.words_or_mark(state) for state in (old, new))
    if words_of(before) == words_of(after):
        return True  # also of "419,8" and "419.8", of which one is no citation
    if before == old.body or not has_same_words(old, new):
        return False
    return base.folded.canon(old).whole == base.folded.canon(new).whole


def has_same_words(old: rows.State, new: rows.State) -> bool:
    """Return whether two texts have the same words, but for those that a citation may have."""
    before, after = map(words_of, map(rows.words_or_mark, (old, new)))
    cited = {it for it in {*before, *after} if not it.isalpha()} | _CITING
    return [it for it in before if it not in cited] == [it for it in after if it not in cited]


def number_table(base: "KnowledgeBase", on: "str | EditionEntry" = "current") -> NumberTable:
    """Return every number that an edition printed, its bearers, and their heirs in one edition."""
    stop = base.edition(on)
    base.links.load()
    by_place: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for state, first, last in base.whole.runs():
        if base.whole.states[state].kind != "glossary":
            # Every edition of a run has the same provision, so its last edition stands for all.
            by_place[min(last, max(stop.place, first))].append((first, last, state))
    numbers: dict[str, list[tuple[int, int, CrosswalkRow]]] = defaultdict(list)
    for place, runs in by_place.items():
        ways = walk(base.lineages, [state for *_, state in runs], place, stop.place)
        found = rows_of(base, ways, is_backwards=place > stop.place)
        for first, last, state in runs:
            numbers[found[state].old or ""].append((first, last, found[state]))
    order = sorted(numbers, key=lambda name: (order_of(name.split("#")[0]), name))
    table = {number: _joined(base.labels, number, numbers[number]) for number in order}
    return NumberTable("variorum-crosswalk", 1, stop.label, list(base.labels), table)


def _joined(
    labels: tuple[str, ...], number: str, runs: list[tuple[int, int, CrosswalkRow]]
) -> list[NumberedBearer]:
    """Join neighbouring runs with equal rows, the oldest first; the last row's confidence counts."""
    bearers: list[NumberedBearer] = []
    ended, before = -1, None
    for first, last, row in sorted(runs, key=lambda run: run[:2]):
        read = [step.edition for step in row.read]
        # The confidence falls slightly with each edition, so it is rounded for comparison.
        same = row.new, row.kinds, read, round(row.confidence, 2)
        is_same = ended == first - 1 and same == before
        about = row.new, row.kinds, row.confidence, read
        begun = bearers.pop().first if is_same else labels[first]
        bearers.append(NumberedBearer(number, begun, labels[last], *about))
        ended, before = last, same
    return bearers
