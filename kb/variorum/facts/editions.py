"""Reads facts that editions do not print: their sets, and the order of their issues.

A document is *attested* if the table has its hash: it is an edition as published. The editions of
the sample rulebook, which come with the program, are also attested.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from variorum.facts.tables import read_table


@dataclass(frozen=True, slots=True)
class EditionFacts:
    """The facts about the editions of one effective date; `issues` are SHA-256, in order of publication."""

    effective: date
    set_code: str
    set_name: str
    issues: tuple[str, ...]


@cache
def known_editions() -> dict[date, EditionFacts]:
    """Return the facts about the editions that were read, by effective date, oldest first."""
    facts: dict[date, EditionFacts] = {}
    for row in read_table(Path(__file__).with_name("editions.tsv")):
        if row["documents"]:
            day, issues = date.fromisoformat(row["effective"]), tuple(row["documents"].split())
            facts[day] = EditionFacts(day, row["set_code"], row["set_name"], issues)
    return facts


def is_known(effective: date, sha256: str) -> bool:
    """Return whether a document is attested: an edition as published, or of the sample rulebook."""
    facts = known_editions().get(effective)
    return sha256 in facts.issues if facts else sha256 in _of_sample()


@cache
def _of_sample() -> frozenset[str]:
    texts = Path(__file__).parents[1].joinpath("sample").glob("*.txt")
    return frozenset(hashlib.sha256(file.read_bytes()).hexdigest() for file in texts)


def issue_of(effective: date, sha256: str) -> int:
    """Return the number of a document among the issues of its date, from 1.

    Unknown documents come after known documents.
    """
    return issues_of(effective, [sha256])[sha256]


def issues_of(effective: date, documents: Iterable[str]) -> dict[str, int]:
    """Number the documents of one date, from 1: known documents in the order of the facts first.

    Unknown documents follow in the order of their hashes, so that the order of `documents` does not
    matter.
    """
    facts = known_editions().get(effective)
    issues = facts.issues if facts else ()
    order = [*issues, *sorted(set(documents) - set(issues))]
    return {sha256: number for number, sha256 in enumerate(order, start=1)}
