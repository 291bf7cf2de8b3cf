"""Cards: read from files of any source, stored, found by name in texts, and matched with rules."""

import bz2
import io
import json
import lzma
import zipfile
from collections.abc import Callable, Generator
from datetime import date
from pathlib import Path

import pytest

from tests.support.sample_cards import ATOMIC, ORACLE, RULINGS, card
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.cards.card_files import read_cards
from variorum_kb.cards.finder import find_cards, likeliest
from variorum_kb.cards.governing import card_json
from variorum_kb.cards.store import CARDS, Cards, take_in
from variorum_kb.errors import DocumentError, NotReadableError


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> Generator[Cards]:
    """Return the invented cards, added to a base."""
    folder = tmp_path_factory.mktemp("cards")
    (folder / "cards.json").write_text(json.dumps(ATOMIC), "utf-8")
    take_in([folder / "cards.json"], folder)
    with Cards.open(folder) or pytest.fail("no cards") as opened:
        yield opened


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
    (tmp_path / "cards").write_bytes(PACKED[name](json.dumps(ATOMIC, indent=3).encode()))

    counts = take_in([tmp_path / "cards"], tmp_path)

    assert (counts.cards, counts.rulings, counts.newest) == (7, 2, "2008-07-01")


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
    "text",
    [
        "",
        "no json",
        "{}",
        "[]",
        '{"data": {"A": [1]}}',
        '{"data": {"A": [{"name": "A"',
        "[1, 2]",
        '["\ud800"]',
    ],
)
def test_error_no_cards(text: str, tmp_path: Path) -> None:
    """A file without cards is refused, and stored cards stay."""
    (tmp_path / "cards").write_bytes(text.encode("utf-8", "surrogatepass"))
    (tmp_path / CARDS).write_bytes(b"old")

    with pytest.raises(DocumentError):
        take_in([tmp_path / "cards"], tmp_path)

    assert {path.name for path in tmp_path.iterdir()} == {"cards", CARDS}
    assert (tmp_path / CARDS).read_bytes() == b"old"


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


# Names -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I control Marrow and cast Drain Harbor.", ["Marrow, Tide of Gulls", "Drain Harbor"]),
        ("marrow tide of gulls bars", ["Marrow, Tide of Gulls"]),
        (
            "Two Thought Reflections and my Keelgrinder's text",
            ["Thought Reflection", "Keelgrinder"],
        ),
        ("both Wreaths of Salt", ["Wreath of Salt"]),
        ("a Keelgrindor bars; Thougt Reflection", ["Keelgrinder", "Thought Reflection"]),
        # In a long name, three letters may be wrong.
        ("I cast Marow, Tyde of Guls.", ["Marrow, Tide of Gulls"]),
        ("I cast Marow, Tyde of Gols.", []),
        ("I cast Buoy.", ["Bell // Buoy"]),
        # Ordinary words are names only where they are used as names.
        ("Can I redirect it?", []),
        ("I answer with Redirect.", ["Redirect"]),
        ("Redirect is cast.", ["Redirect"]),
        ("Redirect that boat.", []),
        # Players also have names.
        ("Marrow controls a boat, and Marrow's hand is empty.", []),
        # A name that no card has does not mean a card with a part of it.
        ("I cast Marrow Keeper on it.", []),
        ("", []),
        ("What happens?", []),
    ],
)
def test_names(text: str, expected: list[str], cards: Cards) -> None:
    """Names are found whole, in part, in plural and misspelt, and nothing else is."""
    assert [cards.card(card.card).name for card in find_cards(text, cards)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("kelpoe", ["Kelpie"]),
        ("kelpo", []),
        ("Lantrns", []),
        ("Lantrens", ["Lanterns"]),
        ("Lanqqrns", []),
        ("Anchorqqe", ["Anchorage"]),
        ("Anchqqqge", []),
        ("Wandering Lightkeqqqrs", ["Wandering Lightkeepers"]),
        ("Wandering Lightkqqqqrs", []),
    ],
)
def test_misspelt(text: str, expected: list[str], tmp_path: Path) -> None:
    """The longer a name, the more letters may be wrong; a capitalised word must be longer."""
    names = ("Kelpie", "Lanterns", "Anchorage", "Wandering Lightkeepers")
    data = {name: [card(name, "Boat", "", [])] for name in names}
    (tmp_path / "cards.json").write_text(json.dumps({**ATOMIC, "data": data}), "utf-8")
    take_in([tmp_path / "cards.json"], tmp_path)

    with Cards.open(tmp_path) or pytest.fail("no cards") as opened:
        mentions = find_cards(f"Does {text} bar?", opened)

        assert [opened.card(mention.card).name for mention in mentions] == expected


def test_places(cards: Cards) -> None:
    """A mention has the position of the name, and whether it is misspelt."""
    text = "Does Thougt Reflection see Marrow?"

    first, second = find_cards(text, cards)

    assert [text[mention.start : mention.stop] for mention in (first, second)] == [
        "Thougt Reflection",
        "Marrow",
    ]
    assert (first.is_misspelt, second.is_misspelt) == (True, False)


def test_likeliest(cards: Cards) -> None:
    """For a name that no card has, the nearest names are suggested."""
    assert [cards.card(number).name for number in likeliest("keelgrindre", cards)] == [
        "Keelgrinder"
    ]


# Rules -------------------------------------------------------------------------------------------


def test_governing(cards: Cards, sample_base: Path) -> None:
    """A card has the rules of its keywords, actions and types in the edition, and dated rulings."""
    with KnowledgeBase.open(sample_base, today=date(2026, 1, 1)) as base:
        (number,) = cards.find("marrow")
        result = card_json(base, base.edition(), cards.card(number))

    rules = {(rule["reason"], rule["number"]) for rule in result["rules"]}
    assert ("keyword", "702.9") in rules
    assert len({rule["number"] for rule in result["rules"]}) == len(result["rules"])
    assert [ruling["date"] for ruling in result["rulings"]] == ["2007-01-01", "2008-07-01"]
    (cited,) = result["rulings"][1]["citations"]
    assert cited["number"] == "600.4a"
