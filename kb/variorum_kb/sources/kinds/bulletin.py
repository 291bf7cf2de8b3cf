"""Bulletins: they announce, number by number, what a coming edition changes."""

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.sources.comparing.attestation import Attested
from variorum_kb.sources.comparing.bulletins import attest_bulletin
from variorum_kb.sources.reading.bulletins import Bulletin, is_bulletin, read_bulletin
from variorum_kb.sources.reading.page import Page


def recognise(page: Page) -> str:
    """Return what says that a page is a bulletin; "" of any other.

    What counts is how many of its numbers have words beneath them that speak of the rule and of a
    change.
    """
    return "it announces changes to rules by number" if is_bulletin(page.decoded.text) else ""


def read(page: Page) -> Bulletin:
    """Read what it announces."""
    return read_bulletin(page.data, page.file)


def compare(base: KnowledgeBase, bulletin: Bulletin, file: str) -> Attested:
    """Compare each announcement with the step that it announces."""
    return attest_bulletin(base, bulletin, file)
