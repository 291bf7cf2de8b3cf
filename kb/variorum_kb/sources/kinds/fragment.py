"""Fragments: rules whose beginning or numbers are missing."""

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.sources.comparing.attestation import Attested
from variorum_kb.sources.comparing.excerpts.excerpts import attest_excerpt
from variorum_kb.sources.reading.page import Page
from variorum_kb.sources.reading.passages.passages import Partial, SourceLayout


def recognise(page: Page) -> str:
    """Return the evidence that a page of no other kind is a fragment."""
    if not page.signs.is_cut:
        return "no number, and nobody speaks to readers"
    number = "" if page.signs.counted else ", no number"
    return f"it begins in the middle of a sentence{number}"


def read(page: Page, evidence: str) -> Partial:
    """Read the texts; the editions supply the numbers."""
    return page.read_quoted(SourceLayout.FRAGMENT, evidence)


def compare(base: KnowledgeBase, fragment: Partial, file: str) -> Attested:
    """Compare the texts with all editions."""
    return attest_excerpt(base, fragment, file)
