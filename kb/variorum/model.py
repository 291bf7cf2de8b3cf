"""The nouns of the project: what a document becomes once it has been read."""

import hashlib
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple, NewType

from variorum.records.edition import Irregularity, LineEnds
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
