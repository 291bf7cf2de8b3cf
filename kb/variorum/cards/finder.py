"""Names of cards in any text: whole, in part, in the plural or misspelt."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from variorum.cards.store import STOP_WORDS, Cards, NameWord, name_words, variants
from variorum.text import set_of

# The longest name of a card has ten words.
_LONGEST = 10
# A name of ordinary words counts at the beginning of a sentence only before one of these: "Opt resolves".
_SAYS = re.compile(
    r"(?:'s|’s)?\s+(?:is|was|has|gets|deals|enters|leaves|dies|resolves|triggers|says|targets|gives|makes|lets|would"
    r"|will|can|resolving|trigger|ability|effect|token|on the stack)\b"
)
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
# The fewest letters of a misspelt name, of one word, and of a part of a name in small letters; names of
# so many letters may have two wrong, or three.
_LEAST_MISSPELT, _LEAST_ALONE, _LEAST_SMALL, _LONG, _VERY_LONG = 6, 8, 5, 9, 16


class Mention(NamedTuple):
    """A place where a text names a card, given by its id; `others` may be meant as well."""

    start: int
    stop: int
    card: int
    others: Sequence[int]
    is_misspelt: bool


def find_cards(text: str, cards: Cards) -> list[Mention]:
    """Return the places where a text names cards, in order and without overlap."""
    names = _Names(text, cards)
    mentions = [*names.whole()]
    mentions = sorted([*mentions, *names.misspelt(mentions)])
    # A part of a name means the card that the text names in full.
    sure = {mention.card for mention in mentions if not mention.others}
    meant = [
        next((card for card in named.others if card in sure), named.card) for named in mentions
    ]
    return [named._replace(card=card) for named, card in zip(mentions, meant, strict=True)]


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

    def whole(self) -> Iterator[Mention]:
        """Yield the names that are written as their cards print them, the longest at each place."""
        stop = 0
        for place, first in enumerate(self._words):
            may_begin = self._is_upper(first) or first.word not in self._cards.ordinary
            for length in range(_LONGEST, 0, -1) if first.start >= stop and may_begin else ():
                words = self._words[place : place + length]
                ids, is_whole = self._cards.named(" ".join([word.word for word in words]))
                if len(words) == length and ids and self._is_name(place, words, is_whole=is_whole):
                    stop = words[-1].stop
                    yield Mention(first.start, stop, ids[0], ids[1:], is_misspelt=False)
                    break

    def _is_name(self, place: int, words: Sequence[NameWord], *, is_whole: bool) -> bool:
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
        if self._is_player(first) or first.word in STOP_WORDS or len(first.word) == 1:
            return False
        if self._is_in_a_longer_name(place, (" ", "-") if is_whole else (" ", "-", ", ")):
            return False
        if is_telling:
            return is_upper or len(first.word) >= _LEAST_SMALL
        before = text[: first.start].rstrip(" \"'“‘(")
        is_inside = bool(before) and before[-1] not in _ENDS
        return is_whole and is_upper and bool(is_inside or _SAYS.match(text, first.stop))

    def _is_in_a_longer_name(self, place: int, gaps: Sequence[str]) -> bool:
        """Return whether a word is part of a longer name that no card has."""
        word, text = self._words[place], self._text
        for after in self._words[place + 1 : place + 2]:
            if self._is_upper(after) and text[word.stop : after.start] in gaps:
                return True
        for before in self._words[max(place - 1, 0) : place]:
            if self._is_upper(before) and before.word not in STOP_WORDS:
                is_owner = re.search(r"(?:['’]s|s['’])$", text[: before.stop])
                return not is_owner and text[before.stop : word.start] in gaps
        return False

    def _is_upper(self, word: NameWord) -> bool:
        return self._text[word.start].isupper()

    def _is_player(self, word: NameWord) -> bool:
        return not self._players.isdisjoint(variants(word.word))

    def misspelt(self, mentions: Sequence[Mention]) -> Iterator[Mention]:
        """Yield misspelt names among the words that name no card."""
        taken = {at for named in mentions for at in range(named.start, named.stop)}
        runs = self._runs([word for word in self._words if word.start not in taken])
        if not (wanted := [run for run in runs if run and self._may_be_misspelt(run)]):
            return
        from rapidfuzz import process  # noqa: PLC0415 - imported on first use
        from rapidfuzz.distance import OSA  # noqa: PLC0415 - as above

        keys = [key for names in self._cards.keys for key in names]
        for run in wanted:
            key = " ".join([word.word for word in run])
            alike = [k for k in keys if k[0] == key[0] and k.count(" ") == key.count(" ")]
            near = [
                process.extractOne(form, alike, scorer=OSA.distance, score_cutoff=_most_wrong(form))
                for form in variants(key)[:2]
            ]
            wrong = [(hit[1], hit[0]) for hit in near if hit and hit[1]]
            if wrong:
                ids, _ = self._cards.named(min(wrong)[1])
                yield Mention(run[0].start, run[-1].stop, ids[0], ids[1:], is_misspelt=True)

    def _runs(self, words: Sequence[NameWord]) -> Iterator[list[NameWord]]:
        """Yield runs of words in capitals, with small words between them, and each unknown word."""
        run: list[NameWord] = []
        for word in words:
            is_apart = run and self._text[run[-1].stop : word.start].strip(" ,'’-\u2013")
            if is_apart or not (self._is_upper(word) or (run and word.word in _SMALL)):
                yield _trimmed(run)
                run = []
            if self._is_upper(word) or run:
                run.append(word)
            elif word.word not in self._cards.ordinary:
                yield [word]
        yield _trimmed(run)

    def _may_be_misspelt(self, run: Sequence[NameWord]) -> bool:
        is_alone = len(run) == 1 and self._is_upper(run[0])
        if sum([len(word.word) for word in run]) < (_LEAST_ALONE if is_alone else _LEAST_MISSPELT):
            return False
        ordinary = self._cards.ordinary
        return any(word.word not in ordinary and not self._is_player(word) for word in run)


def _most_wrong(name: str) -> int:
    return 1 + (len(name) >= _LONG) + (len(name) >= _VERY_LONG)


def _trimmed(run: Sequence[NameWord]) -> list[NameWord]:
    """Return a run without the words that begin a question and the small ones at its end."""
    words = list(run)
    while words and words[0].word in STOP_WORDS:
        words.pop(0)
    while words and words[-1].word in _SMALL:
        words.pop()
    return words
