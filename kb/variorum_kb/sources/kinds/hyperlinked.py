"""Hyperlinked editions: one long page, or a page for each section."""

from dataclasses import replace

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.sources.comparing.attestation import Attested
from variorum_kb.sources.comparing.excerpts.excerpts import attest_excerpt
from variorum_kb.sources.kinds import rulings_page, wiki_page
from variorum_kb.sources.reading.page import Page
from variorum_kb.sources.reading.passages.passages import Partial, SourceLayout
from variorum_kb.text.counts import listed
from variorum_kb.thresholds import EDITION_WHOLE

_MOST_TOLD = 6
_FEWEST_NUMBERED = 5


def recognise(page: Page) -> str:
    """Return the evidence that links lead to the rules of a page; "" for any other page."""
    if page.shown.is_published and any(line.part is not None for line in page.shown.lines):
        return "a page that this project published"
    signs = page.signs
    is_one = signs.numbered >= _FEWEST_NUMBERED and signs.anchored * 2 >= signs.numbered
    if not is_one or rulings_page.recognise(page) or wiki_page.recognise(page):
        return ""
    return f"{signs.anchored} of {signs.numbered} numbers are anchors"


def read(page: Page, evidence: str) -> Partial:
    """Read the whole page as rules."""
    return page.read_quoted(SourceLayout.HYPERLINKED, evidence)


def compare(base: KnowledgeBase, edition: Partial, file: str) -> Attested:
    """Compare the page with all editions, and list what a nearly complete page lacks."""
    attested = attest_excerpt(base, edition, file)
    return replace(attested, evidence=(*attested.evidence, *_missing(base, attested)))


def _missing(base: KnowledgeBase, attested: Attested) -> tuple[str, ...]:
    """Return the provisions that a nearly complete document lacks, as evidence."""
    if attested.last is None:
        return ()
    edition = base.editions[attested.last]
    held = {attestation.provision for attestation in attested.passages}
    provisions = list(base.provisions(edition))
    lacking = [provision for provision in provisions if provision.state.id not in held]
    if len(lacking) > (1 - EDITION_WHOLE) * len(provisions):
        return ()
    if not lacking:
        return (f"it holds all {len(provisions)} provisions of {edition.label}",)
    names = listed([provision.address for provision in lacking], _MOST_TOLD)
    return (f"it lacks {len(lacking)} of {len(provisions)} provisions of {edition.label}: {names}",)
