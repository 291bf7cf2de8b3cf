"""The JSON of `cr doctor`, `cr kb accept` and `cr kb documents`; see docs/json.md."""

from typing import Annotated, NotRequired, TypedDict

from variorum.records.edition import Attested
from variorum.records.values import Count, Label, Sha256, Words, one_of

Level = Annotated[str, one_of("ok", "warning", "problem")]


DecidedBy = Annotated[str, one_of("agreement", "person")]


class ExaminedJson(TypedDict):
    """A part of a set-up, and what to do about it; `remedy` is "" if nothing is wrong."""

    level: Level
    about: Words
    what: Words
    remedy: str


class DoctorJson(TypedDict):
    """What `cr doctor` examined."""

    checks: list[ExaminedJson]
    problems: Count
    warnings: Count


class SourceOfDocumentJson(TypedDict):
    """Where a document came from; `headers` are those of the server that gave it."""

    name: str
    address: str
    added: Words
    headers: NotRequired[dict[str, str]]


class KeptDocumentJson(TypedDict):
    """A document of the archive."""

    sha256: Sha256
    sources: list[SourceOfDocumentJson]


class ArchiveJson(TypedDict):
    """What the archive holds."""

    documents: list[KeptDocumentJson]


class DamageJson(TypedDict):
    """A file of the archive that is damaged, missing or not known."""

    file: Words
    what: Words


class ArchiveCheckJson(TypedDict):
    """How many documents were compared with their hash, and what is wrong."""

    documents: Count
    problems: list[DamageJson]


class AcceptedJson(TypedDict):
    """A document. `edition` is null if the document is not an edition or is not trusted."""

    sha256: Sha256
    edition: Label | None
    attested: Attested | None


class DecisionJson(TypedDict):
    """A decision that a document is an edition; `publishers` are those that agreed."""

    sha256: Sha256
    by: DecidedBy
    made: Words
    publishers: NotRequired[list[Words]]
