"""Events of a build: what happened to each document."""

from dataclasses import dataclass

from variorum.documents.find import Document
from variorum.errors import VariorumError


@dataclass(frozen=True, slots=True)
class Taken:
    """An edition was read and goes into the base."""

    document: Document
    effective: str
    rules: int
    condition: str


@dataclass(frozen=True, slots=True)
class Heard:
    """A document that is no edition goes into the base as a witness.

    Attributes:
        document: The document.
        kind: Its kind, as shown to users.
        matched: How many of its passages agree, or of a bulletin's announcements.
        total: How many it has.
        is_new: Whether the base did not have it before; False if it was only compared again.
    """

    document: Document
    kind: str
    matched: int
    total: int
    is_new: bool


@dataclass(frozen=True, slots=True)
class Copied:
    """A document is a copy of an edition in the base; `differs` says of which, and how it differs."""

    document: Document
    differs: str
    is_new: bool


@dataclass(frozen=True, slots=True)
class Doubted:
    """A new edition has doubts, which every answer from it will mention."""

    label: str
    doubts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AlreadyKnown:
    """The base has the document already."""

    document: Document


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A file found in a folder has nothing to do with the rules."""

    error: VariorumError


@dataclass(frozen=True, slots=True)
class Refused:
    """A document could not be taken in."""

    error: VariorumError


Event = Taken | Heard | Copied | Doubted | AlreadyKnown | PassedOver | Refused
