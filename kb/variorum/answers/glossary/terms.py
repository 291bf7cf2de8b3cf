"""Finds the terms of an edition in texts.

A term is a headword of the glossary in any number, tense and case. The longest headword counts, so
"combat damage" is not a term inside "combat damage step". Some headwords are also ordinary words;
`word_senses.py` decides where they are terms.
"""

from collections.abc import Iterable
from typing import NamedTuple

from variorum.answers.glossary.headword_forms import Words, forms_of
from variorum.answers.glossary.word_senses import CAPITAL, PHRASES, SENSES, PlacedWords, Sense


class FoundTerm(NamedTuple):
    """A term in a text.

    Attributes:
        start: In code points from the start of the text.
        stop: The end, exclusive, without a possessive ending.
        term: The headword as printed in the glossary.
    """

    start: int
    stop: int
    term: str


class _Form(NamedTuple):
    """A way to print a headword.

    Attributes:
        words: Its words.
        headword: "" for a phrase that is not a term.
        sense: The neighbours that it must have to be a term; None if any will do.
        needs_capital: Whether it is a term only if it begins with a capital.
    """

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
        sure.update(_SWALLOWED)
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
        """Return the terms in a text, in order and without overlaps.

        Args:
            text: Any text, such as the result of `rows.full_text`.
            own: The headword of the text's own entry, which is not a term in it.
        """
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


_SWALLOWED: dict[Words, tuple[int, str]] = {
    tuple(phrase.split()): (0, "") for phrase in PHRASES.split(",")
}
