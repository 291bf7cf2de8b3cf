"""Names of cards in any text: complete, in part, in plural or misspelt."""

import re
from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from variorum.cards.names import FULL, NameWord, key_of, tokens_of, variants
from variorum.cards.store import Cards, NameRow
from variorum.words import ASKING, SILENT

# Words that questions begin with, folded as names are.
STOP_WORDS = {token.word for token in tokens_of(" ".join(sorted(ASKING | SILENT)))}
# A name made of ordinary words counts only before one of these, as in "Opt resolves".
_SAYS = re.compile(
    r"(?:'s|’s)?\s+(?:(?:is|was|has|gets|deals|enters|leaves|dies|resolves|triggers|says|targets|gives|makes|lets|"
    r"would|will|can|resolving|trigger|ability|effect|token|on the stack)\b)"
)
# A name before one of these is a player's.
_PLAYS = re.compile(
    r"(?:\s+and\s+[A-Z]\w+)?\s+(?:(?:also|then|still|now|only|both|has|have|currently)\s+)*(?:controls?|casts?|activates?|plays?|"
    r"draws?|discards?|declares?|chooses?|concedes?|wants?|owns?|cracks?|taps?|decides?|announces?|responds?|"
    r"passes|pays?|attacks? with|blocks? with|(?:is|are) (?:playing|casting|attacking with|at)|searches|sacrifices|their)\b"
    r"|['’]s?\s+(?:turn|hand|library|graveyard|life|opponents?|upkeep|end step|draw step|deck|team|control)\b"
)
_SMALL = {
    "a",
    "an",
    "and",
    "at",
    "by",
    "for",
    "from",
    "in",
    "into",
    "of",
    "on",
    "or",
    "the",
    "to",
    "with",
    "as",
}
# The name of a format follows these: "are playing Two-Headed Giant".
_FORMATS = ("are playing ", "is playing ", "game of ")
_ENDS = ".?!:\n"
# The fewest letters of a misspelt name; a single capitalised word needs more, since it may be a
# person's name.
_LEAST_MISSPELT, _LEAST_ALONE = 6, 8
_LONG, _VERY_LONG = 9, 16
_LOWER_PART = 5


class Mention(NamedTuple):
    """A place where a text names a card.

    Attributes:
        start: Where the name begins.
        stop: Where it ends.
        card: The id of the card.
        others: Ids of other cards that it may mean.
        is_misspelt: The name is written otherwise.
    """

    start: int
    stop: int
    card: int
    others: tuple[int, ...]
    is_misspelt: bool


def find_cards(text: str, cards: Cards) -> list[Mention]:
    """Return the places where a text names cards, in order and without overlap."""
    return _Search(text, cards).mentions()


