"""Finds the editions that have most of the cited numbers."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from variorum.answers.cited_heirs import Heirs

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase


class Fit(NamedTuple):
    """The editions that have most of some numbers.

    Attributes:
        first: The label of the first edition.
        last: The label of the last edition.
        known: How many citations have a number that these editions have.
        total: How many citations there are.
    """

    first: str
    last: str
    known: int
    total: int


def best_fit(base: "KnowledgeBase", cited: Mapping[str, int]) -> Fit:
    """Return the latest run of editions that have most of the cited numbers.

    Args:
        base: The base whose editions are compared.
        cited: How often each number is cited.
    """
    heirs = Heirs(base)
    known = [0] * len(base.editions)
    for number, times in cited.items():
        for place in {
            place for run in heirs.runs(number) for place in range(run.first, run.last + 1)
        }:
            known[place] += times
    best = max(known)
    last = len(known) - 1 - known[::-1].index(best)
    first = last
    while first and known[first - 1] == best:
        first -= 1
    labels = [edition.label for edition in base.editions]
    return Fit(labels[first], labels[last], best, sum(cited.values()))
