"""Rulings pages, with a day for each paragraph, and collections with their own numbers."""

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.sources.comparing.attestation import Attested
from variorum_kb.sources.comparing.rulings.rulings import attest_rulings
from variorum_kb.sources.reading.page import Page
from variorum_kb.sources.reading.passages.passages import Partial, SourceLayout

LAYOUTS = (SourceLayout.RULINGS_PAGE, SourceLayout.RULINGS_COLLECTION)
_FEWEST_LETTERED = 5


def recognise(page: Page) -> str:
    """Return the evidence that a page holds rulings; "" for any other page."""
    signs = page.signs
    if _is_collection(page):
        return f"{signs.lettered} paragraphs with numbers such as A.1.3"
    if signs.dashed and (signs.claims or signs.releases):
        return f"{signs.dashed} numbers with a dash, {signs.claims} notes with a day in brackets"
    return ""


def _is_collection(page: Page) -> bool:
    lettered = page.signs.lettered
    return lettered >= _FEWEST_LETTERED and lettered > page.signs.numbered


def read(page: Page, evidence: str) -> Partial:
    """Read rules and rulings with the days they claim."""
    page_layout, collection = LAYOUTS
    return page.read_rulings(collection if _is_collection(page) else page_layout, evidence)


def compare(base: KnowledgeBase, rulings: Partial, file: str) -> Attested:
    """Compare each claimed day with the lineage of its rule."""
    return attest_rulings(base, rulings, file)
