"""Names of cards in any text: whole, in part or in the plural."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from variorum.cards.card import Card
from variorum.cards.store import STOP_WORDS, Cards, name_words, variants
from variorum.text import Word, set_of

# The longest name of a card has ten words.
_LONGEST = 10
# A name before one of these is a player's.
_PLAYS = re.compile(
    r"(?:\s+and\s+[A-Z]\w+)?\s+(?:(?:also|then|still|now|only|both|has|have|currently)\s+)*(?:controls?|casts?|activates?|plays?|"
    r"draws?|discards?|declares?|chooses?|concedes?|wants?|owns?|cracks?|taps?|decides?|announces?|responds?|"
    r"passes|pays?|attacks? with|blocks? with|(?:is|are) (?:playing|casting|attacking with|at)|searches|sacrifices|their)\b"
    r"|['’]s?\s+(?:turn|hand|library|graveyard|life|opponents?|upkeep|end step|draw step|deck|team|control)\b"
)
# A format is named like a card: Two-Headed Giant.
_FORMAT = re.compile(r"(?:(?:is|are) playing|game of) $"), re.compile(r" (?:game|team|player)")
_SMALL = set_of("a an and as at by for from in into of on or the to with")
_ENDS = ".?!:\n"
# The fewest letters of a name of one word in small letters.
_LEAST_SMALL = 5


class Mention(NamedTuple):
    """A place where a text names a card, with the names of others that may be meant as well."""

    start: int
    stop: int
    card: Card
    others: Sequence[str]


def find_cards(text: str, cards: Cards) -> list[Mention]:
    """Return the places where a text names cards, in order and without overlap."""
    named = [*_Names(text, cards).named()]
    # A part of a name means the card that the text names in full.
    sure = {ids[0] for _, _, ids in named if len(ids) == 1}
    mentions: list[Mention] = []
    for start, stop, ids in named:
        meant = next((each for each in ids[1:] if each in sure), ids[0])
        others = [cards.card(each).name for each in ids if each != meant]
        mentions.append(Mention(start, stop, cards.card(meant), others))
    return mentions


class _Names:
    """The words of a text, of which some name cards."""

    def __init__(self, text: str, cards: Cards) -> None:
        self._text, self._cards = text, cards
        self._words = name_words(text)
        self._players = {
            word.word
            for word in self._words
            if self._is_upper(word) and _PLAYS.match(text, word.stop)
        }

    def named(self) -> Iterator[tuple[int, int, list[int]]]:
        """Yield where names stand, the longest at each place, with the ids of the cards that have them."""
        stop = 0
        for place, first in enumerate(self._words):
            may_begin = self._is_upper(first) or first.word not in self._cards.ordinary
            for length in range(_LONGEST, 0, -1) if first.start >= stop and may_begin else ():
                words = self._words[place : place + length]
                ids, is_whole = self._cards.named(" ".join([word.word for word in words]))
                if len(words) == length and ids and self._is_name(place, words, is_whole=is_whole):
                    stop = words[-1].stop
                    yield first.start, stop, ids
                    break

    def _is_name(self, place: int, words: Sequence[Word], *, is_whole: bool) -> bool:
        """Return whether words that a card is called by mean the card here."""
        first, text = words[0], self._text
        is_telling = any(word.word not in self._cards.ordinary for word in words)
        is_upper = any(map(self._is_upper, words))
        if len(words) > 1:
            before, after = text[: first.start], text[words[-1].stop :]
            if "-" in text[first.start : words[-1].stop] and (
                _FORMAT[0].search(before) or _FORMAT[1].match(after)
            ):
                return False
            is_title = all(self._is_upper(word) or word.word in _SMALL for word in words)
            return is_title or (is_telling and (is_upper or is_whole))
        is_player = not self._players.isdisjoint(variants(first.word))
        if is_player or first.word in STOP_WORDS or len(first.word) == 1:
            return False
        if self._is_in_a_longer_name(place, (" ", "-") if is_whole else (" ", "-", ", ")):
            return False
        if is_telling:
            return is_upper or len(first.word) >= _LEAST_SMALL
        before = text[: first.start].rstrip(" \"'“‘(")
        return is_whole and is_upper and bool(before) and before[-1] not in _ENDS

    def _is_in_a_longer_name(self, place: int, gaps: Sequence[str]) -> bool:
        word, text = self._words[place], self._text
        for after in self._words[place + 1 : place + 2]:
            if self._is_upper(after) and text[word.stop : after.start] in gaps:
                return True
        for before in self._words[max(place - 1, 0) : place]:
            if self._is_upper(before) and before.word not in STOP_WORDS:
                is_owner = re.search(r"(?:['’]s|s['’])$", text[: before.stop])
                return not is_owner and text[before.stop : word.start] in gaps
        return False

    def _is_upper(self, word: Word) -> bool:
        return self._text[word.start].isupper()
