"""Where the provisions of one edition are in any other; and what else, or before, a number meant."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import compress, groupby
from typing import TYPE_CHECKING

from msgspec.structs import asdict, replace

from variorum import rows
from variorum.answers.stored import joined
from variorum.history.lineages import Destination
from variorum.records import lineage
from variorum.records.lineage import CrosswalkRow, DecidedStep, NumberedBearer, OtherRule
from variorum.rows import CHANGE_CLASSES, State, name_of, wording_of
from variorum.rule_numbers import order_of
from variorum.text import words_of

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase, Subject
    from variorum.rows import EditionRow

# The classes of changes of words; see rows.py.
NONE, TYPOGRAPHIC, CITATION, SWEEP, SUBSTANTIVE = CHANGE_CLASSES
# Texts whose lengths differ more, in characters, differ in more than what they cite.
_LONGEST_CITATIONS = 80
# Words in citations: "rules 601.2e-g"; one edition prints "rule702.72".
_CITING = {"rule", "rules", "and", "or", "to", "through", *"abcdefghijklmnopqrstuvwxyz"}


# From one edition to another ---------------------------------------------------------------------


def crosswalk_rows(
    base: "KnowledgeBase",
    start: "str | EditionRow",
    stop: "str | EditionRow" = "current",
    *,
    glossary: bool = False,
) -> list[CrosswalkRow]:
    """Return where the numbers of one edition are in another, earlier or later.

    A row for each number of the first edition in printed order is followed by one for each new number of
    the other. With `glossary`, also return rows that name only glossary entries.
    """
    here, there = base.edition(start).place, base.edition(stop).place
    lineages, olds = base.lineages_between(here, there), base.reader.states_of(here)
    ways = [(it, lineages.way(it, here, there)) for it in olds]
    reached = {state for _, way in ways for state in way.states}
    arrived = [state for state in base.reader.states_of(there) if state not in reached]
    origins = [(it, lineages.way(it, there, here)) for it in arrived]
    found = rows_of(base, ways)
    for (_, way), row in zip(origins, rows_of(base, origins), strict=True):
        kinds = (rows.GONE if here > there else rows.NEW) | way.bits & rows.UNCERTAIN
        found.append(replace(row, old=None, new=[row.old or ""], kinds=rows.kinds_of(kinds)))
    # Keep a row if one side has a number: an entry became a rule, or a rule became an entry.
    names = [filter(None, (row.old, *row.new)) for row in found]
    is_kept = [glossary or not all(map(rows.headword_of, some)) for some in names]
    return [*compress(found, is_kept)]


def destination_of(subject: "Subject", target: "EditionRow") -> lineage.Destination:
    """Return where a provision is in another edition, and others that have had the number asked for."""
    (row,) = rows_of(subject.base, [(subject.state.id, subject.destination(target))])
    asked = subject.asked.name or subject.name
    about = asdict(row) | {"asked": asked, "edition": subject.edition.label}
    return lineage.Destination(**about, others=others_of(subject))


def rows_of(base: "KnowledgeBase", ways: Collection[tuple[int, Destination]]) -> list[CrosswalkRow]:
    """Return destinations, each with the state that it is of, in the form of `cr crosswalk --json`."""
    states = base.states.of(id_ for state, way in ways for id_ in (state, *way.states))
    evidence = base.links.evidence(link for _, way in ways for link in way.taken)
    found: list[CrosswalkRow] = []
    for state, way in ways:
        old, news = states[state], [states[heir] for heir in way.states]
        is_changed = bool(news and way.bits & (rows.REWORDED | rows.MERGED))
        is_changed = is_changed and class_of(base, old, news[0]) == SUBSTANTIVE
        bits = kinds_between(way, old, next(iter(news), None), is_reworded=is_changed)
        read = [
            DecidedStep(base.labels[link.edition], *it[:2])
            for link in way.taken
            if (it := evidence[link.evidence])[0]
        ]
        names, chance = [*map(name_of, news)], round(way.confidence, 4)
        found.append(CrosswalkRow(name_of(old), names, rows.kinds_of(bits), chance, read))
    return found


def kinds_between(way: Destination, old: State, new: State | None, *, is_reworded: bool) -> int:
    """Return the kinds of all steps to a destination, as bits."""
    if new is None:  # by its last link, it came or went
        return (rows.GONE if way.taken[-1].new is None else rows.NEW) | way.bits & rows.UNCERTAIN
    bits = way.bits & ~rows.REWORDED | (rows.REWORDED if is_reworded else 0)
    bits |= 0 if name_of(old) == name_of(new) else rows.RENUMBERED
    if len(way.states) == 1:
        # A provision that was split and merged again counts as not split.
        bits &= ~(rows.SPLIT | rows.COPIED)
    return bits or rows.KEPT


def class_of(base: "KnowledgeBase", old: State, new: State) -> str:
    """Return the class of a change by the words of two states, as if each citation followed its rule."""
    if (old.heading, old.body) == (new.heading, new.body):
        return NONE
    if abs(len(old.body) - len(new.body)) > _LONGEST_CITATIONS:
        return SUBSTANTIVE
    before, after = (words_of(rows.words_or_mark(state)) for state in (old, new))
    if before == after:  # also of "419,8" and "419.8", of which one is no citation
        return TYPOGRAPHIC
    cited = {word for word in {*before, *after} if not word.isalpha()} | _CITING
    if [it for it in before if it not in cited] != [it for it in after if it not in cited]:
        return SUBSTANTIVE  # whatever they cite
    canons = [base.folded.canon(state) for state in (old, new)]
    if rows.words_or_mark(old) == old.body or len({canon.whole for canon in canons}) > 1:
        return SUBSTANTIVE
    cites = {tuple((it.first, it.last) for it in canon.citations) for canon in canons}
    return CITATION if len(cites) > 1 else TYPOGRAPHIC


# Since when and until when a number meant a provision ---------------------------------------------


def since_when(subject: "Subject", target: "EditionRow") -> tuple[str, str, str]:
    """Return the first and the last edition in which a number meant a provision, and which ended that.

    The last one gave it its name in another edition, merged or removed it; it is "" if it came later.
    """
    base, place, way = subject.base, subject.edition.place, subject.destination(target)
    first, last = _named_in(base, subject.state.id, place)
    since = "" if way.loss is None else base.labels[way.loss.edition]
    if way.heir is not None:
        parted = [link.edition for link in way.taken if link.bits & rows.SPLIT and way.states[1:]]
        named = named_since(base, way.heir, way, place, target.place)
        since = base.labels[parted[-1]] if parted else named
    return base.labels[first], base.labels[last], since


def named_since(base: "KnowledgeBase", heir: int, way: Destination, start: int, stop: int) -> str:
    """Return the edition that gave a provision its present name, or merged it into another."""
    merged = [link.edition for link in way.taken if link.bits & rows.MERGED and start < stop]
    return base.labels[merged[-1] if merged else _named_in(base, heir, stop)[0]]


def _named_in(base: "KnowledgeBase", state: int, place: int) -> tuple[int, int]:
    """Return the first and the last edition around one through which a provision kept its name."""
    life, name = base.lineages.life(state, place), base.states[state].address
    named = joined(it[1:3] for it in life if base.states[it.state].address == name)
    return next((run for run in named if run[0] <= place <= run[1]), (place, place))


# What else a number means, or meant --------------------------------------------------------------


def namesakes(shown: "Sequence[Subject]") -> list[tuple[State, Destination]]:
    """Return today's other provisions of the number asked for, each with where it is in the edition shown."""
    base, ids = shown[0].base, {subject.state.id for subject in shown}
    today, place = base.edition().place, shown[0].edition.place
    others = [it for it in base.matching(shown[0].asked, today) if it.id not in ids]
    ways = [(it, base.lineages.way(it.id, today, place)) for it in others]
    return [(it, way) for it, way in ways if ids.isdisjoint(way.states)]


