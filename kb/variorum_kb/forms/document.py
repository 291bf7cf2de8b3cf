"""Documents that are not editions, as `cr read` prints them; see docs/json.md.

A bulletin has announcements, other documents have passages.
"""

from typing import Annotated, Literal, TypedDict

from variorum_kb.forms.edition import LineEndsJson
from variorum_kb.forms.values import Condition, Constraint, Count, Day, Place, Sha256, Words

DocumentLayout = Annotated[
    str,
    Constraint(
        "enum",
        (
            "excerpt",
            "fragment",
            "rulings page",
            "rulings collection",
            "wiki page",
            "hyperlinked edition",
            "export of rules",
            "article",
            "bulletin",
        ),
    ),
]
Markup = Literal["plain text", "HTML", "wikitext", "JSON"]
PassageKind = Literal[
    "heading", "rule", "glossary definition", "ruling", "text without a number", "prose"
]
# What is counted in a document: its passages, by kind.
Counted = Annotated[
    str,
    Constraint(
        "enum",
        (
            "heading",
            "rule",
            "glossary definition",
            "ruling",
            "text without a number",
            "prose",
            "examples",
            "claims",
            "announcement",
            "entry",
        ),
    ),
]
AnnouncementKind = Literal["renumbered", "moved", "new", "removed", "reworded", "split", "merged"]
# What a line belongs to; only bulletins have the last four.
DocumentRole = Literal[
    "title",
    "author",
    "date",
    "stamp",
    "navigation",
    "headline",
    "introduction",
    "contents",
    "heading",
    "rule",
    "glossary definition",
    "ruling",
    "text without a number",
    "prose",
    "index",
    "references",
    "template",
    "credits",
    "banner",
    "mark",
    "announcement",
    "reason",
    "furniture",
]


class StatedJson(TypedDict):
    """A document's words about its origin; `line` is null if they are not in its text."""

    words: Words
    day: Day | None
    line: Place | None


class WitnessDocumentJson(TypedDict):
    """What a document is, what it says of itself, and how much it holds."""

    layout: DocumentLayout
    evidence: Words
    markup: Markup
    sha256: Sha256
    encoding: Words
    reason: Words
    line_ends: LineEndsJson | None
    title: str
    author: str
    source: str
    edition: StatedJson | None
    dated: StatedJson | None
    effective: str
    sets: list[Words]
    counts: dict[Counted, Count]
    condition: Condition
    notes: list[Words]


class ClaimJson(TypedDict):
    """A note in brackets; `start` and `end` tell which words of its paragraph it is about."""

    words: Words
    source: str
    day: Day | None
    start: Count
    end: Count


class PassageParagraphJson(TypedDict):
    """A paragraph of a passage."""

    text: str
    marker: str
    line: Place
    claims: list[ClaimJson]


class QuotationJson(TypedDict):
    """Words of prose between quotation marks."""

    start: Count
    end: Count
    number: str


class PassageJson(TypedDict):
    """Consecutive words of a document that belong together."""

    kind: PassageKind
    number: str
    printed: str
    headword: str
    heading: str
    paragraphs: list[PassageParagraphJson]
    under: str
    about: str
    edition: str
    quotations: list[QuotationJson]
    cut_before: bool
    cut_after: bool
    first: Place
    last: Place


class AnnouncementJson(TypedDict):
    """A change to provisions that a bulletin announces."""

    kind: AnnouncementKind
    old: list[Words]
    new: list[Words]
    words: str
    reason: str
    line: Place
    term: bool
    implied: bool
    said: bool


class FurnitureJson(TypedDict):
    """Words that belong to no passage."""

    role: Words
    text: Words
    line: Place


class ReadWitnessJson(TypedDict):
    """A document that is not an edition, in printed order."""

    document: WitnessDocumentJson
    passages: list[PassageJson]
    announcements: list[AnnouncementJson]
    furniture: list[FurnitureJson]


class WitnessLedgerJson(TypedDict):
    """Counts of a document's lines, by what they belong to. For a bulletin, counts of characters are null."""

    layout: Words
    lines: Count
    blank: Count
    accounted: dict[DocumentRole, Count]
    unaccounted: list[Place]
    characters: Count | None
    characters_kept: Count | None
    markup: Count | None
    condition: Condition
    reason: Words
    notes: list[Words]
