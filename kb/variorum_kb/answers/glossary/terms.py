"""The terms of an edition, recognised in any text.

A term is a headword of the glossary, in any number, tense and case. The longest one counts, so that
"combat damage" is none inside "combat damage step". Some headwords are also words of every day:
`word_senses.py` says where they are no terms, so that whoever follows a link finds what the text means.
"""

from collections.abc import Iterable
from typing import NamedTuple

from variorum_kb.answers.glossary.headword_forms import Words, forms_of
from variorum_kb.answers.glossary.word_senses import CAPITAL, PHRASES, SENSES, PlacedWords, Sense


class FoundTerm(NamedTuple):
    """A term in a text.

    Attributes:
        start: In code points from the start of the text.
        stop: Likewise, exclusive; a possessive's ending is left out.
        term: The headword as printed in the glossary.
    """

    start: int
    stop: int
    term: str


class _Form(NamedTuple):
    """A way to print a headword.

    Attributes:
        words: Its words.
        headword: "" of a phrase that is no term.
        sense: In which company it is meant; None in any.
        needs_capital: Whether it is a term only with a capital.
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
        """Prepare headwords; where two have a form in common, the one that is printed so counts."""
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
            if len(forms) > 1:
                forms.sort(key=_longest_first)

    def find(self, text: str, own: str = "") -> list[FoundTerm]:
        """Return the terms in a text in the order they stand, none inside another.

        Args:
            text: Any text, such as `rows.full_text` gives.
            own: The headword of the entry that the text belongs to; it does not lead to itself.
        """
        placed = PlacedWords(text)
        words, terms, done = placed.words, list[FoundTerm](), 0
        for place in [place for place, word in enumerate(words) if word in self._forms]:
            form = self._form_at(placed, place) if place >= done else None
            if form is None:
                continue
            done = place + len(form.words)
            if not form.headword or form.headword == own:
                continue
            if len(form.words) == 1 and (placed.is_name(place) or placed.is_glued(place)):
                continue
            terms.append(FoundTerm(placed.start(place), placed.stop(done - 1), form.headword))
        return terms

    def _form_at(self, placed: PlacedWords, place: int) -> _Form | None:
        """Return the longest form that stands at a place and is meant there."""
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


def _longest_first(form: _Form) -> int:
    return -len(form.words)
