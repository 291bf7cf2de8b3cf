"""The library's records of editions and provisions; docs/json.md describes each field."""

from dataclasses import dataclass

from variorum.answer import Answer
from variorum.forms.edition import IrregularityJson, LineEndsJson, ListedEditionJson
from variorum.forms.provision import (
    CitedByJson,
    CitesJson,
    EarlierJson,
    MovedJson,
    NumberedMatchJson,
    RefsJson,
    ShownEntryJson,
)
from variorum.rows import named


@dataclass(frozen=True)
class LineEnds(Answer[LineEndsJson]):
    """How many lines end in each way."""

    crlf: int
    cr: int
    lf: int


@dataclass(frozen=True)
class Edition(Answer[ListedEditionJson]):
    """An edition of the rules.

    Attributes:
        label: Its effective date, with its issue if the base has several of that date.
        until: Its last day in force; None for the newest edition.
        previous: The label of the edition before it.
        next: The label of the one after it.
    """

    label: str
    effective: str
    issue: int
    condition: str
    attested: str | None
    doubts: list[str]
    sha256: str
    encoding: str
    line_ends: LineEnds
    layout: str
    sections: int
    rules: int
    examples: int
    glossary: int
    irregularities: int
    until: str | None
    previous: str | None
    next: str | None
    set_code: str
    set_name: str
    file: str


@dataclass(frozen=True)
class Irregularity(Answer[IrregularityJson]):
    """A misprint."""

    kind: str
    printed: str
    meant: str
    evidence: str
    start: int | None


@dataclass(frozen=True)
class Moved(Answer[MovedJson]):
    """How a provision got from the number or term you asked for to its present one."""

    asked: str
    edition: str
    since: str
    kinds: list[str]
    confidence: float
    heirs: list[str]


@dataclass(frozen=True)
class EarlierRule(Answer[EarlierJson]):
    """Another rule that a number meant for a while."""

    number: str
    from_: str
    to: str
    about: str
    now: str | None
    heirs: list[str]
    kinds: list[str]
    confidence: float
    removed: str | None


@dataclass(frozen=True)
class Provision(Answer[NumberedMatchJson | ShownEntryJson]):
    """A chapter, section, rule, subrule or glossary entry, as an edition prints it."""

    edition: str
    doubts: list[str]
    number: str
    address: str
    kind: str
    heading: str
    text: str
    examples: list[str]
    parent: str | None
    children: list[str]
    irregularities: list[Irregularity]
    asked: str
    moved: Moved | None
    earlier: list[EarlierRule] | None

    @property
    def name(self) -> str:
        """Return its address; for a glossary entry, "glossary: " and its headword."""
        return named("" if self.kind == "glossary" else self.address, self.heading)


@dataclass(frozen=True)
class Citation(Answer[CitesJson]):
    """A printed citation and what it leads to."""

    text: str
    part: str
    start: int
    end: int
    targets: list[str]
    status: str
    title: str
    title_fits: bool | None


@dataclass(frozen=True)
class CitingProvision(Answer[CitedByJson]):
    """A provision that cites another, with the citing sentence."""

    number: str
    address: str
    kind: str
    heading: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class References(Answer[RefsJson]):
    """What a provision cites in an edition, and what cites it."""

    number: str
    address: str
    edition: str
    doubts: list[str]
    cites: list[Citation]
    cited_by: list[CitingProvision]
