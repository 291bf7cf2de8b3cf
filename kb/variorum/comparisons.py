"""The library's records of differences between editions; docs/json.md describes each field."""

from dataclasses import dataclass

from variorum.answer import Answer, Piece
from variorum.histories import OtherBearer
from variorum.records.lineage import (
    BearerThereJson,
    ChangeJson,
    CrosswalkRowJson,
    DiffJson,
    DiffSubjectJson,
    DiffSummaryJson,
    ReadStepJson,
    SweepJson,
    WhereJson,
)
from variorum.records.witness import Attestation


@dataclass(frozen=True)
class DecidedStep(Answer[ReadStepJson]):
    """How people decided the step into an edition."""

    edition: str
    readings: str
    reason: str


@dataclass(frozen=True)
class CrosswalkRow(Answer[CrosswalkRowJson]):
    """A number of one edition, and what its provision is called in another edition."""

    old: str | None
    new: list[str]
    kinds: list[str]
    confidence: float
    read: list[DecidedStep]


@dataclass(frozen=True)
class Destination(Answer[WhereJson]):
    """A provision's number in another edition, and other provisions that have had the old number."""

    old: str | None
    new: list[str]
    kinds: list[str]
    confidence: float
    read: list[DecidedStep]
    asked: str
    edition: str
    others: list[OtherBearer]


@dataclass(frozen=True)
class Change(Answer[ChangeJson]):
    """How a provision changed between two editions."""

    old: str | None
    new: str | None
    kinds: list[str]
    class_: str
    words: list[Piece]


@dataclass(frozen=True)
class Sweep(Answer[SweepJson]):
    """Words that were replaced in many provisions."""

    before: str
    after: str
    provisions: int


@dataclass(frozen=True)
class DiffSummary(Answer[DiffSummaryJson]):
    """How much changed between two editions."""

    from_edition: str
    to_edition: str
    provisions: int
    same: int
    moved_only: int
    new: int
    gone: int
    parts: int
    typographic: int
    citation_only: int
    sweep: int
    substantive: int
    words_gone: int
    words_came: int
    sweeps: list[Sweep]
    doubts: dict[str, list[str]]


@dataclass(frozen=True)
class BearerThere(Answer[BearerThereJson]):
    """Another provision that has the number in one of the two editions."""

    edition: str
    number: str
    gist: str
    elsewhere: str | None


@dataclass(frozen=True)
class DiffSubject(Answer[DiffSubjectJson]):
    """The provision that was compared, if only one was."""

    asked: str
    edition: str
    from_: list[str]
    to: list[str]
    others: list[BearerThere]
    unchanged_since: str | None


@dataclass(frozen=True)
class Diff(Answer[DiffJson]):
    """What changed between two editions, in all provisions or in one."""

    summary: DiffSummary
    changes: list[Change]
    subject: DiffSubject | None
    announced: list[Attestation] | None
