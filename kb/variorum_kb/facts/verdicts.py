"""Verdicts: what readers of both editions decided about steps; see docs/verdicts.md.

The table can be used without this program: an end of a step is named by an edition, a number (or
"glossary: " and a headword) and a digest of the words printed there.
"""

import csv
import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import starmap
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

# Of an old provision: what became of it. Of a new one: what it came from.
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
    """One end of a step: a provision by its place and its words, in whatever edition prints it so.

    Attributes:
        name: Its number, or "glossary: " and a headword.
        words: The digest of its words, see `digest_of_words`.
    """

    name: str
    words: str


class Verdict(NamedTuple):
    """What was decided about a provision of one of two editions.

    Attributes:
        old_edition: The effective date of the older edition that was read.
        new_edition: The date of the newer edition.
        is_of_old: It says where a provision of the older edition went; else where one of the newer
            edition came from.
        asked: That provision.
        verdict: One of `OF_OLD` or `OF_NEW`.
        others: Its heirs or sources, the main one first; empty if it is gone or new.
        also: For an old provision that continues, the other provisions that have its words.
        readings: How many readings agreed, or "decided" where a third one had to.
        reason: In our words.
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
    r"""Return 16 hexadecimal digits that stand for the words of a provision.

    They are the first ones of the SHA-256 of heading and paragraphs (with their markers, such as
    "Example:") in UTF-8, all blanks between words made one. This never changes: published tables
    rest on it.

    >>> digest_of_words("Tides", "The  tide turns.\n")
    '9f8d47f3d3e1a46d'
    """
    return hashlib.sha256(" ".join(f"{heading} {body}".split()).encode()).hexdigest()[:16]


@cache
def verdicts_digest() -> str:
    """Return a short digest of the table; if it changes, what was made from it is outdated."""
    return hashlib.sha256(_table()).hexdigest()[:16]


def _table() -> bytes:
    return Path(__file__).with_name("verdicts.tsv").read_bytes()


@cache
def all_verdicts() -> tuple[Verdict, ...]:
    """Return all verdicts in the order of the table."""
    return tuple(read_verdicts(_table().decode().splitlines()))


def read_verdicts(lines: Sequence[str]) -> Iterator[Verdict]:
    """Yield the verdicts of a table, a row each under a line with the names of the columns."""
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
    """Return the verdicts on steps whose time overlaps that between two editions.

    Args:
        old: The effective date of an edition.
        new: That of a later one; others may have stood between.
    """
    return tuple(
        [
            verdict
            for verdict in all_verdicts()
            if verdict.old_edition < new and verdict.new_edition > old
        ]
    )
