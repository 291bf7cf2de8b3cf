"""Decides whether `cr audit --fix` may rewrite a citation without asking.

A verdict is certain by its date (answers/cited_heirs.py) unless the
words beside the citation contradict it (audit/judging). `postponed_rewrites` leaves out lines that
also have doubtful citations.
"""

from variorum.answers.cited_heirs import CURRENT
from variorum.audit.judging.verdict import CitationVerdict


def certain_rewrite(verdict: CitationVerdict) -> tuple[str, str] | None:
    """Return both ends of a citation's heir if that heir is certain, else None."""
    return verdict.heirs[0] if verdict.is_sure and verdict.status != CURRENT else None
