"""A rulebook before it is set in type.

Texts are *neutral*: straight quotes, real dashes, ``®`` and ``™``, ``_italics_`` between
underscores, and a figure dash in ranges of rules. The layout decides their spelling.
"""

from dataclasses import dataclass
from datetime import date
from enum import Enum


class Kind(Enum):
    """The kind of a provision in one edition."""

    CHAPTER = "chapter"
    SECTION = "section"
    RULE = "rule"
    SUBRULE = "subrule"


@dataclass(frozen=True, slots=True)
class Passage:
    """Running text: paragraphs, and the examples below them.

    Attributes:
        gap: Whether there is a blank line before the first example.
        line_start: Words that begin a line of the first paragraph in hard-wrapped layouts.
    """

    paragraphs: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    gap: bool = False
    line_start: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provision:
    """A chapter, section, rule or subrule.

    Attributes:
        opening: The number as printed, with its dots and inner blanks: ``100.1.`` or ``702. 37a``.
        meant: The right number, without its final dot.
        glued: Whether no blank follows the number.
        listed: Whether the contents list it: true for chapters, and for sections that are not left
            blank.
    """

    kind: Kind
    opening: str
    meant: str
    heading: str = ""
    passage: Passage = Passage()
    glued: bool = False
    listed: bool = False

    @property
    def number(self) -> str:
        """The number as printed, without inner blanks and final dots."""
        return self.opening.replace(" ", "").rstrip(".")


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the glossary."""

    term: str
    passage: Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """An edition of a rulebook.

    Attributes:
        notices: The text before the contents in the layout of 1999.
        note: The text after the contents in the layout of 1999.
        index: Lines; an empty line separates two groups, and a line with a tab belongs to the line
            above.
        credits: Blocks of lines, separated by blank lines.
    """

    effective: date
    title: str
    provisions: tuple[Provision, ...]
    glossary: tuple[Entry, ...] = ()
    notices: tuple[str, ...] = ()
    note: tuple[str, ...] = ()
    introduction: tuple[str, ...] = ()
    index: tuple[str, ...] = ()
    credits: tuple[tuple[str, ...], ...] = ()
