"""Cards are read from files of any source, and stored."""

import bz2
import gzip
import io
import json
import lzma
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.sample_cards import ATOMIC, ORACLE, RULINGS, card
from variorum_kb.cards.card_files import KeyedCard, read_cards
from variorum_kb.cards.store import CARDS, Cards, take_in
from variorum_kb.errors import DocumentError, NotReadableError


def zipped(data: bytes) -> bytes:
    """Return a ZIP with a file."""
    result = io.BytesIO()
    with zipfile.ZipFile(result, "w") as archive:
        archive.writestr("AtomicCards.json", data)
    return result.getvalue()


# Files -------------------------------------------------------------------------------------------


PACKED: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "with a mark": lambda data: b"\xef\xbb\xbf" + data,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zip": zipped,
}


@pytest.mark.parametrize("name", PACKED)
def test_packed(name: str, tmp_path: Path) -> None:
    """A file is read in any packing, however its JSON is cut into chunks."""
    more = {f"Ælf {number}": [card("", "é" * number, "", [])] for number in range(99)}
    value: dict[str, object] = {"meta": [1.25, {"data": {}}], "data": {**ATOMIC["data"], **more}}
    text = json.dumps(value, indent=3, ensure_ascii=False)
    (tmp_path / "cards").write_bytes(PACKED[name](text.encode()))

    counts = take_in([tmp_path / "cards"], tmp_path)

    assert (counts.cards, counts.rulings, counts.newest) == (7 + 99, 2, "2008-07-01")


BELL, BUOY = ATOMIC["data"]["Bell // Buoy"]


