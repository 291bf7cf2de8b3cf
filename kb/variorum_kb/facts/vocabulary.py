"""Reads the concepts with several names: former words, abbreviations and words of players."""

import tomllib
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class ConceptForm:
    """A wording of a concept, in small letters with straight quotes.

    Attributes:
        words: All spellings, the main spelling first.
        first: The effective date of the first edition that prints the main spelling; None for words
            of players, which the rules may never print.
        last: The effective date of the last edition that uses it; None if it is still in use. Later
            editions may still print it in places, or say that it is obsolete. If it was obsolete
            from the start, this is the date of the first edition.
        is_partial: Whether the words also have another meaning.
        is_gone: Whether the rules dropped it without a replacement. The next form is then the
            nearest in meaning.
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
        between: The effective dates of the two editions with most of these rewordings between them.
        count: The number of such rewordings, counted between every two editions.
    """

    old: str
    new: str
    between: tuple[date, date]
    count: int


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept with several names.

    Attributes:
        name: A short, unique name.
        kind: "era" if the rules once used other words, "abbreviation" or "players". The first forms
            of "players" are words of players. A search for them also finds the later forms, the
            words of the rules, but not the other way round.
        form: The wordings. For an era, they are in the order in which they fell out of use.
        evidence: Rewordings of provisions that show the concept, for an era.
    """

    name: str
    kind: str
    form: tuple[ConceptForm, ...]
    evidence: tuple[Evidence, ...]


@cache
def all_concepts() -> tuple[Concept, ...]:
    """Return all concepts in the order of the table."""
    table = Path(__file__).with_name("vocabulary.toml").read_text("utf-8")
    return tuple(
        [
            Concept(
                row["name"],
                row["kind"],
                tuple([_form(form) for form in row["form"]]),
                tuple([_evidence(evidence) for evidence in row.get("evidence", ())]),
            )
            for row in tomllib.loads(table)["concept"]
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
