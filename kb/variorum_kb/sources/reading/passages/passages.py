"""The types of a partial document: passages, furniture and the ledger of its lines."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import Enum

from variorum_kb.model import Decoding, LineEnds, Sha256


class PassageKind(Enum):
    """The kind of a passage; the values are the words we show."""

    HEADING = "heading"
    RULE = "rule"
    GLOSSARY = "glossary definition"
    RULING = "ruling"
    TEXT = "text without a number"
    PROSE = "prose"


class LineRole(Enum):
    """The role of a line of a partial document; the values are the words we show."""

    TITLE = "title"
    AUTHOR = "author"
    DATE = "date"
    STAMP = "stamp"
    NAVIGATION = "navigation"
    HEADLINE = "headline"
    INTRODUCTION = "introduction"
    CONTENTS = "contents"
    HEADING = PassageKind.HEADING.value
    RULE = PassageKind.RULE.value
    GLOSSARY = PassageKind.GLOSSARY.value
    RULING = PassageKind.RULING.value
    TEXT = PassageKind.TEXT.value
    PROSE = PassageKind.PROSE.value
    INDEX = "index"
    REFERENCES = "references"
    TEMPLATE = "template"
    CREDITS = "credits"
    BANNER = "banner"
    MARK = "mark"


class SourceLayout(Enum):
    """The layout of a document, chosen by its content; the values are the words we show."""

    EXCERPT = "excerpt"
    FRAGMENT = "fragment"
    RULINGS_PAGE = "rulings page"
    RULINGS_COLLECTION = "rulings collection"
    WIKI_PAGE = "wiki page"
    HYPERLINKED = "hyperlinked edition"
    EXPORT = "export of rules"
    ARTICLE = "article"


class Markup(Enum):
    """The markup of a document; the values are the words we show."""

    PLAIN = "plain text"
    HTML = "HTML"
    WIKITEXT = "wikitext"
    JSON = "JSON"


@dataclass(frozen=True, slots=True)
class Stated:
    """A statement of a document about itself, in its own words.

    Attributes:
        words: As printed: "June 7, 2024—Modern Horizons 3", "Innistrad".
        day: The day that the words name; None if they name no single day.
        line: The number of its line, from 1; 0 if it is not in the text.
    """

    words: str
    day: date | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class Claim:
    """A note in brackets about the words before it: "[CompRules 2007/02/01]".

    Attributes:
        words: As printed, brackets included.
        source: The named source: "CompRules", "Mirage, Page 29".
        day: The named day; None if there is none.
        start: The start of the words that it is about, in code points of the paragraph's text.
        end: The end of these words, exclusive.
    """

    words: str
    source: str
    day: date | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PassageParagraph:
    """A paragraph of a passage, unwrapped, with single blanks and without claims.

    Attributes:
        text: The words, without the number or "Example:" before them.
        marker: The marker before them: "Example:"; "" for plain text.
        line: The number of its first source line, from 1.
        claims: In printed order.
    """

    text: str
    marker: str
    line: int
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words of prose between quotation marks, or formatted as a quotation.

    Attributes:
        start: Its start after the mark, in code points of the passage's text.
        end: Its end, exclusive.
        number: A number cited right before or after it, as printed; "" if there is none.
    """

    start: int
    end: int
    number: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Consecutive words of a document that belong together.

    Attributes:
        kind: Its kind.
        number: As printed, without final period and inner blanks: "600.4a", "6", "A.2.Ruling.1"; ""
            if there is none.
        printed: The number exactly as printed: "600.1.", "702. 37a".
        headword: The headword of a definition, or the subject of a ruling; "" if none is printed.
        heading: The heading of a chapter, section or keyword rule; "" if there is none.
        paragraphs: Text and examples in printed order.
        under: `about`, if it is not empty. Else, for a passage without a number, the number of the
            passage above it.
        about: The rule in the number of a ruling: "600.4" in "600.4.Ruling.1".
        edition: The words right above it that name the quoted edition; "" if there are none.
        quotations: The quotations in prose.
        is_cut_before: Whether it begins in the middle of a sentence.
        is_cut_after: Whether it ends in the middle of a sentence.
        first: The number of its first source line, from 1.
        last: The number of its last source line.
    """

    kind: PassageKind
    number: str = ""
    printed: str = ""
    headword: str = ""
    heading: str = ""
    paragraphs: tuple[PassageParagraph, ...] = ()
    under: str = ""
    about: str = ""
    edition: str = ""
    quotations: tuple[Quotation, ...] = ()
    is_cut_before: bool = False
    is_cut_after: bool = False
    first: int
    last: int

    @property
    def words(self) -> str:
        """Return all its words, with each example on a new line; without any, its heading."""
        return "\n".join([part for part in (self.text, *self.examples) if part]) or self.heading

    @property
    def text(self) -> str:
        """Return the paragraphs other than examples, joined by line feeds."""
        return "\n".join([paragraph.text for paragraph in self.paragraphs if not paragraph.marker])

    @property
    def examples(self) -> tuple[str, ...]:
        """Return the examples in printed order, without the word "Example:"."""
        return tuple([paragraph.text for paragraph in self.paragraphs if paragraph.marker])

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Return the claims of its paragraphs, in printed order."""
        return tuple([claim for paragraph in self.paragraphs for claim in paragraph.claims])

    @property
    def changed(self) -> Claim | None:
        """Return the claim with the latest day; None if no claim has a day."""
        dated = [claim for claim in self.claims if claim.day is not None]
        return max(dated, key=lambda claim: claim.day or date.min, default=None)