class _Search:
    def __init__(self, text: str, cards: Cards) -> None:
        self._text, self._cards = text, cards
        self._tokens = tokens_of(text)
        self._ordinary = cards.ordinary(token.word for token in self._tokens) | STOP_WORDS
        self._known = self._look_up()
        self._players = {
            token.word
            for token in self._tokens
            if self._is_upper(token) and _PLAYS.match(text, token.stop)
        }

    def mentions(self) -> list[Mention]:
        mentions: list[Mention] = []
        stop = 0
        for place, token in enumerate(self._tokens):
            mention = self._at(place) if token.start >= stop else None
            if mention is not None:
                mentions.append(mention)
                stop = mention.stop
        mentions += list(self._misspelt(mentions))
        return self._settled(sorted(mentions))

    def _look_up(self) -> dict[str, list[NameRow]]:
        """Return the names that begin at any word of the text."""
        keys: list[str] = []
        for place, token in enumerate(self._tokens):
            if self._is_upper(token) or token.word not in self._ordinary:
                for length in range(1, self._cards.longest + 1):
                    keys += variants(self._key(place, length))
        return self._cards.named(keys)

    def _key(self, place: int, length: int) -> str:
        return " ".join([token.word for token in self._tokens[place : place + length]])

    def _at(self, place: int) -> Mention | None:
        """Return the longest name that begins at a word."""
        for length in range(self._cards.longest, 0, -1):
            tokens = self._tokens[place : place + length]
            for key in variants(self._key(place, length)):
                rows = self._known.get(key, [])
                if rows and self._stands_as_name(place, tokens, rows[0].kind):
                    # Complete names come first; with one, cards that have it in part are not meant.
                    ids = tuple([row.card for row in rows if row.kind == rows[0].kind])
                    return Mention(
                        tokens[0].start, tokens[-1].stop, ids[0], ids[1:], is_misspelt=False
                    )
        return None

    def _stands_as_name(self, place: int, tokens: Sequence[NameWord], kind: int) -> bool:
        telling = [token for token in tokens if token.word not in self._ordinary]
        upper = [token for token in tokens if self._is_upper(token)]
        if len(tokens) > 1:
            big = [token for token in tokens if token.word not in _SMALL]
            if "-" in self._text[tokens[0].start : tokens[-1].stop] and self._is_format(tokens):
                return False
            return bool(telling and (upper or kind == FULL)) or all(
                self._is_upper(token) for token in big
            )
        (token,) = tokens
        if self._is_player(token) or token.word in STOP_WORDS or len(token.word) == 1:
            return False
        if self._is_in_a_longer_name(place, {" ", "-"} if kind == FULL else {" ", "-", ", "}):
            return False
        if telling:
            return bool(upper) or len(token.word) >= _LOWER_PART
        is_inside = not self._begins_sentence(token) or _SAYS.match(self._text, token.stop)
        return kind == FULL and bool(upper) and bool(is_inside)

    def _is_player(self, token: NameWord) -> bool:
        """Say whether a player has that name."""
        return not self._players.isdisjoint(variants(token.word))

    def _is_format(self, tokens: Sequence[NameWord]) -> bool:
        """Say whether words name a format."""
        before, after = self._text[: tokens[0].start], self._text[tokens[-1].stop :]
        return before.lower().endswith(_FORMATS) or after.startswith((" game", " team", " player"))

    def _is_in_a_longer_name(self, place: int, gaps: Container[str]) -> bool:
        """Say whether a word is part of a longer name that no card has."""
        token = self._tokens[place]
        before = self._tokens[place - 1] if place else None
        after = self._tokens[place + 1] if place + 1 < len(self._tokens) else None
        if after and self._is_upper(after) and self._text[token.stop : after.start] in gaps:
            return True
        if not before or not self._is_upper(before) or before.word in STOP_WORDS:
            return False
        is_owner = self._text[before.stop - 2 : before.stop] in {"'s", "’s", "s'", "s’"}
        return not is_owner and self._text[before.stop : token.start] in gaps

    def _is_upper(self, token: NameWord) -> bool:
        return self._text[token.start].isupper()

    def _begins_sentence(self, token: NameWord) -> bool:
        before = self._text[: token.start].rstrip(" \"'“‘(")
        return not before or before[-1] in _ENDS

    def _settled(self, mentions: Sequence[Mention]) -> list[Mention]:
        """Resolve parts of names to the cards that the text names in full."""
        sure = {mention.card for mention in mentions if not mention.others}
        return [
            mention._replace(card=resolved) if resolved is not None else mention
            for mention in mentions
            for resolved in [next((card for card in mention.others if card in sure), None)]
        ]

    # Misspelt ------------------------------------------------------------------------------------

    def _misspelt(self, mentions: Sequence[Mention]) -> Iterator[Mention]:
        """Yield misspelt names among the words that named no card."""
        free = [
            token
            for token in self._tokens
            if not any(name.start <= token.start < name.stop for name in mentions)
        ]
        runs = [run for run in self._runs(free) if self._may_be_misspelt(run)]
        if not runs:
            return
        from rapidfuzz import process  # noqa: PLC0415 - imported on first use
        from rapidfuzz.distance import OSA  # noqa: PLC0415 - as above

        keys = self._cards.all_keys()
        for run in runs:
            key = " ".join([token.word for token in run])
            alike = [
                known_key
                for known_key in keys
                if known_key[0] == key[0] and known_key.count(" ") == key.count(" ")
            ]
            near = [
                process.extractOne(form, alike, scorer=OSA.distance, score_cutoff=_most(form))
                for form in variants(key)[:2]
            ]
            best = min(
                [candidate for candidate in near if candidate and candidate[1]],
                key=lambda candidate: candidate[1],
                default=None,
            )
            if best is not None:
                rows = self._cards.named([best[0]])[best[0]]
                ids = tuple(dict.fromkeys([row.card for row in rows]))
                yield Mention(run[0].start, run[-1].stop, ids[0], ids[1:], is_misspelt=True)

    def _runs(self, free: Sequence[NameWord]) -> Iterator[list[NameWord]]:
        """Yield runs of capitalised words, with small words between them, and unknown words."""
        run: list[NameWord] = []
        for token in free:
            gap = self._text[run[-1].stop : token.start] if run else ""
            if run and gap.strip(" ,'’-\u2013"):
                yield run
                run = []
            if self._is_upper(token) or (run and token.word in _SMALL):
                run = [*run, token]
            elif run:
                yield run
                run = []
            if not run and token.word not in self._ordinary:
                yield [token]
        yield run

    def _may_be_misspelt(self, run: list[NameWord]) -> bool:
        while run and (run[-1].word in _SMALL or run[0].word in STOP_WORDS):
            run.pop(0 if run[0].word in STOP_WORDS else -1)
        if not run:
            return False
        least = _LEAST_MISSPELT if len(run) > 1 or not self._is_upper(run[0]) else _LEAST_ALONE
        is_long = sum(len(token.word) for token in run) >= least
        return is_long and any(
            token.word not in self._ordinary and not self._is_player(token) for token in run
        )


def _most(key: str) -> int:
    """Return how many wrong letters a name may have."""
    return 1 if len(key) < _LONG else 2 if len(key) < _VERY_LONG else 3


def likeliest(name: str, cards: Cards) -> list[int]:
    """Return up to five cards with names most like an unknown one."""
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - imported on first use

    near = process.extract(key_of(name), cards.all_keys(), scorer=fuzz.WRatio, score_cutoff=80)
    names = cards.named([hit[0] for hit in near])
    return list(dict.fromkeys([names[hit[0]][0].card for hit in near]))
