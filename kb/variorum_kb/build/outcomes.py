"""What may become of a document that is taken into a knowledge base."""

from dataclasses import dataclass

from variorum_kb.documents.find import Document, Unreadable
from variorum_kb.errors import (
    EncodingError,
    LayoutError,
    OriginalError,
    TooLargeError,
    VariorumError,
)


@dataclass(frozen=True, slots=True)
class Taken:
    """An edition was read and goes into the base."""

    document: Document
    effective: str
    rules: int
    condition: str


@dataclass(frozen=True, slots=True)
class Heard:
    """A document that is no edition attests some of the rules and goes into the base.

    Attributes:
        document: It.
        layout: How it is set, in the words we show.
        matched: How many of its passages the editions have that it can come from.
        total: How many passages were looked for.
    """

    document: Document
    layout: str
    matched: int
    total: int


@dataclass(frozen=True, slots=True)
class Copied:
    """A document is a copy of an edition that the base holds.

    Attributes:
        document: It.
        differs: Of which edition, and what differs, in a short phrase.
    """

    document: Document
    differs: str


@dataclass(frozen=True, slots=True)
class Doubted:
    """An answer from an edition of the base will say something with it.

    Attributes:
        label: Of the edition.
        doubts: In our words.
    """

    label: str
    doubts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AlreadyKnown:
    """The base has the document already."""

    document: Document


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A file found in a folder is no edition and no witness."""

    error: VariorumError


@dataclass(frozen=True, slots=True)
class Refused:
    """A document could not be taken in."""

    error: VariorumError


Event = Taken | Heard | Copied | Doubted | AlreadyKnown | PassedOver | Refused

# What says that a file is nothing of ours, and no damaged document.
_FOREIGN = LayoutError | EncodingError | OriginalError | TooLargeError


def not_taken(document: Document | Unreadable, error: VariorumError) -> PassedOver | Refused:
    """Return whether what cannot be taken in is passed over or refused.

    Only a file that a person named is refused for being nothing of ours.
    """
    is_foreign = isinstance(error, _FOREIGN) and not document.is_named
    return PassedOver(error) if is_foreign else Refused(error)
