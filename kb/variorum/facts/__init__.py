"""Facts that editions do not print, in tables: their sets and issues, verdicts on steps, other words, stop words.

A table is tab-separated, a fact a line, the names of the columns first; "#" begins a remark.
"""

import csv
import hashlib
import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

_FOLDER = Path(__file__).parent
VOCABULARY = _FOLDER / "vocabulary.tsv"


def read_table(path: str | Path) -> Iterator[dict[str, str]]:
    """Yield the rows of a table, by default of ours, by the names of their columns; what a row leaves out is ""."""
    text = (_FOLDER / path).read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE, restval="")


def items_of(cell: str) -> tuple[str, ...]:
    """Return the items of a cell with a list."""
    return tuple(cell.split("; ")) if cell else ()


@cache
def known_editions() -> dict[str, tuple[str, str, tuple[str, ...]]]:
    """Return the code and name of the set, and the hashes in order of publication, of editions by their days."""
    return {
        row["effective"]: (row["set_code"], row["set_name"], issues)
        for row in read_table("editions.tsv")
        if (issues := tuple(row["documents"].split()))
    }


def days_besides(held: Collection[str]) -> list[str]:
    """Return the days of the known editions, read or not, but for some; none if those are of another game."""
    days = [row["effective"] for row in read_table("editions.tsv")]
    return [] if known_editions().keys().isdisjoint(held) else [it for it in days if it not in held]


@cache
def is_known(day: str, sha256: str) -> bool:
    """Return whether a document is attested: an edition as published, or of the sample rulebook."""
    if facts := known_editions().get(day):
        return sha256 in facts[-1]
    texts = _FOLDER.with_name("sample").glob("*.txt")
    return sha256 in {hashlib.sha256(file.read_bytes()).hexdigest() for file in texts}


class Verdict(NamedTuple):
    """The decision of readers about a step of a provision between two editions; see docs/lineage.md.

    It is about the heirs of an old provision or about the sources of a new one, which are `others`, the main
    one first; `also` have the words of an old provision that continues. Each end is the number, or
    "glossary: " and a headword, and `digest_of_words` behind it. `readings` says how many readers agreed.
    """

    old_edition: str
    new_edition: str
    is_of_old: bool
    asked: str
    verdict: str
    others: tuple[str, ...]
    also: tuple[str, ...]
    readings: str
    reason: str


def digest_of_words(heading: str, body: str) -> str:
    r"""Return 16 hexadecimal digits of a SHA-256 of the heading and the paragraphs, with markers of examples.

    Published tables depend on this format.

    >>> digest_of_words("Tides", "The  tide turns.\n")
    '9f8d47f3d3e1a46d'
    """
    return hashlib.sha256(" ".join(f"{heading} {body}".split()).encode()).hexdigest()[:16]


@cache
def all_verdicts() -> tuple[Verdict, ...]:
    """Return all verdicts in the order of the table."""
    rows = map(dict.values, read_table("verdicts.tsv"))
    return tuple(
        Verdict(old, new, asked == "old", end, verdict, items_of(others), items_of(also), by, why)
        for old, new, asked, end, verdict, others, also, by, why in rows
    )


def verdicts_between(old: str, new: str) -> tuple[Verdict, ...]:
    """Return the verdicts on steps that overlap the time between two editions, perhaps not neighbours."""
    return tuple(v for v in all_verdicts() if v.old_edition < new and v.new_edition > old)


class ConceptForm(NamedTuple):
    """A wording of a concept, the main spelling first; the table says what is partial and gone.

    `first` and `last` are days of editions: both "" for words of players; a `last` of "" is still in use.
    """

    words: tuple[str, ...]
    first: str
    last: str
    is_partial: bool
    is_gone: bool


@cache
def all_concepts() -> tuple[tuple[str, tuple[ConceptForm, ...]], ...]:
    """Return the kinds of all concepts, and their forms, in the order of the table.

    The kind is "era" if the rules once used other words, else "abbreviation" or "players", whose words also
    find the later forms, but not the other way round.
    """
    return tuple(
        (row["kind"], tuple(map(_form, row["forms"].split(" > "))))
        for row in read_table(VOCABULARY)
    )


def _form(text: str) -> ConceptForm:
    """Read "comes into play; come into play [1999-04-23..2009-05-01, partial]"."""
    words, _, about = text.partition(" [")
    first, last = (re.findall(r"([\d-]*)\.\.([\d-]*)", about) or [("", "")])[0]
    return ConceptForm(items_of(words), first, last, "partial" in about, "gone" in about)
