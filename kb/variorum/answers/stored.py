"""The rows of an open base: states, links, runs of numbers and citations, each read once; and editions of them."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, Self, TypeVar

import msgspec

from variorum import rows
from variorum.history.lineages import Link, LinkTable
from variorum.records import edition as records
from variorum.records.answer import json_text
from variorum.rows import CHANGE_CLASSES, EditionRow, State
from variorum.rule_numbers import order_of
from variorum.store.reader import EACH, Reader

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase

_Summary = TypeVar("_Summary", bound=records.EditionSummary)
_T = TypeVar("_T")
_CLASS = " ".join([f"WHEN {number} THEN '{name}'" for number, name in enumerate(CHANGE_CLASSES)])
_LINKS = (
    f"SELECT edition, old, new, rank, kinds, CASE class {_CLASS} ELSE '' END, confidence, evidence "  # noqa: S608 - our own
    "FROM link WHERE {} ORDER BY edition, link.rowid"
)
_LATER = (
    "WITH RECURSIVE later(state) AS ({} UNION "
    "SELECT new FROM link JOIN later ON old = state WHERE new IS NOT NULL) SELECT state FROM later"
)
_EVIDENCE = "SELECT id, readings, verdict, reasons FROM evidence WHERE id IN ({})"
_PRINTED = (
    "SELECT c.provision, c.place, part, start, stop, title, word FROM citation c "
    "JOIN cited w ON w.provision = c.provision AND w.place = c.place {} ORDER BY c.provision, c.place, rank"
)
_CITED = (
    "SELECT w.word, count(DISTINCT w.provision) FROM cited w "
    "JOIN span s ON s.provision = w.provision WHERE s.first <= ? AND s.last >= ? GROUP BY w.word"
)
_FIRST = "SELECT provision, min(first) FROM span GROUP BY provision ORDER BY provision"
_MAIN = (
    "SELECT old, new FROM link WHERE old IS NOT NULL AND new IS NOT NULL "
    "AND rank = 0 AND NOT kinds & ? ORDER BY edition, new"
)


def kept(function: Callable[..., _T]) -> Callable[..., _T]:
    """Keep what a function last made of a base, as `lru_cache(1)` does, but no longer than the base."""

    def found(base: "KnowledgeBase", *args: object) -> _T:
        known: tuple[object, _T] | None = base.kept.get(function)
        if known is None or known[0] != args:
            base.kept[function] = known = args, function(base, *args)
        return known[1]

    return found


class States(dict[int, State]):
    """The states of a base by their ids; one that is asked for is read."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self._reader = reader

    def __missing__(self, number: int) -> State:
        return self.of([number])[number]

    def of(self, numbers: Iterable[int]) -> dict[int, State]:
        """Return states by their ids, read at once."""
        wanted = dict.fromkeys(numbers)
        if missing := [number for number in wanted if number not in self]:
            self.update(self._reader.states_by_id(missing))
        return {number: self[number] for number in wanted}

    def load(self) -> Self:
        """Read all states."""
        self.update(self._reader.states_by_id())
        return self


class StoredLinks(LinkTable):
    """The links of a base; those of a state are read on first use, with many others, or with all."""

    def __init__(self, reader: Reader) -> None:
        super().__init__([])
        self._reader, self.is_whole = reader, False

    def read(self, states: Iterable[int], *, with_later: bool = False) -> None:
        """Read the links to and from many states at once, or also those of all that come after them."""
        ids = [] if self.is_whole else [state for state in states if state not in self._from]
        if ids and with_later:
            ids = [state for (state,) in self._reader.query_each(_LATER, ids)]
        if ids:
            each = json_text(ids)
            some = self.where(f"new IN ({EACH}) OR old IN ({EACH})", each, each)
            self._to |= {state: [*some.leading_to(state)] for state in ids}
            self._from |= {state: [*some.leading_from(state)] for state in ids}

    def load(self) -> LinkTable:
        """Read all links."""
        if not self.is_whole:  # at once, since other threads may be reading
            vars(self).update(vars(self.where("edition >= ?", 0)), is_whole=True)
        return self

    def where(self, condition: str, *values: object) -> LinkTable:
        """Return the links that meet a condition of SQL."""
        return LinkTable(map(Link._make, self._reader.query(_LINKS.format(condition), values)))

    def evidence(self, links: Iterable[Link]) -> dict[int, tuple[str, str, str]]:
        """Return, by their ids, how often steps were read, why they are so decided; else reasons of ours."""
        found = self._reader.query_each(_EVIDENCE, {link.evidence for link in links})
        return {id_: (*said,) for id_, *said in found}


class Run(NamedTuple):
    """The editions, from the first to the last, through which a number or headword meant a state."""

    state: int
    first: int
    last: int


class PrintedCitation(NamedTuple):
    """A printed citation, by its place among those of its state, from 0.

    The part is "text" (with its examples) or "heading", the title that printed after it or "". `numbers`
    are all that it may name; the ends of a range come first and last.
    """

    place: int
    part: str
    start: int
    stop: int
    title: str
    numbers: tuple[str, ...]


def citations_of(
    reader: Reader, states: Sequence[int] | None = None
) -> dict[int, tuple[PrintedCitation, ...]]:
    """Return the citations of some states, by default of all, by the states' ids; no empty ones."""
    where = "" if states is None else f"WHERE c.provision IN ({EACH})"
    values = [] if states is None else [json_text(states)]
    cited: dict[int, tuple[PrintedCitation, ...]] = defaultdict(tuple)
    for key, same in groupby(reader.query(_PRINTED.format(where), values), lambda row: row[:-1]):
        numbers = tuple([word for *_, word in same])
        cited[key[0]] += (PrintedCitation._make((*key[1:], numbers)),)
    return dict(cited)


