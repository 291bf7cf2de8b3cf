"""Reads the concepts with several names: former words, abbreviations and words of players."""

import re
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from variorum.facts.tables import read_table

TABLE = Path(__file__).with_name("vocabulary.tsv")

_FORM = re.compile(r"(?P<words>[^\[]+?)(?: \[(?P<marks>[^\]]*)\])?")


@dataclass(frozen=True, slots=True)
class ConceptForm:
    """A wording of a concept, in small letters with straight quotes, the main spelling first.

    `first` and `last` are effective days of editions: None for words of players, which the rules may
    never print; a `last` of None is still in use. `is_partial` words also have another meaning. If a
    form `is_gone`, the rules put nothing in its place, and the next form is the nearest in meaning.
    """

    words: tuple[str, ...]
    first: date | None
    last: date | None
    is_partial: bool
    is_gone: bool


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept with several names.

    Its kind is "era" if the rules once used other words, in the order in which they fell out of use;
    else "abbreviation" or "players". A search for words of players also finds the later forms, the
    words of the rules, but not the other way round.
    """

    name: str
    kind: str
    form: tuple[ConceptForm, ...]


@cache
def all_concepts() -> tuple[Concept, ...]:
    """Return all concepts in the order of the table."""
    return tuple(
        [
            Concept(row["concept"], row["kind"], tuple(map(_form, row["forms"].split(" > "))))
            for row in read_table(TABLE)
        ]
    )


def _form(text: str) -> ConceptForm:
    """Read "comes into play; come into play [1999-04-23..2009-05-01, partial]"."""
    form = _FORM.fullmatch(text)
    if form is None:
        raise ValueError(f"{TABLE.name}: no form: {text}")
    marks = (form["marks"] or "").split(", ")
    days = next((mark for mark in marks if ".." in mark), "..")
    first, last = [date.fromisoformat(day) if day else None for day in days.split("..")]
    return ConceptForm(
        tuple(form["words"].split("; ")), first, last, "partial" in marks, "gone" in marks
    )
