"""Reads facts that editions do not print: their sets, and the order of their issues.

A document is *attested* if the table has its hash: it is an edition as published. The editions of
the sample rulebook, which come with the program, are also attested.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

_ISSUE = re.compile('"([0-9a-f]{64})"')


@dataclass(frozen=True, slots=True)
class EditionFacts:
    """The facts about the editions of one effective date.

    Attributes:
        issues: SHA-256 of their documents, in order of publication.
    """

    effective: date
    set_code: str
    set_name: str
    issues: tuple[str, ...]


@cache
def known_editions() -> dict[date, EditionFacts]:
    """Return the facts by effective date, oldest first."""
    table = Path(__file__).with_name("editions.toml").read_text("utf-8")
    entries = sorted(_entries(table), key=lambda entry: entry.effective)
    return {entry.effective: entry for entry in entries}


def _entries(table: str) -> Iterator[EditionFacts]:
    """Yield the entries of the table, without `tomllib`, which takes 28 ms."""
    for entry in table.split("[[edition]]\n")[1:]:
        row = dict([line.split(" = ") for line in entry.split("\n") if " = " in line])
        code, name = row["set_code"].strip('"'), row["set_name"].strip('"')
        issues = tuple(_ISSUE.findall(entry))
        yield EditionFacts(date.fromisoformat(row["effective"]), code, name, issues)


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
