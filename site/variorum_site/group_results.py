"""What the making of some pages tells those that are made later."""

from typing import TypedDict

from variorum_kb.forms.lineage import DiffSummaryJson
from variorum_kb.forms.lint import LintKind

# What happened to a provision ("added", "reworded", "removed", "renumbered"), its old name, its new
# one ("?" stands before what is uncertain) and what its words became: a word diff in short.
Told = tuple[str, str, str, list[tuple[str, str]]]


class GroupResults(TypedDict, total=False):
    """What a group of pages has learned; it is kept with the group.

    Attributes:
        summary: How much an edition changed.
        words: How many words it has.
        since: How many words of today came in with each edition.
        oldest: The longest runs of words that stand since the first edition: how many words, whose,
            and which.
        counts: How much is wrong in each edition, by kind.
        told: What an edition changed, as feeds tell it.
    """

    summary: DiffSummaryJson
    words: int
    since: dict[str, int]
    oldest: list[tuple[int, str, str]]
    counts: dict[str, dict[LintKind, int]]
    told: list[Told]
