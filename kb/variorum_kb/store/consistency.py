"""Check that a knowledge base has what was written, and that its tables agree.

The tables are computed again from the states of the editions, in another way than by the writer, and
compared with the file.
"""

import contextlib
import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from typing import Any, cast

from variorum_kb.model import Condition, Kind
from variorum_kb.rows import State, examples_of
from variorum_kb.store.citations import citation_rows
from variorum_kb.store.digests import changed_tables, statement_of
from variorum_kb.store.reader import Reader
from variorum_kb.store.verified import is_as_written
from variorum_kb.text.keys import keys_of

_PARTS = ("aligner", "attest", "finder", "reader", "witness")
_META = {*_PARTS, "verdicts", "facts", "program"}

# At most this many lines of damage are shown.
_SHOWN = 5

_ABOVE = {
    Kind.CHAPTER.value: (),
    Kind.SECTION.value: (Kind.CHAPTER.value,),
    Kind.RULE.value: (Kind.CHAPTER.value, Kind.SECTION.value),
    Kind.SUBRULE.value: (Kind.CHAPTER.value, Kind.SECTION.value, Kind.RULE.value),
    Kind.GLOSSARY.value: (),
}


def find_damage(reader: Reader) -> Iterator[str]:
    """Yield the damage that makes a file unusable.

    Raises:
        BaseError: The file is too damaged even for this check.
    """
    statement = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
    with contextlib.closing(sqlite3.connect(":memory:")) as ours:
        ours.executescript(files("variorum_kb.store").joinpath("schema.sql").read_text("utf-8"))
        is_ours = ours.execute(statement).fetchall() == reader.query(statement)
    if not is_ours:
        yield "its tables are not those that this program makes"
        return
    for (line,) in reader.query(f"PRAGMA integrity_check({_SHOWN})"):
        if line != "ok":
            yield " ".join(str(line).split())
    broken = reader.query("PRAGMA foreign_key_check")
    for table, target in sorted({(table, target) for table, _, target, _ in broken}):
        yield f"rows of the table {table} point to none of the table {target}"
    meta = reader.facts()
    if meta.keys() != _META or not str(meta["program"])[:1].isdecimal():
        yield "the table meta does not say which program wrote it"


def find_changed(reader: Reader) -> Iterator[str]:
    """Yield what has changed in a file that is not as it was written, at least one line.

    Raises:
        BaseError: The file is damaged.
    """
    changed = changed_tables(lambda table: reader.query(statement_of(table)))
    if changed:
        verb = "do" if len(changed) > 1 else "does"
        yield f"{', '.join(changed)} {verb} not hold what was written"
    else:
        yield "it is not as it was written, though all tables hold what was"
    words = [
        str(State.of(state).address)
        for *state, number, checksum in reader.all_cells()
        if not is_as_written(state, number, checksum)
    ]
    yield from _difference("provision", sorted(words), "has other words than it had for")


@dataclass(frozen=True, slots=True)
class Contents:
    """The part of a file from which the rest can be computed.

    Attributes:
        editions: The columns of each edition by name, in order.
        states: All states by id.
        held: For each edition, the ids of its existing states in printed order.
        readings: The id of each state's words.
    """

    editions: list[dict[str, Any]]
    states: dict[int, State]
    held: list[list[int]]
    readings: dict[int, int]


def load_contents(reader: Reader, *, with_states: bool = True) -> Contents:
    """Load the contents of a file.

    Args:
        reader: The reader of the file.
        with_states: Whether to load states; otherwise, only editions without long columns.

    Raises:
        BaseError: The file is damaged.
    """
    if not with_states:
        return Contents(reader.editions(with_long=False), {}, [], {})
    editions = reader.editions()
    states = reader.all_states()
    rows = reader.query("SELECT states FROM edition ORDER BY id")
    held = [[number for number in _unpacked(packed) if number in states] for (packed,) in rows]
    readings = dict(reader.query("SELECT id, reading FROM provision"))
    return Contents(editions, states, held, readings)


