"""Events of a build: what happened to each document."""

from dataclasses import dataclass

from variorum.documents.find import Document, Unreadable
from variorum.errors import EncodingError, LayoutError, OriginalError, TooLargeError, VariorumError


@dataclass(frozen=True, slots=True)
class Taken:
    """An edition was read and goes into the base."""

    document: Document
    effective: str
    rules: int
    condition: str


@dataclass(frozen=True, slots=True)
class Heard:
    """A document that is not an edition quotes rules and goes into the base as a witness.

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
    is_new: bool = True


@dataclass(frozen=True, slots=True)
class Copied:
    """A document is a copy of an edition in the base.

    Attributes:
        document: The document.
        differs: The edition and the differences, in a short phrase.
        is_new: As in `Heard`.
    """

    document: Document
    differs: str
    is_new: bool


@dataclass(frozen=True, slots=True)
class Doubted:
    """An edition has doubts, which every answer from it will mention.

    Attributes:
        label: The label of the edition.
        doubts: The doubts, in our words.
    """

    label: str
    doubts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AlreadyKnown:
    """The base has the document already."""

    document: Document


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A file found in a folder is neither an edition nor a witness."""

    error: VariorumError


@dataclass(frozen=True, slots=True)
class Refused:
    """A document could not be taken in."""

    error: VariorumError


Event = Taken | Heard | Copied | Doubted | AlreadyKnown | PassedOver | Refused

# The errors of files that are unrelated to the rules, not of damaged documents.
_FOREIGN = LayoutError | EncodingError | OriginalError | TooLargeError


def not_taken(document: Document | Unreadable, error: VariorumError) -> PassedOver | Refused:
    """Return the event of a document that cannot be added: passed over or refused.

    An unrelated file is refused only if the user named it.
    """
    is_foreign = isinstance(error, _FOREIGN) and not document.is_named
    return PassedOver(error) if is_foreign else Refused(error)
