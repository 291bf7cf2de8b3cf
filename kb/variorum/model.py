"""The nouns of the project: what a document becomes once it has been read."""

import hashlib
from dataclasses import dataclass, field
from typing import NamedTuple

from variorum.records.edition import Irregularity
from variorum.rule_numbers import RuleNumber


def sha256_of(data: bytes) -> str:
    """Return the hash that names a document."""
    return hashlib.sha256(data).hexdigest()


class Paragraph(NamedTuple):
    """A printed paragraph, unwrapped, without the number or the word "Example:" before it.

    The marker is "Example:" or "EXAMPLE:" (1999), "" of plain text; the line is its first, from 1.
    """

    text: str
    marker: str
    line: int


@dataclass(slots=True)
class Provision:
    """A chapter, section, rule, subrule or glossary entry as one edition prints it.

    The address is its number ("702. 37a", "119.1d.") without blanks and final period, with #1, #2 where printed
    twice, else the headword. `read` is None if malformed or a chapter's; `meant` is the number by its place.
    """

    kind: str
    printed: str
    address: str
    read: RuleNumber | None
    line: int
    heading: str = ""
    paragraphs: list[Paragraph] = field(default_factory=list[Paragraph])
    irregularities: list[Irregularity] = field(default_factory=list[Irregularity])
    meant: RuleNumber | None = None

    def note(
        self, kind: str, printed: str, meant: str = "", why: str = "", at: int | None = None
    ) -> None:
        """Record an irregularity, of a kind in words that we show."""
        self.irregularities.append(Irregularity(kind, printed, meant, why, at))

    @property
    def number(self) -> str:
        return self.address.partition("#")[0] if self.printed else ""

    @property
    def text(self) -> str:
        return "\n".join([p.text for p in self.paragraphs if not p.marker])