def _unpacked(packed: object) -> Iterator[int]:
    if not isinstance(packed, bytes):
        return
    for start in range(0, len(packed) - len(packed) % 4, 4):
        yield int.from_bytes(packed[start : start + 4], "little")


def find_in_tables(
    reader: Reader, contents: Contents, *, with_citations: bool = True
) -> Iterator[str]:
    """Yield where tables differ from what the editions hold.

    Args:
        reader: The reader of the file.
        contents: Its contents.
        with_citations: Whether to check citations; another version of the finder found others.

    Raises:
        BaseError: The file is damaged.
    """
    attested = [{contents.readings[number] for number in held} for held in contents.held]
    lookup = (
        (word, number) for number, state in contents.states.items() for word in keys_of(state)
    )
    expected_rows: list[tuple[str, Iterable[tuple[object, ...]]]] = [
        ("span", _runs(contents.held)),
        ("attestation", _runs(attested)),
        ("lookup", lookup),
    ]
    if with_citations:
        citations, cited = citation_rows(
            (number, state, None) for number, state in contents.states.items()
        )
        expected_rows += [("citation", citations), ("cited", cited)]
    for table, expected in expected_rows:
        stored = set(reader.query(f"SELECT * FROM {table}"))  # noqa: S608 - a name of ours
        wanted = set(expected)
        yield from _difference(table, sorted(wanted - stored), "lacks")
        yield from _difference(table, sorted(stored - wanted), "wrongly holds")
    unused = contents.states.keys() - {number for held in contents.held for number in held}
    yield from _difference("provision", sorted(unused), "holds what no edition prints:")
    bodies = {number for (number,) in reader.query("SELECT id FROM reading")}
    unsaid = bodies - set(contents.readings.values())
    yield from _difference("reading", sorted(unsaid), "holds words of no provision:")
    if len(set(contents.states.values())) < len(contents.states):
        yield "the table provision holds a state twice"
    if reader.query("SELECT 1 FROM reading GROUP BY body HAVING count(*) > 1 LIMIT 1"):
        yield "the table reading holds words twice"
    yield from _find_in_order(contents.editions)


def _runs(held: Iterable[Iterable[int]]) -> Iterator[tuple[int, int, int]]:
    """Yield (id, first, last) for every unbroken run of editions that have an id."""
    since: dict[int, int] = {}
    before: set[int] = set()
    number = -1
    for number, ids in enumerate(held):
        now = set(ids)
        for held_number in before - now:
            yield held_number, since[held_number], number - 1
        for held_number in now - before:
            since[held_number] = number
        before = now
    for held_number in before:
        yield held_number, since[held_number], number


def _difference(table: str, rows: list[Any], verb: str) -> Iterator[str]:
    if rows:
        more = f" and {len(rows) - 1} more" if len(rows) > 1 else ""
        yield f"the table {table} {verb} {rows[0]}{more}"


def _find_in_order(editions: list[dict[str, Any]]) -> Iterator[str]:
    if [edition["id"] for edition in editions] != list(range(len(editions))):
        yield "the editions are not numbered from 0"
    for before, after in pairwise(editions):
        if (before["effective"], before["issue"]) >= (after["effective"], after["issue"]):
            yield f"{before['label']} and {after['label']} do not stand in order of date and issue"


def find_in_edition(contents: Contents, place: int, packed: object) -> Iterator[str]:
    """Yield where an edition contradicts itself.

    Args:
        contents: The whole file.
        place: The place of the edition, from 0.
        packed: The ids of its states as the file stores them.
    """
    row = contents.editions[place]
    states = [contents.states[number] for number in contents.held[place]]
    if not isinstance(packed, bytes) or len(packed) != 4 * len(states):
        yield "it holds provisions that are not in the table provision"
    if len(set(contents.held[place])) < len(contents.held[place]):
        yield "it holds a provision twice"
    yield from _find_in_label(contents.editions, row)
    yield from _find_in_parents(states)
    yield from _find_in_counts(row, states)
    for name in ("introduction", "index_lines", "credits"):
        value = _parsed(row[name])
        parts = cast("list[object]", value if isinstance(value, list) else [None])
        if not all(isinstance(part, str) for part in parts):
            yield f"its {name} is no list of texts"
    yield from _find_in_ledger(row, states)


