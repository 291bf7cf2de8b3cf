"""Glossaries: entries, the rules that they name, and their terms in texts.

A term is a headword of the glossary in any number, tense and case. The longest headword counts, so
"combat damage" is not a term inside "combat damage step". Some headwords are also ordinary words;
`term_words.py` decides where they are terms.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from variorum.answers.term_words import CAPITAL, PHRASES, SENSES, PlacedWords, Words, forms_of
from variorum.records.provision import EntryRule, Term
from variorum.rows import full_text
from variorum.text import fold_key

if TYPE_CHECKING:
    from variorum.answers.editions import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.answers.subject import Subject

_HEADWORDS = (
    "SELECT p.heading FROM provision p JOIN span s ON s.provision = p.id "
    "WHERE p.kind = 'glossary' AND s.first <= ? AND s.last >= ? ORDER BY p.id"
)


class FoundTerm(NamedTuple):
    """A term in a text, without a possessive ending, and its headword."""

    start: int
    stop: int
    term: str


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
                if words not in sure or rank < sure[words][0]:
                    sure[words] = rank, headword
        sure |= {tuple(phrase.split()): (0, "") for phrase in PHRASES.split(",")}
        # By its first word, each form with its headword, "" for a phrase that is not a term.
        self._forms: dict[str, list[tuple[Words, str]]] = {}
        for words in sorted(sure, key=len, reverse=True):
            self._forms.setdefault(words[0], []).append((words, sure[words][1]))

    def find(self, text: str, own: str = "") -> list[FoundTerm]:
        """Return the terms in a text, in order and without overlaps; not its own headword."""
        placed = PlacedWords(text)
        terms, next_word = list[FoundTerm](), 0
        for place, word in enumerate(placed.words):
            if word not in self._forms or place < next_word:
                continue
            words, headword = self._form_at(placed, place)
            next_word = max(next_word, place + len(words))
            if not headword or headword == own:
                continue
            if len(words) == 1 and (placed.is_name(place) or placed.is_glued(place)):
                continue
            terms.append(FoundTerm(placed.start(place), placed.stop(next_word - 1), headword))
        return terms

    def _form_at(self, placed: PlacedWords, place: int) -> tuple[Words, str]:
        """Return the longest form at a place that is a term there, and its headword."""
        for words, headword in self._forms[placed.words[place]]:
            stop, key = place + len(words), headword.lower()
            if placed.words[place:stop] != words:
                continue
            if (key in CAPITAL or words[0] in CAPITAL) and not placed.is_capital(place):
                continue
            sense = SENSES.get(words[0] if len(words) == 1 else "", SENSES.get(key))
            if sense is None or sense.holds(placed.words, place, stop):
                return words, headword
        return (), ""


class Glossary:
    """Answers about glossaries, from an open base."""

    def __init__(self, base: "KnowledgeBase") -> None:
        self._base = base
        # Only one edition's terms are cached, because callers ask edition by edition.
        self._terms: tuple[int, Terms] | None = None

    def terms_of(self, on: "str | EditionEntry" = "current") -> Terms:
        """Return the finder of an edition's terms in texts."""
        place = self._base.edition(on).place
        if self._terms is None or self._terms[0] != place:
            rows = self._base.reader.query(_HEADWORDS, (place, place))
            self._terms = place, Terms([headword for (headword,) in rows])
        return self._terms[1]

    def terms(self, match: "Subject") -> list[Term]:
        """Return the terms in a provision's text and examples, by the glossary of its edition."""
        text = full_text(match.state.body)
        own = match.heading if match.kind == "glossary" else ""
        return [
            Term(term=term, text=text[start:stop], start=start, end=stop)
            for start, stop, term in self.terms_of(match.edition).find(text, own)
        ]

    def rules(self, match: "Subject") -> list[EntryRule]:
        """Return the rules that an entry names, in the order it prints them."""
        rules: list[EntryRule] = []
        for citation in match.cites():
            if citation.part == "text":
                heading, under = self._heading(citation.targets[:1], match.edition.place)
                about = citation.text, citation.targets, heading, under, citation.status
                rules.append(EntryRule(*about))
        return rules

    def _heading(self, addresses: list[str], edition: int) -> tuple[str, str | None]:
        """Return a provision's heading and None, or the nearest heading above it and its address."""
        for state in [self._base.at_address(address, edition) for address in addresses]:
            if state is not None and state.heading:
                return state.heading, None
            above = [] if state is None else self._base.above(state, edition)
            for row in [row for row in above if row.heading]:
                return row.heading, row.address
        return "", None

    def last_with(self, term: str) -> "EditionEntry | None":
        """Return the last edition that has a headword; None if no edition has it."""
        states, runs = self._base.states, self._base.runs(fold_key(term))
        places = [run.last for run in runs if states[run.state].kind == "glossary"]
        return self._base.editions[max(places)] if places else None
