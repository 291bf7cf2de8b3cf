"""The terms of an edition, recognised in any text.

A term is a headword of the glossary, in any number, tense and case. The longest one counts, so that
"combat damage" is none inside "combat damage step". Some headwords are also words of every day:
tables say where they are no terms, so that whoever follows a link finds what the text means.
"""

from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

from variorum_kb.answers.glossary.headword_forms import Words, forms_of
from variorum_kb.text.folding import fold_in_place
from variorum_kb.text.words import set_of, split_words

# Whatever stands in these words is no term: "in general", "as modified by".
_PHRASES = """
    a dash, a die, a general subset, are placed, as modified, be modified, by hand, commander
    legends, die roll, die rolls, each dash, each die, game play, general categories, general
    rule, general rules, in effect, in general, in the event of, left hand, limited to, long
    dash, modified by, more general, name for, no effect on, of options, older name, on the
    other hand, option to, options to, phase in which, reach a, reach the, return to play,
    returned to play, returns to play, right hand, rolled doubles, same general, sided die,
    some options, take effect, taken effect, takes effect, that die, the dash, the die, this
    die, tie together, to reach, to support, way of playing
"""
# Headwords that are terms only if one of these words is near: a match of two games, but a card
# that matches a description; a token is created, but so is an effect.
_PLAY = set_of(
    "constructed deck decks draft format formats game games play sealed tournament tournaments"
)
_NEAR = {
    "constructed": _PLAY,
    "create": set_of("token tokens"),
    "dash": set_of("ability cost keyword"),
    "independent": set_of("considered depend dependency dependent depends"),
    "limited": _PLAY,
    "match": set_of("between games series sideboard sideboards tournament tournaments won"),
    "placed": set_of("counter counters marker"),
}
_REACH = 12
# Headwords that are terms only with a capital: the Case of a subtype, the number X.
_CAPITAL = set_of("background case map role x y z")


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


# The words of a form and how many they are, its headword ("" of a phrase that is no term), one of
# which words must be near (none for any), and whether it must have a capital.
_Form = tuple[Words, int, str, frozenset[str], bool]


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
            is_capital = key in _CAPITAL or words[0] in _CAPITAL
            form = words, len(words), headword, _NEAR.get(key, _ANY), is_capital
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
        pieces = split_words(fold_in_place(text))
        words, ends = tuple(pieces[1::2]), list(accumulate(map(len, pieces)))
        found: list[FoundTerm] = []
        done = 0
        forms = self._forms
        for place in [place for place, word in enumerate(words) if word in forms]:
            if place < done:
                continue
            for form, length, term, near, is_capital in forms[words[place]]:
                stop = place + length
                if length > 1 and words[place:stop] != form:
                    continue
                start = ends[2 * place]
                if is_capital and text[start].islower():
                    continue
                if near and near.isdisjoint(words[max(0, place - _REACH) : place + _REACH]):
                    continue
                done = stop
                if term and term != own:
                    found.append(FoundTerm(start, ends[2 * stop - 1], term))
                break
        return found


_ANY: frozenset[str] = frozenset()
_SWALLOWED: dict[Words, tuple[int, str]] = {
    tuple(phrase.split()): (0, "") for phrase in _PHRASES.split(",")
}


def _longest_first(form: _Form) -> int:
    return -form[1]
