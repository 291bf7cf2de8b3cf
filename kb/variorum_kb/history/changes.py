"""What sort of change it is when a reading becomes another."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from variorum_kb.history.canonical import Canon
from variorum_kb.history.diff import TokenRun, closest_runs
from variorum_kb.text.words import SLOT

# A phrase that was replaced in so many provisions was replaced everywhere. More than
# `_SWEEP_TIMES` of `align.py`, which only helps to find heirs: this is what readers are told.
SWEPT_IN = 5
_LONGEST = 6


class ChangeClass(Enum):
    """How much a change of words matters; the values are the words we show."""

    NONE = ""
    TYPOGRAPHIC = "typographic"
    CITATION = "citation-only"
    SWEEP = "sweep"
    SUBSTANTIVE = "substantive"


@dataclass(frozen=True, slots=True)
class Replacement:
    """Words, encoded, that were replaced by others; either may be empty."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Rewording:
    """Two readings of a provision.

    Attributes:
        before: Its canonical text in the older edition.
        after: In the newer one.
        printed: Its heading and words in the older edition, as printed.
        printed_after: In the newer one.
        citations_follow: Whether each citation leads to the heir of what it led to.
    """

    before: Canon
    after: Canon
    printed: tuple[str, str]
    printed_after: tuple[str, str]
    citations_follow: bool


# Of a comparison the same texts are asked about several times.
@lru_cache(maxsize=4096)
def runs_between(before: str, after: str) -> tuple[TokenRun, ...]:
    """Return how canonical words became others, with as few words replaced as possible."""
    return tuple(closest_runs(before, after))


def phrases(before: str, after: str) -> tuple[Replacement, ...]:
    """Return what was replaced, in the order of the texts."""
    return tuple(
        [
            Replacement(before[slice(*run.one)], after[slice(*run.other)])
            for run in runs_between(before, after)
            if not run.is_same
        ]
    )


def sweeps(rewordings: Iterable[tuple[str, str]]) -> Mapping[Replacement, int]:
    """Return the phrases that were replaced in many provisions, and in how many.

    Args:
        rewordings: The canonical texts of provisions before and after.
    """
    times: Counter[Replacement] = Counter()
    for before, after in rewordings:
        times.update(set(phrases(before, after)))
    return {
        phrase: count
        for phrase, count in times.items()
        if count >= SWEPT_IN
        and phrase.before
        and (phrase.after or len(phrase.before) > 1)
        and max(len(phrase.before), len(phrase.after)) <= _LONGEST
        and SLOT not in phrase.before + phrase.after
    }


def classify(rewording: Rewording, swept: Mapping[Replacement, int]) -> ChangeClass:
    """Return what sort of change it is.

    A punctuation mark, a capital or a quote is typographic: no word changed.
    """
    if rewording.printed == rewording.printed_after:
        return ChangeClass.NONE
    before, after = rewording.before, rewording.after
    if before.whole == after.whole:
        cited_before = [(c.first, c.last) for c in before.citations]
        cited_after = [(c.first, c.last) for c in after.citations]
        if cited_before == cited_after:
            return ChangeClass.TYPOGRAPHIC
        return ChangeClass.CITATION if rewording.citations_follow else ChangeClass.SUBSTANTIVE
    replaced = phrases(before.whole, after.whole)
    if all(phrase in swept for phrase in replaced):
        return ChangeClass.SWEEP
    return ChangeClass.SUBSTANTIVE
