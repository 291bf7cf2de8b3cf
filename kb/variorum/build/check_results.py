"""The results of checking a knowledge base: the parts checked, and their problems."""

from dataclasses import dataclass
from enum import Enum


class CheckedPart(Enum):
    """A part of a base that is checked; the values are shown to users."""

    DOCUMENT = "document"
    EDITION = "edition"
    READING = "reading"
    BASE = "base"
    WITNESS = "witness"


class Remedy(Enum):
    """What to do about a problem; the values are shown to users."""

    BUILD = "cr build brings it up to date"
    BUILD_ANEW = "cr build builds it anew from the documents kept"
    UPGRADE = "upgrade Variorum"
    GIVE_AGAIN = "cr build FILE puts it back, given a file with this document"
    TIDY = "the next cr build tidies it up"
    REMOVE = "remove it, or add it with cr build FILE"
    REMOVE_MANIFEST = "remove it and run cr build, which writes it anew, without the places that documents came from"


@dataclass(frozen=True, slots=True)
class CheckScope:
    """How many parts will be checked; the first event.

    Attributes:
        steps: How many `Examined` events follow.
    """

    steps: int


@dataclass(frozen=True, slots=True)
class Examined:
    """A part was checked; its problems have been yielded before.

    Attributes:
        part: The kind of part.
        name: A document's hash, or an edition's label.
    """

    part: CheckedPart
    name: str


@dataclass(frozen=True, slots=True)
class Problem:
    """Something is wrong, or another version of the program made it.

    Attributes:
        part: The kind of part.
        where: A file of the base, and an edition in it.
        what: What is wrong with it.
        remedy: What to do about it.
        is_damage: Whether something is wrong; False if another version made a base that still gives
            answers.
    """

    part: CheckedPart
    where: str
    what: str
    remedy: Remedy
    is_damage: bool = True

    def __str__(self) -> str:
        return f"{self.where}: {self.what}; {self.remedy.value}"


Finding = CheckScope | Examined | Problem
