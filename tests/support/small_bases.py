"""Small knowledge bases that tests build, damage or query."""

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from tests.support.edition_texts import CREDITS, HEAD, RULES, page
from variorum_kb.build.build import Builder
from variorum_kb.build.outcomes import Event, PassedOver, Refused
from variorum_kb.documents.archive import Archive
from variorum_kb.documents.decisions import Decision
from variorum_kb.rows import State, checksum_of
from variorum_kb.store.reader import Reader
from variorum_kb.store.verified import seal
from variorum_kb.stored_rows import BY_PERSON

NOW = "2030-01-02T03:04:05+00:00"
DAY = "June 5, 2020"
DAYS = [DAY, "July 6, 2021", "August 7, 2022", "September 8, 2023", "October 9, 2024"]


def edition(day: str = DAY, *, rule: str = "", designer: str = "Nobody") -> bytes:
    """Return a small edition.

    Args:
        day: The printed day.
        rule: One more rule after 100.2.
        designer: Distinguishes documents of one day with the same rules.
    """
    rules = RULES.replace("101. Lamps\n", f"100.3. {rule}\n\n101. Lamps\n") if rule else RULES
    return page(
        head=HEAD.replace(DAY, day),
        rules=rules,
        credits_=CREDITS.replace(DAY, day).replace("Nobody", designer),
    )


# Half an edition, and the message about it.
TRUNCATED = edition().replace(b"Credits", b"Contents")
TRUNCATED_SAYS = "54: ends inside the glossary, without credits"


def write(folder: Path, documents: dict[str, bytes]) -> list[Path]:
    """Write files into a folder, which need not exist; return their paths."""
    for name, data in documents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return [folder / name for name in documents]


def build(folder: Path, paths: Iterable[Path] = (), jobs: int = 1) -> list[Event]:
    """Build a base; return the events."""
    return list(Builder(folder, NOW, jobs).build(list(paths)))


def accept(folder: Path, *documents: bytes) -> None:
    """Accept documents as a person would, even before the base has them."""
    archive = Archive(folder / "documents")
    for document in documents:
        archive.decide(Decision(hash_of(document), BY_PERSON, NOW))
    archive.save_manifest()


def hash_of(document: bytes) -> str:
    """Return the hash of a document."""
    return hashlib.sha256(document).hexdigest()


def change(folder: Path, *statements: str) -> None:
    """Change a base without the program."""
    with closing(sqlite3.connect(folder / "kb.sqlite", isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def write_otherwise(folder: Path, *statements: str) -> None:
    """Change a base and its checksums, as if the program had done so."""
    cells = ", ".join([*State.columns, "provision.id"])
    change(folder, *statements)
    with closing(sqlite3.connect(folder / "kb.sqlite", isolation_level=None)) as connection:
        rows = connection.execute(
            f"SELECT {cells} FROM provision JOIN reading ON reading.id = provision.reading"  # noqa: S608
        ).fetchall()
        sums = [(checksum_of(number, state), number) for *state, number in rows]
        connection.executemany("UPDATE provision SET checksum = ? WHERE id = ?", sums)
    seal(str(folder / "kb.sqlite"))


def rows(folder: Path, columns: str) -> list[tuple[object, ...]]:
    """Return columns of all editions in order."""
    reader = Reader(folder / "kb.sqlite")
    try:
        return reader.query(f"SELECT {columns} FROM edition ORDER BY id")  # noqa: S608
    finally:
        reader.close()


def kinds(events: Iterable[Event]) -> Counter[str]:
    """Count events, except those about editions with one source, which all invented ones have."""
    names = (type(event).__name__ for event in events)
    return Counter(name for name in names if name != "Doubted")


def errors(events: Iterable[Event]) -> list[str]:
    """Return the errors of refused documents."""
    return [str(event.error) for event in events if isinstance(event, Refused | PassedOver)]


def contents(folder: Path) -> bytes:
    """Return the bytes of a base."""
    return (folder / "kb.sqlite").read_bytes()
