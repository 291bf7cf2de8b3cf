"""Compares hyperlinked editions, on one page or several, with the editions."""

from dataclasses import replace

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.sources.comparing.attestation_types import Attested
from variorum_kb.sources.comparing.excerpts.excerpts import attest_excerpt
from variorum_kb.sources.reading.passages.passages import Partial
from variorum_kb.text.counts import listed
from variorum_kb.thresholds.passages import EDITION_WHOLE

_MOST_TOLD = 6


def attest_hyperlinked(base: KnowledgeBase, edition: Partial, file: str) -> Attested:
    """Compare a page with all editions, and list what a nearly complete page lacks.

    Raises:
        LayoutError: No edition has any of it.
    """
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
