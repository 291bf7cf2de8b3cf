"""Makes the parts of answers from those of the library: each has a link, and is brief unless `full`."""

from collections.abc import Sequence

import variorum
from variorum.answers.through_time.citation_statuses import DOUBTFUL, NEVER, SAYS_ELSE
from variorum.cli.pages.diff import CONTEXT, marked
from variorum.mcp.answer_limits import LETTERS, OTHER_LETTERS
from variorum.mcp.answers import Bearer, Change, Citation, Heir, Hit, Reading, Rule, Source
from variorum.mcp.links import Links
from variorum.rows import named
from variorum.text.shortened import shortened

# With these verdicts, the right number is not certain.
_OPEN = {DOUBTFUL, NEVER, SAYS_ELSE}


class AnswerParts:
    """Makes the parts of answers."""

    def __init__(self, links: Links) -> None:
        self._links = links

    def rule(self, provision: variorum.Provision, *, is_full: bool) -> Rule:
        """Return a provision, with its link."""
        moved = provision.moved
        how = (
            f"{moved.asked} of {moved.edition} is {provision.name} since {moved.since}"
            if moved
            else ""
        )
        return Rule(
            name=provision.name,
            edition=provision.edition,
            link=self._links.dated(provision.edition, provision.name),
            heading=provision.heading,
            text=provision.text,
            examples=provision.examples if is_full else [],
            example_count=len(provision.examples) or None,
            moved=how,
            doubts=provision.doubts,
        )

    def heirs(self, names: Sequence[str], label: str) -> list[Heir]:
        """Return the names of provisions in an edition, each with its link."""
        return [Heir(name=name, link=self._links.dated(label, name)) for name in names]

    def reading(self, reading: variorum.Reading, *, is_full: bool) -> Reading:
        """Return a reading of a history, with its link."""
        return Reading(
            name=reading.name,
            first=reading.from_,
            last=reading.to or "",
            change=reading.class_,
            link=self._links.dated(reading.from_, reading.name),
            text="\n".join(filter(None, (reading.heading, reading.text))) if is_full else "",
            words=_marked(reading.words) if is_full else "",
        )

    def hit(self, hit: variorum.Hit, *, is_full: bool) -> Hit:
        """Return a hit of a search, with its link."""
        name = named(hit.number, hit.heading)
        return Hit(
            name=name,
            edition=hit.edition,
            link=self._links.dated(hit.edition, name),
            heading=hit.heading,
            text=hit.text if is_full else hit.snippet,
            now=hit.now or "",
        )

    def source(self, source: variorum.Source, *, is_full: bool) -> Source:
        """Return a source of a quotation, with its link."""
        name = named(source.number, source.heading)
        return Source(
            name=name,
            edition=source.edition,
            link=self._links.dated(source.edition, name),
            likeness=source.likeness,
            text=source.text if is_full else source.snippet,
            stood=[f"{name} from {first} to {last}" for name, first, last in source.numbers],
            now=source.now or "",
        )

    def change(
        self, change: variorum.Change, summary: variorum.DiffSummary, *, is_full: bool
    ) -> Change:
        """Return a change between two editions, with its link."""
        words = marked(
            [(piece.sign, piece.text) for piece in change.words],
            context=None if is_full else CONTEXT,
        )
        label = summary.to_edition if change.new else summary.from_edition
        return Change(
            old=change.old or "",
            new=change.new or "",
            kinds=change.kinds,
            sort=change.class_,
            words=words if is_full else shortened(words, LETTERS),
            link=self._links.dated(label, change.new or change.old or ""),
        )

    def citation(self, finding: variorum.Finding, label: str) -> Citation:
        """Return a citation of a text, with its link."""
        names = [name for heir in finding.heirs for name in heir]
        heirs, is_open = self.heirs(names, label), finding.status in _OPEN
        return Citation(
            cited=finding.cited,
            line=finding.line,
            column=finding.column,
            verdict=finding.status,
            now=[] if is_open else heirs,
            perhaps=heirs if is_open else [],
            rewrite=finding.rewrite or "",
            confidence=finding.confidence,
            was=finding.was,
            now_means="" if is_open else finding.now_means or "",
            why=finding.why,
            link="" if is_open or not names else heirs[0].link,
        )


def bearers(others: Sequence[variorum.OtherBearer]) -> list[Bearer]:
    """Return the other bearers of a number, each with a few of its words."""
    return [
        Bearer(
            first=bearer.from_,
            last=bearer.to or "",
            words=bearer.heading or shortened(bearer.text, OTHER_LETTERS),
            now=bearer.now.name if bearer.now else "",
        )
        for bearer in others
    ]


def _marked(words: Sequence[variorum.Piece]) -> str:
    pieces = [(piece.sign, piece.text) for piece in words]
    return marked(pieces) if any(sign != "=" for sign, _ in pieces) else ""
