"""The look-up of a number or headword, on plain rows; imports next to nothing.

It serves the fast path of the command and everything else alike, so that both say the same.
"""

import _sqlite3  # `sqlite3` takes four times as long to import
import os

from variorum_kb.answers.questions import RANGE
from variorum_kb.rows import APPLICATION, SCHEMA, Row, State, examples_of, text_of
from variorum_kb.rule_numbers import order_of

# The columns of a row.
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
_EDITION = "SELECT id, label, set_name, set_code FROM edition WHERE "
_LAST = " ORDER BY id DESC LIMIT 1"
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection
    from typing import Any


def open_plain(file: str) -> "Connection | None":
    """Open a base for reading, if it is one that this program has written; else say nothing."""
    if not os.path.isfile(file):  # noqa: PTH113
        return None
    # What a URI gives a meaning to, and Windows' backslashes.
    escaped = file.replace("%", "%25").replace("?", "%3f").replace("#", "%23").replace("\\", "/")
    connection = _sqlite3.connect(f"file:{escaped}?mode=ro", uri=True)
    try:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        schema = connection.execute("PRAGMA user_version").fetchone()[0]
    except _sqlite3.DatabaseError:
        return None
    return connection if (application, schema) == (APPLICATION, SCHEMA) else None


def find_edition(
    connection: "Connection", designator: str, today: str
) -> tuple[int, str, str, str] | None:
    """Return the edition that a designator names: its id, label, set name and set code.

    Args:
        connection: To the base.
        designator: A date (the edition in force that day; with ".2" that issue of that very date),
            a set code or name (its last edition), "first", "latest" or "current".
        today: The day that "current" means, "" for the latest edition's.
    """
    word = designator.strip().lower()
    day, _, issue = word.partition(".")
    values: tuple[str, ...] = ()
    if word == "first":
        condition = "is_chosen ORDER BY id LIMIT 1"
    elif word == "latest" or (word == "current" and not today):
        condition = f"is_chosen{_LAST}"
    elif word == "current" or (not issue and is_date(day)):
        condition = f"effective <= ? AND is_chosen{_LAST}"
        values = (today if word == "current" else day,)
    elif is_date(day):
        condition, values = "effective = ? AND issue = ?", (day, issue)
    elif word:
        condition = f"is_chosen AND (lower(set_code) = ? OR lower(set_name) = ?){_LAST}"
        values = (word, word)
    else:
        return None
    found: tuple[int, str, str, str] | None = connection.execute(
        _EDITION + condition, values
    ).fetchone()
    return found


def is_date(word: str) -> bool:
    """Say whether a word is a day of the calendar, as in 2007-10-01."""
    parts = word.split("-")
    if [len(part) for part in parts] != [4, 2, 2] or not "".join(parts).isdigit():
        return False
    year, month, day = map(int, parts)
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if not (year and 1 <= month <= len(_DAYS)):
        return False
    return 1 <= day <= _DAYS[month - 1] - (month == 2 and not is_leap)  # noqa: PLR2004


def answer(connection: "Connection", question: tuple[str, str, str], edition: int) -> list[Row]:
    """Return the states that a question names in an edition, as printed.

    Args:
        connection: To the base.
        question: As `parse_question` gives it.
        edition: Its id.
    """
    kind, word, more = question
    if kind == RANGE:
        return _between(connection, word, more, edition)
    found = bearers(connection, word, edition)
    return [state for state in found if state.address.endswith(more)] if more else found


def _between(connection: "Connection", first: str, last: str, edition: int) -> list[Row]:
    """Return all of a kind that stands between two numbers, both included."""
    ends = [bearers(connection, number, edition) for number in (first, last)]
    if not (ends[0] and ends[1]) or ends[0][0].kind != ends[1][-1].kind:
        return []
    start, stop = ends[0][0], ends[1][-1]
    found: list[Row] = []
    parents = [start.parent]
    if start.parent != stop.parent:  # 702.5a-702.6c, 700-702: go on in the parents' own row
        above = _between(
            connection, start.parent.partition("#")[0], stop.parent.partition("#")[0], edition
        )
        parents = [state.address for state in above]
    for parent in parents:
        below = children(connection, parent, edition)
        found += [state for state in below if state.kind == start.kind]
    places = {state.address: place for place, state in enumerate(found)}
    if start.address not in places or stop.address not in places:
        return []
    return found[places[start.address] : places[stop.address] + 1]


def matches(connection: "Connection", word: str, edition: int) -> list[Row]:
    """Return the states that a folded number or headword names in an edition, numbers first."""
    return _rows(connection, MATCHES, word, edition)


def bearers(connection: "Connection", number: str, edition: int) -> list[Row]:
    """Return who bears a number, or, where nobody does in print, who should."""
    found = matches(connection, number, edition)
    return found or matches(connection, f"={number}", edition)


def children(connection: "Connection", address: str, edition: int) -> list[Row]:
    """Return the states that stand right below a provision, in the order of their numbers."""
    return sorted(_rows(connection, CHILDREN, address, edition), key=in_order)


def _rows(connection: "Connection", statement: str, word: str, edition: int) -> list[Row]:
    cells = connection.execute(statement, (word, edition, edition)).fetchall()
    return [Row(*one) for one in cells]


def in_order(state: State) -> tuple[tuple[int, int, int, str], str]:
    """Order siblings: 702.9 < 702.10, 704.5z < 704.5aa; what is misprinted by what it means."""
    return order_of(state.meant or state.number), state.address


def path(connection: "Connection", parent: str, edition: int) -> list[tuple[str, str]]:
    """Return what stands above a provision, the chapter first: (address, heading) each."""
    above: list[tuple[str, str]] = []
    while parent:
        number = parent.partition("#")[0]
        found = [row for row in matches(connection, number, edition) if row.address == parent]
        if not found:
            break
        above.append((parent, found[0].heading))
        parent = found[0].parent
    above.reverse()
    return above


def unpacked(column: str) -> "Any":  # noqa: ANN401 - each column has its own form
    """Return what a column holds as JSON."""
    import json  # noqa: PLC0415 - most look-ups do without, and need not wait for it

    return json.loads(column)


def shown_json(state: State, label: str, below: list[str]) -> dict[str, object]:
    """Return a provision in the form of `cr show --json`.

    Args:
        state: The provision.
        label: Of its edition.
        below: The addresses of what stands right below it.
    """
    shown: dict[str, object] = {
        "edition": label,
        "number": state.number,
        "address": state.address,
        "kind": state.kind,
        "heading": state.heading,
        "text": text_of(state.body),
        "examples": examples_of(state.body),
        "parent": state.parent or None,
        "children": below,
        "irregularities": unpacked(state.irregularities) if state.irregularities else [],
    }
    if state.kind == "glossary":
        shown["term"] = state.heading
    return shown