def in_order(state: State) -> tuple[tuple[int, int, int, str], str]:
    """Return the sort key of a sibling: 702.9 < 702.10; a misprint is sorted by the number that it means."""
    return order_of(state.meant or state.number), state.address


def joined(runs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join runs, sorted by first edition, that overlap or follow each other.

    >>> joined([(0, 2), (1, 4), (5, 6), (9, 9)])
    [(0, 6), (9, 9)]
    """
    spans: list[tuple[int, int]] = []
    for first, last in runs:
        if spans and first <= spans[-1][1] + 1:
            spans[-1] = spans[-1][0], max(spans[-1][1], last)
        else:
            spans.append((first, last))
    return spans


# Whole editions -----------------------------------------------------------------------------------


def summary_of(row: EditionRow, kind: type[_Summary], **more: str | None) -> _Summary:
    """Return what answers say of an edition, given its row and what this lacks."""
    told = row._asdict() | {
        "attested": row.attested or None,
        "doubts": row.doubts.splitlines(),
        "line_ends": {"crlf": row.crlf, "cr": row.cr, "lf": row.lf},
        **more,
    }
    return kind(**{name: told[name] for name in kind.__struct_fields__})


def listed(edition: EditionRow, editions: Sequence[EditionRow], file: str) -> records.Edition:
    """Return an edition as `cr editions` lists it, with the name of its document's file."""
    after = editions[edition.place + 1 :]
    later = [it.effective for it in after if it.effective > edition.effective]
    around = {
        "until": str(date.fromisoformat(later[0]) - timedelta(days=1)) if later else None,
        "previous": editions[edition.place - 1].label if edition.place else None,
        "next": after[0].label if after else None,
    }
    return summary_of(edition, records.Edition, **around, file=file)


def export_edition(base: "KnowledgeBase", on: str | EditionRow = "current") -> records.Export:
    """Return a whole edition in the export format of docs/json.md."""
    place = base.edition(on).place
    return exported(base.reader.editions()[place], base.held(place))


def exported(row: EditionRow, states: Iterable[State]) -> records.Export:
    """Return an edition in the export format."""
    provisions, glossary = list[records.ExportedProvision](), list[records.ExportedEntry]()
    for it in states:
        said = it.heading, rows.text_of(it.body), rows.examples_of(it.body)
        if it.kind == "glossary":
            glossary.append(records.ExportedEntry(*said))
        else:
            about = it.number, it.address, it.kind, *said, irregularities_of(it)
            provisions.append(records.ExportedProvision(*about))
    return records.Export(
        summary_of(row, records.EditionSummary), provisions, glossary, **front_matter(row)
    )


def front_matter(row: EditionRow) -> dict[str, list[str]]:
    """Return the introduction, index and credits of an edition, in paragraphs."""
    parts = {"introduction": row.introduction, "index": row.index_lines, "credits": row.credits}
    return {name: msgspec.json.decode(part, type=list[str]) for name, part in parts.items()}


def irregularities_of(state: State) -> list[records.Irregularity]:
    """Return the misprints of a provision."""
    return msgspec.json.decode(state.irregularities or "[]", type=list[records.Irregularity])


# For search ---------------------------------------------------------------------------------------


class Outline(NamedTuple):
    """A state, the headings above it, the nearest first, and how many of its edition cite it; 0 without one."""

    state: State
    above: str
    cited: int = 0


def cited_in(base: "KnowledgeBase", edition: int) -> dict[str, int]:
    """Return how many provisions of an edition cite each number."""
    return dict(base.reader.query(_CITED, (edition, edition)))


def outlines_of(base: "KnowledgeBase", edition: int | None = None) -> list[Outline]:
    """Return the provisions of an edition in printed order, or the states of all editions."""

    def above(state: int, place: int) -> str:
        headings = [it.heading for it in base.at(state, place).path() if it.heading != "General"]
        return "\n".join(filter(None, reversed(headings)))

    if edition is None:
        states, firsts = base.states.load(), base.reader.query(_FIRST)
        return [Outline(states[it], above(it, first)) for it, first in firsts]
    cited, held = cited_in(base, edition), base.held(edition)
    return [Outline(it, above(it.id, edition), cited.get(it.number, 0)) for it in held]


@kept
def lines_of(base: "KnowledgeBase") -> Sequence[int]:
    """Return the lineage of each state by the state's id: the id of its first ancestor.

    Only main heirs continue a lineage. Parts, copies and merged provisions begin their own.
    """
    ((count,),) = base.reader.query("SELECT count(*) FROM provision")
    ancestors, ended = [*range(count)], rows.MERGED | rows.UNCERTAIN | rows.GONE | rows.NEW
    for old, new in base.reader.query(_MAIN, [ended]):
        if ancestors[new] == new:
            ancestors[new] = ancestors[old]
    return ancestors


def stood(base: "KnowledgeBase", states: Sequence[int]) -> list[tuple[int, int]]:
    """Return the runs of editions that have at least one of some states, first to last."""
    wanted = "SELECT first, last FROM span WHERE provision IN ({}) ORDER BY first, last"
    return joined(base.reader.query_each(wanted, states))
