"""Classifies the change from one reading of a provision to the next, and finds sweeps.

A *sweep* is a phrase that one edition replaced in many provisions.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from functools import lru_cache

from variorum.history.canonical import Canon
from variorum.history.word_diffs.diff import TokenRun, closest_runs
from variorum.rows import CHANGE_CLASSES, State
from variorum.text import SLOT

NONE, TYPOGRAPHIC, CITATION, SWEEP, SUBSTANTIVE = CHANGE_CLASSES

SWEPT_IN = 5
"""A sweep replaces a phrase by the same words in at least this many provisions. By hand."""

_LONGEST = 6

# Encoded words and their replacement; either may be empty.
Replacement = tuple[str, str]


# A comparison needs the same runs several times.
@lru_cache(maxsize=4096)
def runs_between(before: str, after: str) -> tuple[TokenRun, ...]:
    """Return the runs that turn canonical words into other words, replacing as few as possible."""
    return tuple(closest_runs(before, after))


def _replacements(before: str, after: str) -> set[Replacement]:
    return {
        (before[slice(*run.older)], after[slice(*run.newer)])
        for run in runs_between(before, after)
        if not run.is_same
    }


def sweeps(rewordings: Iterable[tuple[str, str]]) -> set[Replacement]:
    """Return the phrases replaced in many provisions.

    Args:
        rewordings: The canonical words of provisions before and after.
    """
    times = Counter(phrase for pair in rewordings for phrase in _replacements(*pair))
    return {
        (before, after)
        for (before, after), count in times.items()
        if count >= SWEPT_IN
        and before
        and (after or len(before) > 1)
        and max(len(before), len(after)) <= _LONGEST
        and SLOT not in before + after
    }


def classify(
    old: tuple[State, Canon],
    new: tuple[State, Canon],
    swept: Collection[Replacement],
    *,
    citations_follow: bool,
) -> str:
    """Return the class of a change between two readings, see rows.CHANGE_CLASSES.

    A change of punctuation, capitals or quotes is typographic. `citations_follow` says whether each
    citation now leads to the heir of its old target.
    """
    (printed, before), (printed_after, after) = old, new
    if (printed.heading, printed.body) == (printed_after.heading, printed_after.body):
        return NONE
    if before.whole == after.whole:
        cited, cited_after = (
            [(citation.first, citation.last) for citation in canon.citations]
            for canon in (before, after)
        )
        if cited == cited_after:
            return TYPOGRAPHIC
        return CITATION if citations_follow else SUBSTANTIVE
    is_swept = _replacements(before.whole, after.whole) <= {*swept}
    return SWEEP if is_swept else SUBSTANTIVE
