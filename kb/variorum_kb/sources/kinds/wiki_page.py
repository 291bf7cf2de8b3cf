"""Wiki pages: quotations from an edition named in words, with commentary."""

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.sources.comparing.attestation import Attested
from variorum_kb.sources.comparing.excerpts.excerpts import attest_excerpt
from variorum_kb.sources.reading.page import Page
from variorum_kb.sources.reading.passages.passages import Markup, Partial, SourceLayout
from variorum_kb.sources.reading.prose import find_wiki_matter


def recognise(page: Page) -> str:
    """Return the evidence that a page is from a wiki; "" for any other page."""
    signs = page.signs
    if page.shown.markup is Markup.WIKITEXT:
        return "it is wikitext"
    if page.shown.is_wiki or signs.wiki:
        return "the page of a wiki"
    count = signs.quoted
    return f"{count} headings that say from which Comprehensive Rules they quote" if count else ""


def read(page: Page, evidence: str) -> Partial:
    """Read its quotations, and its own words as prose."""
    return page.read_quoted(SourceLayout.WIKI_PAGE, evidence, find_wiki_matter)


def compare(base: KnowledgeBase, wiki_page: Partial, file: str) -> Attested:
    """Compare its quotations with the edition it names."""
    return attest_excerpt(base, wiki_page, file)
