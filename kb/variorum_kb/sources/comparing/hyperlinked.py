"""Compares hyperlinked editions with ours: one long page, or a page for each section."""

from collections.abc import Sequence
from dataclasses import replace

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.errors import LayoutError
from variorum_kb.sources.comparing.attestation import Attested
from variorum_kb.sources.comparing.excerpts import attest_excerpt
from variorum_kb.sources.reading.passages import Partial, SourceLayout
from variorum_kb.thresholds import EDITION_WHOLE

_MOST_TOLD = 6


def attest_hyperlinked(base: KnowledgeBase, pages: Sequence[Partial], file: str) -> Attested:
    """Compare the pages of a hyperlinked edition with the editions of a base, as one document.

    Args:
        base: It has editions.
        pages: In the order in which they are read; pages that hold no rules do no harm.
        file: The name of the page, folder or archive, for messages.

    Raises:
        LayoutError: There are no pages, or they quote nothing that stands in any edition.
    """
    some = [one for one in pages if one.layout is not SourceLayout.ARTICLE] or list(pages)
    if not some:
        raise LayoutError("no page to read", file)
    first = some[0]
    whole = replace(
        first,
        layout=SourceLayout.HYPERLINKED,
        evidence=first.evidence if len(some) == 1 else f"{len(some)} pages that belong together",
        edition=next((one.edition for one in some if one.edition is not None), None),
        dated=next((one.dated for one in some if one.dated is not None), None),
        passages=tuple([passage for one in some for passage in one.passages]),
    )
    attested = attest_excerpt(base, whole, file)
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
