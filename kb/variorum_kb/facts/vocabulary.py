"""Which words mean the same: those of other years, abbreviations, and what players say."""

import tomllib
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class ConceptForm:
    """Words for a concept, in small letters with straight quotes.

    Attributes:
        words: All spellings that mean the same, the main one first.
        first: The effective date of the first edition that prints the main one; None of what
            players say and the rules may not.
        last: That of the last edition in which it lives, None of what still does. Later ones may
            print it where they speak of obsolete words, or as a leftover. What was obsolete all
            along has its first edition here.
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
        between: The effective dates of the two editions between which that was most often.
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
        kind: "era", the rules once said it in other words; "abbreviation"; "players", whose words
            come first, and mean those of the rules that follow, not the other way round.
        form: Of an era in the order in which they died, what lives last.
        evidence: Rewordings out of the lineages, for an era.
    """

    name: str
    kind: str
    form: tuple[ConceptForm, ...]
    evidence: tuple[Evidence, ...]


def _table() -> bytes:
    return files("variorum_kb.facts").joinpath("vocabulary.toml").read_bytes()


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
