"""The user's cards in a file beside the base, found by the keys of their names; each is unpacked when it is used."""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

import msgspec

from variorum.cards.card import Card, read_cards
from variorum.errors import FileError
from variorum.files import write_file
from variorum.records.search import CardTotals
from variorum.text import Word
from variorum.words import ASKING, SILENT

CARDS = "cards.packed"
_pack = msgspec.msgpack.encode
# A word that the texts of this many cards print in small letters is an ordinary word.
_ORDINARY, _SMALL_WORD = 2, re.compile(r"(?<![\w'’])[a-z]+(?![\w])")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
# The short form of a name ends before these: "Kruphix, God of Horizons", "Kenrith the King".
_TITLE = re.compile(r",? (?:the|of|from|and|in) |, ")
_OWNER = re.compile(r"\w+['’]s?(?!\w)")
_LEAST_PART, _SHARED = 4, 2


def name_words(text: str) -> list[Word]:
    """Return the words of a text, without accents, apostrophes and capitals.

    >>> [token.word for token in name_words("Jötun Grunt’s / urza's")]
    ['jotun', 'grunts', 'urzas']
    """
    return [Word(_folded(word[0]), word.start(), word.end()) for word in _WORD.finditer(text)]


def _folded(word: str) -> str:
    plain = word if word.isascii() else unicodedata.normalize("NFKD", word)
    letters = [sign for sign in plain if not (unicodedata.combining(sign) or sign in "'’")]
    return "".join(letters).lower()


def key_of(name: str) -> str:
    """Return the key of a name: its folded words."""
    return " ".join([token.word for token in name_words(name)])


def variants(key: str) -> list[str]:
    """Return a key, and the key without each ending that may mark a plural or possessive.

    >>> variants("thought reflections"), variants("wraths of god")
    (['thought reflections', 'thought reflection'], ['wraths of god', 'wrath of god'])
    """
    words, keys = key.split(" "), [key]
    for place in dict.fromkeys((len(words) - 1, 0)):
        word = words[place]
        for ending, singular in (("s", ""), ("ies", "y"), ("ves", "f"), ("es", "")):
            if word.endswith(ending) and len(word) >= _LEAST_PART:
                bare = word.removesuffix(ending) + singular
                keys.append(" ".join([*words[:place], bare, *words[place + 1 :]]))
    return keys


def _parts_of(card: Card, shared: Collection[str]) -> list[str]:
    """Return the keys of the short forms of a card's names: Kruphix."""
    parts: dict[str, None] = {}
    for face in card.faces:
        if "Legendary" in face.type_line or "," in face.name:
            part = key_of(_TITLE.split(face.name, maxsplit=1)[0])
            for beginning in (part, part.partition(" ")[0]):
                if len(beginning) >= _LEAST_PART and beginning not in shared:
                    parts[beginning] = None
    return list(parts)


# Words that questions begin with, as names are folded.
STOP_WORDS = {word.word for word in name_words(" ".join(ASKING | SILENT))}


def take_in(files: Sequence[Path], folder: Path) -> CardTotals:
    """Write the cards of some files beside a base, in place of those that were there."""
    cards = read_cards(files)
    nouns = [card for card in cards if "Legendary" not in card.faces[0].type_line]
    named = Counter(
        word
        for card in nouns
        for word in {*key_of(_OWNER.sub(" ", card.name).split(" of ")[0]).split()}
    )
    # People do not call a card by a word that several names share: king, throne.
    shared = {word for word, count in named.items() if count >= _SHARED}
    common: Counter[str] = Counter()
    whole, short = dict[str, list[int]](), dict[str, list[int]]()
    for number, card in enumerate(cards):
        for keys, ids in (map(key_of, card.names), whole), (_parts_of(card, shared), short):
            for key in filter(None, keys):
                ids.setdefault(key, []).append(number)
        texts = [card.rules_text, *[ruling.text for ruling in card.rulings]]
        small = {word for text in texts for word in _SMALL_WORD.findall(text)}
        common.update(small | {*map(_folded, card.types)})
    rulings = {ruling for card in cards for ruling in card.rulings}
    newest = max([ruling.date for ruling in rulings], default="")
    names = sum(map(len, whole.values()))
    counts = CardTotals(len(cards), names, len(rulings), newest)
    ordinary = {word for word, count in common.items() if count >= _ORDINARY}
    packed = [_pack(card) for card in cards]
    write_file(folder / CARDS, _pack(Cards(counts, STOP_WORDS | ordinary, whole, short, packed)))
    return counts


class Cards(msgspec.Struct, array_like=True):
    """The cards beside a base, each packed, at the places that are their ids.

    `ordinary` are words that are no name by themselves; `whole` and `short` have the ids by the keys of
    names, and of short forms of these.
    """

    counts: CardTotals
    ordinary: set[str]
    whole: dict[str, list[int]]
    short: dict[str, list[int]]
    packed: list[bytes]

    @classmethod
    def open(cls, folder: Path) -> "Cards | None":
        """Return the cards beside a base; None if there are none."""
        file = folder / CARDS
        if not file.is_file():
            return None
        try:
            return msgspec.msgpack.decode(file.read_bytes(), type=cls)
        except (OSError, msgspec.MsgspecError):
            problem = "damaged, or written by another version of the program"
            raise FileError(
                f"{file}: {problem}; add the cards again with cr kb cards FILE"
            ) from None

    def card(self, number: int) -> Card:
        """Return a card by its id."""
        return msgspec.msgpack.decode(self.packed[number], type=Card)

    def named(self, key: str) -> tuple[list[int], bool]:
        """Return the cards with a name, and whether it is a whole name."""
        for names, is_whole in (self.whole, True), (self.short, False):
            for variant in variants(key):
                if variant in names:
                    return names[variant], is_whole
        return [], False

    def likeliest(self, name: str) -> list[int]:
        """Return up to five cards with names most like an unknown one."""
        from rapidfuzz import fuzz, process  # noqa: PLC0415 - imported on first use

        keys = [*self.whole, *self.short]
        near = process.extract(key_of(name), keys, scorer=fuzz.WRatio, score_cutoff=80)
        return list(dict.fromkeys([self.named(key)[0][0] for key, *_ in near]))
