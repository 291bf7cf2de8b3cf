"""The table of document kinds; the first kind to recognise a document reads and compares it."""

from collections.abc import Callable
from typing import NamedTuple

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.sources.comparing.articles import attest_article
from variorum_kb.sources.comparing.attestation_types import Attested
from variorum_kb.sources.comparing.bulletins.bulletins import attest_bulletin
from variorum_kb.sources.comparing.excerpts.broken_words import without_breaks
from variorum_kb.sources.comparing.excerpts.excerpts import attest_excerpt
from variorum_kb.sources.comparing.hyperlinked import attest_hyperlinked
from variorum_kb.sources.comparing.rulings.rulings import attest_rulings
from variorum_kb.sources.reading.bulletins.bulletins import Bulletin
from variorum_kb.sources.reading.page import Page
from variorum_kb.sources.reading.passages.passages import Markup, Partial, SourceLayout
from variorum_kb.thresholds.documents import PERSONAL

_FEWEST_NUMBERED = 5
_FEWEST_LETTERED = 5


class DocumentKind(NamedTuple):
    """The functions for one kind of document.

    Attributes:
        layout: The layout of the kind.
        recognise: Returns the evidence that a page is of this kind; "" for any other page.
        compare: Compares a document with the editions of a base.
    """

    layout: SourceLayout
    recognise: Callable[[Page], str]
    compare: Callable[[KnowledgeBase, Partial, str], Attested]


def read_witness(data: bytes, file: str) -> Partial | Bulletin:
    """Read a document that is not an edition; equal bytes give an equal document.

    Raises:
        EncodingError: The bytes are not text.
        LayoutError: The text is a complete edition, is not about rules, is too large, or is nested
            too deep.
    """
    page = Page(data, file)
    return page.bulletin or _read(page)


def read_partial(data: bytes, file: str) -> Partial:
    """Read a document that is neither an edition nor a bulletin; see `read_witness`."""
    return _read(Page(data, file))


def _read(page: Page) -> Partial:
    recognised = ((kind, kind.recognise(page)) for kind in KINDS)
    return next(page.read(kind.layout, evidence) for kind, evidence in recognised if evidence)


def compare(base: KnowledgeBase, document: Partial | Bulletin, file: str) -> Attested:
    """Compare a document that is not an edition with the editions of a base.

    Raises:
        LayoutError: It attests nothing in these editions.
    """
    if isinstance(document, Bulletin):
        return attest_bulletin(base, document, file)
    if document.layout is not SourceLayout.RULINGS_COLLECTION:
        document = without_breaks(document, base.identifier())
    kind = next(kind for kind in KINDS if kind.layout is document.layout)
    return kind.compare(base, document, file)


def _recognise_export(page: Page) -> str:
    """Recognise rules in JSON, or as a literal in a program."""
    if page.shown.markup is not Markup.JSON:
        return ""
    parts = {line.part.place for line in page.shown.lines if line.part is not None}
    return f"{len(parts)} objects with a number or a term, and words" if parts else ""


def _recognise_hyperlinked(page: Page) -> str:
    """Recognise an edition whose numbers are targets of links, on one page or a page for each section."""
    if page.shown.is_published and any(line.part is not None for line in page.shown.lines):
        return "a page that this project published"
    signs = page.signs
    is_one = signs.numbered >= _FEWEST_NUMBERED and signs.anchored * 2 >= signs.numbered
    if not is_one or any(recognise(page) for recognise in _RATHER):
        return ""
    return f"{signs.anchored} of {signs.numbered} numbers are anchors"


def _recognise_collection(page: Page) -> str:
    """Recognise rulings with numbers of their own."""
    lettered = page.signs.lettered
    is_one = lettered >= _FEWEST_LETTERED and lettered > page.signs.numbered
    return f"{lettered} paragraphs with numbers such as A.1.3" if is_one else ""


def _recognise_rulings(page: Page) -> str:
    """Recognise rules and rulings, each with the day of its last change."""
    signs = page.signs
    if not (signs.dashed and (signs.claims or signs.releases)):
        return ""
    return f"{signs.dashed} numbers with a dash, {signs.claims} notes with a day in brackets"


def _recognise_wiki(page: Page) -> str:
    """Recognise quotations from an edition named in words, with commentary."""
    if page.shown.markup is Markup.WIKITEXT:
        return "it is wikitext"
    if page.shown.is_wiki or page.signs.wiki:
        return "the page of a wiki"
    count = page.signs.quoted
    return f"{count} headings that say from which Comprehensive Rules they quote" if count else ""


def _recognise_article(page: Page) -> str:
    """Recognise prose about rules."""
    signs = page.signs
    if not signs.counted:
        is_spoken = signs.is_spoken
        return f"{signs.personal} paragraphs speak to readers, no number" if is_spoken else ""
    is_prose = bool(signs.personal) and signs.prose > PERSONAL * signs.words
    return f"{signs.personal} paragraphs speak to readers" if is_prose and not signs.is_cut else ""


def _recognise_excerpt(page: Page) -> str:
    """Recognise some numbered rules, the first of them from its beginning."""
    signs = page.signs
    is_one = bool(signs.counted) and not signs.is_cut
    return f"{signs.counted} paragraphs begin with a number" if is_one else ""


def _recognise_fragment(page: Page) -> str:
    """Recognise rules whose beginning or numbers are missing; a page of no other kind has them."""
    if not page.signs.is_cut:
        return "no number, and nobody speaks to readers"
    number = "" if page.signs.counted else ", no number"
    return f"it begins in the middle of a sentence{number}"


# Pages of these kinds may have anchors, too.
_RATHER = (_recognise_collection, _recognise_rulings, _recognise_wiki)
# Bulletins are recognised before these; they have announcements, not passages.
KINDS = (
    DocumentKind(SourceLayout.EXPORT, _recognise_export, attest_excerpt),
    DocumentKind(SourceLayout.HYPERLINKED, _recognise_hyperlinked, attest_hyperlinked),
    DocumentKind(SourceLayout.RULINGS_COLLECTION, _recognise_collection, attest_rulings),
    DocumentKind(SourceLayout.RULINGS_PAGE, _recognise_rulings, attest_rulings),
    DocumentKind(SourceLayout.WIKI_PAGE, _recognise_wiki, attest_excerpt),
    DocumentKind(SourceLayout.ARTICLE, _recognise_article, attest_article),
    DocumentKind(SourceLayout.EXCERPT, _recognise_excerpt, attest_excerpt),
    DocumentKind(SourceLayout.FRAGMENT, _recognise_fragment, attest_excerpt),
)
