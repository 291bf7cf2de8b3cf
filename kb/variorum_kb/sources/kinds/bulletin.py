"""Bulletins: announcements, number by number, of the changes in a coming edition."""

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.sources.comparing.attestation import Attested
from variorum_kb.sources.comparing.bulletins import attest_bulletin
from variorum_kb.sources.reading.bulletins import Bulletin, is_bulletin, read_bulletin
from variorum_kb.sources.reading.page import Page


def recognise(page: Page) -> str:
    """Return the evidence that a page is a bulletin; "" for any other page.

    The criterion is how many of its numbers have text below them about the rule and a change.
    """
    return "it announces changes to rules by number" if is_bulletin(page.decoded.text) else ""


def read(page: Page) -> Bulletin:
    """Read the announcements."""
    return read_bulletin(page.data, page.file)


def compare(base: KnowledgeBase, bulletin: Bulletin, file: str) -> Attested:
    """Compare each announcement with its step."""
    return attest_bulletin(base, bulletin, file)
