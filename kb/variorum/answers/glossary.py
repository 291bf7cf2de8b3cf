"""Glossaries: entries, the rules that they name, and their terms in texts.

A term is a headword of the glossary in any number, tense and case. The longest headword counts, so
"combat damage" is not a term inside "combat damage step". Some headwords are also ordinary words;
`term_words.py` decides where they are terms.
"""

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from variorum.answers.stored import Stored
from variorum.answers.subject import Subject
from variorum.answers.term_words import (
    CAPITAL,
    PHRASES,
    SENSES,
    PlacedWords,
    Sense,
    Words,
    forms_of,
)
from variorum.facts import all_concepts
from variorum.records.provision import EntryRule, Term
from variorum.rows import Row, full_text
from variorum.text import fold_key, fold_title, keys_of

if TYPE_CHECKING:
    from variorum.answers.editions import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase

_HEADWORDS = (
    "SELECT p.heading FROM provision p JOIN span s ON s.provision = p.id "
    "WHERE p.kind = 'glossary' AND s.first <= ? AND s.last >= ? ORDER BY p.id"
)


class FoundTerm(NamedTuple):
    """A term in a text, without a possessive ending, and its headword."""

    start: int
    stop: int
    term: str


class _Form(NamedTuple):
    """A way to print a headword, "" for a phrase that is not a term; the sense None is any sense."""

    words: Words
    headword: str
    sense: Sense | None
    needs_capital: bool


class Terms:
    """The terms of an edition.

    >>> terms = Terms(["Combat Damage", "Destroy", "Mana Ability"])
    >>> terms.find("Mana abilities aren’t destroyed.")
    [FoundTerm(start=0, stop=14, term='Mana Ability'), FoundTerm(start=22, stop=31, term='Destroy')]
    """

    def __init__(self, headwords: Iterable[str]) -> None:
        """Prepare headwords; if two share a form, the headword printed in this form counts."""
        sure: dict[Words, tuple[int, str]] = {}
        for headword in headwords:
            for words, rank in forms_of(headword):
                known = sure.get(words)
                if known is None or rank < known[0]:
                    sure[words] = rank, headword
        sure |= {tuple(phrase.split()): (0, "") for phrase in PHRASES.split(",")}
        self._forms: dict[str, list[_Form]] = {}
        for words, (_, headword) in sure.items():
            key = headword.lower()
            is_capital = key in CAPITAL or words[0] in CAPITAL
            sense = SENSES.get(words[0] if len(words) == 1 else "", SENSES.get(key))
            form = _Form(words, headword, sense, is_capital)
            self._forms.setdefault(words[0], []).append(form)
        for forms in self._forms.values():
            forms.sort(key=lambda form: -len(form.words))

    def find(self, text: str, own: str = "") -> list[FoundTerm]:
        """Return the terms in a text, in order and without overlaps; not its own headword."""
        placed = PlacedWords(text)
        words, terms, next_word = placed.words, list[FoundTerm](), 0
        for place in [place for place, word in enumerate(words) if word in self._forms]:
            form = self._form_at(placed, place) if place >= next_word else None
            if form is None:
                continue
            next_word = place + len(form.words)
            if not form.headword or form.headword == own:
                continue
            if len(form.words) == 1 and (placed.is_name(place) or placed.is_glued(place)):
                continue
            terms.append(FoundTerm(placed.start(place), placed.stop(next_word - 1), form.headword))
        return terms

    def _form_at(self, placed: PlacedWords, place: int) -> _Form | None:
        """Return the longest form at a place that is a term there."""
        words = placed.words
        for form in self._forms[words[place]]:
            stop = place + len(form.words)
            if words[place:stop] != form.words:
                continue
            if form.needs_capital and not placed.is_capital(place):
                continue
            if form.sense is None or form.sense.holds(words, place, stop):
                return form
        return None


class Glossary:
    """Answers about glossaries, from an open base."""

    def __init__(self, base: "KnowledgeBase") -> None:
        self._base = base
        self._reader = base.reader
        # Only one edition's terms are cached, because callers ask edition by edition.
        self._terms: tuple[int, Terms] | None = None

    def terms_of(self, on: "str | EditionEntry" = "current") -> Terms:
        """Return the finder of an edition's terms in texts."""
        place = self._base.edition(on).place
        if self._terms is None or self._terms[0] != place:
            rows = self._reader.query(_HEADWORDS, (place, place))
            self._terms = place, Terms([row[0] for row in rows])
        return self._terms[1]

    def terms(self, match: Subject) -> list[Term]:
        """Return the terms in a provision's text and examples, by the glossary of its edition."""
        text = full_text(match.state.body)
        own = match.heading if match.kind == "glossary" else ""
        return [
            Term(term=term, text=text[start:stop], start=start, end=stop)
            for start, stop, term in self.terms_of(match.edition).find(text, own)
        ]

    def rules(self, match: Subject) -> list[EntryRule]:
        """Return the rules that an entry names, in the order it prints them."""
        rules: list[EntryRule] = []
        for citation in match.cites():
            if citation.part == "text":
                targets = citation.targets
                heading, under = ("", None)
                if targets:
                    heading, under = self._heading(targets[0], match.edition.place)
                rules.append(EntryRule(citation.text, targets, heading, under, citation.status))
        return rules

    def last_with(self, term: str) -> "EditionEntry | None":
        """Return the last edition that has a headword; None if no edition has it."""
        states = self._base.states
        places = [
            run.last
            for run in self._base.runs(fold_key(term))
            if states[run.state].kind == "glossary"
        ]
        return self._base.editions[max(places)] if places else None

    def _heading(self, address: str, edition: int) -> tuple[str, str | None]:
        """Return a provision's heading and None, or the nearest heading above it and its address."""
        state = self._base.at_address(address, edition)
        if state is None or state.heading:
            return state.heading if state else "", None
        above = [row for row in self._base.above(state, edition) if row.heading]
        return (above[0].heading, above[0].address) if above else ("", None)


# Other spellings ---------------------------------------------------------------------------------


def spelt_otherwise(base: Stored, words: str, edition: int) -> list[Row]:
    """Return the provisions that an edition has under other spellings of a missing term.

    Headwords come first, then headings of rules, then the words for an abbreviation.
    """
    states = [state for state in base.held(edition) if state.heading]
    for spelling in (words, *_abbreviated().get(words, ())):
        wanted = fold_title(spelling)
        entries = [
            state
            for state in states
            if state.kind == "glossary" and wanted in map(fold_title, keys_of(state))
        ]
        found = entries or [state for state in states if fold_title(state.heading) == wanted]
        if found and wanted:
            return found
    return []


@cache
def _abbreviated() -> dict[str, tuple[str, ...]]:
    """Return the other words of each abbreviation's concept."""
    abbreviated: dict[str, tuple[str, ...]] = {}
    for concept in all_concepts():
        if concept.kind == "abbreviation":  # the latest spelling comes first
            spellings = tuple([words for form in reversed(concept.form) for words in form.words])
            abbreviated |= dict.fromkeys(map(fold_key, spellings), spellings)
    return abbreviated