# Cards as their sources write them, with key, name, layout, keywords and names of faces.
FIELDS: list[tuple[object, tuple[str, str, str, list[str], list[str]]]] = [
    ({"data": {"Ox": [card("Ox", "Boat", "", ["Ram", "Tow", "Ram"])]}}, ("", "Ox", "normal", ["Ram", "Tow"], ["Ox"])),
    ({"data": {"Ox": [{}, {}]}}, ("", "Ox", "normal", [], ["Ox", "Ox"])),
    # The faces of a card may be repeated for each print.
    ({"data": {"Bell // Buoy": [BELL, BUOY, BELL, BUOY]}}, ("", "Bell // Buoy", "split", [], ["Bell", "Buoy"])),
    ([[{"name": "Ox"}, {"name": "Hull"}]], ("", "Ox", "normal", [], ["", ""])),
    ([ORACLE[0]], ("a", "Keelgrinder", "normal", ["Skimming"], ["Keelgrinder"])),
    ([{"object": "card", "name": "Ox"}], ("", "Ox", "normal", [], ["Ox"])),
    (
        [{"object": "card", "name": "Ox", "card_faces": [{"name": "Ox", "oracle_id": "x"}, {"name": "Hull"}]}],
        ("x", "Ox", "normal", [], ["Ox", "Hull"]),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("value", "expected"), FIELDS)
def test_fields(
    value: object, expected: tuple[str, str, str, list[str], list[str]], tmp_path: Path
) -> None:
    """A card has its key, name, layout, keywords and faces; what its source omits is blank."""
    (tmp_path / "cards").write_text(json.dumps(value), "utf-8")

    (entry,) = read_cards(tmp_path / "cards")

    assert isinstance(entry, KeyedCard)
    read, names = entry.card, [face.name for face in entry.card.faces]
    assert (entry.key, read.name, read.layout, list(read.keywords), names) == expected


def test_stored_cards_are_those_read(tmp_path: Path) -> None:
    """A stored card has the fields and rulings that were read, in the order of the rulings' days."""
    shared = ("2008-07-01", "If Marrow leaves the game, see rule 600.4a.")
    other = card("Ox", "Boat", "", ["Ram", "Tow"], ("2010-01-01", "Ælf."), shared)
    value = {"data": {**ATOMIC["data"], "Ox": [other]}}
    (tmp_path / "cards.json").write_text(json.dumps(value), "utf-8")

    take_in([tmp_path / "cards.json"], tmp_path / "new" / "kb")

    entries = [*read_cards(tmp_path / "cards.json")]
    with Cards.open(tmp_path / "new" / "kb") or pytest.fail("no cards") as opened:
        for entry in entries:
            assert isinstance(entry, KeyedCard)
            assert opened.card(opened.find(entry.card.name)[0]) == entry.card
        assert opened.counts == (8, 10, 3, "2010-01-01")
        assert len(opened.named(f"no card {number}" for number in range(40_000))) == 0


def test_scryfall(tmp_path: Path) -> None:
    """Scryfall's cards get their rulings from its other file; tokens and strange rulings don't count."""
    for name, value in (("cards", ORACLE), ("rulings", RULINGS)):
        (tmp_path / name).write_text(json.dumps(value, indent=1), "utf-8")

    counts = take_in([tmp_path / "rulings", tmp_path / "cards"], tmp_path)

    with Cards.open(tmp_path) or pytest.fail("no cards") as opened:
        (number,) = opened.find("keelgrinder")
        card = opened.card(number)
    assert counts.cards == 2
    assert (card.faces[0].size, [ruling.text for ruling in card.rulings]) == ("3/4", ["It skims."])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "cards: the file is cut off"),
        (b"no json", "cards: neither MTGJSON's AtomicCards nor Scryfall's bulk data"),
        (b"{}", "cards: holds no cards"),
        (b"[]", "cards: holds no cards"),
        (b"[1, 2]", "cards: holds no cards"),
        (b'{"data" 1}', "cards: invalid JSON: ':' expected"),
        (b'{"data": {"A": [{"name": "A"', "cards: invalid JSON: Expecting ',' delimiter"),
        (b'{"data": {"A": [1]}}', "cards: A: not a valid card: TypeError('not a JSON object')"),
        (b'{"data": {"A": []}}', "cards: A: not a valid card: IndexError"),
        (b'{"data": {"A": [{"rulings": [1]}]}}', "cards: A: not a valid card: AttributeError"),
        (b'[{"object": "card"}]', "cards: an entry: not a valid card: KeyError('name')"),
        (b'["\xed\xa0\x80"]', "cards: not a JSON file of cards: 'utf-8' codec"),
        (b'["\xc3', "cards: not a JSON file of cards: 'utf-8' codec"),
        (b"[" * 100_000, "cards: not a JSON file of cards: maximum recursion depth exceeded"),
    ],
    ids=str,
)
def test_error_no_cards(data: bytes, message: str, tmp_path: Path) -> None:
    """A file without cards is refused with the reason, and stored cards stay."""
    (tmp_path / "cards").write_bytes(data)
    (tmp_path / CARDS).write_bytes(b"old")

    with pytest.raises(DocumentError, match=f"^{re.escape(message)}"):
        take_in([tmp_path / "cards"], tmp_path)

    assert {path.name for path in tmp_path.iterdir()} == {"cards", CARDS}
    assert (tmp_path / CARDS).read_bytes() == b"old"


@pytest.mark.parametrize(
    "data",
    [
        b"PK\x03\x04",
        b"\xfd7zXZ\x00",
        b"BZh9",
        gzip.compress(b"[]" * 9, mtime=0)[:-9],
        b"\x1f\x8b\x08",
    ],
)
def test_error_packing(data: bytes, tmp_path: Path) -> None:
    """A damaged packed file is refused."""
    (tmp_path / "cards").write_bytes(data)

    with pytest.raises(NotReadableError, match="cards: cannot be read: "):
        take_in([tmp_path / "cards"], tmp_path)


def test_error_files(tmp_path: Path) -> None:
    """A missing file, rulings without cards, and a damaged store each get a message."""
    (tmp_path / "rulings").write_text(json.dumps(RULINGS), "utf-8")
    with pytest.raises(NotReadableError):
        list(read_cards(tmp_path / "missing"))
    with pytest.raises(DocumentError, match="rulings but no cards"):
        take_in([tmp_path / "rulings"], tmp_path)
    assert Cards.open(tmp_path) is None
    (tmp_path / CARDS).write_bytes(b"no database at all, but long enough to be read as one" * 9)
    with pytest.raises(NotReadableError, match="cr cards FILE"):
        Cards.open(tmp_path)
