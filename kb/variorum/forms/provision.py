"""Provisions of an edition, what they cite and what the glossary explains; see docs/json.md."""

from typing import Annotated, Literal, NotRequired, TypedDict

from variorum.forms.edition import IrregularityJson
from variorum.forms.lineage import HistoryJson
from variorum.forms.values import (
    Chance,
    CitationPart,
    CitationStatus,
    Constraint,
    Count,
    Day,
    Label,
    NumberedKind,
    Place,
    ProvisionKind,
    StepKind,
    Words,
)
from variorum.forms.witness import AttestationJson


class TermJson(TypedDict):
    """A glossary term in a provision; `term` is its headword.

    `start` and `end` are offsets in the text and the examples, joined by line feeds.
    """

    term: Words
    text: Words
    start: Count
    end: Place


class MovedJson(TypedDict):
    """How a provision got from the number or term you asked for to its present one."""

    asked: Words
    edition: Label
    since: Label
    kinds: list[StepKind]
    confidence: Chance
    heirs: list[Words]


# "from" is a reserved word in Python.
EarlierJson = TypedDict(
    "EarlierJson",
    {
        "number": Words,
        "from": Day,
        "to": Day,
        "about": str,
        "now": Words | None,
        "heirs": list[Words],
        "kinds": list[StepKind],
        "confidence": Chance,
        "removed": Day | None,
    },
)


class NumberedMatchJson(TypedDict):
    """A chapter, section, rule or subrule that answers a question."""

    edition: Label
    doubts: list[Words]
    number: str
    address: Words
    kind: NumberedKind
    heading: str
    text: str
    examples: list[str]
    parent: Words | None
    children: list[Words]
    irregularities: list[IrregularityJson]
    asked: Words
    moved: MovedJson | None
    earlier: NotRequired[list[EarlierJson]]
    terms: NotRequired[list[TermJson]]
    commentary: NotRequired[list[AttestationJson]]


class EntryMatchJson(TypedDict):
    """A glossary entry that answers a question; it has no parent and no children."""

    edition: Label
    doubts: list[Words]
    number: Literal[""]
    address: Words
    kind: Literal["glossary"]
    heading: Words
    text: str
    examples: list[str]
    parent: None
    children: Annotated[list[Words], Constraint("maxItems", 0)]
    irregularities: list[IrregularityJson]
    asked: Words
    moved: MovedJson | None
    term: Words


class ShownEntryJson(EntryMatchJson):
    """A glossary entry with what `cr show` adds."""

    earlier: NotRequired[list[EarlierJson]]
    terms: NotRequired[list[TermJson]]
    commentary: NotRequired[list[AttestationJson]]


class EntryRuleJson(TypedDict):
    """A rule that a glossary entry names.

    `heading` is that of its first target, or else the nearest above it; `under` is the address that
    has this heading.
    """

    text: Words
    targets: list[Words]
    heading: str
    under: Words | None
    status: CitationStatus


class ExplainedEntryJson(EntryMatchJson):
    """A glossary entry with the rules that it names and its history."""

    rules: list[EntryRuleJson]
    history: HistoryJson


class CitesJson(TypedDict):
    """A printed citation and what it leads to; `title_fits` is null without a title."""

    text: Words
    part: CitationPart
    start: Count
    end: Place
    targets: list[Words]
    status: CitationStatus
    title: str
    title_fits: bool | None


class CitedByJson(TypedDict):
    """A provision that cites another, with the citing sentence."""

    number: str
    address: Words
    kind: ProvisionKind
    heading: str
    text: Words
    start: Count
    end: Place


class RefsJson(TypedDict):
    """What a provision cites in an edition, and what cites it."""

    number: str
    address: Words
    edition: Label
    doubts: list[Words]
    cites: list[CitesJson]
    cited_by: list[CitedByJson]


class RefLineJson(TypedDict):
    """A line of `cr refs --jsonl`: what the provision cites, or what cites it, as `way` says."""

    way: Annotated[str, Constraint("enum", ("cites", "cited by"))]
    cites: NotRequired[CitesJson]
    cited_by: NotRequired[CitedByJson]


class HeadingJson(TypedDict):
    """A line of the contents."""

    edition: Label
    doubts: list[Words]
    address: Words
    kind: ProvisionKind
    heading: str


class MisfitJson(CitesJson):
    """A citation that leads nowhere or gives its target a wrong title, and the provision that prints it."""

    address: str
