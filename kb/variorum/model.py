"""The nouns of the project: what a document becomes once it has been read."""

import functools
import hashlib
import re
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import NamedTuple, NewType, Self

from variorum.errors import NotARuleNumberError
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
            NotARuleNumberError: The text has any other form.
        """
        match = _NUMBER.fullmatch(text)
        if match is None:
            raise NotARuleNumberError(text)
        return cls._of(match)

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Read a well-formed number, or say that a text is none.

        >>> RuleNumber.read("306.b") is None
        True
        """
        match = _NUMBER.fullmatch(text)
        return None if match is None else cls._of(match)

    @classmethod
    def _of(cls, match: re.Match[str]) -> Self:
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

    Attributes:
        kind: What sort of oddity.
        printed: The characters in question, as printed.
        meant: What was meant; "" where nothing proves it.
        evidence: What the claim about `meant` rests on; an empty string if there is none.
        start: Where `printed` begins, in code points of the provision's text (counting continues
            through its examples); -1 where the oddity is not in the text.
    """

    kind: Irregular
    printed: str
    meant: str = ""
    evidence: str = ""
    start: int = -1


class Paragraph(NamedTuple):
    """A printed paragraph of a provision, unwrapped, its runs of blanks collapsed.

    Attributes:
        text: The words, without the number or the word "Example:" before them.
        marker: What stood before the words: "Example:", "EXAMPLE:" (1999); "" for plain text.
        line: The number of its first source line, from 1.
    """

    text: str
    marker: str
    line: int


class Provision(NamedTuple):
    """A chapter, section, rule, subrule or glossary entry as one edition prints it.

    Attributes:
        kind: The kind of provision.
        number: Its number as printed, without final period and inner blanks; "" in the glossary.
        address: The number, with #1, #2 where the edition prints it twice; in the glossary the
            headword.
        printed: The number as it stands on the page ("702. 37a", "119.1d."); "" in the glossary.
        heading: Its own heading or headword; "" where it has none.
        paragraphs: Its words in printed order, text and examples.
        irregularities: What is odd about it.
        meant: The well-formed number it has by its place, even where it is misprinted; None in
            chapters and the glossary.
        line: The number of its first source line, from 1.
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
    """How bytes became text.

    Attributes:
        encoding: A codec of Python that decodes the bytes.
        reason: Why this one, in our words.
        repairs: What was mended after decoding, each in our words.
    """

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
    """The account of every line of a document.

    Attributes:
        lines: How many lines the document has.
        blank: How many of them hold nothing but blanks.
        accounted: How many lines belong to each role, in the order of `Role`.
        unaccounted: The numbers of the lines without a role; empty when reading has finished.
        characters: Code points of the document that are no blanks.
        characters_kept: Those of them that stand in the edition or in furniture.
        hyphens: Numbers of the lines that end in a hyphen or a dash and were joined to the next
            without a blank; no character is lost by that.
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

    Attributes:
        effective: The date its text states.
        sha256: Of the document's bytes.
        layout: The name of the layout it is set in.
        decoding: How its bytes became text.
        line_ends: How its lines end, as found, before any repair.
        condition: Whether it had to be repaired, or has lost characters.
        notes: Repairs and losses, in our words, with counts.
        introduction: Paragraphs between the date and the contents.
        provisions: Chapters, sections, rules and subrules in printed order.
        glossary: Glossary entries in printed order.
        index: Lines of the index (1999-04-23 alone has one).
        credits: Paragraphs from the credits to the end.
        irregularities: What is odd about the document as a whole.
        ledger: The account of every line.
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
