"""Reads verdicts: the decisions of readers about steps; see docs/verdicts.md.

Other programs can use the table. It names an end of a step by an edition, by a number (or
"glossary: " and a headword) and by a digest of the printed words.
"""

import csv
import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import starmap
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

# The verdicts on the heirs of an old provision, and on the sources of a new provision.
OF_OLD = ("same", "split", "merged", "gone")
OF_NEW = ("new", "same", "part", "merged", "copy")

_COLUMNS = (
    "old_edition",
    "new_edition",
    "asked",
    "provision",
    "words",
    "verdict",
    "others",
    "words_of_others",
    "also",
    "words_of_also",
    "readings",
    "reason",
)


class StepEnd(NamedTuple):
    """An end of a step: a provision with this name and these words, in any edition.

    Attributes:
        name: Its number, or "glossary: " and a headword.
        words: The digest of its words, see `digest_of_words`.
    """

    name: str
    words: str


class Verdict(NamedTuple):
    """The decision about a step of a provision between two editions.

    Attributes:
        old_edition: The effective date of the older edition.
        new_edition: The effective date of the newer edition.
        is_of_old: Whether it is about the heirs of an old provision. Otherwise it is about the
            sources of a new provision.
        asked: The provision.
        verdict: One of `OF_OLD` or `OF_NEW`.
        others: The heirs or sources, the main provision first; empty for "gone" or "new".
        also: For an old provision that continues, the other provisions that have its words.
        readings: How many readers agreed, or "decided" if a third reader settled it.
        reason: The reason, in our words.
    """

    old_edition: str
    new_edition: str
    is_of_old: bool
    asked: StepEnd
    verdict: str
    others: tuple[StepEnd, ...]
    also: tuple[StepEnd, ...]
    readings: str
    reason: str


def digest_of_words(heading: str, body: str) -> str:
    r"""Return the digest of the words of a provision: 16 hexadecimal digits.

    They are the first digits of a SHA-256. The hashed text is the heading and the paragraphs, with
    markers such as "Example:", in UTF-8, with one blank between words. This format never changes,
    because published tables depend on it.

    >>> digest_of_words("Tides", "The  tide turns.\n")
    '9f8d47f3d3e1a46d'
    """
    return hashlib.sha256(" ".join(f"{heading} {body}".split()).encode()).hexdigest()[:16]


@cache
def all_verdicts() -> tuple[Verdict, ...]:
    """Return all verdicts in the order of the table."""
    table = Path(__file__).with_name("verdicts.tsv").read_text("utf-8")
    return tuple(read_verdicts(table.splitlines()))


def read_verdicts(lines: Sequence[str]) -> Iterator[Verdict]:
    """Yield the verdicts of a table, whose first line names the columns."""
    rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE, strict=True)
    head = next(rows)
    in_order = itemgetter(*map(head.index, _COLUMNS))
    for row in rows:
        (old, new, asked, provision, words, verdict, *ends, readings, reason) = in_order(row)
        others, also = _ends(*ends[:2]), _ends(*ends[2:])
        end = StepEnd(provision, words)
        yield Verdict(old, new, asked == "old", end, verdict, others, also, readings, reason)


def _ends(names: str, digests: str) -> tuple[StepEnd, ...]:
    if not names and not digests:
        return ()
    pairs = zip(names.split("; "), digests.split("; "), strict=True)
    return tuple(starmap(StepEnd, pairs))


def verdicts_between(old: str, new: str) -> tuple[Verdict, ...]:
    """Return the verdicts on steps that overlap the time between two editions.

    Args:
        old: The effective date of an edition.
        new: The effective date of a later edition, not necessarily the next.
    """
    return tuple(
        [
            verdict
            for verdict in all_verdicts()
            if verdict.old_edition < new and verdict.new_edition > old
        ]
    )
