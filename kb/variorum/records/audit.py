"""The answer of `cr audit`."""

from typing import Annotated

from msgspec import Meta, field

from variorum.records.answer import *
from variorum.records.lineage import Change

# The statuses of a cited number, harmless ones first.
STATUSES = (
    *("current", "reworded", "renumbered", "another provision", "split", "merged", "gone"),
    *("uncertain", "says something else", "never existed"),
)
CURRENT, REWORDED, RENUMBERED, REUSED, SPLIT_UP, MERGED_INTO, GONE_SINCE = STATUSES[:7]
DOUBTFUL, SAYS_ELSE, NEVER = STATUSES[7:]
CitationFate = Annotated[str, one_of(*STATUSES)]
CitedNumber = Annotated[str, Meta(pattern=r"^[1-9][0-9]{2}(\.[1-9][0-9]{0,2}[a-z]{0,2})?$")]


class Meaning(Answer):
    first: Label
    last: Label
    was: str
    heirs: list[str]


class Finding(Answer):
    """A citation that an audit reports; `heirs` are numbers, or both ends of ranges."""

    file: Words
    line: Place
    column: Place
    end_line: Place
    end_column: Place
    cited: Words
    number: CitedNumber
    last: CitedNumber | None
    as_of: Label | None
    status: CitationFate
    heirs: list[Annotated[list[str], Meta(min_length=1), Meta(max_length=2)]]
    confidence: Chance
    since: Label | None
    was: str
    now_means: str | None
    why: str
    meanings: list[Meaning]
    sure: bool
    pinned: bool
    rewrite: str | None
    changes: list[Change] = field(default_factory=list)


class AuditSummary(Answer):
    files: Count
    citations: Count
    statuses: dict[CitationFate, Place]
    sure: Count
    fixed: Count
    known: Count
    to: Label


class Audit(Answer):
    findings: list[Finding]
    notices: list[str]
    summary: AuditSummary
