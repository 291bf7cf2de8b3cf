"""Files of cards: MTGJSON's AtomicCards and Scryfall's bulk files, read one card at a time."""

import bz2
import codecs
import gzip
import io
import json
import lzma
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from variorum.cards.card import Card, CardRuling, Face
from variorum.errors import DocumentError, NotReadableError
from variorum.files import LARGEST_CARD, size_of_file

_PACKED: dict[bytes, Callable[[Path], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ": lzma.open,
}
_BLANKS = " \t\r\n,"
# Layouts of objects that are not cards of the game; Scryfall lists them with the cards.
_NO_CARDS = {"token", "double_faced_token", "art_series", "emblem"}


class LooseRuling(NamedTuple):
    """A ruling of Scryfall's file of rulings, which names its card by a key."""

    key: str
    ruling: CardRuling


class KeyedCard(NamedTuple):
    """A card, and the key that rulings in another file use for it.

    The key is an empty string if there is none.
    """

    key: str
    card: Card


def read_cards(path: Path) -> Iterator[KeyedCard | LooseRuling]:
    """Yield the cards of a file, or the rulings if that is what it holds.

    Args:
        path: JSON of MTGJSON (AtomicCards) or Scryfall (any bulk file), packed or not.

    Raises:
        DocumentError: It is neither.
        NotReadableError: It cannot be opened.
    """
    holds_cards = False
    size_of_file(path)
    try:
        with _open(path) as file:
            for name, value in _entries(file, path.name):
                for entry in _cards_of(name, value, path.name):
                    holds_cards = True
                    yield entry
    except (OSError, EOFError, lzma.LZMAError, zipfile.BadZipFile) as error:
        raise NotReadableError(f"{path}: cannot be read: {error}") from None
    except (UnicodeDecodeError, RecursionError) as error:
        raise DocumentError(f"not a JSON file of cards: {error}", path.name) from None
    if not holds_cards:
        raise DocumentError("holds no cards", path.name)


def _open(path: Path) -> IO[bytes]:
    with path.open("rb") as file:
        start = file.read(max(map(len, _PACKED)))
    if start.startswith(b"PK"):
        archive = zipfile.ZipFile(path)
        return archive.open(archive.namelist()[0])
    for magic, opened in _PACKED.items():
        if start.startswith(magic):
            return cast("IO[bytes]", opened(path))
    return path.open("rb")


def _entries(file: IO[bytes], name: str) -> Iterator[tuple[str, Any]]:
    """Yield the values of the outer list, or of the object "data", each with its key."""
    text = _Text(file, name)
    first = text.peek()
    if first == "[":
        text.skip()
        while text.peek() != "]":
            yield "", text.value()
    elif first == "{":
        text.skip()
        while text.peek() != "}":
            key = text.value()
            text.expect(":")
            if key == "data" and text.peek() == "{":
                text.skip()
                while text.peek() != "}":
                    inner = text.value()
                    text.expect(":")
                    yield str(inner), text.value()
                return
            text.value()
    else:
        raise DocumentError("neither MTGJSON's AtomicCards nor Scryfall's bulk data", name)


class _Text:
    """A reader of JSON that holds one value at a time, so large files need little memory."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._file, self._name = file, name
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self._scan = json.JSONDecoder().raw_decode
        self._buffer, self._place = "", 0

    def peek(self) -> str:
        """Return the next character that is neither a blank nor a comma."""
        while True:
            while self._place < len(self._buffer) and self._buffer[self._place] in _BLANKS:
                self._place += 1
            if self._place < len(self._buffer):
                return self._buffer[self._place]
            if not self._more():
                raise DocumentError("the file is cut off", self._name)

    def skip(self) -> None:
        """Skip the character that `peek` returned."""
        self._place += 1

    def expect(self, wanted: str) -> None:
        """Skip a character that must come next."""
        if self.peek() != wanted:
            raise DocumentError(f"invalid JSON: {wanted!r} expected", self._name)
        self.skip()

    def value(self) -> object:
        """Return the next value."""
        self.peek()
        while True:
            try:
                value, end = self._scan(self._buffer, self._place)
            except json.JSONDecodeError as error:
                if not self._more():
                    raise DocumentError(f"invalid JSON: {error.msg}", self._name) from None
                continue
            if end == len(self._buffer) and self._more():
                continue  # a number may go on
            self._place = end
            return value

    def _more(self) -> bool:
        """Read on, at least twice as far if a value is long; return whether there was more."""
        rest = self._buffer[self._place :]
        if len(rest) > LARGEST_CARD:
            raise DocumentError("an entry is too large for a card", self._name)
        data = self._file.read(max(io.DEFAULT_BUFFER_SIZE, len(rest)))
        self._buffer, self._place = rest + self._decode(data, final=not data), 0
        return bool(data)


def _cards_of(name: str, value: object, file: str) -> Iterator[KeyedCard | LooseRuling]:
    """Yield the cards or rulings of an entry; nothing if it is something else."""
    try:
        if isinstance(value, list):
            yield _atomic(name, [_fields(face) for face in cast("list[object]", value)])
        elif isinstance(value, dict):
            fields = _fields(cast("object", value))
            if fields.get("object") == "ruling":
                ruling = CardRuling(_text(fields, "published_at"), _text(fields, "comment"))
                yield LooseRuling(_text(fields, "oracle_id"), ruling)
            elif fields.get("object") == "card" and fields.get("layout") not in _NO_CARDS:
                yield _scryfall(fields)
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise DocumentError(f"{name or 'an entry'}: not a valid card: {error!r}", file) from None


Fields = Mapping[str, Any]


def _fields(value: object) -> Fields:
    if not isinstance(value, dict):
        raise TypeError("not a JSON object")
    return cast("Fields", value)


def _text(fields: Fields, key: str) -> str:
    value = fields.get(key)
    return "" if value is None else str(value)


def _atomic(name: str, faces: list[Fields]) -> KeyedCard:
    """Return a card of MTGJSON: a list of its faces."""
    if " // " in name:
        faces = _each_once(faces)
    rulings = {
        CardRuling(_text(ruling, "date"), _text(ruling, "text")): None
        for face in faces
        for ruling in face.get("rulings") or ()
    }
    keywords = [str(word) for face in faces for word in face.get("keywords") or ()]
    return KeyedCard(
        "",
        Card(
            name or _text(faces[0], "name"),
            _text(faces[0], "layout") or "normal",
            tuple(dict.fromkeys(keywords)),
            tuple(
                [
                    _face(face, _text(face, "faceName") or name, "manaCost", "type", "text")
                    for face in faces
                ]
            ),
            tuple(sorted(rulings, key=lambda ruling: ruling.date)),
        ),
    )


def _each_once(faces: list[Fields]) -> list[Fields]:
    """Return each face of a card once, even if the file repeats the faces for each print."""
    return list({_text(face, "faceName"): face for face in reversed(faces)}.values())[::-1]


def _scryfall(fields: Fields) -> KeyedCard:
    """Return a card of Scryfall."""
    faces = [_fields(face) for face in fields.get("card_faces") or [fields]]
    return KeyedCard(
        _text(fields, "oracle_id") or _text(faces[0], "oracle_id"),
        Card(
            str(fields["name"]),
            _text(fields, "layout") or "normal",
            tuple([str(word) for word in fields.get("keywords") or ()]),
            tuple(
                [
                    _face(face, str(face["name"]), "mana_cost", "type_line", "oracle_text")
                    for face in faces
                ]
            ),
            (),
        ),
    )


def _face(fields: Fields, name: str, cost: str, line: str, text: str) -> Face:
    size = "/".join([_text(fields, key) for key in ("power", "toughness") if fields.get(key)])
    size = size or _text(fields, "loyalty") or _text(fields, "defense")
    return Face(name, _text(fields, cost), _text(fields, line), _text(fields, text), size)
