"""The table of synonyms, compared with the real editions."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lab.score.rewordings import Rulebooks, main, without_words, wrong, wrong_evidence, wrong_form
from variorum_kb.facts.vocabulary import Concept, all_concepts

pytestmark = pytest.mark.corpus


@pytest.fixture(scope="module")
def books(corpus_base: Path) -> Rulebooks:
    """Return all editions as the miner reads them."""
    return Rulebooks(corpus_base)


def concept_of(name: str) -> Concept:
    """Return a concept."""
    return next(concept for concept in all_concepts() if concept.name == name)


def lines(lists: Iterator[list[str]]) -> list[str]:
    """Return all lines of several reports."""
    return [line for report in lists for line in report]


def test_forms_live_when_they_claim(books: Rulebooks) -> None:
    """Each form of an era is in use from its first edition to its last."""
    listed = (
        wrong_form(books, concept, form) for concept in all_concepts() for form in concept.form
    )

    assert lines(listed) == []


def test_evidence_is_as_mined(books: Rulebooks) -> None:
    """Each rewording was made as often as recorded, mostly between the recorded editions."""
    listed = (
        wrong_evidence(books, concept.name, stated)
        for concept in all_concepts()
        for stated in concept.evidence
    )

    assert lines(listed) == []


def test_the_rules_say_so(books: Rulebooks) -> None:
    """Abbreviations, players' words and old terms lead to words that today's rules print."""
    listed = (without_words(books, concept) for concept in all_concepts())

    assert lines(listed) == []


def test_error_wrong_facts_are_told(books: Rulebooks) -> None:
    """A wrong count, a wrong day, and words never printed are each reported in a line."""
    true = concept_of("state-based actions")
    old, new = true.form
    counted = replace(true, evidence=(replace(true.evidence[0], count=1),))
    dated = replace(true, form=(replace(old, last=None), new), evidence=())
    made_up = replace(true, form=(old, replace(new, words=("state-based deeds",))), evidence=())

    mined = f"mined {true.evidence[0].count}, most between 2009-05-01 and 2009-07-11"
    assert wrong(books, [counted]) == [
        f"state-based actions: state-based effect → state-based action: {mined}"
    ]
    assert wrong(books, [dated]) == [
        "state-based actions: state-based effect: mined first = 1999-04-23, last = 2009-05-01",
        "state-based actions: the current edition lacks state-based effect",
    ]
    assert wrong(books, [made_up]) == [
        "state-based actions: state-based deeds: never printed",
        "state-based actions: the current edition lacks state-based deeds",
    ]


def test_mining_shows_a_word_die(corpus_base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The miner lists replaced phrases, and how often each edition has the old and the new one."""
    code = main([str(corpus_base), "--least", "40", "--editions"])

    shown = capsys.readouterr().out.splitlines()
    assert code == 0
    row = next(place for place, line in enumerate(shown) if "\tin play → on the " in line)
    assert shown[row].split("\t")[3] == "2009-05-01 2009-07-11"
    assert shown[row + 1].startswith("  in play: 1999-04-23: ")
    assert shown[row + 2].startswith("  on the battlefield: 2009-07-11: ")
