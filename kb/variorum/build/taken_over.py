"""What a build takes over from the base as it was: editions, links, citations, findings."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from itertools import pairwise, takewhile
from pathlib import Path

from variorum.answers.stored.whole import citations_of
from variorum.build.part_versions import current_meta, is_made_by
from variorum.errors import BaseError
from variorum.model import Condition
from variorum.store.citations import Citation
from variorum.store.findings import EditionFindings, load_findings, stale_in
from variorum.store.merger import Merger, StoredEditions
from variorum.store.reader import Reader
from variorum.stored_rows import LONG_COLUMNS, EditionRow, LinkRow, StaleRow, evidence_of

# The parts of the program that links depend on.
_OF_LINKS = ("aligner", "verdicts")
# The parts of the program that findings depend on.
_OF_FINDINGS = (*_OF_LINKS, "attest", "finder")


@dataclass(frozen=True, slots=True)
class TakenOver:
    """What a build takes over from the old file.

    Attributes:
        findings: The known errors of editions that are written again, as far as they are valid.
        stale: The stale citations in the last edition whose findings are known.
        absent: For each provision gone from kept editions, the last edition that had it, and the
            id of its state.
    """

    findings: Sequence[EditionFindings] = ()
    stale: Sequence[StaleRow] = ()
    absent: Sequence[tuple[int, int]] = ()


def copy_editions(reader: Reader) -> Merger:
    """Return the rows of all editions; states and long columns are read on first use.

    Raises:
        BaseError: They are not rows that this program writes.
    """
    rows: list[EditionRow] = []
    unread = dict.fromkeys(LONG_COLUMNS, "")
    for edition in reader.editions():
        try:
            date.fromisoformat(edition["effective"])
            Condition(edition["condition"])
        except (TypeError, ValueError) as error:
            raise BaseError(f"{reader.file}: damaged: {edition['label']}: {error!r}") from None
        cells = edition | unread
        rows.append(EditionRow.of([cells[name] for name in EditionRow.columns]))
    path = Path(reader.file)
    return Merger(rows, lambda: _load_states(path))


def _load_states(path: Path) -> StoredEditions:
    with closing(Reader(path, is_trusted=True)) as reader:
        states = reader.all_states()
        held = reader.states_of_all()
        columns = [reader.long_columns(edition) for edition in range(len(held))]
        return StoredEditions([*states.values()], held, columns)


def _copy_links(reader: Reader, merger: Merger) -> None:
    """Copy the links between adjacent editions.

    A state copied from a file has the same id in the file and in the merger.
    """
    hashes = [str(edition["sha256"]) for edition in reader.editions()]
    for pair in pairwise(hashes):
        merger.links[pair] = []
    for link in reader.links():
        if link.source != link.edition - 1:
            continue  # links of returned provisions are found anew
        row = LinkRow(
            -1 if link.old is None else link.old,
            -1 if link.new is None else link.new,
            link.rank,
            link.kinds,
            link.change,
            link.confidence,
            evidence_of(link.readings, link.verdict, link.reasons),
        )
        merger.links[hashes[link.source], hashes[link.edition]].append(row)


def _known_citations(reader: Reader) -> dict[int, list[Citation]]:
    """Return the citations of a file's states, by their ids in the file and the merger."""
    citations = citations_of(reader)
    ((count,),) = reader.query("SELECT count(*) FROM provision")
    return {
        number: [
            (citation.part, citation.start, citation.stop, citation.title, citation.numbers)
            for citation in citations.get(number, ())
        ]
        for number in range(count)
    }


def _known_findings(reader: Reader, merger: Merger) -> TakenOver:
    """Return the known errors of the first editions that are the same as before."""
    before = [edition.sha256 for edition in merger.stored]
    now = [edition.columns.sha256 for edition in merger.in_order()]
    same = takewhile(lambda pair: pair[0] == pair[1], zip(before, now, strict=False))
    findings = load_findings(reader)[: len(list(same))]
    return TakenOver(findings=findings, stale=findings[-1].stale if findings else [])


def _go_on(reader: Reader, merger: Merger) -> TakenOver:
    """Keep the editions of a file unchanged; return what later editions depend on."""
    merger.kept = len(merger.stored)
    stale = stale_in(reader, merger.kept - 1)
    return TakenOver(stale=stale, absent=[(row[0], row[1]) for row in reader.query(_ABSENT)])


# For each provision gone for good, the last edition that had it, and the id of its state.
_ABSENT = (
    "SELECT source, old FROM link WHERE new IS NULL EXCEPT "
    "SELECT source, old FROM link WHERE edition > source + 1 ORDER BY source, old"
)


def take_over(path: Path, merger: Merger, meta: Mapping[str, str]) -> TakenOver:
    """Take over from the old file everything that is still valid.

    Args:
        path: The old file.
        merger: Its editions; they get their citations and links.
        meta: The content of its table `meta`.
    """
    if not merger.stored:
        return TakenOver()
    with closing(Reader(path, is_trusted=True)) as reader:
        if meta == current_meta() and merger.goes_on():
            return _go_on(reader, merger)
        if is_made_by(meta, ("finder",)):
            merger.citations = _known_citations(reader)
        if not is_made_by(meta, _OF_LINKS):
            return TakenOver()
        _copy_links(reader, merger)
        is_sound = is_made_by(meta, _OF_FINDINGS)
        return _known_findings(reader, merger) if is_sound else TakenOver()
