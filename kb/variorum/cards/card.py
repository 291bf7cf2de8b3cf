"""Cards, with what the rules need to know of them, and the files of cards: MTGJSON's and Scryfall's."""

import bz2
import gzip
import json
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from variorum.errors import DocumentError, NotReadableError
from variorum.files import LARGEST_CARDS, size_of_file

_PACKED: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}
# Layouts of objects that are not cards of the game; Scryfall lists them with the cards.
_NO_CARDS = {"token", "double_faced_token", "art_series", "emblem"}
_REMINDER = re.compile(r"\([^()]*\)")

Fields = Mapping[str, Any]


class Face(NamedTuple):
    """A face or half of a card, as printed; `size` is power and toughness, loyalty or defense, or ""."""

    name: str
    cost: str
    type_line: str
    text: str
    size: str

    @property
    def rules_text(self) -> str:
        r"""Return the text without reminders, and without the face's own name.

        >>> Face("Ox, the Slow", "", "", "Flying (It flies.)\nOx fights Ox, the Slow.", "").rules_text
        'Flying \n~ fights ~.'
        """
        text = _REMINDER.sub("", self.text).replace(self.name, "~")
        return re.sub(rf"\b{re.escape(self.name.split(', ')[0])}\b", "~", text)


class CardRuling(NamedTuple):
    """A ruling on a card, with its day ("2014-04-26")."""

    date: str
    text: str


class Card(NamedTuple):
    """A card: its layout says how its faces belong together; its source lists the keywords."""

    name: str
    layout: str
    keywords: Sequence[str]
    faces: Sequence[Face]
    rulings: Sequence[CardRuling]

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys([self.name, *(face.name for face in self.faces)]))

    @property
    def rules_text(self) -> str:
        return "\n".join([face.rules_text for face in self.faces])

    @property
    def types(self) -> list[str]:
        """Return the words of all type lines, each once.

        >>> Card("", "", [], [Face("", "", "Legendary Creature — Ox // Land - Bay", "", "")], []).types
        ['Legendary', 'Creature', 'Ox', 'Land', 'Bay']
        """
        words = re.split(r"[\s—–]+", " ".join([face.type_line for face in self.faces]))
        return [word for word in dict.fromkeys(words) if word not in {"", "-", "//"}]


# Files --------------------------------------------------------------------------------------------


def read_cards(paths: Sequence[Path]) -> list[Card]:
    """Return the cards of some files, each once, with the rulings of a separate file.

    Raises:
        DocumentError: A file is neither MTGJSON's AtomicCards nor Scryfall's bulk data, or larger than
            any such file.
        NotReadableError: A file cannot be opened.
    """
    cards: dict[str, Card] = {}
    names: dict[str, str] = {}  # by Scryfall's keys
    loose: dict[str, list[CardRuling]] = {}
    for path in paths:
        entries = [*_entries(_content(path), path.name)]
        if not entries:
            raise DocumentError("holds no cards", path.name)
        for key, entry in entries:
            if isinstance(entry, CardRuling):
                loose.setdefault(key, []).append(entry)
            else:  # Scryfall's file of all prints has a card many times
                names[key] = cards.setdefault(entry.name, entry).name
    if not cards:
        raise DocumentError("has rulings but no cards; also name the file of cards", paths[0].name)
    for key, rulings in loose.items():
        if key in names:
            card = cards[names[key]]
            cards[card.name] = card._replace(rulings=[*card.rulings, *rulings])
    return [
        card._replace(rulings=sorted(dict.fromkeys(card.rulings), key=lambda ruling: ruling.date))
        for _, card in sorted(cards.items())
    ]


def _content(path: Path) -> object:
    size_of_file(path)
    try:
        with _open(path) as file:
            data = file.read(LARGEST_CARDS + 1)
    except (OSError, EOFError, lzma.LZMAError, zlib.error, zipfile.BadZipFile) as error:
        raise NotReadableError(f"{path}: cannot be read: {error}") from None
    if len(data) > LARGEST_CARDS:
        raise DocumentError("larger than any file of cards", path.name)
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"not a JSON file of cards: {error}", path.name) from None


def _open(path: Path) -> IO[bytes]:
    with path.open("rb") as file:
        start = file.read(max(map(len, _PACKED)))
    if start.startswith(b"PK"):
        archive = zipfile.ZipFile(path)
        return archive.open(archive.namelist()[0])
    opened = next((opened for magic, opened in _PACKED.items() if start.startswith(magic)), open)
    return cast("IO[bytes]", opened(path, "rb"))


def _entries(content: object, file: str) -> Iterator[tuple[str, Card | CardRuling]]:
    """Yield the cards or rulings of a list, or of an object's "data", each with Scryfall's key or ""."""
    if isinstance(content, dict):
        data = content.get("data")
        entries = [*data.items()] if isinstance(data, dict) else []
    elif isinstance(content, list):
        entries = [("", value) for value in content]
    else:
        raise DocumentError("neither MTGJSON's AtomicCards nor Scryfall's bulk data", file)
    for name, value in entries:
        try:
            if isinstance(value, list):  # of faces, which MTGJSON may repeat for each print
                halves = {_text(face, "faceName"): face for face in reversed(value)}.values()
                yield "", _atomic(name, [*halves][::-1] if " // " in name else value)
            elif value.get("object") == "ruling":
                ruling = CardRuling(_text(value, "published_at"), _text(value, "comment"))
                yield _text(value, "oracle_id"), ruling
            elif value.get("object") == "card" and value.get("layout") not in _NO_CARDS:
                faces = value.get("card_faces") or [value]
                key = _text(value, "oracle_id") or _text(faces[0], "oracle_id")
                yield key, _scryfall(value, faces)
        except (KeyError, TypeError, IndexError, AttributeError) as error:
            raise DocumentError(
                f"{name or 'an entry'}: not a valid card: {error!r}", file
            ) from None


def _text(fields: Fields, *keys: str) -> str:
    """Return the first field that is there, as text."""
    return next((str(fields[key]) for key in keys if fields.get(key) is not None), "")


def _atomic(name: str, faces: Sequence[Fields]) -> Card:
    rulings = [each for face in faces for each in face.get("rulings") or ()]
    return Card(
        name or _text(faces[0], "name"),
        _text(faces[0], "layout") or "normal",
        list(dict.fromkeys([word for face in faces for word in face.get("keywords") or ()])),
        [
            _face(face, _text(face, "faceName") or name, "manaCost", "type", "text")
            for face in faces
        ],
        [CardRuling(_text(ruling, "date"), _text(ruling, "text")) for ruling in rulings],
    )


def _scryfall(fields: Fields, faces: Sequence[Fields]) -> Card:
    printed = "mana_cost", "type_line", "oracle_text"
    return Card(
        fields["name"],
        _text(fields, "layout") or "normal",
        list(fields.get("keywords") or ()),
        [_face(face, face["name"], *printed) for face in faces],
        [],
    )


def _face(fields: Fields, name: str, *printed: str) -> Face:
    size = "/".join([_text(fields, key) for key in ("power", "toughness") if fields.get(key)])
    cost, line, text = [_text(fields, key) for key in printed]
    return Face(name, cost, line, text, size or _text(fields, "loyalty", "defense"))
