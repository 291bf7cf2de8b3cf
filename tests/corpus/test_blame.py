"""The dates of words in the real rules: sentences looked up by hand, and general laws."""

import csv
import hashlib
from functools import cache
from pathlib import Path

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.forms.lineage import BlameJson
from variorum_kb.rows import wording_of
from variorum_kb.text.words import words_of

pytestmark = pytest.mark.corpus

ON = "2026-08-07"
"""The edition whose words the table gives, by their places from 1."""

with (Path(__file__).parent / "blame.tsv").open(encoding="utf-8", newline="") as _table:
    ROWS = [*csv.DictReader(_table, delimiter="\t")]


def dated_words(blame: BlameJson) -> list[tuple[str, str]]:
    """Return the words of a blame, each with its date; a token may have several words."""
    return [(word, item["since"]) for item in blame["words"] for word in words_of(item["text"])]


@cache
def printed(base: KnowledgeBase, label: str) -> str:
    """Return all words of an edition as one text, with a bar between provisions."""
    states = [provision.state for provision in base.provisions(label)]
    return " | ".join(["", *[_words(wording_of(state)) for state in states], ""])


@cache
def _words(text: str) -> str:
    """Return the words of a text, cached because most texts are in many editions."""
    return " ".join(words_of(text))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['number']}:{row['first']}")
def test_what_moved_keeps_its_date(base: KnowledgeBase, row: dict[str, str]) -> None:
    """Words that moved, in a rule or between rules, have the date of the first edition with them.

    A digest identifies the words. That edition prints them in a row, and no earlier edition does.
    """
    result = dated_words(base.subject(row["number"], on=ON).blame())
    phrase = result[int(row["first"]) - 1 : int(row["last"])]
    words = " ".join([word for word, _ in phrase])
    assert hashlib.sha256(words.encode()).hexdigest()[:8] == row["digest"]

    assert {since for _, since in phrase} == {row["since"]}

    labels = [edition.label for edition in base.editions if edition.label <= row["since"]]
    holding = [label for label in labels if f" {words} " in printed(base, label)]
    assert holding == [row["since"]]


def test_a_word_was_printed_when_blame_says(base: KnowledgeBase) -> None:
    """Every word of every fortieth current provision is in the edition that blame names."""
    known = {edition.label: set(printed(base, edition.label).split()) for edition in base.editions}
    checked = 0
    for subject in list(base.provisions("latest"))[::40]:
        for word, since in dated_words(subject.blame()):
            assert word in known[since], (subject.name, word, since)
            checked += 1
    assert checked > 3_500
