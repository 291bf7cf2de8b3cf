"""Compares hyperlinked editions with ours: one long page, or a page for each section."""

from dataclasses import replace

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.sources.comparing.attestation import Attested
from variorum_kb.sources.comparing.excerpts import attest_excerpt
from variorum_kb.sources.reading.passages import Partial
from variorum_kb.thresholds import EDITION_WHOLE

_MOST_TOLD = 6


def attest_hyperlinked(base: KnowledgeBase, page: Partial, file: str) -> Attested:
    """Compare a page of a hyperlinked edition, which may be all of it, with the editions of a base.

    Args:
        base: It has editions.
        page: As it was read.
        file: Its name, for messages.

    Raises:
        LayoutError: It quotes nothing that stands in any edition.
    """
    attested = attest_excerpt(base, page, file)
    return replace(attested, evidence=(*attested.evidence, *_missing(base, attested)))


def _missing(base: KnowledgeBase, attested: Attested) -> tuple[str, ...]:
    """Say what the edition has that a whole one lacks."""
    if attested.last is None:
        return ()
    edition = base.editions[attested.last]
    held = {one.provision for one in attested.passages}
    provisions = list(base.provisions(edition))
    lacking = [one for one in provisions if one.state.id not in held]
    if len(lacking) > (1 - EDITION_WHOLE) * len(provisions):
        return ()
    if not lacking:
        return (f"it holds all {len(provisions)} provisions of {edition.label}",)
    names = [one.address for one in lacking[:_MOST_TOLD]]
    more = f" and {len(lacking) - _MOST_TOLD} more" if len(lacking) > _MOST_TOLD else ""
    count = f"{len(lacking)} of {len(provisions)} provisions of {edition.label}"
    return (f"it lacks {count}: {', '.join(names)}{more}",)
