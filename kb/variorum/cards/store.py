"""The user's cards in an SQLite file beside the base."""

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

from variorum.cards.card import Card, CardRuling, Face
from variorum.cards.card_files import LooseRuling, read_cards
from variorum.cards.names import FULL, fold_name, key_of, keys_of, shared_words, variants
from variorum.errors import DocumentError, NotReadableError, NotWritableError
from variorum.files import Closing, beside_of, replaced, writable

CARDS = "cards.sqlite"
# Marks a file of this layout in its header; another layout needs another mark.
_APPLICATION = int.from_bytes(b"vrcd")
_SCHEMA = """
CREATE TABLE card (id INTEGER PRIMARY KEY, name TEXT NOT NULL, layout TEXT NOT NULL, keywords TEXT NOT NULL,
    faces TEXT NOT NULL, rulings TEXT NOT NULL);
CREATE TABLE ruling (id INTEGER PRIMARY KEY, date TEXT NOT NULL, words TEXT NOT NULL);
CREATE TABLE name (key TEXT NOT NULL, kind INTEGER NOT NULL, card INTEGER NOT NULL,
    PRIMARY KEY (key, kind, card)) WITHOUT ROWID;
CREATE TABLE ordinary (word TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
# A word that the texts of this many cards print in small letters is an ordinary word.
_ORDINARY = 2
_SMALL_WORD = re.compile(r"(?<![\w'’])[a-z]+(?![\w])")


class CardCounts(NamedTuple):
    """How many cards, names and rulings were added."""

    cards: int
    names: int
    rulings: int
    newest: str


class NameRow(NamedTuple):
    """A key of a card's name.

    Attributes:
        key: As `key_of` makes it.
        kind: FULL or PART.
        card: The id of the card.
    """

    key: str
    kind: int
    card: int


def take_in(files: Sequence[Path], folder: Path) -> CardCounts:
    """Write the cards of some files beside a base, in place of those that were there.

    Raises:
        DocumentError: A file holds no cards.
        NotReadableError: A file cannot be opened.
        NotWritableError: The folder cannot be written.
    """
    cards, keyed = _read(files)
    if not cards:
        raise DocumentError("has rulings but no cards; also name the file of cards", files[0].name)
    target = folder / CARDS
    with writable(target):
        folder.mkdir(parents=True, exist_ok=True)
        beside_of(target).unlink(missing_ok=True)
    with replaced(target) as beside:
        try:
            connection = sqlite3.connect(beside)
            try:
                counts = _write(connection, cards, keyed)
            finally:
                connection.close()
        except sqlite3.Error as error:
            raise NotWritableError(f"{target}: cannot be written: {error}") from None
    return counts


def _read(files: Sequence[Path]) -> tuple[dict[str, Card], dict[str, list[CardRuling]]]:
    """Return the cards by name, and loose rulings by the name of their card."""
    cards: dict[str, Card] = {}
    names: dict[str, str] = {}
    loose: dict[str, list[CardRuling]] = {}
    for file in files:
        for entry in read_cards(file):
            if isinstance(entry, LooseRuling):
                loose.setdefault(entry.key, []).append(entry.ruling)
            else:
                # Scryfall's file of all prints has a card many times.
                known = cards.setdefault(entry.card.name, entry.card)
                names[entry.key] = known.name
    rulings = {names[key]: rows for key, rows in loose.items() if key in names}
    return cards, rulings


def _write(
    connection: sqlite3.Connection, cards: dict[str, Card], loose: dict[str, list[CardRuling]]
) -> CardCounts:
    connection.executescript(f"PRAGMA application_id={_APPLICATION};{_SCHEMA}")
    rulings: dict[CardRuling, int] = {}
    keys: set[NameRow] = set()
    common: dict[str, int] = {}
    shared = shared_words(cards.values())
    for number, (name, card) in enumerate(sorted(cards.items())):
        card_rulings = sorted(
            dict.fromkeys([*card.rulings, *loose.get(name, ())]), key=lambda ruling: ruling.date
        )
        ids = [rulings.setdefault(ruling, len(rulings)) for ruling in card_rulings]
        lists = "\n".join(card.keywords), json.dumps(card.faces), json.dumps(ids)
        row = (number, name, card.layout, *lists)
        connection.execute("INSERT INTO card VALUES (?, ?, ?, ?, ?, ?)", row)
        keys.update([NameRow(key, kind, number) for key, kind in keys_of(card, shared)])
        texts = [card.rules_text, *(ruling.text for ruling in card_rulings)]
        words = [word for text in texts for word in _SMALL_WORD.findall(text)]
        for word in {*words, *map(fold_name, card.types)}:
            common[word] = common.get(word, 0) + 1
    connection.executemany(
        "INSERT INTO ruling VALUES (?, ?, ?)",
        [(number, ruling.date, ruling.text) for ruling, number in rulings.items()],
    )
    connection.executemany("INSERT INTO name VALUES (?, ?, ?)", sorted(keys))
    ordinary = sorted([(word,) for word, count in common.items() if count >= _ORDINARY])
    connection.executemany("INSERT INTO ordinary VALUES (?)", ordinary)
    newest = max((ruling.date for ruling in rulings), default="")
    counts = CardCounts(
        len(cards), sum(name_row.kind == FULL for name_row in keys), len(rulings), newest
    )
    facts = [(name, str(value)) for name, value in counts._asdict().items()]
    longest = max((name_row.key.count(" ") + 1 for name_row in keys), default=0)
    connection.executemany("INSERT INTO fact VALUES (?, ?)", [*facts, ("longest", str(longest))])
    connection.commit()
    return counts


class Cards(Closing):
    """The cards beside a base. Use it in a `with` statement, or close it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        facts = dict(connection.execute("SELECT name, value FROM fact"))
        self.counts = CardCounts(
            int(facts["cards"]), int(facts["names"]), int(facts["rulings"]), facts["newest"]
        )
        self.longest = int(facts["longest"])

    @classmethod
    def open(cls, folder: Path) -> Self | None:
        """Return the cards beside a base; None if there are none.

        Raises:
            NotReadableError: The file is damaged, or of another version of the program.
        """
        file = folder / CARDS
        if not file.is_file():
            return None
        remedy = "add the cards again with cr kb cards FILE"
        connection = sqlite3.connect(
            f"{file.resolve().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
        )
        try:
            if connection.execute("PRAGMA application_id").fetchone() == (_APPLICATION,):
                return cls(connection)
        except (sqlite3.Error, KeyError, ValueError) as error:
            connection.close()
            raise NotReadableError(f"{file}: damaged ({error}); {remedy}") from None
        connection.close()
        raise NotReadableError(f"{file}: written by another version of the program; {remedy}")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def card(self, number: int) -> Card:
        """Return a card by its id."""
        name, layout, keywords, faces, ids = self._connection.execute(
            "SELECT name, layout, keywords, faces, rulings FROM card WHERE id = ?", [number]
        ).fetchone()
        return Card(
            name,
            layout,
            tuple(keywords.split("\n")) if keywords else (),
            tuple([Face(*face) for face in json.loads(faces)]),
            tuple(self._rulings(json.loads(ids))),
        )

    def _rulings(self, ids: Sequence[int]) -> list[CardRuling]:
        rulings = {
            number: CardRuling(date, words)
            for number, date, words in self._in("SELECT id, date, words FROM ruling WHERE id", ids)
        }
        return [rulings[number] for number in ids]

    def named(self, keys: Iterable[str]) -> dict[str, list[NameRow]]:
        """Return the names with some keys, complete names first."""
        names: dict[str, list[NameRow]] = {}
        for row in self._in(
            "SELECT key, kind, card FROM name WHERE key", list(dict.fromkeys(keys))
        ):
            names.setdefault(row[0], []).append(NameRow(*row))
        return {key: sorted(rows) for key, rows in names.items()}

    def ordinary(self, words: Iterable[str]) -> set[str]:
        """Return those words that the texts of cards use as ordinary words."""
        return {
            row[0] for row in self._in("SELECT word FROM ordinary WHERE word", list(set(words)))
        }

    def _in(self, statement: str, values: Sequence[object]) -> Iterator[tuple[Any, ...]]:
        most = self._connection.getlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER)
        for start in range(0, len(values), most):
            some = values[start : start + most]
            marks = ", ".join("?" * len(some))
            yield from self._connection.execute(f"{statement} IN ({marks})", some)

    def all_keys(self) -> list[str]:
        """Return all keys."""
        return [row[0] for row in self._connection.execute("SELECT DISTINCT key FROM name")]

    def find(self, name: str) -> list[int]:
        """Return the ids of the cards with a complete name; if there are none, with part of a name."""
        names = self.named(variants(key_of(name)))
        rows = [row for key in variants(key_of(name)) for row in names.get(key, ())]
        full_names = [row.card for row in rows if row.kind == FULL]
        return list(dict.fromkeys(full_names or [row.card for row in rows]))
