"""Finds the citations in a provision and of it."""

from msgspec import structs

from variorum.answers.lookup import bearers, in_order
from variorum.records.provision import Citation, CitingProvision, Misfit, References
from variorum.rows import Row, full_text
from variorum.text.keys import fold_title
from variorum.text.sentence_around import sentence_around

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from sqlite3 import Connection

    from variorum.answers.edition_entry import EditionEntry
    from variorum.answers.subject import Subject


RESOLVED, DANGLING = "resolved", "dangling"

_CITES = "SELECT place, part, start, stop, title FROM citation WHERE provision = ? ORDER BY place"
_WORDS = "SELECT word FROM cited WHERE provision = ? AND place = ? ORDER BY rank"
_CITED_BY = """
    SELECT p.kind, p.number, p.address, p.heading, r.body, p.parent, p.meant, p.irregularities,
           p.id, c.part, c.start, c.stop
    FROM cited w
    JOIN citation c ON c.provision = w.provision AND c.place = w.place
    JOIN span s ON s.provision = w.provision
    JOIN provision p ON p.id = w.provision
    JOIN reading r ON r.id = p.reading
    WHERE w.word = ? AND s.first <= ? AND s.last >= ?
"""


class _Citing(Row):
    """A provision and a citation in it.

    Attributes:
        part: What prints the citation: "text" (with its examples) or "heading".
        start: The start of the citation, in code points.
        stop: The end, exclusive.
    """

    __slots__ = ()
    part: str
    start: int
    stop: int


def refs_of(subjects: "Sequence[Subject]") -> "References":
    """Return the citations in a provision and of it, in the form of `cr refs --json`.

    Args:
        subjects: The provision, as `show` returns it, or both bearers of a number printed twice.
    """
    edition = subjects[0].edition
    states = [subject.state for subject in subjects]
    return subjects[0].base.reader.ask(lambda open_: refs_json(open_, states, edition))


def misfits_in(subjects: "Iterable[Subject]") -> "Iterator[Misfit]":
    """Yield the citations that dangle, or whose title does not fit."""
    for subject in subjects:
        for citation in subject.cites():
            if citation.status == DANGLING or citation.title_fits is False:
                yield Misfit(address=subject.address, **structs.asdict(citation))


def cites(connection: "Connection", state: "Row", edition: int) -> "list[Citation]":
    """Return the citations of a provision as printed, each with its targets.

    Args:
        connection: To the base.
        state: The provision.
        edition: The id of the edition that prints it.

    Returns:
        Each has "text", "part" ("text" or "heading"), "start", "end" (code points), "targets"
        (addresses), "status" ("resolved" or "dangling"), "title" (an
        empty string if there is none) and "title_fits" (None if there is no title).
    """
    cited: list[Citation] = []
    texts = {"text": full_text(state.body), "heading": state.heading}
    for place, part, start, stop, title in connection.execute(_CITES, (state.id,)).fetchall():
        words = [row[0] for row in connection.execute(_WORDS, (state.id, place)).fetchall()]
        named = [bearers(connection, word, edition) for word in words]
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
                title_fits=_fits(connection, title, targets, edition) if title else None,
            )
        )
    return cited


def printed(connection: "Connection", state: "Row") -> list[str]:
    """Return the citations in a provision's text as they are printed."""
    text = full_text(state.body)
    rows = connection.execute(_CITES, (state.id,)).fetchall()
    return [text[start:stop] for _, part, start, stop, _ in rows if part == "text"]


def refs_json(
    connection: "Connection", states: "list[Row]", edition: "EditionEntry"
) -> "References":
    """Return the citations in provisions and of them, in the form of `cr refs --json`.

    Args:
        connection: To the base.
        states: The provision, or both bearers of a number printed twice.
        edition: The provision's edition.
    """
    citing: dict[tuple[str, int, int], CitingProvision] = {}
    for state in states:
        for citation in cited_by(connection, state, edition.place):
            citing[citation.address, citation.start, citation.end] = citation
    return References(
        number=states[0].number,
        address=states[0].address if len(states) == 1 else states[0].number,
        edition=edition.label,
        doubts=list(edition.doubts),
        cites=[
            citation for state in states for citation in cites(connection, state, edition.place)
        ],
        cited_by=list(citing.values()),
    )


def _fits(connection: "Connection", title: str, targets: "list[Row]", edition: int) -> bool:
    """Return whether a printed title is the heading of a target, or of a provision above it."""
    headings = {fold_title(target.heading) for target in targets if target.heading}
    for target in targets:
        if not target.heading and target.parent:
            headings |= {
                fold_title(row.heading)
                for row in bearers(connection, _number(target.parent), edition)
            }
    return fold_title(title) in headings


def _number(address: str) -> str:
    return address.partition("#")[0]


def cited_by(connection: "Connection", state: "Row", edition: int) -> "list[CitingProvision]":
    """Return the provisions of an edition that cite another, each with the citing sentence.

    A citation of a number printed twice cites both bearers. A range cites everything in it.

    Returns:
        Each has "number", "address", "kind", "heading", "text" (the sentence), "start", "end" (of
        the citation in the provision's text or heading); rules first, in the order of numbers.
    """
    if state.kind == "glossary":
        return []
    words = [word for word in (state.number, state.meant) if word]
    rows: dict[tuple[int, str, int], _Citing] = {}
    for word in words:
        # A number means the provision that has it in print, not one that should have it.
        if not any(bearer.id == state.id for bearer in bearers(connection, word, edition)):
            continue
        for cells in connection.execute(_CITED_BY, (word, edition, edition)).fetchall():
            row = _Citing(*cells)
            rows[row.id, row.part, row.start] = row
    citing = sorted(rows.values(), key=_in_order)
    return [_citing(row) for row in citing]


def _in_order(row: _Citing) -> tuple[object, ...]:
    if row.kind == "glossary":
        return True, row.heading.casefold(), row.part, row.start
    section = int(_number(row.address).partition(".")[0])
    return False, section, in_order(row), row.part, row.start


def _citing(row: _Citing) -> "CitingProvision":
    text = row.heading if row.part == "heading" else full_text(row.body)
    return CitingProvision(
        number=row.number,
        address=row.address,
        kind=row.kind,
        heading=row.heading,
        text=sentence_around(text, row.start, row.stop),
        start=row.start,
        end=row.stop,
    )
