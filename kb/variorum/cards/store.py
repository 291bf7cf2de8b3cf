"""The user's cards in an SQLite file beside the base: a row for each, found by the keys of its names."""

import json
import re
import sqlite3
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import Self

import msgspec
from msgspec.structs import astuple

from variorum.cards.card import Card, read_cards
from variorum.errors import FileError
from variorum.files import Closing, replaced
from variorum.records.search import CardTotals
from variorum.text import Word
from variorum.words import ASKING, SILENT

CARDS = "cards.sqlite"
# Marks a file of this layout in its header; another layout needs another mark.
_APPLICATION = int.from_bytes(b"vrc2")
# The row without a name has what is known of all cards.
_SCHEMA = "CREATE TABLE card (id INTEGER PRIMARY KEY, name TEXT, keys TEXT, parts TEXT, body TEXT)"
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
    rows: list[tuple[int, str, str, str, str]] = []
    for number, card in enumerate(cards):
        keys = list(filter(None, map(key_of, card.names)))
        parts = _parts_of(card, shared)
        rows.append((number, card.name, "\n".join(keys), "\n".join(parts), json.dumps(card)))
        texts = [card.rules_text, *[ruling.text for ruling in card.rulings]]
        small = {word for text in texts for word in _SMALL_WORD.findall(text)}
        common.update(small | {*map(_folded, card.types)})
    rulings = {ruling for card in cards for ruling in card.rulings}
    newest = max([ruling.date for ruling in rulings], default="")
    names = sum([len(row[2].split("\n")) for row in rows])
    counts = CardTotals(len(cards), names, len(rulings), newest)
    ordinary = " ".join(sorted(word for word, count in common.items() if count >= _ORDINARY))
    target = folder / CARDS
    with replaced(target) as beside, closing(sqlite3.connect(beside)) as connection:
        connection.executescript(f"PRAGMA application_id={_APPLICATION};{_SCHEMA}")
        about = -1, "", ordinary, "", json.dumps(astuple(counts))
        connection.executemany("INSERT INTO card VALUES (?, ?, ?, ?, ?)", [about, *rows])
        connection.commit()
    return counts


class Cards(Closing):
    """The cards beside a base. Use it in a `with` statement, or close it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        row = connection.execute("SELECT keys, body FROM card WHERE id < 0").fetchone()
        self.ordinary = STOP_WORDS | set(row[0].split())  # words that are no name by themselves
        self.counts = CardTotals(*json.loads(row[1]))

    @cached_property
    def keys(self) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
        """Return the ids of cards by the keys of their names, and by those of short forms of these."""
        found: tuple[dict[str, list[int]], dict[str, list[int]]] = {}, {}
        rows = "SELECT id, keys, parts FROM card WHERE id >= 0 ORDER BY id"
        for number, *columns in self._connection.execute(rows):
            for ids, keys in zip(found, columns, strict=True):
                for key in filter(None, keys.split("\n")):
                    ids.setdefault(key, []).append(number)
        return found

    @classmethod
    def open(cls, folder: Path) -> Self | None:
        """Return the cards beside a base; None if there are none."""
        file = folder / CARDS
        if not file.is_file():
            return None
        uri = f"{file.resolve().as_uri()}?mode=ro&immutable=1"
        connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
        problem = "written by another version of the program"
        try:
            if connection.execute("PRAGMA application_id").fetchone() == (_APPLICATION,):
                return cls(connection)
        except (sqlite3.Error, TypeError, ValueError) as error:
            problem = f"damaged ({error})"
        connection.close()
        raise FileError(f"{file}: {problem}; add the cards again with cr kb cards FILE")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def card(self, number: int) -> Card:
        """Return a card by its id."""
        rows = self._connection.execute("SELECT body FROM card WHERE id = ?", [number])
        return msgspec.json.decode(rows.fetchone()[0], type=Card)

    def named(self, key: str) -> tuple[list[int], bool]:
        """Return the cards with a name, and whether it is a whole name."""
        for names, is_whole in zip(self.keys, (True, False), strict=True):
            for variant in variants(key):
                if variant in names:
                    return names[variant], is_whole
        return [], False

    def likeliest(self, name: str) -> list[int]:
        """Return up to five cards with names most like an unknown one."""
        from rapidfuzz import fuzz, process  # noqa: PLC0415 - imported on first use

        keys = [key for names in self.keys for key in names]
        near = process.extract(key_of(name), keys, scorer=fuzz.WRatio, score_cutoff=80)
        return list(dict.fromkeys([self.named(key)[0][0] for key, *_ in near]))
