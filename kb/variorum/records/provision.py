"""Provisions of an edition, what they cite and what the glossary explains."""

from typing import Annotated

from variorum.records.answer import *
from variorum.records.edition import Irregularity
from variorum.records.lineage import History, OtherRule
from variorum.rows import named


class Term(Answer):
    """A glossary term in a provision: its headword, and where it is in the text and the examples."""

    term: Words
    text: Words
    start: Count
    end: Place


class Moved(Answer):
    """How a provision got from the number or term you asked for to its present one."""

    asked: Words
    edition: Label
    since: Label
    kinds: list[StepKind]
    confidence: Chance
    heirs: list[Words]


class EntryRule(Answer):
    """A rule that a glossary entry names, with the heading of its first target or of `under`, above it."""

    text: Words
    targets: list[Words]
    heading: str
    under: Words | None
    status: CitationStatus


class Provision(Answer):
    """A chapter, section, rule, subrule or glossary entry that answers a question.

    A glossary entry has no `number`, `parent` or `children`; its headword is `term`, `heading` and
    `address`. `earlier` are other rules that the number meant before. `terms` are there if
    asked for. `cr glossary` adds the `rules` that an entry names, and its `history`.
    """

    edition: Label
    doubts: list[Words]
    number: str
    address: Words
    kind: ProvisionKind
    heading: str
    text: str
    examples: list[str]
    parent: Words | None
    children: list[Words]
    irregularities: list[Irregularity]
    asked: Words
    moved: Moved | None
    term: Words | None = None
    earlier: list[OtherRule] | None = None
    terms: list[Term] | None = None
    rules: list[EntryRule] | None = None
    history: History | None = None

    @property
    def name(self) -> str:
        """Return its address; for a glossary entry, "glossary: " and its headword."""
        return named("" if self.kind == "glossary" else self.address, self.heading)


class Citation(Answer):
    """A printed citation and what it leads to; `title_fits` is null without a title to compare."""

    text: Words
    part: CitationPart
    start: Count
    end: Place
    targets: list[Words]
    status: CitationStatus
    title: str
    title_fits: bool | None


class CitingProvision(Answer):
    number: str
    address: Words
    kind: ProvisionKind
    heading: str
    text: Words
    start: Count
    end: Place


class References(Answer):
    number: str
    address: Words
    edition: Label
    doubts: list[Words]
    cites: list[Citation]
    cited_by: list[CitingProvision]


class ReferenceLine(Answer):
    """A line of `cr refs --jsonl`: what the provision cites, or what cites it, as `way` says."""

    way: Annotated[str, one_of("cites, cited by")]
    cites: Citation | None = None
    cited_by: CitingProvision | None = None


class Heading(Answer):
    edition: Label
    doubts: list[Words]
    address: Words
    kind: ProvisionKind
    heading: str
