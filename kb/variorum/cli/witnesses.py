"""Lines about what other documents attest, discuss or announce."""

from collections.abc import Iterator, Mapping, Sequence

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.witnesses import name_of_witness, told
from variorum.cli.layout import diffed, marked, para
from variorum.errors import ArchiveError
from variorum.files import DOCUMENTS
from variorum.records.document import Passage
from variorum.rows import ORIGINAL, headword_of
from variorum.terminal import bold


def file_names(base: KnowledgeBase) -> dict[str, str]:
    """Return the names of the archive's files, by hash; a witness without a title is called so."""
    from variorum.documents.archive import Archive

    try:
        return Archive(base.folder / DOCUMENTS).names()
    except ArchiveError:
        return {}


def passage_lines(head: str, passage: Passage, shown: str, margin: int = 6) -> Iterator[str]:
    """Yield the line of a passage below a head that shows a name, then its words or the difference."""
    is_quoted = passage.verdict in {"agrees", "agrees elsewhere", "differs"}
    said = told(passage, shown)
    said += "" if is_quoted or not passage.words else f": {passage.words}"
    yield from para(f"{head} {said}", 2)
    if passage.pieces:
        yield from diffed(marked(passage.pieces), margin)


def list_witnesses(passages: Sequence[Passage], names: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines about a provision's witnesses; names are those of files, by hash."""
    originals: dict[str, None] = {}
    for passage in passages:
        witness, label = passage.witness, passage.edition or ""
        if witness is None or (witness.kind.startswith(ORIGINAL) and passage.verdict == "agrees"):
            originals[label] = None
            continue
        line = f", line {passage.line}" if passage.line else ""
        head = f"{label}  {bold(name_of_witness(witness, names))} ({witness.kind}{line}):"
        stands = passage.stands or passage.former or ""
        yield from passage_lines(head, passage, headword_of(stands) or stands, 14)
        yield from (line for reason in passage.evidence for line in para(f"- {reason}", 14))
    if originals:
        yield f"  confirmed by originals (Word, RTF, PDF) of {', '.join(originals)}"


def announced_lines(announced: Sequence[Passage]) -> Iterator[str]:
    """Yield a line for each bulletin that announced a step, with the words beside its number."""
    for passage in announced:
        if witness := passage.witness:
            dated = f", {witness.dated}" if witness.dated else ""
            yield f"announced in {name_of_witness(witness)}{dated}: “{passage.words}”"
