"""What people know better about lineages than the alignment does."""

import hashlib
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Correction:
    """Where a provision went, as somebody decided by reading.

    Attributes:
        old_edition: The effective date of the older edition.
        old: The address there; "glossary: " stands before a headword.
        new_edition: The effective date of the next edition.
        new: The addresses of its heirs, the main one first; none of what is gone.
        kinds: What happened, in the words of rows.STEP_KINDS.
        source: Who says so, and where.
    """

    old_edition: str
    old: str
    new_edition: str
    new: tuple[str, ...]
    kinds: tuple[str, ...]
    source: str


@cache
def corrections_digest() -> str:
    """Return a short digest of the table: what rests on it is stale when this changes."""
    return hashlib.sha256(_table()).hexdigest()[:16]


def _table() -> bytes:
    return files("variorum_kb.facts").joinpath("corrections.toml").read_bytes()


@cache
def all_corrections() -> tuple[Correction, ...]:
    """Return all corrections in the order of the table."""
    return tuple(
        [
            Correction(
                str(one["old_edition"]),
                one["old"],
                str(one["new_edition"]),
                tuple(one["new"]),
                tuple(one["kinds"]),
                one["source"],
            )
            for one in tomllib.loads(_table().decode())["correction"]
        ]
    )


def corrections_between(old: str, new: str) -> tuple[Correction, ...]:
    """Return what is known of two editions that follow each other, by their effective dates."""
    return tuple(
        [one for one in all_corrections() if (one.old_edition, one.new_edition) == (old, new)]
    )
