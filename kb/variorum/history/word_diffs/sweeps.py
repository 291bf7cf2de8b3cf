"""Finds sweeps: phrases that one edition replaced in many provisions."""

from collections import Counter
from collections.abc import Iterable, Mapping

from variorum.history.word_diffs.changes import Replacement, phrases
from variorum.text import SLOT

SWEPT_IN = 5
"""A sweep replaces a phrase by the same words in at least this many provisions. By hand."""

_LONGEST = 6


def times_replaced(rewordings: Iterable[tuple[str, str]]) -> Counter[Replacement]:
    """Return the replaced phrases, each with the number of provisions.

    Args:
        rewordings: The canonical texts of provisions before and after.
    """
    times: Counter[Replacement] = Counter()
    for before, after in rewordings:
        times.update(set(phrases(before, after)))
    return times


def sweeps(rewordings: Iterable[tuple[str, str]]) -> Mapping[Replacement, int]:
    """Return the phrases replaced in many provisions, each with the number of provisions.

    Args:
        rewordings: The canonical texts of provisions before and after.
    """
    return {
        phrase: count
        for phrase, count in times_replaced(rewordings).items()
        if count >= SWEPT_IN
        and phrase.before
        and (phrase.after or len(phrase.before) > 1)
        and max(len(phrase.before), len(phrase.after)) <= _LONGEST
        and SLOT not in phrase.before + phrase.after
    }
