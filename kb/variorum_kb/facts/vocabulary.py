"""Which words mean the same: those of other years, abbreviations, and what players say."""

import tomllib
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class ConceptForm:
    """Words for a concept, in small letters with straight quotes.

    Attributes:
        words: All spellings that mean the same, the main one first.
        first: The effective date of the first edition that prints the main one; None for players'
            words, which the rules may never print.
        last: The date of the last edition that uses it; None if it is still in use. Later editions
            may print it as a leftover, or to say that it is obsolete. If it was always obsolete,
            this is the date of the first edition.
        is_partial: These words have another meaning, too.
        is_gone: The rules put nothing in their place; the next form is the nearest in sense.
    """

    words: tuple[str, ...]
    first: date | None
    last: date | None
    is_partial: bool
    is_gone: bool


@dataclass(frozen=True, slots=True)
class Evidence:
    """A rewording that shows that two phrases mean the same.

    Attributes:
        old: The old words.
        new: The new words.
        between: The effective dates of the two editions with the most such rewordings between them.
        count: In how many provisions it was, each counted once for every two editions.
    """

    old: str
    new: str
    between: tuple[date, date]
    count: int


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept with several names.

    Attributes:
        name: Short and unique.
        kind: "era": the rules once used other words. "abbreviation". "players": the first forms are
            players' words. They stand for the rules' words after them, but not the other way round.
        form: For an era, in the order in which they fell out of use; words still in use come last.
        evidence: Rewordings out of the lineages, for an era.
    """

    name: str
    kind: str
    form: tuple[ConceptForm, ...]
    evidence: tuple[Evidence, ...]


def _table() -> bytes:
    return Path(__file__).with_name("vocabulary.toml").read_bytes()


@cache
def all_concepts() -> tuple[Concept, ...]:
    """Return all concepts in the order of the table."""
    return tuple(
        [
            Concept(
                row["name"],
                row["kind"],
                tuple([_form(form) for form in row["form"]]),
                tuple([_evidence(evidence) for evidence in row.get("evidence", ())]),
            )
            for row in tomllib.loads(_table().decode())["concept"]
        ]
    )


def _form(row: dict[str, Any]) -> ConceptForm:
    return ConceptForm(
        tuple(row["words"]),
        row.get("first"),
        row.get("last"),
        row.get("partial", False),
        row.get("gone", False),
    )


def _evidence(row: dict[str, Any]) -> Evidence:
    older, newer = row["between"]
    return Evidence(row["old"], row["new"], (older, newer), row["count"])
