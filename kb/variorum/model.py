"""The nouns of the project: what a document becomes once it has been read."""

import functools
import hashlib
import re
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import NamedTuple, NewType, Self

from variorum.errors import WrongUsageError
from variorum.rule_numbers import SECTION, letters_after, order

Sha256 = NewType("Sha256", str)


def sha256_of(data: bytes) -> Sha256:
    """Return the hash that names a document."""
    return Sha256(hashlib.sha256(data).hexdigest())


_NUMBER = re.compile(
    rf"(?P<section>{SECTION})(?:\.(?P<rule>[1-9]\d*)(?P<letters>[a-z]{{0,2}}))?", re.ASCII
)


@functools.total_ordering
@dataclass(frozen=True, slots=True)
class RuleNumber:
    """The number of a section, rule or subrule in an edition: 702, 702.9, 702.9b, 704.5aa.

    Numbers sort as they are printed: 702.9 < 702.9b < 702.10, and 704.5z < 704.5aa.

    >>> [str(n) for n in sorted(map(RuleNumber.parse, ["702.10", "704.5aa", "704.5b", "702.9b"]))]
    ['702.9b', '702.10', '704.5b', '704.5aa']
    """

    section: int
    rule: int = 0
    letters: str = ""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a well-formed number, without its final period.

        What editions misprint ("306.b" in 2008-10-01) is no rule number.

        Raises:
            WrongUsageError: The text has any other form.
        """
        number = cls.read(text)
        if number is None:
            raise WrongUsageError(f"{text!r} is not a rule number such as 702, 702.9 or 702.9b")
        return number

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Read a well-formed number, or say that a text is none.

        >>> RuleNumber.read("306.b") is None
        True
        """
        match = _NUMBER.fullmatch(text)
        if match is None:
            return None
        return cls(int(match["section"]), int(match["rule"] or 0), match["letters"] or "")

    def successors(self) -> tuple["RuleNumber", ...]:
        """Return the numbers that may follow this one within its section.

        >>> [str(n) for n in RuleNumber.parse("704.5z").successors()]
        ['704.6', '704.5aa']
        >>> [str(n) for n in RuleNumber.parse("705").successors()]
        ['705.1']
        """
        following = RuleNumber(self.section, self.rule + 1)
        if not self.rule:
            return (following,)
        return following, RuleNumber(self.section, self.rule, letters_after(self.letters))

    def follows(self, other: "RuleNumber") -> bool:
        """Say whether this is one of the successors of another number.

        >>> RuleNumber.parse("704.5m").follows(RuleNumber.parse("704.5k"))
        True
        """
        if self.section != other.section:
            return False
        if not self.letters:
            return self.rule == other.rule + 1
        return self.rule == other.rule and self.letters == letters_after(other.letters)

    def __lt__(self, other: "RuleNumber") -> bool:
        return self._order() < other._order()

    def _order(self) -> tuple[int, int, int, str]:
        return order(self.section, self.rule, self.letters)

    def __str__(self) -> str:
        return f"{self.section}.{self.rule}{self.letters}" if self.rule else str(self.section)


class Kind(Enum):
    """What sort of provision this is; the values are the words we show."""

    CHAPTER = "chapter"
    SECTION = "section"
    RULE = "rule"
    SUBRULE = "subrule"
    GLOSSARY = "glossary"


class Irregular(Enum):
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


@dataclass(frozen=True, slots=True)
class Irregularity:
    """Something odd in the print, kept as it is, with what was meant where something proves it.

    The printed characters start at an offset of the provision's text, on through its examples; at -1
    where the oddity is not in the text.
    """

    kind: Irregular
    printed: str
    meant: str = ""
    evidence: str = ""
    start: int = -1


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

    @property
    def examples(self) -> tuple[str, ...]:
        """Return the examples in printed order, without the word "Example:"."""
        return tuple([p.text for p in self.paragraphs if p.marker])


class Condition(Enum):
    """How far a document can be trusted; the values are the words we show."""

    SOUND = "sound"
    REPAIRED = "repaired"
    LOSSY = "lossy"

    @property
    def rank(self) -> int:
        """Return its place among all, the best first."""
        return list(Condition).index(self)


@dataclass(frozen=True, slots=True)
class Decoding:
    """How bytes became text: a codec of Python, why this one, and what was mended then, in our words."""

    encoding: str
    reason: str
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LineEnds:
    """How many lines end in each way."""

    crlf: int
    cr: int
    lf: int


class Role(Enum):
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


@dataclass(frozen=True, slots=True)
class Ledger:
    """The account of every line of a document, and of all its code points that are no blanks.

    Lines without a role are unaccounted, none when reading has finished. Characters are kept in the
    edition or in furniture. Lines in `hyphens` end in a hyphen or a dash and were joined to the next
    without a blank, which loses no character.
    """

    lines: int
    blank: int
    accounted: tuple[tuple[Role, int], ...]
    unaccounted: tuple[int, ...]
    characters: int
    characters_kept: int
    hyphens: tuple[int, ...]

    @property
    def is_complete(self) -> bool:
        """Say whether every line and every character is accounted for."""
        return not self.unaccounted and self.characters == self.characters_kept


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

    def counts(self) -> dict[str, int]:
        """Return how many sections, rules (with subrules), examples and so on there are."""
        kinds = [provision.kind for provision in self.provisions]
        everything = (*self.provisions, *self.glossary)
        return {
            "sections": kinds.count(Kind.SECTION),
            "rules": kinds.count(Kind.RULE) + kinds.count(Kind.SUBRULE),
            "examples": sum(
                bool(p.marker) for provision in everything for p in provision.paragraphs
            ),
            "glossary": len(self.glossary),
            "irregularities": len(self.irregularities)
            + sum(len(provision.irregularities) for provision in everything),
        }
