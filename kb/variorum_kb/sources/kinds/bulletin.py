"""Bulletins: announcements of the changes in a coming edition, number by number."""

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.sources.comparing.attestation import Attested
from variorum_kb.sources.comparing.bulletins.bulletins import attest_bulletin
from variorum_kb.sources.reading.bulletins.bulletins import Bulletin
from variorum_kb.sources.reading.page import Page


def recognise(page: Page) -> str:
    """Return the evidence that a page is a bulletin; "" for any other page."""
    return "it announces changes to rules by number" if page.bulletin else ""


def read(page: Page) -> Bulletin | None:
    """Read the announcements; None for any other page."""
    return page.bulletin


def compare(base: KnowledgeBase, bulletin: Bulletin, file: str) -> Attested:
    """Compare each announcement with the step of its number."""
    return attest_bulletin(base, bulletin, file)
