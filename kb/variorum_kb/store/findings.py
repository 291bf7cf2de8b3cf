"""The tables of what is wrong in editions: put into a file that is being written, and read."""

from collections.abc import Sequence
from dataclasses import dataclass

from variorum_kb.rows import StaleRow
from variorum_kb.store.digests import TableWriter
from variorum_kb.store.reader import Reader

_FOUND = "SELECT edition, body FROM found JOIN finding ON finding.id = found.finding {} ORDER BY edition, place"
_STALE = "SELECT provision, place, number, target, since, is_alike, first, last FROM stale"


@dataclass(frozen=True, slots=True)
class EditionFindings:
    """What is wrong in an edition.

    Attributes:
        findings: JSON, in the order in which they are shown.
        stale: Its citations that lead astray, in order.
    """

    findings: list[str]
    stale: list[StaleRow]


def insert_findings(tables: TableWriter, editions: Sequence[EditionFindings]) -> None:
    """Put what is wrong into its tables, for each edition from the first on."""
    known: dict[str, int] = {}
    found = [
        (edition, place, known.setdefault(body, len(known)))
        for edition, one in enumerate(editions)
        for place, body in enumerate(one.findings)
    ]
    tables.insert("finding", [(number, body) for body, number in known.items()])
    tables.insert("found", found)
    tables.insert("stale", _runs(editions))


def _runs(editions: Sequence[EditionFindings]) -> list[tuple[object, ...]]:
    """Return the citations that lead astray, each with the runs of editions in which they do."""
    runs: dict[StaleRow, list[list[int]]] = {}
    for edition, one in enumerate(editions):
        for row in one.stale:
            known = runs.setdefault(row, [])
            if known and known[-1][1] == edition - 1:
                known[-1][1] = edition
            else:
                known.append([edition, edition])
    return [(*row, first, last) for row in sorted(runs) for first, last in runs[row]]


def load_findings(reader: Reader) -> list[EditionFindings]:
    """Return what is wrong in each edition of a file, the first edition first.

    Raises:
        BaseError: The file is damaged.
    """
    count = len(reader.editions(with_long=False))
    editions: list[EditionFindings] = [EditionFindings([], []) for _ in range(count)]
    for edition, body in reader.query(_FOUND.format("")):
        editions[int(edition)].findings.append(body)
    for *cells, first, last in reader.query(_STALE):
        for one in editions[first : last + 1]:
            one.stale.append(StaleRow.of(cells))
    for one in editions:
        one.stale.sort()
    return editions


def findings_in(reader: Reader, edition: int) -> list[str]:
    """Return what is wrong in an edition, as JSON, in the order in which it is shown."""
    rows = reader.query(_FOUND.format("WHERE edition = ?"), [edition])
    return [body for _, body in rows]
