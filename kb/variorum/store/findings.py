"""Write and read the tables of known errors of editions."""

from collections.abc import Sequence
from dataclasses import dataclass
from sqlite3 import Connection

from variorum.store.reader import Reader
from variorum.store.runs import extend_runs, insert
from variorum.stored_rows import StaleRow

_FOUND = "SELECT edition, body FROM found JOIN finding ON finding.id = found.finding {} ORDER BY edition, place"
_STALE = "SELECT provision, place, number, target, since, is_alike, first, last FROM stale"


@dataclass(frozen=True, slots=True)
class EditionFindings:
    """The known errors of an edition.

    Attributes:
        findings: The findings as JSON, in the order in which they are shown.
        stale: Its stale citations, in order.
    """

    findings: list[str]
    stale: list[StaleRow]


def insert_findings(base: Connection, editions: Sequence[EditionFindings], first: int = 0) -> None:
    """Insert the known errors of the editions from `first` on; the tables have the earlier ones."""
    stored = base.execute("SELECT body FROM finding ORDER BY id").fetchall()
    known: dict[str, int] = {body: number for number, (body,) in enumerate(stored)}
    placed = [
        (edition, place, known.setdefault(body, len(known)))
        for edition, edition_findings in enumerate(editions, first)
        for place, body in enumerate(edition_findings.findings)
    ]
    added = list(known.items())[len(stored) :]
    insert(base, "finding", [(number, body) for body, number in added])
    insert(base, "found", placed)
    stale = [edition_findings.stale for edition_findings in editions]
    extend_runs(base, "stale", stale, first=first, cells_of=tuple)


def load_findings(reader: Reader) -> list[EditionFindings]:
    """Return the known errors of each edition of a file, the first edition first.

    Raises:
        BaseError: The file is damaged.
    """
    count = len(reader.editions())
    editions: list[EditionFindings] = [EditionFindings([], []) for _ in range(count)]
    for edition, body in reader.query(_FOUND.format("")):
        editions[int(edition)].findings.append(body)
    for *cells, first, last in reader.query(_STALE):
        for edition_findings in editions[first : last + 1]:
            edition_findings.stale.append(StaleRow.of(cells))
    for edition_findings in editions:
        edition_findings.stale.sort()
    return editions


def findings_in(reader: Reader, edition: int) -> list[str]:
    """Return the findings of an edition as JSON, in the order in which they are shown."""
    rows = reader.query(_FOUND.format("WHERE edition = ?"), [edition])
    return [body for _, body in rows]


def stale_in(reader: Reader, edition: int) -> list[StaleRow]:
    """Return the stale citations of an edition, in order."""
    rows = reader.query(f"{_STALE} WHERE first <= ? AND last >= ?", [edition, edition])
    return sorted([StaleRow.of(cells[:-2]) for cells in rows])
