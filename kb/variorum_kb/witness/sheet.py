"""What a document shows, line by line, whatever markup it came in."""

from dataclasses import dataclass, field
from typing import NamedTuple

from variorum_kb.errors import LayoutError
from variorum_kb.reading.ledger import without_blanks
from variorum_kb.witness.passages import LineRole, Markup, PassageKind, Stated


class Part(NamedTuple):
    """A provision, where the markup of a page says which lines are of it.

    Attributes:
        place: Sets those of a page apart, from 1.
        kind: What sort.
        number: As the markup sets it apart from the words; "" without one.
    """

    place: int
    kind: PassageKind
    number: str


class Line(NamedTuple):
    """A shown line that is not blank.

    Attributes:
        text: What it shows, without blanks at its ends.
        number: The number of its first source line, from 1.
        last: The number of its last source line.
        indent: How far it is set in: blanks, or levels of lists.
        after_blank: A blank line, a paragraph's end or the beginning stands before it.
        role: What its markup says it belongs to; None where that says nothing.
        tag: How it is marked up: "h1" to "h6", "li", "dt", "dd", "pre", "stamp", "glossary"; ""
            in plain text.
        part: The provision that its markup says it belongs to; None where that says nothing.
        is_quoted: It is set as what somebody else said, as mail and forums do.
    """

    text: str
    number: int
    last: int
    indent: int = 0
    after_blank: bool = False
    role: LineRole | None = None
    tag: str = ""
    part: Part | None = None
    is_quoted: bool = False

    @property
    def is_headline(self) -> bool:
        """Say whether its markup makes it a headline."""
        return len(self.tag) == 2 and self.tag[0] == "h"  # noqa: PLR2004


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A document as shown.

    Attributes:
        markup: What its characters are.
        lines: In shown order.
        count: How many source lines the document has.
        hidden: Code points of the document that are no blanks and are not shown.
        title: What its markup gives as its title; "" without one.
        author: Likewise.
        source: Likewise: the name of its site, or its address.
        dated: Likewise.
        anchors: Names of places in it that links may lead to.
        is_wiki: It was made by a wiki.
        is_published: It was made by this project.
        notes: What was odd about the markup, in our words.
    """

    markup: Markup
    lines: tuple[Line, ...]
    count: int
    hidden: int = 0
    title: str = ""
    author: str = ""
    source: str = ""
    dated: Stated | None = None
    anchors: frozenset[str] = field(default_factory=frozenset[str])
    is_wiki: bool = False
    is_published: bool = False
    notes: tuple[str, ...] = ()

    @property
    def is_small(self) -> bool:
        """Say whether somebody wrote all of it in small letters."""
        return not any(line.text != line.text.lower() for line in self.lines)

    @property
    def characters(self) -> int:
        """Return how many code points are shown, blanks left out."""
        return sum(len(without_blanks(line.text)) for line in self.lines)


def check_size(text: str, markup: Markup, file: str) -> None:
    """See that a document is no larger than what can be read at once.

    Raises:
        LayoutError: It is; no known witness comes near.
    """
    most = _LARGEST[markup]
    if len(text) > most:
        raise LayoutError(
            f"{len(text) // 1_000_000} million characters of {markup.value}; "
            f"what quotes rules has at most {most // 1_000_000} million",
            file,
        )


_LARGEST = {Markup.PLAIN: 16_000_000, Markup.HTML: 8_000_000, Markup.WIKITEXT: 4_000_000}
