"""Events of a build: what happened to each document."""

from typing import NamedTuple

from variorum.documents.find import Document
from variorum.errors import VariorumError
from variorum.records.witness import Witness


class Taken(NamedTuple):
    """An edition was read and goes into the base."""

    document: Document
    effective: str
    rules: int
    condition: str


class Heard(NamedTuple):
    """A document that is no edition goes into the base, which had it before if it is not new."""

    document: Document
    witness: Witness
    is_new: bool


class Doubted(NamedTuple):
    """A new edition has doubts, which every answer from it will mention."""

    label: str
    doubts: tuple[str, ...]


class AlreadyKnown(NamedTuple):
    """The base has the document already."""

    document: Document


class PassedOver(NamedTuple):
    """A file found in a folder has nothing to do with the rules."""

    error: VariorumError


class Refused(NamedTuple):
    """A document could not be taken in."""

    error: VariorumError


Event = Taken | Heard | Doubted | AlreadyKnown | PassedOver | Refused
