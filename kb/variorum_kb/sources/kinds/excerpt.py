"""Excerpts: some numbered rules, the first of them from its beginning."""

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.sources.comparing.attestation import Attested
from variorum_kb.sources.comparing.excerpts.excerpts import attest_excerpt
from variorum_kb.sources.reading.page import Page
from variorum_kb.sources.reading.passages.openers import opens
from variorum_kb.sources.reading.passages.passages import Partial, SourceLayout
from variorum_kb.sources.reading.prose import find_article_matter, find_page_matter

_FEWEST_PERSONAL = 2


def recognise(page: Page) -> str:
    """Return the evidence that a page is an excerpt; "" for any other page."""
    signs = page.signs
    is_one = bool(signs.counted) and not signs.is_cut
    return f"{signs.counted} paragraphs begin with a number" if is_one else ""


def read(page: Page, evidence: str) -> Partial:
    """Read the rules and the text around them."""
    # An article may have more quotations than other words.
    is_article = page.signs.personal >= _FEWEST_PERSONAL and not opens(page.signs.first)
    matter = find_article_matter if is_article else find_page_matter
    return page.read_quoted(SourceLayout.EXCERPT, evidence, matter)


def compare(base: KnowledgeBase, excerpt: Partial, file: str) -> Attested:
    """Compare the rules with all editions, word for word."""
    return attest_excerpt(base, excerpt, file)
