"""Lines about what other documents attest, discuss or announce."""

from collections.abc import Iterator, Mapping, Sequence

from variorum.answers.witnesses import name_of_witness, told
from variorum.cli.layout import diffed, marked, para
from variorum.records.document import Passage
from variorum.rows import headword_of
from variorum.terminal import bold


def passage_lines(head: str, passage: Passage, shown: str, margin: int = 6) -> Iterator[str]:
    """Yield the line of a passage below a head that shows a name, then its words or the difference."""
    is_quoted = passage.verdict in {"agrees", "agrees elsewhere", "differs"}
    words = "" if is_quoted or not passage.words else f": {passage.words}"
    yield from para(f"{head} {told(passage, shown)}{words}", 2)
    yield from diffed(marked(passage.pieces), margin) if passage.pieces else ()


def list_witnesses(
    passages: Sequence[Passage], originals: Sequence[str], names: Mapping[str, str]
) -> Iterator[str]:
    """Yield the lines about a provision's witnesses; names are those of files, by hash."""
    for passage in passages:
        if witness := passage.witness:
            stands, line = passage.stands or "", f", line {passage.line}" if passage.line else ""
            name = f"{bold(name_of_witness(witness, names))} ({witness.kind}{line})"
            head, shown = f"{passage.edition}  {name}:", headword_of(stands) or stands
            yield from passage_lines(head, passage, shown, 14)
            yield from (line for reason in passage.evidence for line in para(f"- {reason}", 14))
    if originals:
        yield f"  confirmed by originals (Word, RTF, PDF) of {', '.join(originals)}"


def announced_lines(announced: Sequence[Passage]) -> Iterator[str]:
    """Yield a line for each bulletin that announced a step, with the words beside its number."""
    for passage in announced:
        if witness := passage.witness:
            dated = f", {witness.dated}" if witness.dated else ""
            yield f"announced in {name_of_witness(witness)}{dated}: “{passage.words}”"
