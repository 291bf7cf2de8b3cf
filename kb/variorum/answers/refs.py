"""Finds the citations in a provision, and those of it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from variorum.answers.lookup import bearers, in_order
from variorum.records.provision import Citation, CitingProvision, Misfit, References
from variorum.rows import Row, full_text
from variorum.text import fold_title, sentence_around

if TYPE_CHECKING:
    from variorum.answers.subject import Subject
    from variorum.store.reader import Reader

RESOLVED, DANGLING = "resolved", "dangling"

_CITES = "SELECT place, part, start, stop, title FROM citation WHERE provision = ? ORDER BY place"
_WORDS = "SELECT word FROM cited WHERE provision = ? AND place = ? ORDER BY rank"
_CITED_BY = """
    SELECT c.part, c.start, c.stop, p.kind, p.number, p.address, p.heading, r.body, p.parent, p.meant,
           p.irregularities, p.id
    FROM cited w
    JOIN citation c ON c.provision = w.provision AND c.place = w.place
    JOIN span s ON s.provision = w.provision
    JOIN provision p ON p.id = w.provision
    JOIN reading r ON r.id = p.reading
    WHERE w.word = ? AND s.first <= ? AND s.last >= ?
"""


def refs_of(subjects: "Sequence[Subject]") -> References:
    """Return the citations in a provision and of it.

    Args:
        subjects: The provision, or both bearers of a number printed twice.
    """
    first = subjects[0]
    citing = {
        (citation.address, citation.start, citation.end): citation
        for subject in subjects
        for citation in _cited_by(first.base.reader, subject.state, first.edition.place)
    }
    return References(
        number=first.number,
        address=first.address if len(subjects) == 1 else first.number,
        edition=first.edition.label,
        doubts=list(first.edition.doubts),
        cites=[citation for subject in subjects for citation in subject.cites()],
        cited_by=list(citing.values()),
    )


def misfits_in(subjects: "Iterable[Subject]") -> Iterator[Misfit]:
    """Yield the citations that dangle, or whose title does not fit."""
    for subject in subjects:
        for citation in subject.cites():
            if citation.status == DANGLING or citation.title_fits is False:
                yield Misfit(address=subject.address, **structs.asdict(citation))


def cites(reader: "Reader", state: Row, edition: int) -> list[Citation]:
    """Return the citations of a provision as an edition prints it, each with its targets there."""
    cited: list[Citation] = []
    texts = {"text": full_text(state.body), "heading": state.heading}
    for place, part, start, stop, title in reader.query(_CITES, (state.id,)):
        words = [word for (word,) in reader.query(_WORDS, (state.id, place))]
        named = [bearers(reader, word, edition) for word in words]
        targets = [target for row in named for target in row]
        is_whole = bool(named[0]) and bool(named[-1])
        cited.append(
            Citation(
                text=texts[part][start:stop],
                part=part,
                start=start,
                end=stop,
                targets=[target.address for target in targets],
                status=RESOLVED if is_whole else DANGLING,
                title=title,
                title_fits=_fits(reader, title, targets, edition) if title else None,
            )
        )
    return cited


def printed(reader: "Reader", state: Row) -> list[str]:
    """Return the citations in a provision's text as they are printed."""
    text = full_text(state.body)
    rows = reader.query(_CITES, (state.id,))
    return [text[start:stop] for _, part, start, stop, _ in rows if part == "text"]


def _fits(reader: "Reader", title: str, targets: Sequence[Row], edition: int) -> bool:
    """Return whether a printed title is the heading of a target, or of a provision above it."""
    headings = {fold_title(target.heading) for target in targets if target.heading}
    for target in targets:
        if not target.heading and target.parent:
            above = bearers(reader, target.parent.partition("#")[0], edition)
            headings |= {fold_title(row.heading) for row in above}
    return fold_title(title) in headings


def _cited_by(reader: "Reader", state: Row, edition: int) -> list[CitingProvision]:
    """Return the provisions of an edition that cite another, rules first, in the order of numbers.

    A citation of a number printed twice cites both bearers. A range cites everything in it.
    """
    citing: dict[tuple[int, str, int], tuple[Row, int]] = {}
    for word in filter(None, (state.number, state.meant)):
        # A number means the provision that has it in print, not one that should have it.
        if any(bearer.id == state.id for bearer in bearers(reader, word, edition)):
            for part, start, stop, *cells in reader.query(_CITED_BY, (word, edition, edition)):
                row = Row._make(cells)
                citing[row.id, part, start] = row, stop
    found: list[tuple[tuple[object, ...], CitingProvision]] = []
    for (_, part, start), (row, stop) in citing.items():
        text = row.heading if part == "heading" else full_text(row.body)
        place: tuple[object, ...] = (True, row.heading.casefold())
        if row.kind != "glossary":
            section = int(row.address.partition("#")[0].partition(".")[0])
            place = False, section, in_order(row)
        citation = CitingProvision(
            number=row.number,
            address=row.address,
            kind=row.kind,
            heading=row.heading,
            text=sentence_around(text, start),
            start=start,
            end=stop,
        )
        found.append(((*place, part, start), citation))
    return [citation for _, citation in sorted(found, key=lambda pair: pair[0])]
