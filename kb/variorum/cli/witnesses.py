"""Lines about what other documents attest, discuss or announce."""

from collections.abc import Iterator, Mapping, Sequence

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.witnesses import claims_in_words, verdict_in_words
from variorum.cli.layout import diffed, marked, para
from variorum.errors import ArchiveError
from variorum.paths import DOCUMENTS
from variorum.records.document import Announcement, Attestation, WitnessName
from variorum.rows import ORIGINAL
from variorum.terminal import bold

_MARGIN, _HASH = 14, 8


def file_names(base: KnowledgeBase) -> dict[str, str]:
    """Return the names of the archive's files, by hash; a witness without a title is called so."""
    from variorum.documents.archive import Archive

    try:
        return Archive(base.folder / DOCUMENTS).names()
    except ArchiveError:
        return {}


def list_attestations(
    attestations: Sequence[Attestation], names: Mapping[str, str]
) -> Iterator[str]:
    """Yield the lines about a provision's witnesses: verdict, differing or own words, claims.

    Args:
        attestations: In the form of `cr history NUMBER --witnesses --json`.
        names: Names of files, by hash.
    """
    originals: list[str] = []
    for said in attestations:
        witness, label = said.witness, said.edition or ""
        if witness.kind.startswith(ORIGINAL) and said.verdict == "agrees":
            originals.append(label)
            continue
        line = f", line {said.line}" if said.line else ""
        source = f"{bold(_witness(witness, names))} ({witness.kind}{line})"
        label = f"{label:<{max(_MARGIN - 2, len(label) + 2)}}"
        yield from para(f"{label}{source}: {verdict_in_words(said)}", 2)
        if said.pieces:
            yield from diffed(marked(said.pieces), _MARGIN)
        elif said.verdict not in {"agrees", "agrees elsewhere"}:
            yield from para(said.words, _MARGIN)
        for reason in [*claims_in_words(said), *said.evidence]:
            yield from para(f"- {reason}", _MARGIN)
    if originals:
        editions = ", ".join(dict.fromkeys(originals))
        yield f"  confirmed by originals (Word, RTF, PDF) of {editions}"


def _witness(witness: WitnessName, names: Mapping[str, str]) -> str:
    """Return the name of a witness: its title and author, else its file, else its hash."""
    title = " by ".join([part for part in (witness.title, witness.author) if part])
    return title or names.get(witness.sha256, "") or witness.sha256[:_HASH]


def announced_lines(announcements: Sequence[Announcement]) -> Iterator[str]:
    """Yield a line for each bulletin that announced a step, with the words beside its number."""
    for announcement in announcements:
        source = announcement.title or announcement.sha256[:_HASH]
        dated = f", {announcement.dated}" if announcement.dated else ""
        yield f"announced in {source}{dated}: “{announcement.words}”"


def list_announcements(announced: Sequence[Attestation]) -> Iterator[str]:
    """Yield what bulletins announced for an edition: the words beside each number."""
    entries = {(a.witness.sha256, a.line, a.words): a for a in announced}
    confirmed = sum(each.verdict == "announced" for each in entries.values())
    titles = {a.witness.title or a.witness.sha256[:_HASH]: None for a in announced}
    yield f"  in {', '.join(titles)}: {confirmed} of {len(entries)} confirmed"
    for each in entries.values():
        name = each.number or each.headword or ""
        odd = "" if each.verdict == "announced" else " (no such change found)"
        yield from para(f"{bold(name)}{odd}: {each.words}", 4)
