"""The answers of `cr doctor`, `cr kb`, `cr sync` and of commands that fail."""

from typing import Annotated, Any

import msgspec
from msgspec import field

from variorum.records.answer import *
from variorum.records.edition import Attested

_FAILURES = "not found, no edition, refused document, failed, wrong usage, input or output, no base"
_FAILURES += ", base of another version, busy base, damaged base, interrupted"


class Failure(Answer, omit_defaults=False):
    """What went wrong; `last_edition` printed the provision, `heirs` continue it, `answer` is what was found."""

    kind: Annotated[str, one_of(_FAILURES)]
    message: Words
    exit_code: Annotated[int, one_of(1, 2, 3, 130)]
    last_edition: Label | None = None
    last_words: Words | None = None
    heirs: list[Words] = field(default_factory=list)
    near: list[Words] = field(default_factory=list)
    answer: Any = None


class CheckResult(Answer):
    """A part of a set-up, and what to do about it; `remedy` is "" if nothing is wrong."""

    level: Annotated[str, one_of("ok, warning, problem")]
    about: Words
    what: Words
    remedy: str


class Examination(Answer):
    checks: list[CheckResult]
    problems: Count
    warnings: Count


class DocumentSource(Answer):
    """Where a document came from; `headers` are those of the server that gave it."""

    name: str
    address: str
    added: str
    headers: dict[str, str] | None = None


class KeptDocument(Answer):
    sha256: Sha256
    sources: list[DocumentSource]


class AcceptedDocument(Answer):
    """A document. `edition` is null if the document is not an edition or is not trusted."""

    sha256: Sha256
    edition: Label | None
    attested: Attested | None


class TrustDecision(Answer):
    """A decision that a document is an edition; `publishers` are those that agreed."""

    sha256: Sha256
    by: Annotated[str, one_of("agreement, person")]
    made: Words
    publishers: list[Words] | None = None


class FailedSource(Answer):
    source: Words
    address: str
    reason: Words


class QuarantinedDocument(Answer):
    sha256: Sha256
    address: Words
    reason: Words


class SyncResult(msgspec.Struct, forbid_unknown_fields=True):
    """The result of a run of the crawler, which fills it."""

    base: Words
    new: list[Label] = []
    editions: Count = 0
    quarantined: list[QuarantinedDocument] = []
    in_quarantine: Count = 0
    failed: list[FailedSource] = []
    failed_sources: list[Words] = []
    requests: Count = 0
    unchanged: Count = 0
    hook: str = ""
