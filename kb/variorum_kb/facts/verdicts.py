"""Verdicts: what readers of both editions decided about steps; see docs/verdicts.md.

The table can be used without this program: an end of a step is named by an edition, a number (or
"glossary: " and a headword) and a digest of the words printed there.
"""

import csv
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

# Of an old provision: what became of it. Of a new one: what it came from.
OF_OLD = ("same", "split", "merged", "gone")
OF_NEW = ("new", "same", "part", "merged", "copy")


@dataclass(frozen=True, slots=True)
class StepEnd:
    """One end of a step: a provision by its place and its words, in whatever edition prints it so.

    Attributes:
        name: Its number, or "glossary: " and a headword.
        words: The digest of its words, see `digest_of_words`.
    """

    name: str
    words: str


@dataclass(frozen=True, slots=True)
class Verdict:
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
    return files("variorum_kb.facts").joinpath("verdicts.tsv").read_bytes()


@cache
def all_verdicts() -> tuple[Verdict, ...]:
    """Return all verdicts in the order of the table."""
    return tuple(read_verdicts(_table().decode().splitlines()))


def read_verdicts(lines: Sequence[str]) -> Iterator[Verdict]:
    """Yield the verdicts of a table, a row each under a line with the names of the columns."""
    for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE, strict=True):
        yield Verdict(
            row["old_edition"],
            row["new_edition"],
            row["asked"] == "old",
            StepEnd(row["provision"], row["words"]),
            row["verdict"],
            tuple(_ends(row["others"], row["words_of_others"])),
            tuple(_ends(row["also"], row["words_of_also"])),
            row["readings"],
            row["reason"],
        )


def _ends(names: str, digests: str) -> Iterator[StepEnd]:
    for name, words in zip(_listed(names), _listed(digests), strict=True):
        yield StepEnd(name, words)


def _listed(cell: str) -> list[str]:
    return cell.split("; ") if cell else []


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
