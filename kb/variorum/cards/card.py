"""Cards, with what the rules need to know of them, and the files of cards: MTGJSON's and Scryfall's."""

import bz2
import codecs
import gzip
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

import msgspec

from variorum.errors import DocumentError, FileError
from variorum.files import regular

# Unpacked. AtomicCards and Scryfall's Oracle Cards, with each card once, have less than 200 MB.
_LARGEST = 300_000_000
_PACKED: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}
# Layouts of objects that are not cards of the game; Scryfall lists them with the cards.
_NO_CARDS = {"token", "double_faced_token", "art_series", "emblem"}
_TOO_LARGE = "larger than a file that has each card once (AtomicCards, Oracle Cards)"
_REMINDER = re.compile(r"\([^()]*\)")


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


class _Entry(msgspec.Struct, rename={"face": "faceName", "cost": "manaCost", "line": "type"}):
    """A card, face or ruling as one of the sources has it; all else in its file is skipped."""

    object: str | None = None
    name: str | None = None
    face: str | None = None
    oracle_id: str | None = None
    layout: str | None = None
    keywords: Sequence[str] | None = None
    cost: str | None = None
    mana_cost: str | None = None
    line: str | None = None
    type_line: str | None = None
    text: str | None = None
    oracle_text: str | None = None
    power: str | None = None
    toughness: str | None = None
    loyalty: str | None = None
    defense: str | None = None
    rulings: Sequence[dict[str, str]] = ()
    card_faces: "Sequence[_Entry] | None" = None
    published_at: str = ""
    comment: str = ""

    def card(self, halves: "Sequence[_Entry]") -> Card:
        """Return the card with these faces."""
        keywords = [word for part in (self, *halves) for word in part.keywords or ()]
        said = [ruling for half in halves for ruling in half.rulings]
        rulings = [CardRuling(it.get("date", ""), it.get("text", "")) for it in said]
        faces = [half.printed(self.name or "") for half in halves]
        layout = self.layout or "normal"
        return Card(self.name or "", layout, [*dict.fromkeys(keywords)], faces, rulings)

    def printed(self, name: str) -> Face:
        size = "/".join(filter(None, (self.power, self.toughness)))
        return Face(
            self.face or self.name or name,
            self.mana_cost or self.cost or "",
            self.type_line or self.line or "",
            self.oracle_text or self.text or "",
            size or self.loyalty or self.defense or "",
        )


class _Atomic(msgspec.Struct):
    data: dict[str, list[_Entry]]


def read_cards(paths: Sequence[Path]) -> list[Card]:
    """Return the cards of some files, each once, with the rulings of a separate file."""
    cards: dict[str, Card] = {}
    names: dict[str, str] = {}  # by Scryfall's keys
    loose: dict[str, list[CardRuling]] = {}
    for path in paths:
        entries = [*_entries(_content(path))]
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


def _content(path: Path) -> _Atomic | list[_Entry]:
    regular(path)
    try:
        with _open(path) as file:
            data = file.read(_LARGEST + 1)
    except (OSError, EOFError, lzma.LZMAError, zlib.error, zipfile.BadZipFile) as error:
        raise FileError(f"{path}: cannot be read: {error}") from None
    if len(data) > _LARGEST:
        raise DocumentError(_TOO_LARGE, path.name)
    try:
        return msgspec.json.decode(data.removeprefix(codecs.BOM_UTF8), type=_Atomic | list[_Entry])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise DocumentError(
            f"neither MTGJSON's AtomicCards nor Scryfall's bulk data: {error}", path.name
        ) from None


def _open(path: Path) -> IO[bytes]:
    with path.open("rb") as file:
        start = file.read(max(map(len, _PACKED)))
    if start.startswith(b"PK"):
        archive = zipfile.ZipFile(path)
        if (member := archive.infolist()[0]).file_size > _LARGEST:  # no more than this is unpacked
            raise DocumentError(_TOO_LARGE, path.name)
        return archive.open(member)
    opened = next((opened for magic, opened in _PACKED.items() if start.startswith(magic)), open)
    return cast("IO[bytes]", opened(path, "rb"))


def _entries(content: _Atomic | list[_Entry]) -> Iterator[tuple[str, Card | CardRuling]]:
    """Yield the cards or rulings of a file, each with Scryfall's key or ""."""
    for name, halves in content.data.items() if isinstance(content, _Atomic) else ():
        # MTGJSON may repeat a face for each print.
        faces = [*{half.face: half for half in reversed(halves)}.values()][::-1]
        for face in faces[:1]:
            yield "", _Entry(name=name, layout=face.layout).card(faces)
    for entry in content if isinstance(content, list) else ():
        key = entry.oracle_id or ""
        if entry.object == "ruling":
            yield key, CardRuling(entry.published_at, entry.comment)
        elif entry.object == "card" and entry.layout not in _NO_CARDS:
            parts = entry.card_faces or [entry]
            yield key or parts[0].oracle_id or "", entry.card(parts)
