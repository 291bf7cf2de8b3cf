"""Recognises senses of headwords by the words around them, and words in names of cards.

A wrong link costs a reader more than a missing link. So a word with another common sense is a term
only if the words around it show that. The table was written after reading links drawn at random;
docs/website.md has the figures.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from variorum.text.folding import fold_in_place
from variorum.text.words import set_of, split_words

# No word in these phrases is a term: "in general", "as modified by".
PHRASES = """
    a dash, a die, a general subset, are placed, as modified, be modified, by hand, commander
    legends, deal with, dealing with, deals with, dealt with, die roll, die rolls, double faced,
    each dash, each die, game play, general categories, general rule, general rules, in effect, in
    general, in the event of, land face up, lands face down, lands face up, lands heads, lands on,
    lands tails, left hand, limited to, long dash, modified by, more general, name for, no effect
    on, of options, older name, on the other hand, option to, options to, phase in which, priority
    passes, reach a, reach the, return to play, returned to play, returns to play, right hand,
    rolled doubles, same general, sided die, some options, step by step, take effect, taken effect,
    takes effect, that die, the dash, the die, this die, tie together, to reach, to support, way of
    playing
"""
_REACH, _CLOSE = 12, 6
_ANY: frozenset[str] = frozenset()


class Sense(NamedTuple):
    """The neighbours that a word must have to be a term. An empty set is no condition.

    Attributes:
        near: One of these words must be within twelve words.
        apart: None of these words may be within six words.
        before: The word before must be one of these.
        after: The next word must be one of these.
        not_after: The next word must not be one of these.
    """

    near: frozenset[str] = _ANY
    apart: frozenset[str] = _ANY
    before: frozenset[str] = _ANY
    after: frozenset[str] = _ANY
    not_after: frozenset[str] = _ANY

    def holds(self, words: Sequence[str], place: int, stop: int) -> bool:
        """Return whether a word has this sense at a place."""
        if self.near and self.near.isdisjoint(words[max(0, place - _REACH) : place + _REACH]):
            return False
        if not self.apart.isdisjoint(words[max(0, place - _CLOSE) : stop + _CLOSE]):
            return False
        if self.before and (not place or words[place - 1] not in self.before):
            return False
        behind = words[stop] if stop < len(words) else ""
        return behind not in self.not_after and (not self.after or behind in self.after)


_PLAY = set_of(
    "constructed deck decks draft format formats game games play sealed tournament tournaments"
)
_COMBAT = set_of(
    "attack attacked attackers attacking attacks block blocked blockers blocking blocks combat"
)
# The senses by headwords or forms of headwords.
SENSES = {
    "constructed": Sense(near=_PLAY),
    "create": Sense(near=set_of("token tokens")),
    "dash": Sense(near=set_of("ability cost keyword")),
    "die": Sense(
        before=set_of("can't control could creatures may must never permanents they to will would"),
        not_after=set_of("roll rolled rolls will"),
    ),
    # "Enters" means the battlefield unless another place follows.
    "enter": Sense(
        apart=set_of("graveyard influence range zone zones"),
        not_after=set_of("a an another any certain combat commander into one the their"),
    ),
    "general": Sense(near=set_of("emperor emperors")),
    "independent": Sense(near=set_of("considered depend dependency dependent depends")),
    "limited": Sense(near=_PLAY),
    "lock": Sense(near=set_of("door doors half halves room rooms")),
    "locked": Sense(near=set_of("door doors half halves room rooms"), not_after=frozenset({"in"})),
    "match": Sense(
        near=set_of("between games series sideboard sideboards tournament tournaments won")
    ),
    "modified": Sense(after=set_of("creature creatures if permanent permanents")),
    # Glossaries with this entry only move counters.
    "move": Sense(near=set_of("counter counters"), apart=set_of("card cards marker zone zones")),
    "option": Sense(
        near=set_of(
            """archenemy attack commander default game games influence multiplayer planechase range
            team teams variant variants"""
        ),
        apart=set_of("bulleted choice choices choose chooses exercise given modal villainous"),
    ),
    "pass": Sense(
        near=set_of("action actions phase priority stack step succession"),
        apart=set_of("booster card cards control left marker pack packs right"),
    ),
    "placed": Sense(near=set_of("counter counters"), apart=set_of("marker sticker stickers")),
    "prevent": Sense(near=frozenset({"damage"})),
    "prize": Sense(near=set_of("attraction attractions claim visit")),
    "protect, protector": Sense(near=set_of("battle battles siege sieges")),
    # For a completed dungeon, the words have their plain sense.
    "remove from the game, removed, removed-from-the-game zone (obsolete)": Sense(
        near=set_of("exile exiled zone")
    ),
    "requirement": Sense(near=_COMBAT),
    "restriction": Sense(near=_COMBAT),
    "step": Sense(
        near=set_of(
            """attackers begin beginning begins blockers cleanup combat damage draw end ending ends
            main phase phases priority turn untap upkeep"""
        ),
        apart=set_of("above below cast described follow following follows listed multiple several"),
    ),
    "type": Sense(not_after=frozenset({"of"})),
    "variant": Sense(
        near=set_of(
            """archenemy casual commander conspiracy draft emperor format formats game games giant
            melee multiplayer option options planechase play players style team vanguard"""
        ),
        apart=frozenset({"ability"}),
        not_after=frozenset({"of"}),
    ),
    "visit": Sense(near=set_of("attraction attractions roll rolled rolls")),
}

# Names of cards -----------------------------------------------------------------------------------

# One-word headwords that have a capital within a sentence: subtypes, formats, letters.
_PROPER = set_of(
    """archenemy attraction attractions aura auras background backgrounds battle brawl case cases
    class classes commander conspiracy constructed emperor equipment forest forests fortification
    fortifications infinity island islands limited map maps mountain mountains oracle plains
    planechase role roles room rooms saga sagas siege sieges swamp swamps token vanguard vehicle
    vehicles wall walls x y"""
)
# Headwords that are terms only with a capital, such as the subtype Case and the number X.
CAPITAL = set_of("background case map role x y z")
# A sentence or a quotation begins after one of these signs; quotes are folded.
_OPENING = frozenset('.:;?!"(){[\N{EM DASH}\N{EN DASH}\N{BULLET}/')
_LINKING = frozenset({"of", "over", ":"})
_MARKS = frozenset("\N{TRADE MARK SIGN}\N{REGISTERED SIGN}")
_REFERRING = frozenset({"see", "also"})


class PlacedWords:
    """The words and signs of a text with their places.

    Attributes:
        words: The words, folded, and all signs but hyphens.
        ends: For each word, two offsets: where the word starts and where it ends.
    """

    def __init__(self, text: str) -> None:
        pieces = split_words(fold_in_place(text))
        self._text = text
        self._between = pieces[::2]
        self.words = tuple(pieces[1::2])
        self.ends = list(accumulate(map(len, pieces)))

    def start(self, place: int) -> int:
        """Return where a word starts in the text."""
        return self.ends[2 * place]

    def stop(self, place: int) -> int:
        """Return where a word ends in the text."""
        return self.ends[2 * place + 1]

    def is_capital(self, place: int) -> bool:
        """Return whether a word begins with a capital."""
        return self._text[self.start(place)].isupper()

    def is_glued(self, place: int) -> bool:
        """Return whether a word is a placeholder as in "[type]walk", or part of an address."""
        text, start, stop = self._text, self.start(place), self.stop(place)
        if text[stop : stop + 1] == "]" and text[stop + 1 : stop + 2].isalpha():
            return True
        word = text[text.rfind(" ", 0, start) + 1 : start].rpartition("\n")[2]
        return "/" in word and "." in word

    def is_name(self, place: int) -> bool:
        """Return whether a word is part of the name of a card or product.

        It is if it has a capital inside a sentence or beside another such word: "casts Redirect",
        "Wall of Omens", "(Power Play)".
        """
        if not self.is_capital(place):
            return False
        if self._leads_on(place):
            return True
        if self.words[place - 1] == ":" and self._follows_name(place, 2):
            return True  # "Circle of Protection: Artifacts"
        if self._begins(place) or self.words[place - 1] in _REFERRING:
            return False
        return self.words[place] not in _PROPER or self._follows_name(place)

    def _leads_on(self, place: int) -> bool:
        """Return whether a name continues after a word."""
        following = place + 1
        if following == len(self.words) or "\n" in self._between[following]:
            return False
        if self.words[following] in _MARKS:
            return self.words[place] != "oracle"
        return self._is_part(following + (self.words[following] in _LINKING))

    def _is_part(self, place: int) -> bool:
        """Return whether a word can be part of a name; letters and subtypes prove nothing."""
        if not 0 <= place < len(self.words) or not self.is_capital(place):
            return False
        word = self.words[place]
        return len(word) > 1 and word.isalpha() and word not in _PROPER

    def _follows_name(self, place: int, gap: int = 1) -> bool:
        before = place - gap
        return self._is_part(before) and not self._begins(before)

    def _begins(self, place: int) -> bool:
        """Return whether a sentence, a quotation or a cost begins at a place."""
        if not place or "\n" in self._between[place]:
            return True
        before = self.words[place - 1]
        if before == "," and place > 1:
            return self.words[place - 2].endswith(("}", "]"))
        return before[-1] in _OPENING  # the title in a citation is one word
