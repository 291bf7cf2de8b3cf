"""Looks up the provisions of an edition by number, headword or place."""

from typing import TYPE_CHECKING, Any

import msgspec

from variorum.answers.questions import RANGE
from variorum.records.edition import Irregularity, LedgerCounts
from variorum.rows import Row, State
from variorum.rule_numbers import order_of
from variorum.text import bearing

if TYPE_CHECKING:
    from variorum.store.reader import Reader

_STATE = (
    "SELECT p.kind, p.number, p.address, p.heading, r.body, p.parent, p.meant, p.irregularities, p.id "
    "{} JOIN reading r ON r.id = p.reading JOIN span s ON s.provision = p.id "
    "WHERE {} = ? AND s.first <= ? AND s.last >= ? {}"
)
_MATCHES = _STATE.format(
    "FROM lookup l JOIN provision p ON p.id = l.provision",
    "l.word",
    "ORDER BY p.kind = 'glossary', p.address",
)
_CHILDREN = _STATE.format("FROM provision p", "p.parent", "")


def find_states(reader: "Reader", question: tuple[str, str, str], edition: int) -> list[Row]:
    """Return the states that a question names in an edition, as printed.

    Args:
        reader: The open base.
        question: As `parse_question` gives it.
        edition: The place of the edition.
    """
    kind, word, more = question
    if kind == RANGE:
        return _between(reader, word, more, edition)
    states = bearers(reader, word, edition)
    return [state for state in states if state.address.endswith(more)] if more else states


def _between(reader: "Reader", first: str, last: str, edition: int) -> list[Row]:
    """Return all states of a kind between two numbers, inclusive."""
    ends = [bearers(reader, number, edition) for number in (first, last)]
    if not (ends[0] and ends[1]):
        return []
    start, stop = ends[0][0], ends[1][-1]
    parents = [start.parent]
    if start.parent != stop.parent:  # 702.5a-702.6c, 700-702: continue with the parents
        upper, lower = (state.parent.partition("#")[0] for state in (start, stop))
        parents = [state.address for state in _between(reader, upper, lower, edition)]
    states = [
        state
        for parent in parents
        for state in children(reader, parent, edition)
        if state.kind == start.kind
    ]
    places = {state.address: place for place, state in enumerate(states)}
    if start.address not in places or stop.address not in places:
        return []
    return states[places[start.address] : places[stop.address] + 1]


def matches(reader: "Reader", word: str, edition: int) -> list[Row]:
    """Return the states that a folded number or headword names in an edition, numbers first."""
    return [Row._make(cells) for cells in reader.query(_MATCHES, (word, edition, edition))]


def bearers(reader: "Reader", number: str, edition: int) -> list[Row]:
    """Return the provisions that have a number in print; if none, those that should have it."""
    return bearing(lambda word: matches(reader, word, edition), number)


def at_address(reader: "Reader", address: str, edition: int) -> Row | None:
    """Return the state that has an address in an edition."""
    states = matches(reader, address.partition("#")[0], edition)
    return next((state for state in states if state.address == address), None)


def children(reader: "Reader", address: str, edition: int) -> list[Row]:
    """Return the states directly below a provision, in the order of their numbers."""
    rows = reader.query(_CHILDREN, (address, edition, edition))
    return sorted(map(Row._make, rows), key=in_order)


def in_order(state: State) -> tuple[tuple[int, int, int, str], str]:
    """Return the sort key of a sibling: 702.9 < 702.10, 704.5z < 704.5aa.

    A misprint is sorted by the number that it means.
    """
    return order_of(state.meant or state.number), state.address


def path(reader: "Reader", state: State, edition: int) -> list[Row]:
    """Return the provisions above another, the chapter first."""
    above: list[Row] = []
    while state.parent:
        parent = at_address(reader, state.parent, edition)
        if parent is None:
            break
        above.insert(0, parent)
        state = parent
    return above


def unpacked(column: str) -> Any:  # noqa: ANN401 - each column has its own form
    """Return the value of a column that holds JSON."""
    return msgspec.json.decode(column)


def irregularities_of(state: State) -> list[Irregularity]:
    """Return the misprints of a provision."""
    return msgspec.json.decode(state.irregularities or "[]", type=list[Irregularity])


def ledger_in(reader: "Reader", place: int) -> LedgerCounts:
    """Return the ledger of the edition at a place."""
    return msgspec.json.decode(reader.long_columns(place)["ledger"], type=LedgerCounts)
