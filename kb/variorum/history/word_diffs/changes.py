"""Classifies the change from one reading of a provision to the next."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from variorum.history.canonical import Canon
from variorum.history.word_diffs.diff import TokenRun, closest_runs
from variorum.rows import CHANGE_CLASSES

NONE, TYPOGRAPHIC, CITATION, SWEEP, SUBSTANTIVE = CHANGE_CLASSES


@dataclass(frozen=True, slots=True)
class Replacement:
    """Encoded words and their replacement; either may be empty."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Rewording:
    """Two readings of a provision.

    Attributes:
        before: Its canonical text in the older edition.
        after: Its canonical text in the newer edition.
        printed: Its heading and words in the older edition, as printed.
        printed_after: Its heading and words in the newer edition, as printed.
        citations_follow: Whether each citation now leads to the heir of its old target.
    """

    before: Canon
    after: Canon
    printed: tuple[str, str]
    printed_after: tuple[str, str]
    citations_follow: bool


# A comparison needs the same runs several times.
@lru_cache(maxsize=4096)
def runs_between(before: str, after: str) -> tuple[TokenRun, ...]:
    """Return the runs that turn canonical words into other words, replacing as few as possible."""
    return tuple(closest_runs(before, after))


def phrases(before: str, after: str) -> tuple[Replacement, ...]:
    """Return the replacements between two texts, in order."""
    return tuple(
        [
            Replacement(before[slice(*run.older)], after[slice(*run.newer)])
            for run in runs_between(before, after)
            if not run.is_same
        ]
    )


def classify(rewording: Rewording, swept: Mapping[Replacement, int]) -> str:
    """Return the class of a rewording, see rows.CHANGE_CLASSES.

    A change of punctuation, capitals or quotes is typographic.
    """
    if rewording.printed == rewording.printed_after:
        return NONE
    before, after = rewording.before, rewording.after
    if before.whole == after.whole:
        cited_before = [(c.first, c.last) for c in before.citations]
        cited_after = [(c.first, c.last) for c in after.citations]
        if cited_before == cited_after:
            return TYPOGRAPHIC
        return CITATION if rewording.citations_follow else SUBSTANTIVE
    replaced = phrases(before.whole, after.whole)
    if all(phrase in swept for phrase in replaced):
        return SWEEP
    return SUBSTANTIVE
