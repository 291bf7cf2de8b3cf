"""Converts the numbers in the fitted weights to another edition."""

from variorum.answers.crosswalk import crosswalk_rows
from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase


def numbers_now(base: KnowledgeBase, former: str, edition: EditionEntry) -> dict[str, str]:
    """Return the present numbers of a former edition's rules; "" for a removed rule.

    If the base lacks the former edition, all numbers stay.
    """
    if former not in base.labels or former == edition.label:
        return {}
    rows = crosswalk_rows(base, former, edition)
    now = {row.old: (row.new or [""])[0] for row in rows if row.old}
    return {old: new for old, new in now.items() if old != new}