def others_of(subject: "Subject") -> list[OtherRule]:
    """Return the other provisions that have had the number asked for; none if an edition was named."""
    base, asked = subject.base, subject.asked
    is_undated = asked.word and not asked.edition
    return meanings(base, asked.word, len(base.labels), [subject]) if is_undated else []


def meanings(
    base: "KnowledgeBase", word: str, before: int, shown: "Sequence[Subject]" = ()
) -> list[OtherRule]:
    """Return the rules that a number or headword meant before an edition, newest first.

    Left out is what is shown and, if that is of this edition, what had become part of it.
    """
    base.links.read((run.state for run in base.runs(word)), with_later=True)
    lineages, others = base.lineages, list[OtherRule]()
    own = {lineages.onward(it.state.id, it.edition.place)[-1][:2] for it in shown}
    ids = {it.state.id for it in shown if it.edition.place == before}
    today = min(max(before, base.current.place if base.current else 0), len(base.labels) - 1)
    uses = [use for use in base.uses(word) if use.last < before]
    for end, same in groupby(uses, lambda use: lineages.onward(use.state, use.last)[-1][:2]):
        runs = [*same]
        (first, began, _), (held, _, last) = runs[0], runs[-1]
        if end in own or (ids and not ids.isdisjoint(lineages.way(held, last, before).states)):
            continue
        way = lineages.way(held, last, today)
        if not way.states:  # parts may have been split off before it was removed
            way = lineages.way(first, began, today)
        bearer = base.at(held, last)
        names, about = [name_of(base.states[heir]) for heir in way.states], bearer.about
        is_moved = bool(names) and names[0] != bearer.name.partition("#")[0]
        other = OtherRule(
            number=word if bearer.number else bearer.name,
            from_=base.labels[began],
            to=base.labels[last],
            # Two sections were left blank, and their headings say so in a sentence.
            about="" if about.endswith((".", "]")) else about.replace("_", ""),
            text=wording_of(bearer.state),
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
    base: "KnowledgeBase", on: "str | EditionRow" = "current", *, is_whole: bool = False
) -> lineage.NumberTable:
    """Return every number that an edition printed, its bearers, and their heirs in one edition.

    The whole table also has headwords, and the last words that each bearer had under its name.
    """
    stop, states = base.edition(on), base.states.load()
    base.links.load()
    runs = [run for run in base.uses() if is_whole or states[run.state].kind != "glossary"]
    runs.sort(key=lambda it: (order_of(states[it.state].number), states[it.state].address, it[1:]))
    # Every edition of a run has the same provision, so its last edition stands for all.
    ends = [(id_, min(last, max(stop.place, first))) for id_, first, last in runs]
    ways = [(id_, base.lineages.way(id_, place, stop.place)) for id_, place in ends]
    numbers: dict[str, list[NumberedBearer]] = defaultdict(list)
    for (id_, first, last), row in zip(runs, rows_of(base, ways), strict=True):
        number, begun, read = row.old or "", base.labels[first], [it.edition for it in row.read]
        # Neighbouring runs with equal rows are one. The confidence falls slightly with each edition.
        for it in numbers[number][-1:]:
            before = it.now, it.kinds, it.read, round(it.confidence, 2)
            same = row.new, row.kinds, read, round(row.confidence, 2)
            if it.last == base.labels[first - 1] and before == same:
                begun = numbers[number].pop().first
        about = row.new, row.kinds, row.confidence, read
        text = wording_of(states[id_]) if is_whole else None
        numbers[number].append(NumberedBearer(number, begun, base.labels[last], *about, text))
    labels = list(base.labels)
    return lineage.NumberTable("variorum-crosswalk", 1, stop.label, labels, dict(numbers))
