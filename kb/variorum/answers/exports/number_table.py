"""The table of every number ever printed: its bearers, and their heirs in one edition."""

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from variorum.answers.between_editions.crosswalk import read_steps, rows_of
from variorum.history.walks import Destination, walk
from variorum.rule_numbers import order_of

if TYPE_CHECKING:
    from variorum.answers.edition_entry import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.records.lineage import CrosswalkRowJson
    from variorum.records.number import NumberTableJson, TableBearerJson


_COLUMNS = ("number", "first", "last", "now", "kinds", "confidence", "read")


class _Part(NamedTuple):
    """A run of editions in which one provision had one state.

    Attributes:
        state: The id of the state.
        first: The place of the first edition.
        last: The label of the last edition.
    """

    state: int
    first: int
    last: int


def number_table(base: "KnowledgeBase", on: "str | EditionEntry" = "current") -> "NumberTableJson":
    """Return every number that an edition printed, with its bearers, in the form of docs/json.md.

    Args:
        base: The open base.
        on: The edition of the heirs.

    Raises:
        NoEditionError: The designator names no edition.
    """
    stop = base.edition(on)
    parts_of: dict[str, list[tuple[_Part, CrosswalkRowJson]]] = defaultdict(list)
    for part, row in _rows(base, stop):
        parts_of[row["old"] or ""].append((part, row))
    numbers = sorted(parts_of, key=_by_number)
    return {
        "format": "variorum-crosswalk",
        "version": 1,
        "edition": stop.label,
        "editions": list(base.labels),
        "numbers": {number: _joined(base, parts_of[number]) for number in numbers},
    }


def bearers_of(table: "NumberTableJson") -> "Iterator[tuple[str, TableBearerJson]]":
    """Yield every bearer with its number, in the order of the table."""
    return ((number, bearer) for number, rows in table["numbers"].items() for bearer in rows)


def csv_of(table: "NumberTableJson") -> str:
    """Return the table as comma-separated values, lists joined by semicolons."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for number, bearer in bearers_of(table):
        now, kinds, read = map(";".join, (bearer["now"], bearer["kinds"], bearer.get("read", [])))
        writer.writerow(
            [number, bearer["first"], bearer["last"], now, kinds, bearer["confidence"], read]
        )
    return out.getvalue()


def _rows(
    base: "KnowledgeBase", stop: "EditionEntry"
) -> "Iterator[tuple[_Part, CrosswalkRowJson]]":
    """Yield the runs of each state of a numbered provision, with its heirs."""
    base.links.load()
    by_place: dict[int, list[_Part]] = defaultdict(list)
    for part in _parts(base):
        # Every edition of a run has the same provision, so its last edition stands for all.
        by_place[min(part.last, max(stop.place, part.first))].append(part)
    for place, parts in by_place.items():
        lineages, ids = base.lineages, [part.state for part in parts]
        destinations: dict[int, Destination] = dict(walk(lineages, ids, place, stop.place))
        read = read_steps(base, destinations.values())
        rows = rows_of(base, destinations, read, is_backwards=place > stop.place)
        by_state = dict(zip(destinations, rows, strict=True))
        yield from ((part, by_state[part.state]) for part in parts)


def _parts(base: "KnowledgeBase") -> Iterator[_Part]:
    """Yield the runs of each numbered state, divided where another provision took it over."""
    spans = base.whole.spans
    for number, state in base.whole.states.items():
        if state.kind == "glossary":
            continue
        ends = base.lineages.ends(number)
        for begun, last in spans[number]:
            first = begun
            for edition in ends:
                if first < edition <= last:
                    yield _Part(number, first, edition - 1)
                    first = edition
            yield _Part(number, first, last)


def _joined(
    base: "KnowledgeBase", parts: "Iterable[tuple[_Part, CrosswalkRowJson]]"
) -> "list[TableBearerJson]":
    """Join neighbouring runs with equal rows, the oldest first."""
    rows: list[TableBearerJson] = []
    ended, before = -1, None
    for part, row in sorted(parts, key=_by_first):
        read = [step["edition"] for step in row["read"]]
        # The confidence falls slightly with each edition, so it is rounded for comparison. Joined
        # rows have the last row's confidence.
        same = row["new"], row["kinds"], read, round(row["confidence"], 2)
        first = base.labels[part.first]
        if ended == part.first - 1 and same == before:
            first = rows.pop()["first"]
        bearer: TableBearerJson = {
            "first": first,
            "last": base.labels[part.last],
            "now": row["new"],
            "kinds": row["kinds"],
            "confidence": row["confidence"],
        }
        if read:
            bearer["read"] = read
        rows.append(bearer)
        ended, before = part.last, same
    return rows


def _by_first(part_and_row: "tuple[_Part, CrosswalkRowJson]") -> tuple[int, int]:
    part = part_and_row[0]
    return part.first, part.last


def _by_number(number: str) -> tuple[tuple[int, int, int, str], str]:
    bare = number.partition("#")[0]
    return order_of(bare), number
