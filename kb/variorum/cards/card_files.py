"""Files of cards: MTGJSON's AtomicCards and Scryfall's bulk files."""

import bz2
import gzip
import json
import lzma
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from variorum.cards.card import Card, CardRuling, Face
from variorum.errors import DocumentError, NotReadableError
from variorum.files import LARGEST_CARDS, size_of_file

_PACKED: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}
# Layouts of objects that are not cards of the game; Scryfall lists them with the cards.
_NO_CARDS = {"token", "double_faced_token", "art_series", "emblem"}

Fields = Mapping[str, Any]


class LooseRuling(NamedTuple):
    """A ruling of Scryfall's file of rulings, which names its card by a key."""

    key: str
    ruling: CardRuling


class KeyedCard(NamedTuple):
    """A card, and the key that rulings in another file use for it; "" if there is none."""

    key: str
    card: Card


def read_cards(path: Path) -> list[KeyedCard | LooseRuling]:
    """Return the cards of a file, or the rulings if that is what it holds.

    Args:
        path: JSON of MTGJSON (AtomicCards) or Scryfall (any bulk file), packed or not.

    Raises:
        DocumentError: It is neither, or larger than any such file.
        NotReadableError: It cannot be opened.
    """
    size_of_file(path)
    try:
        with _open(path) as file:
            data = file.read(LARGEST_CARDS + 1)
    except (OSError, EOFError, lzma.LZMAError, zlib.error, zipfile.BadZipFile) as error:
        raise NotReadableError(f"{path}: cannot be read: {error}") from None
    if len(data) > LARGEST_CARDS:
        raise DocumentError("larger than any file of cards", path.name)
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"not a JSON file of cards: {error}", path.name) from None
    cards = [*_cards_in(content, path.name)]
    if not cards:
        raise DocumentError("holds no cards", path.name)
    return cards


def _open(path: Path) -> IO[bytes]:
    with path.open("rb") as file:
        start = file.read(max(map(len, _PACKED)))
    if start.startswith(b"PK"):
        archive = zipfile.ZipFile(path)
        return archive.open(archive.namelist()[0])
    opened = next((opened for magic, opened in _PACKED.items() if start.startswith(magic)), open)
    return cast("IO[bytes]", opened(path, "rb"))


def _cards_in(content: object, file: str) -> Iterator[KeyedCard | LooseRuling]:
    """Yield the cards or rulings of the outer list, or of the object "data"; nothing else."""
    if isinstance(content, dict):
        data = cast("Fields", content).get("data")
        entries = [*cast("Fields", data).items()] if isinstance(data, dict) else []
    elif isinstance(content, list):
        entries = [("", value) for value in cast("list[object]", content)]
    else:
        raise DocumentError("neither MTGJSON's AtomicCards nor Scryfall's bulk data", file)
    for name, value in entries:
        try:
            if isinstance(value, list):
                yield KeyedCard("", _atomic(name, cast("list[Fields]", value)))
            elif isinstance(value, dict):
                fields = cast("Fields", value)
                if fields.get("object") == "ruling":
                    ruling = CardRuling(_text(fields, "published_at"), _text(fields, "comment"))
                    yield LooseRuling(_text(fields, "oracle_id"), ruling)
                elif fields.get("object") == "card" and fields.get("layout") not in _NO_CARDS:
                    faces: list[Fields] = fields.get("card_faces") or [fields]
                    key = _text(fields, "oracle_id") or _text(faces[0], "oracle_id")
                    yield KeyedCard(key, _scryfall(fields, faces))
        except (KeyError, TypeError, IndexError, AttributeError) as error:
            raise DocumentError(
                f"{name or 'an entry'}: not a valid card: {error!r}", file
            ) from None


def _text(fields: Fields, key: str) -> str:
    value = fields.get(key)
    return "" if value is None else str(value)


def _atomic(name: str, faces: Sequence[Fields]) -> Card:
    """Return a card of MTGJSON: a list of its faces."""
    if " // " in name:  # the file may repeat the faces for each print
        faces = list({_text(face, "faceName"): face for face in reversed(faces)}.values())[::-1]
    rulings = {
        CardRuling(_text(ruling, "date"), _text(ruling, "text")): None
        for face in faces
        for ruling in face.get("rulings") or ()
    }
    keywords = [str(word) for face in faces for word in face.get("keywords") or ()]
    return Card(
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
    )


def _scryfall(fields: Fields, faces: Sequence[Fields]) -> Card:
    return Card(
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
    )


def _face(fields: Fields, name: str, cost: str, line: str, text: str) -> Face:
    size = "/".join([_text(fields, key) for key in ("power", "toughness") if fields.get(key)])
    size = size or _text(fields, "loyalty") or _text(fields, "defense")
    return Face(name, _text(fields, cost), _text(fields, line), _text(fields, text), size)
