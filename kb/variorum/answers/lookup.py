"""Looks up numbers and headwords in plain rows."""

import msgspec

from variorum.answers.question_parser import RANGE
from variorum.records.edition import Irregularity, LedgerCounts
from variorum.records.provision import Moved, Provision
from variorum.rows import Row, State, examples_of, text_of
from variorum.rule_numbers import order_of
from variorum.text.keys import bearing

_STATE = "p.kind, p.number, p.address, p.heading, r.body, p.parent, p.meant, p.irregularities, p.id"
_HELD = "JOIN span s ON s.provision = p.id JOIN reading r ON r.id = p.reading"
_WHEN = "s.first <= ? AND s.last >= ?"

MATCHES = (
    f"SELECT {_STATE} FROM lookup l JOIN provision p ON p.id = l.provision {_HELD} "  # noqa: S608
    f"WHERE l.word = ? AND {_WHEN} ORDER BY p.kind = 'glossary', p.address"
)
CHILDREN = (
    f"SELECT {_STATE} FROM provision p {_HELD} "  # noqa: S608
    f"WHERE p.parent = ? AND {_WHEN}"
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Connection
    from typing import Any

    from variorum.answers.edition_entry import EditionEntry
    from variorum.store.reader import Reader


def find_states(
    connection: "Connection", question: tuple[str, str, str], edition: int
) -> list[Row]:
    """Return the states that a question names in an edition, as printed.

    Args:
        connection: To the base.
        question: As `parse_question` gives it.
        edition: The id of the edition.
    """
    kind, word, more = question
    if kind == RANGE:
        return _between(connection, word, more, edition)
    states = bearers(connection, word, edition)
    return [state for state in states if state.address.endswith(more)] if more else states


def _between(connection: "Connection", first: str, last: str, edition: int) -> list[Row]:
    """Return all states of a kind between two numbers, inclusive."""
    ends = [bearers(connection, number, edition) for number in (first, last)]
    if not (ends[0] and ends[1]):
        return []
    start, stop = ends[0][0], ends[1][-1]
    states: list[Row] = []
    parents = [start.parent]
    if start.parent != stop.parent:  # 702.5a-702.6c, 700-702: continue with the parents
        above = _between(
            connection, start.parent.partition("#")[0], stop.parent.partition("#")[0], edition
        )
        parents = [state.address for state in above]
    for parent in parents:
        below = children(connection, parent, edition)
        states += [state for state in below if state.kind == start.kind]
    places = {state.address: place for place, state in enumerate(states)}
    if start.address not in places or stop.address not in places:
        return []
    return states[places[start.address] : places[stop.address] + 1]


def matches(connection: "Connection", word: str, edition: int) -> list[Row]:
    """Return the states that a folded number or headword names in an edition, numbers first."""
    return _rows(connection, MATCHES, word, edition)


def bearers(connection: "Connection", number: str, edition: int) -> list[Row]:
    """Return the provisions that have a number in print; if none, those that should have it."""
    return bearing(lambda word: matches(connection, word, edition), number)


def children(connection: "Connection", address: str, edition: int) -> list[Row]:
    """Return the states directly below a provision, in the order of their numbers."""
    return sorted(_rows(connection, CHILDREN, address, edition), key=in_order)


def _rows(connection: "Connection", statement: str, word: str, edition: int) -> list[Row]:
    return [Row.of(cells) for cells in connection.execute(statement, (word, edition, edition))]


def states_by_id(connection: "Connection", ids: "Sequence[int]") -> dict[int, Row]:
    """Return states by their ids."""
    statement = (
        f"SELECT {_STATE} FROM provision p JOIN reading r ON r.id = p.reading "  # noqa: S608
        f"WHERE p.id IN ({', '.join('?' * len(ids))})"
    )
    rows = [Row.of(cells) for cells in connection.execute(statement, tuple(ids))]
    return {row.id: row for row in rows}


def label_of(connection: "Connection", edition: int) -> str:
    """Return the label of the edition at a place."""
    ((label,),) = connection.execute("SELECT label FROM edition WHERE id = ?", (edition,))
    return str(label)


def in_order(state: State) -> tuple[tuple[int, int, int, str], str]:
    """Return the sort key of a sibling: 702.9 < 702.10, 704.5z < 704.5aa.

    A misprint is sorted by the number that it means.
    """
    return order_of(state.meant or state.number), state.address


def path(connection: "Connection", parent: str, edition: int) -> list[tuple[str, str]]:
    """Return the (address, heading) of each provision above another, the chapter first."""
    above: list[tuple[str, str]] = []
    while parent:
        number = parent.partition("#")[0]
        bearing = [row for row in matches(connection, number, edition) if row.address == parent]
        if not bearing:
            break
        above.append((parent, bearing[0].heading))
        parent = bearing[0].parent
    above.reverse()
    return above


def unpacked(column: str) -> "Any":  # noqa: ANN401 - each column has its own form
    """Return the value of a column that holds JSON."""
    import json  # noqa: PLC0415 - most look-ups do not need it

    return json.loads(column)


def irregularities_of(state: State) -> "list[Irregularity]":
    """Return the misprints of a provision."""
    if not state.irregularities:
        return []
    return msgspec.json.decode(state.irregularities, type=list[Irregularity])


def ledger_in(reader: "Reader", place: int) -> LedgerCounts:
    """Return the ledger of the edition at a place."""
    return msgspec.json.decode(reader.long_columns(place)["ledger"], type=LedgerCounts)


def shown_json(
    state: State,
    edition: "EditionEntry",
    below: list[str],
    asked: str,
    moved: "Moved | None",
) -> "Provision":
    """Return a provision in the form of `cr show --json`.

    Args:
        state: The provision.
        edition: The edition that has it.
        below: The addresses directly below it.
        asked: The number or headword that the user asked for.
        moved: How the provision came to its present number or headword.
    """
    return Provision(
        edition=edition.label,
        doubts=list(edition.doubts),
        number=state.number,
        address=state.address,
        kind=state.kind,
        heading=state.heading,
        text=text_of(state.body),
        examples=examples_of(state.body),
        parent=state.parent or None,
        children=below,
        irregularities=irregularities_of(state),
        asked=asked,
        moved=moved,
        term=state.heading if state.kind == "glossary" else None,
    )
