"""Finds terms by other spellings: other hyphens, an abbreviation, a rule's heading."""

from collections.abc import Iterable
from functools import cache

from variorum.facts import all_concepts
from variorum.rows import Row
from variorum.store.reader import Reader
from variorum.text.keys import fold_key, fold_title, keys_of

_ABBREVIATION = "abbreviation"


def spelt_otherwise(reader: Reader, words: str, edition: int) -> list[Row]:
    """Return the provisions that an edition has under other spellings of a missing term.

    Headwords come first, then headings of rules, then the words for an abbreviation.

    Args:
        reader: Reads the base.
        words: The spelling under which the edition has no provision.
        edition: The place of the edition.
    """
    states = [state for state in reader.states_in(edition) if state.heading]
    for spelling in (words, *_meant_by(words)):
        wanted = fold_title(spelling)
        entries = [state for state in states if state.kind == "glossary"]
        matches = _with(entries, wanted) or [
            state
            for state in states
            if state.kind != "glossary" and fold_title(state.heading) == wanted
        ]
        if matches and wanted:
            return matches
    return []


def _with(entries: Iterable[Row], wanted: str) -> list[Row]:
    return [entry for entry in entries if wanted in {fold_title(key) for key in keys_of(entry)}]


@cache
def _abbreviated() -> dict[str, tuple[str, ...]]:
    """Return the other words of each abbreviation's concept."""
    abbreviated: dict[str, tuple[str, ...]] = {}
    for concept in all_concepts():
        if concept.kind == _ABBREVIATION:  # the latest spelling comes first
            spellings = tuple([words for form in reversed(concept.form) for words in form.words])
            abbreviated |= dict.fromkeys(map(fold_key, spellings), spellings)
    return abbreviated


def _meant_by(words: str) -> tuple[str, ...]:
    return _abbreviated().get(words, ())
