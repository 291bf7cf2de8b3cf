"""Finds phrases that one edition replaced in many provisions, so that these do not look reworded."""

from collections.abc import Iterable

from variorum.history.aligning.likeness import Scale
from variorum.history.word_diffs.changes import Replacement
from variorum.history.word_diffs.sweeps import times_replaced
from variorum.text import SLOT
from variorum.thresholds.sweeps import REPLACED_IN

_LONGEST = 4
_LEAST_BITS = 3.0


def replaced_phrases(pairs: Iterable[tuple[str, str]], scale: Scale) -> dict[str, str]:
    """Return the phrases that were replaced in many provisions, and what replaced each.

    Args:
        pairs: The words of provisions before and after.
        scale: The weights of words.
    """
    replaced: dict[str, str] = {}
    for phrase, count in sorted(times_replaced(pairs).items(), key=_by_count):
        is_short = max(len(phrase.before), len(phrase.after)) <= _LONGEST
        says = scale.bits(phrase.before) > _LEAST_BITS
        if count >= REPLACED_IN and is_short and says and SLOT not in phrase.before:
            replaced.setdefault(phrase.before, phrase.after)
    return replaced


def _by_count(item: tuple[Replacement, int]) -> tuple[int, str, str]:
    phrase, count = item
    return -count, phrase.before, phrase.after
