"""The known errors of editions, as `cr lint` finds them."""

from typing import Annotated, Literal, get_args

from msgspec import Meta, field

from variorum.records.answer import Answer
from variorum.records.values import Chance, CitationPart, Count, Label, Words

LintKind = Literal["dangling", "title", "stale", "gap", "double", "misprint", "verdict"]


class LintFinding(Answer, omit_defaults=False):
    """A known error of an edition; a field that says nothing of its kind has its default.

    `means`, `gone`, `since` and `confidence` tell what became of the rule that a citation used to name.
    """

    kind: LintKind
    address: str
    printed: str
    part: CitationPart | None = None
    start: Count | None = None
    end: Count | None = None
    title: str = ""
    targets: list[Words] = field(default_factory=list)
    heading: str = ""
    titled: Words | None = None
    missing: list[Words] = field(default_factory=list)
    misprint: str = ""
    evidence: str = ""
    means: Words | None = None
    gone: bool = False
    since: Label | None = None
    confidence: Chance | None = None


# All kinds, even if only some were asked for.
LintCounts = Annotated[
    dict[LintKind, Count], Meta(extra_json_schema={"required": [*get_args(LintKind)]})
]


class LintReport(Answer):
    """The known errors of an edition."""

    edition: Label
    doubts: list[Words]
    counts: LintCounts
    findings: list[LintFinding]
