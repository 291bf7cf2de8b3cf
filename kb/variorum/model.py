"""The nouns of the project: what a document becomes once it has been read."""

import functools
import hashlib
import re
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple, NewType, Self

from variorum.records.edition import Irregularity, LineEnds
from variorum.rule_numbers import SECTION, letters_after, order

Sha256 = NewType("Sha256", str)


def sha256_of(data: bytes) -> Sha256:
    """Return the hash that names a document."""
    return Sha256(hashlib.sha256(data).hexdigest())


_NUMBER = re.compile(rf"({SECTION})(?:\.([1-9]\d*)([a-z]{{0,2}}))?", re.ASCII)


@functools.total_ordering
@dataclass(frozen=True, slots=True)
class RuleNumber:
    """The number of a section, rule or subrule in an edition: 702, 702.9, 702.9b, 704.5aa.

    Numbers sort as they are printed: 702.9 < 702.9b < 702.10, and 704.5z < 704.5aa.
    """

    section: int
    rule: int = 0
    letters: str = ""

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Read a number without its final period; None for others, as for "306.b" in 2008-10-01."""
        match = _NUMBER.fullmatch(text)
        return cls(int(match[1]), int(match[2] or 0), match[3] or "") if match else None

    def successors(self) -> tuple["RuleNumber", ...]:
        """Return the numbers that may follow this one within its section.

        >>> [str(n) for n in RuleNumber(704, 5, "z").successors()]
        ['704.6', '704.5aa']
        """
        following = RuleNumber(self.section, self.rule + 1)
        lettered = RuleNumber(self.section, self.rule, letters_after(self.letters))
        return (following, lettered) if self.rule else (following,)

    def follows(self, other: "RuleNumber") -> bool:
        """Say whether this is one of the successors of another number."""
        if not self.letters:
            return (self.section, self.rule) == (other.section, other.rule + 1)
        place = self.section, self.rule, self.letters
        return place == (other.section, other.rule, letters_after(other.letters))

    def __lt__(self, other: "RuleNumber") -> bool:
        return self._order() < other._order()

    def _order(self) -> tuple[int, int, int, str]:
        return order(self.section, self.rule, self.letters)

    def __str__(self) -> str:
        return f"{self.section}.{self.rule}{self.letters}" if self.rule else str(self.section)


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


class Provision(NamedTuple):
    """A chapter, section, rule, subrule or glossary entry as one edition prints it.

    Its number is the printed one ("702. 37a", "119.1d.") without blanks and final period; the address
    adds #1, #2 where the edition prints a number twice. In the glossary the headword is heading and
    address, and numbers are "". `meant` is the well-formed number that it has by its place, even where
    it is misprinted; None in chapters and the glossary.
    """

    kind: Kind
    number: str
    address: str
    printed: str
    heading: str
    paragraphs: tuple[Paragraph, ...] = ()
    irregularities: tuple[Irregularity, ...] = ()
    meant: RuleNumber | None = None
    line: int = 0

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


class Ledger(NamedTuple):
    """The account of every line of a document, by what it belongs to, and of its code points but blanks.

    Lines in `hyphens` end in a hyphen or a dash and were joined to the next without a blank, which loses
    no character.
    """

    lines: int
    blank: int
    accounted: tuple[tuple[Role, int], ...]
    characters: int
    hyphens: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """One official release, as one document attests it.

    Line ends are as found, before any repair; notes are repairs and losses in our words, with counts.
    The introduction stands before the contents, the credits are all that follows the glossary, and only
    1999-04-23 has an index. Irregularities are those of the document as a whole.
    """

    effective: date
    sha256: Sha256
    layout: str
    decoding: Decoding
    line_ends: LineEnds
    condition: Condition
    notes: tuple[str, ...]
    introduction: tuple[str, ...]
    provisions: tuple[Provision, ...]
    glossary: tuple[Provision, ...]
    index: tuple[str, ...]
    credits: tuple[str, ...]
    irregularities: tuple[Irregularity, ...]
    ledger: Ledger