def _find_in_label(editions: list[dict[str, Any]], row: dict[str, Any]) -> Iterator[str]:
    same = [edition for edition in editions if edition["effective"] == row["effective"]]
    label = f"{row['effective']}.{row['issue']}" if len(same) > 1 else row["effective"]
    if row["label"] != label:
        yield f"it is labelled {row['label']}, not {label}"
    values = [condition.value for condition in Condition]
    if row["condition"] not in values:
        yield f"its condition is {row['condition']!r}"
        return
    # The last issue in the best condition; unknown conditions are reported separately.
    ranks = {value: -rank for rank, value in enumerate(values)}
    last = max(
        same, key=lambda edition: (ranks.get(edition["condition"], -len(ranks)), edition["issue"])
    )
    if bool(row["is_chosen"]) is not (last is row):
        means = "does" if row["is_chosen"] else "does not"
        yield f"its bare date {means} mean it, against the rule"


def _find_in_parents(states: list[State]) -> Iterator[str]:
    kinds: dict[str, str] = {}
    for state in states:
        if state.kind not in _ABOVE:
            yield f"{state.address} is of no known kind: {state.kind!r}"
            continue
        if state.parent and kinds.get(state.parent) not in _ABOVE[state.kind]:
            yield f"{state.address} stands below {state.parent}, which is nowhere above it"
        if state.kind != Kind.GLOSSARY.value:
            if state.address in kinds:
                yield f"{state.address} is the address of two provisions"
            kinds[state.address] = state.kind


def _find_in_counts(row: dict[str, Any], states: list[State]) -> Iterator[str]:
    kinds = Counter(state.kind for state in states)
    counts = {
        "sections": kinds[Kind.SECTION.value],
        "rules": kinds[Kind.RULE.value] + kinds[Kind.SUBRULE.value],
        "examples": sum(len(examples_of(state.body)) for state in states if "\x1e" in state.body),
        "glossary": kinds[Kind.GLOSSARY.value],
    }
    for name, number in counts.items():
        if row[name] != number:
            yield f"it states {row[name]} as its number of {name}, but holds {number}"


def _find_in_ledger(row: dict[str, Any], states: list[State]) -> Iterator[str]:
    ledger = _parsed(row["ledger"])
    try:
        lines, blank = ledger["lines"], ledger["blank"]
        accounted = sum(ledger["accounted"].values())
        missing = ledger["unaccounted"]
        characters, kept = ledger["characters"], ledger["characters_kept"]
        oddities = cast("list[dict[str, object]]", [*ledger["irregularities"]])
        listed = [
            (oddity["address"], {**oddity, "address": ""})
            for oddity in oddities
            if oddity["address"]
        ]
        known = (ledger["effective"], ledger["condition"])
    except (AttributeError, KeyError, TypeError):
        yield "its ledger cannot be understood"
        return
    if missing:
        yield f"its ledger leaves lines unaccounted for: {missing}"
    if lines != blank + accounted:
        yield f"its ledger has {lines} lines, but accounts for {blank} blank and {accounted} others"
    if characters != kept:
        yield f"its ledger keeps {kept} of {characters} characters"
    if known != (row["effective"], row["condition"]):
        yield f"its ledger is that of an edition of {known[0]}, {known[1]}"
    if len(oddities) != row["irregularities"]:
        stated = row["irregularities"]
        yield f"it states {stated} as its number of irregularities, but holds {len(oddities)}"
    held = [
        (state.address, {**oddity, "address": ""}) for state in states for oddity in _odd(state)
    ]
    if listed != held:
        yield "its ledger has other irregularities than its provisions"


def _odd(state: State) -> list[dict[str, object]]:
    return cast("list[dict[str, object]]", _parsed(state.irregularities) or [])


def _parsed(text: object) -> Any:  # noqa: ANN401 - JSON may hold anything
    try:
        return json.loads(cast("str", text))
    except (ValueError, TypeError):
        return None
