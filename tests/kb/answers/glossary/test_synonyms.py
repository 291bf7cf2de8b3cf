"""The vocabulary for the website."""

from variorum_kb.answers.glossary.synonyms import all_synonyms
from variorum_kb.facts.vocabulary import all_concepts


def test_wordings() -> None:
    """Each wording has the dates of its form, as text."""
    forms = [form for concept in all_concepts() for form in concept.form]
    wordings = [wording for synonyms in all_synonyms() for wording in synonyms.wordings]

    for form, wording in zip(forms, wordings, strict=True):
        assert (wording.first or None, wording.last or None) == (
            form.first and str(form.first),
            form.last and str(form.last),
        )
