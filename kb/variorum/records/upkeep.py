"""The JSON of `cr doctor`, `cr kb accept` and `cr kb documents`; see docs/json.md."""

from typing import Annotated

from variorum.records.answer import Answer
from variorum.records.edition import Attested
from variorum.records.values import Count, Label, Sha256, Words, one_of

Level = Annotated[str, one_of("ok", "warning", "problem")]


DecidedBy = Annotated[str, one_of("agreement", "person")]


class CheckResult(Answer):
    """A part of a set-up, and what to do about it; `remedy` is "" if nothing is wrong."""

    level: Level
    about: Words
    what: Words
    remedy: str


class Examination(Answer):
    """What `cr doctor` examined."""

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
    """A document of the archive."""

    sha256: Sha256
    sources: list[DocumentSource]


class ArchiveContents(Answer):
    """What the archive holds."""

    documents: list[KeptDocument]


class AcceptedDocument(Answer):
    """A document. `edition` is null if the document is not an edition or is not trusted."""

    sha256: Sha256
    edition: Label | None
    attested: Attested | None


class TrustDecision(Answer):
    """A decision that a document is an edition; `publishers` are those that agreed."""

    sha256: Sha256
    by: DecidedBy
    made: Words
    publishers: list[Words] | None = None