@dataclass(frozen=True, slots=True)
class Furniture:
    """Words of a document outside its passages.

    Attributes:
        role: The role of the words. A mark is a bullet, a dash after a number or the like.
        text: As printed.
        line: The number of the first source line, from 1.
    """

    role: LineRole
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class WitnessLedger:
    """The ledger of a document that is not an edition.

    Attributes:
        lines: How many lines the document has.
        blank: The number of lines without text or with only markup.
        accounted: How many lines belong to each role, in the order of `LineRole` or
            `BulletinRole`. A line of several roles counts for the first of them.
        unaccounted: The numbers of the lines without a role; empty after reading.
        characters: The number of code points of the shown text, without blanks; None in a bulletin.
        characters_kept: How many of these are in passages or furniture; None in a bulletin.
        markup: The number of code points that are not shown, without blanks: tags, scripts,
            comments, targets of links, spellings of entities; 0 in plain text, None in a bulletin.
    """

    lines: int
    blank: int
    accounted: tuple[tuple[Enum, int], ...]
    unaccounted: tuple[int, ...]
    characters: int | None = None
    characters_kept: int | None = None
    markup: int | None = None

    @property
    def is_complete(self) -> bool:
        """Say whether every line and every character is accounted for."""
        return not self.unaccounted and self.characters == self.characters_kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Partial:
    """A document that attests some words of the rules, or is about rules.

    Attributes:
        layout: Its layout.
        evidence: The evidence for the layout, in our words.
        markup: Its markup.
        title: As printed; "" if there is none.
        author: As printed; "" if there is none.
        source: The stated source, a site's name or an address; "" if there is none.
        edition: The edition that it claims to quote; None if there is none.
        dated: The day on which it says it was written or revised; None if there is none.
        passages: In printed order.
        furniture: In printed order.
        sha256: The hash of the document's bytes.
        decoding: How its bytes became text.
        line_ends: Its line ends.
        notes: Repairs and losses, in our words.
        ledger: The account of every line.
    """

    layout: SourceLayout
    evidence: str
    markup: Markup
    title: str
    author: str
    source: str
    edition: Stated | None
    dated: Stated | None
    passages: tuple[Passage, ...]
    furniture: tuple[Furniture, ...]
    sha256: Sha256
    decoding: Decoding
    line_ends: LineEnds
    notes: tuple[str, ...]
    ledger: WitnessLedger

    def of(self, *kinds: PassageKind) -> Iterator[Passage]:
        """Yield the passages of some kinds in printed order."""
        return (passage for passage in self.passages if passage.kind in kinds)

    def counts(self) -> dict[str, int]:
        """Return the numbers of passages by kind, of examples and of claims."""
        kinds = [passage.kind for passage in self.passages]
        counts = {kind.value: kinds.count(kind) for kind in PassageKind if kind in kinds}
        counts["examples"] = sum(len(passage.examples) for passage in self.passages)
        counts["claims"] = sum(len(passage.claims) for passage in self.passages)
        return {name: number for name, number in counts.items() if number}
