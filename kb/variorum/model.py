"""The nouns of the project: what a document becomes once it has been read."""

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, NewType

from variorum.records.edition import Irregularity, LedgerCounts
from variorum.rows import EditionRow
from variorum.rule_numbers import RuleNumber

Sha256 = NewType("Sha256", str)


def sha256_of(data: bytes) -> Sha256:
    """Return the hash that names a document."""
    return Sha256(hashlib.sha256(data).hexdigest())


class Kind(StrEnum):
    """What sort of provision this is; the values are the words we show."""

    CHAPTER = "chapter"
    SECTION = "section"
    RULE = "rule"
    SUBRULE = "subrule"
    GLOSSARY = "glossary"


class Irregular(StrEnum):
    """What can be odd about a printed provision; the values are the words we show."""

    PERIOD_MISSING = "period missing"
    PERIOD_ADDED = "period added"
    SPACE_IN_NUMBER = "space in number"
    SPACE_MISSING = "space missing"
    INDENTED = "indented"
    NUMBER_REPEATED = "number repeated"
    MALFORMED_NUMBER = "malformed number"
    MISNUMBERED = "misnumbered"
    NUMBERS_SKIPPED = "numbers skipped"
    PRINTED_TWICE = "printed twice"
    LOST_CHARACTER = "lost character"
    HEADING_DIFFERS = "heading differs from contents"
    NOT_IN_CONTENTS = "not in contents"
    ONLY_IN_CONTENTS = "only in contents"
    NO_CONTENTS = "no contents"
    MARKER_REPEATED = "marker repeated"
    LINE_BREAK_ADDED = "line break added"
    STRAY_CHARACTERS = "stray characters"
    BLANK_LINE_MISSING = "blank line missing"
    BLANK_LINE_ADDED = "blank line added"
    HEADWORD_GLUED = "headword glued to its definition"
    DATES_DIFFER = "dates differ"


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

    The address is its printed number ("702. 37a", "119.1d.") without blanks and final period, with #1, #2
    where the edition prints a number twice; of a glossary entry, the headword. `read` is the number, None if
    malformed or a chapter's; `meant` the one that it has by its place, even where it is misprinted.
    """

    kind: Kind
    printed: str
    address: str
    read: RuleNumber | None
    line: int
    heading: str = ""
    paragraphs: list[Paragraph] = field(default_factory=list[Paragraph])
    irregularities: list[Irregularity] = field(default_factory=list[Irregularity])
    meant: RuleNumber | None = None

    def note(
        self, kind: Irregular, printed: str, meant: str = "", why: str = "", at: int | None = None
    ) -> None:
        """Record an irregularity."""
        self.irregularities.append(Irregularity(kind, printed, meant, why, at))

    @property
    def number(self) -> str:
        """Return the number as printed, "" in the glossary."""
        return self.address.partition("#")[0] if self.printed else ""

    @property
    def text(self) -> str:
        """Return the paragraphs except examples, joined by line feeds."""
        return "\n".join([p.text for p in self.paragraphs if not p.marker])


class Condition(StrEnum):
    """How far a document can be trusted; the values are the words we show."""

    SOUND = "sound"
    REPAIRED = "repaired"
    LOSSY = "lossy"


class Decoding(NamedTuple):
    """How bytes became text: a codec of Python, why this one, and what was mended then, in our words."""

    encoding: str
    reason: str
    repairs: tuple[str, ...] = ()


class Role(StrEnum):
    """What a line of a document belongs to; the values are the words we show."""

    TITLE = "title"
    DATE = "date"
    INTRODUCTION = "introduction"
    CONTENTS = "contents"
    CHAPTER = "chapter"
    SECTION = "section"
    RULE = "rule"
    SUBRULE = "subrule"
    GLOSSARY = "glossary"
    INDEX = "index"
    CREDITS = "credits"
    BANNER = "banner"


class Edition(NamedTuple):
    """One official release, as one document attests it: its row without what facts say, and its provisions."""

    row: EditionRow
    ledger: LedgerCounts
    provisions: tuple[Provision, ...]
    glossary: tuple[Provision, ...]
