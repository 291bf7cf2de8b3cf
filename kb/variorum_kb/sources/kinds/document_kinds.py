"""The table of document kinds; the first kind to recognise a document reads and compares it."""

from collections.abc import Callable, Container
from typing import NamedTuple

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.sources.comparing.attestation import Attested
from variorum_kb.sources.comparing.excerpts.broken_words import without_breaks
from variorum_kb.sources.kinds import (
    article,
    bulletin,
    excerpt,
    export,
    fragment,
    hyperlinked,
    rulings_page,
    wiki_page,
)
from variorum_kb.sources.reading.bulletins.bulletins import Bulletin
from variorum_kb.sources.reading.page import Page
from variorum_kb.sources.reading.passages.passages import Partial, SourceLayout


class DocumentKind(NamedTuple):
    """The functions for one kind of document.

    Attributes:
        layouts: The layouts of the kind.
        recognise: Returns the evidence that a page is of this kind; "" for any other page.
        read: Reads a page, given this evidence.
        compare: Compares a document with the editions of a base.
    """

    layouts: Container[SourceLayout]
    recognise: Callable[[Page], str]
    read: Callable[[Page, str], Partial]
    compare: Callable[[KnowledgeBase, Partial, str], Attested]


# Bulletins are recognised before these; they have announcements, not passages.
KINDS = (
    DocumentKind({SourceLayout.EXPORT}, export.recognise, export.read, export.compare),
    DocumentKind(
        {SourceLayout.HYPERLINKED}, hyperlinked.recognise, hyperlinked.read, hyperlinked.compare
    ),
    DocumentKind(
        rulings_page.LAYOUTS, rulings_page.recognise, rulings_page.read, rulings_page.compare
    ),
    DocumentKind({SourceLayout.WIKI_PAGE}, wiki_page.recognise, wiki_page.read, wiki_page.compare),
    DocumentKind({SourceLayout.ARTICLE}, article.recognise, article.read, article.compare),
    DocumentKind({SourceLayout.EXCERPT}, excerpt.recognise, excerpt.read, excerpt.compare),
    DocumentKind({SourceLayout.FRAGMENT}, fragment.recognise, fragment.read, fragment.compare),
)


def read_witness(data: bytes, file: str) -> Partial | Bulletin:
    """Read a document that is not an edition; equal bytes give an equal document.

    Raises:
        EncodingError: The bytes are not text.
        LayoutError: The text is a complete edition, is not about rules, is too large, or is nested
            too deep.
    """
    page = Page(data, file)
    return bulletin.read(page) or _read(page)


def read_partial(data: bytes, file: str) -> Partial:
    """Read a document that is neither an edition nor a bulletin; see `read_witness`."""
    return _read(Page(data, file))


def _read(page: Page) -> Partial:
    recognised = ((kind, kind.recognise(page)) for kind in KINDS)
    kind, evidence = next((kind, evidence) for kind, evidence in recognised if evidence)
    return kind.read(page, evidence)


def compare(base: KnowledgeBase, document: Partial | Bulletin, file: str) -> Attested:
    """Compare a document that is not an edition with the editions of a base.

    Raises:
        LayoutError: It attests nothing in these editions.
    """
    if isinstance(document, Bulletin):
        return bulletin.compare(base, document, file)
    if document.layout is not SourceLayout.RULINGS_COLLECTION:
        document = without_breaks(document, base.identifier())
    kind = next(kind for kind in KINDS if document.layout in kind.layouts)
    return kind.compare(base, document, file)
