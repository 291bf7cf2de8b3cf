"""Articles: prose about rules."""

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.sources.comparing.articles.articles import attest_article
from variorum_kb.sources.comparing.attestation import Attested
from variorum_kb.sources.reading.page import Page
from variorum_kb.sources.reading.passages.passages import Partial, SourceLayout
from variorum_kb.sources.reading.prose import find_article_matter
from variorum_kb.thresholds import PERSONAL


def recognise(page: Page) -> str:
    """Return the evidence that a page is an article; "" for any other page."""
    signs = page.signs
    if not signs.counted:
        is_spoken = signs.is_spoken
        return f"{signs.personal} paragraphs speak to readers, no number" if is_spoken else ""
    is_prose = bool(signs.personal) and signs.prose > PERSONAL * signs.words
    return f"{signs.personal} paragraphs speak to readers" if is_prose and not signs.is_cut else ""


def read(page: Page, evidence: str) -> Partial:
    """Read the paragraphs, title, author and day."""
    return page.read_quoted(SourceLayout.ARTICLE, evidence, find_article_matter)


def compare(base: KnowledgeBase, article: Partial, file: str) -> Attested:
    """Link the paragraphs to the rules they discuss."""
    return attest_article(base, article, file)
