"""Finds phrases that one edition replaced in many provisions, so that these do not look reworded."""

from collections import Counter
from collections.abc import Iterable

from variorum_kb.history.aligning.likeness import Scale
from variorum_kb.history.word_diffs.changes import Replacement, phrases
from variorum_kb.text.words import SLOT

# A phrase that was replaced at least this many times is a sweep here. The count is lower than
# `SWEPT_IN` of `changes.py`, because a sweep here only makes candidates more alike.
_SWEEP_TIMES = 3
_SWEEP_WORDS = 4
_LEAST_SWEEP_BITS = 3.0


def find_sweeps(pairs: Iterable[tuple[str, str]], scale: Scale) -> dict[str, str]:
    """Return the phrases that were replaced in many provisions, and what replaced each.

    Args:
        pairs: The words of provisions before and after.
        scale: The weights of words.
    """
    times: Counter[Replacement] = Counter()
    for before, after in pairs:
        times.update(set(phrases(before, after)))
    sweeps: dict[str, str] = {}
    for phrase, count in sorted(times.items(), key=_by_count):
        is_short = max(len(phrase.before), len(phrase.after)) <= _SWEEP_WORDS
        says = scale.bits(phrase.before) > _LEAST_SWEEP_BITS
        if count >= _SWEEP_TIMES and is_short and says and SLOT not in phrase.before:
            sweeps.setdefault(phrase.before, phrase.after)
    return sweeps


def _by_count(item: tuple[Replacement, int]) -> tuple[int, str, str]:
    phrase, count = item
    return -count, phrase.before, phrase.after
