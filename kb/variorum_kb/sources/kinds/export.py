"""Exports of rules in JSON, or as a literal in a program."""

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.sources.comparing.attestation import Attested
from variorum_kb.sources.comparing.excerpts.excerpts import attest_excerpt
from variorum_kb.sources.reading.page import Page
from variorum_kb.sources.reading.passages.passages import Markup, Partial, SourceLayout


def recognise(page: Page) -> str:
    """Return the evidence that a page is an export; "" for any other page."""
    if page.shown.markup is not Markup.JSON:
        return ""
    parts = {line.part.place for line in page.shown.lines if line.part is not None}
    return f"{len(parts)} objects with a number or a term, and words" if parts else ""


def read(page: Page, evidence: str) -> Partial:
    """Read the objects; of a difference between two editions, the words of both."""
    return page.read_quoted(SourceLayout.EXPORT, evidence)


def compare(base: KnowledgeBase, export: Partial, file: str) -> Attested:
    """Compare an export like an excerpt, each side of a difference with its own edition."""
    return attest_excerpt(base, export, file)
