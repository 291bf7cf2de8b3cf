"""Facts that editions do not print, in tables: their sets and issues, verdicts on steps, other words, stop words.

A table is tab-separated, a fact a line, the names of the columns first; "#" begins a remark.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import NamedTuple

_FOLDER = Path(__file__).parent
VOCABULARY, STOP_WORDS = _FOLDER / "vocabulary.tsv", _FOLDER / "stop_words.tsv"


def read_table(path: Path) -> Iterator[dict[str, str]]:
    """Yield the rows by the names of their columns; what a row leaves out at its end is ""."""
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    names = lines[0].split("\t")
    for line in lines[1:]:
        cells = line.split("\t")
        yield dict(zip(names, cells + [""] * (len(names) - len(cells)), strict=True))


# Editions ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EditionFacts:
    """The facts about the editions of one effective date; `issues` are SHA-256, in order of publication.

    There are no issues if the text was never read.
    """

    effective: date
    set_code: str
    set_name: str
    issues: tuple[str, ...]


@cache
def _editions() -> tuple[EditionFacts, ...]:
    return tuple(
        EditionFacts(
            date.fromisoformat(row["effective"]),
            row["set_code"],
            row["set_name"],
            tuple(row["documents"].split()),
        )
        for row in read_table(_FOLDER / "editions.tsv")
    )


@cache
def known_editions() -> dict[date, EditionFacts]:
    """Return the facts about the editions that were read, by effective date, oldest first."""
    return {facts.effective: facts for facts in _editions() if facts.issues}


def missing_day(held: str, until: str) -> str:
    """Return the day of the newest edition between a known edition and a day; "" if none.

    The text of the result need not have been read.

    >>> missing_day("2006-02-01", "2006-06-30"), missing_day("2006-02-01", "2006-04-30")
    ('2006-05-01', '')
    """
    if date.fromisoformat(held) not in known_editions():
        return ""
    days = [facts.effective.isoformat() for facts in _editions()]
    return max((day for day in days if held < day <= until), default="")


def is_known(effective: date, sha256: str) -> bool:
    """Return whether a document is attested: an edition as published, or of the sample rulebook."""
    facts = known_editions().get(effective)
    return sha256 in facts.issues if facts else sha256 in _of_sample()


@cache
def _of_sample() -> frozenset[str]:
    texts = _FOLDER.with_name("sample").glob("*.txt")
    return frozenset(hashlib.sha256(file.read_bytes()).hexdigest() for file in texts)


def issues_of(effective: date, documents: Iterable[str]) -> dict[str, int]:
    """Number the documents of one date, from 1: known documents in the order of the facts first.

    Unknown documents follow in the order of their hashes, so that the order of `documents` does not
    matter.
    """
    facts = known_editions().get(effective)
    issues = facts.issues if facts else ()
    order = [*issues, *sorted(set(documents) - set(issues))]
    return {sha256: number for number, sha256 in enumerate(order, start=1)}


# Verdicts ----------------------------------------------------------------------------------------


class StepEnd(NamedTuple):
    """An end of a step: a provision with this name and these words, in any edition.

    `name` is its number, or "glossary: " and a headword; `words` is what `digest_of_words` returns.
    """

    name: str
    words: str


class Verdict(NamedTuple):
    """The decision of readers about a step of a provision between two editions; see docs/lineage.md.

    It is about the heirs of an old provision (`is_of_old`) or the sources of a new one: `others`, the main
    one first. `also` has the other provisions with the words of an old one that continues.
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
    r"""Return the digest of the words of a provision: 16 hexadecimal digits.

    They are the first digits of a SHA-256. The hashed text is the heading and the paragraphs, with
    markers such as "Example:", in UTF-8, with one blank between words. This format never changes,
    because published tables depend on it.

    >>> digest_of_words("Tides", "The  tide turns.\n")
    '9f8d47f3d3e1a46d'
    """
    return hashlib.sha256(" ".join(f"{heading} {body}".split()).encode()).hexdigest()[:16]


@cache
def all_verdicts() -> tuple[Verdict, ...]:
    """Return all verdicts in the order of the table."""
    return tuple(
        Verdict(
            row["old_edition"],
            row["new_edition"],
            row["asked"] == "old",
            StepEnd(row["provision"], row["words"]),
            row["verdict"],
            _ends(row["others"], row["words_of_others"]),
            _ends(row["also"], row["words_of_also"]),
            row["readings"],
            row["reason"],
        )
        for row in read_table(_FOLDER / "verdicts.tsv")
    )


def _ends(names: str, digests: str) -> tuple[StepEnd, ...]:
    pairs = zip(names.split("; "), digests.split("; "), strict=True)
    return tuple(StepEnd(name, digest) for name, digest in pairs if name)


def verdicts_between(old: str, new: str) -> tuple[Verdict, ...]:
    """Return the verdicts on steps that overlap the time between two editions, by effective date.

    The later edition need not be the next.
    """
    return tuple(v for v in all_verdicts() if v.old_edition < new and v.new_edition > old)


# Vocabulary --------------------------------------------------------------------------------------

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
        Concept(row["concept"], row["kind"], tuple(map(_form, row["forms"].split(" > "))))
        for row in read_table(VOCABULARY)
    )


def _form(text: str) -> ConceptForm:
    """Read "comes into play; come into play [1999-04-23..2009-05-01, partial]"."""
    form = _FORM.fullmatch(text)
    if form is None:
        raise ValueError(f"{VOCABULARY.name}: no form: {text}")
    marks = (form["marks"] or "").split(", ")
    days = next((mark for mark in marks if ".." in mark), "..")
    first, last = [date.fromisoformat(day) if day else None for day in days.split("..")]
    return ConceptForm(
        tuple(form["words"].split("; ")), first, last, "partial" in marks, "gone" in marks
    )
