"""Format what witnesses attest."""

from variorum.answers.witnesses import claims_in_words, verdict_in_words
from variorum.cli.pages.diff import diff_paragraph, marked, paragraph
from variorum.stored_rows import ORIGINAL
from variorum.terminal import bold
from variorum.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.records.lineage import History
    from variorum.records.witness import Announcement, Attestation, WitnessName

_DATE = 14
_HASH = 8


def file_names(base: "KnowledgeBase") -> dict[str, str]:
    """Return the names of the archive's files, by hash; a witness without a title is called so."""
    from variorum.build.build import first_sources
    from variorum.errors import ArchiveError

    try:
        return first_sources(base.folder)
    except ArchiveError:
        return {}


def count_witnesses(history: "History", name: str) -> "Iterator[str]":
    """Yield the line of a history about other documents, if there are any."""
    documents = {
        attestation.witness.sha256
        for attestation in history.witnesses
        if not attestation.witness.kind.startswith(ORIGINAL)
    }
    if documents:
        yield ""
        verb = "quotes or discusses" if len(documents) == 1 else "quote or discuss"
        about = f"{counted(len(documents), 'other document')} {verb} it"
        yield f"  {about}; cr history {name} --witnesses shows the words"


def list_attestations(
    attestations: "Sequence[Attestation]", names: "Mapping[str, str]", width: int
) -> "Iterator[str]":
    """Yield the lines about a provision's witnesses: verdict, differing or own words, claims.

    Args:
        attestations: In the form of `cr history NUMBER --witnesses --json`.
        names: Names of files, by hash.
        width: Columns of the terminal; 0 puts each paragraph on one line.
    """
    originals: list[str] = []
    for attestation in attestations:
        witness, edition = attestation.witness, attestation.edition or ""
        if witness.kind.startswith(ORIGINAL) and attestation.verdict == "agrees":
            originals.append(edition)
            continue
        line = f", line {attestation.line}" if attestation.line else ""
        source = f"{bold(_name(witness, names))} ({witness.kind}{line})"
        said = verdict_in_words(attestation)
        yield from paragraph(
            f"{edition:<{max(_DATE - 2, len(edition) + 2)}}{source}: {said}", 2, width
        )
        if attestation.pieces:
            yield from diff_paragraph(marked(attestation.pieces), _DATE, width)
        elif attestation.verdict not in {"agrees", "agrees elsewhere"}:
            yield from paragraph(attestation.words, _DATE, width)
        for reason in [*claims_in_words(attestation), *attestation.evidence]:
            yield from paragraph(f"- {reason}", _DATE, width)
    if originals:
        editions = ", ".join(dict.fromkeys(originals))
        yield f"  confirmed by originals (Word, RTF, PDF) of {editions}"


def _name(witness: "WitnessName", names: "Mapping[str, str]") -> str:
    """Return the name of a witness: its title and author, else its file, else its hash."""
    title = " by ".join([part for part in (witness.title, witness.author) if part])
    return title or names.get(witness.sha256, "") or witness.sha256[:_HASH]


def announced_lines(announcements: "Sequence[Announcement]") -> "Iterator[str]":
    """Yield a line for each bulletin that announced a step, with the words beside its number."""
    for announcement in announcements:
        source = announcement.title or announcement.sha256[:_HASH]
        dated = f", {announcement.dated}" if announcement.dated else ""
        yield f"announced in {source}{dated}: “{announcement.words}”"


def list_announcements(announced: "Sequence[Attestation]", width: int) -> "Iterator[str]":
    """Yield what bulletins announced for an edition: the words beside each number."""
    entries = {(a.witness.sha256, a.line, a.words): a for a in announced}
    confirmed = sum(entry.verdict == "announced" for entry in entries.values())
    titles = {a.witness.title or a.witness.sha256[:_HASH]: None for a in announced}
    yield f"  in {', '.join(titles)}: {confirmed} of {len(entries)} confirmed"
    for entry in entries.values():
        name = entry.number or entry.headword or ""
        odd = "" if entry.verdict == "announced" else " (no such change found)"
        yield from paragraph(f"{bold(name)}{odd}: {entry.words}", 4, width)
