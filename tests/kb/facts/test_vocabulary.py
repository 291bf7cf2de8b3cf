"""The table of synonyms."""

import re
import tomllib
from collections import Counter
from datetime import date
from pathlib import Path

from variorum_kb import facts
from variorum_kb.facts.editions import known_editions
from variorum_kb.facts.vocabulary import Concept, ConceptForm, all_concepts

FACTS = Path(facts.__file__).parent
KINDS = ("era", "abbreviation", "players")
# More consecutive words would be a copied sentence.
MOST_WORDS = 6
PLAIN = re.compile(r"[a-z0-9+'/,:{}&*-]+(?: [a-z0-9+'/,:{}&*-]+)*")


def eras() -> list[Concept]:
    """Return the concepts with former words of the rules."""
    return [concept for concept in all_concepts() if concept.kind == "era"]


def phrases(concept: Concept) -> list[str]:
    """Return all phrases of a concept in the table, without its name and kind."""
    evidence = [phrase for item in concept.evidence for phrase in (item.old, item.new)]
    return [*(words for form in concept.form for words in form.words), *filter(None, evidence)]


def asked_in(concept: Concept) -> tuple[ConceptForm, ...]:
    """Return the forms that a question may use; for players' concepts, only the first."""
    return concept.form if concept.kind == "era" else concept.form[:1]


def test_names() -> None:
    """Each concept has a name of its own, a known kind and at least two forms."""
    names = Counter(concept.name for concept in all_concepts())

    assert [name for name, count in names.items() if count > 1] == []
    assert {concept.kind for concept in all_concepts()} == set(KINDS)
    assert [concept.name for concept in all_concepts() if len(concept.form) < 2] == []


def test_words_are_plain() -> None:
    """Words are written in small letters with straight quotes, and are too few for a sentence."""
    every = [phrase for concept in all_concepts() for phrase in phrases(concept)]

    assert [phrase for phrase in every if not PLAIN.fullmatch(phrase)] == []
    assert [phrase for phrase in every if len(phrase.split()) > MOST_WORDS] == []


def test_no_words_stand_twice() -> None:
    """No words are repeated in a concept or, unless they also mean other things, in a kind."""
    for concept in all_concepts():
        words = Counter(words for form in concept.form for words in form.words)
        assert max(words.values()) == 1, concept.name
    for kind in KINDS:
        forms = [f for item in all_concepts() if item.kind == kind for f in asked_in(item)]
        words = Counter(words for form in forms if not form.is_partial for words in form.words)
        assert [phrase for phrase, count in words.items() if count > 1] == []


def test_dates() -> None:
    """All dates are dates of editions, and each span begins before it ends."""
    spans: list[tuple[date, date]] = []
    for concept in all_concepts():
        dated = [form for form in concept.form if form.first is not None]
        spans += [(form.first, form.last or form.first) for form in dated if form.first]
        spans += [evidence.between for evidence in concept.evidence]
        assert all(form.first for form in concept.form if form.last), concept.name

    assert {day for span in spans for day in span} <= set(known_editions())
    assert [span for span in spans if span[0] > span[1]] == []


def test_eras_are_in_order() -> None:
    """Forms of an era are dated, in the order of their last editions; one is still in use."""
    for concept in eras():
        ends = [form.last or date.max for form in concept.form]
        assert all(form.first for form in concept.form), concept.name
        assert ends == sorted(ends), concept.name
        assert ends[-1] == date.max, concept.name


def test_eras_are_proved() -> None:
    """Each era has evidence, or a removed form without a replacement."""
    proved = [bool(era.evidence) or any(form.is_gone for form in era.form) for era in eras()]

    assert [era.name for era, has in zip(eras(), proved, strict=True) if not has] == []
    assert all(evidence.count > 0 for era in eras() for evidence in era.evidence)
    assert not any(concept.evidence for concept in all_concepts() if concept.kind != "era")


def test_players_lead_to_the_rules() -> None:
    """Each concept of players has two forms: the players' own and the rules'."""
    assert [
        concept.name
        for concept in all_concepts()
        if concept.kind == "players" and len(concept.form) != 2
    ] == []


def test_forms_are_as_written() -> None:
    """A form is partial or gone only if the table says so."""
    table = tomllib.loads((FACTS / "vocabulary.toml").read_text("utf-8"))

    written = [form for concept in table["concept"] for form in concept["form"]]
    assert [
        (form.is_partial, form.is_gone) for concept in all_concepts() for form in concept.form
    ] == [("partial" in form, "gone" in form) for form in written]
