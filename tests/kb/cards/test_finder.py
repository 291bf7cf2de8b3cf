"""Names of cards in texts: found whole, in part, in plural and misspelt."""

import json
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.sample_cards import ATOMIC, card
from variorum_kb.cards.finder import find_cards, likeliest
from variorum_kb.cards.store import Cards, take_in


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


# Their texts make "harbor", "boat", "quay", "moor", "the" and "it" ordinary words.
FLEET = {
    "Marrow, Tide of Gulls": ("Legendary Boat", "You may moor a boat in a harbor, or it bars."),
    "Marrow the Silent": ("Legendary Boat", "Moor it in a harbor, or moor the boat at the quay."),
    "Salt Queen, the Brave": ("Legendary Boat", "It bars the quay."),
    "Brine, the Tall": ("Legendary Boat", ""),
    "Brine": ("Boat", ""),
    "Drain Harbor": ("Squall", ""),
    "Moor": ("Squall", ""),
    "Moor the Boat": ("Squall", ""),
    "Two-Helmed Gull": ("Boat", ""),
    "Keel of the Quay": ("Chart", ""),
    "Hull, the Old": ("Legendary Boat", ""),
    "Ash, the Old": ("Legendary Boat", ""),
    "Wharf, the Seat": ("Legendary Chart", ""),
    "Wharf of Salt": ("Chart", ""),
    "Wharf of Oil": ("Chart", ""),
    "Lanternlightship": ("Boat", ""),
    "Lanternlightshi": ("Boat", ""),
    "Kelp": ("Boat", ""),
    "Ox": ("Boat", ""),
    "X": ("Squall", ""),
}


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Generator[Cards]:
    """Return cards with names that are easily mistaken."""
    folder = tmp_path_factory.mktemp("fleet")
    data = {name: [card(name, line, text, [])] for name, (line, text) in FLEET.items()}
    (folder / "cards.json").write_text(json.dumps({**ATOMIC, "data": data}), "utf-8")
    take_in([folder / "cards.json"], folder)
    with Cards.open(folder) or pytest.fail("no cards") as opened:
        yield opened


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I cast Two-Helmed Gull.", ["Two-Helmed Gull"]),
        # Formats may be named like cards.
        ("We are playing Two-Helmed Gull.", []),
        ("It is a game of Two-Helmed Gull.", []),
        ("It is a game of Salt Queen.", ["Salt Queen, the Brave"]),
        ("Who wins a Two-Helmed Gull game?", []),
        ("Is it a Two-Helmed Gull team?", []),
        ("Is it for a Two-Helmed Gull player?", []),
        # The whole of a longer name must be capitalised if all of it is ordinary.
        ("I drain harbor.", ["Drain Harbor"]),
        ("Does the keel of the quay bar?", ["Keel of the Quay"]),
        ("I moor the boat.", []),
        ("I cast Moor the Boat.", ["Moor the Boat"]),
        ("I see the salt queen.", []),
        ("I see the Salt queen.", ["Salt Queen, the Brave"]),
        # Single words.
        ("I moor.", []),
        ("I cast Moor.", ["Moor"]),
        ("It bars. Moor the crew.", []),
        ("It bars. Moor resolves.", ["Moor"]),
        ("I cast brine.", ["Brine"]),
        ("I cast kelp.", []),
        ("I cast Ox.", ["Ox"]),
        ("Ox bars.", ["Ox"]),
        ("I cast X.", []),
        ("I cast two Oxes.", ["Ox"]),
        ("I cast Oxs.", []),
        ("I cast Hull.", ["Hull, the Old"]),
        ("I cast Ash.", []),
        ("I cast Wharf.", []),
        # A part of a longer name that no card has.
        ("I cast Brine Keeper.", []),
        ("I cast Brine-Keeper.", []),
        ("I cast Brine, Ox.", ["Brine", "Ox"]),
        ("I cast Marrow Keeper.", []),
        ("I cast Marrow-Keeper.", []),
        ("I cast Marrow, Keeper.", []),
        ("I cast Grim Brine.", []),
        ("I cast Grim. Brine bars.", ["Brine"]),
        ("I cast Bob's Brine.", ["Brine"]),
        ("I cast Bobs’ Brine.", ["Brine"]),
        ("Does Brine bar?", ["Brine"]),
        # A part of several names means the one that is named in full.
        ("I cast Marrow.", ["Marrow the Silent", "or Marrow, Tide of Gulls"]),
        ("Marrow the Silent, I mean Marrow.", ["Marrow the Silent", "Marrow the Silent", "or Marrow, Tide of Gulls"]),
        ("Marrow, Tide of Gulls. I mean Marrow.", ["Marrow, Tide of Gulls", "Marrow, Tide of Gulls", "or Marrow, Tide of Gulls"]),
        # A misspelt name begins with the right letter and has as many words.
        ("I cast Lanternxxxhtship.", ["Lanternlightship"]),
        ("I cast Lanternxxxhtshi.", []),
        ("I cast Dlanternlightship.", []),
        ("I cast Lanternlight Ship.", []),
        ("I cast Salt Quean.", ["Salt Queen, the Brave"]),
        ("I cast Saalt Queen and Brine.", ["Salt Queen, the Brave", "Brine"]),
    ],
)  # fmt: skip
def test_names_in_context(text: str, expected: list[str], fleet: Cards) -> None:
    """What stands around a name, and how it is written, decides whether it names a card."""
    mentions = find_cards(text, fleet)

    names = [
        f"{'or ' * (place > 0)}{fleet.card(number).name}"
        for mention in mentions
        for place, number in enumerate((mention.card, *mention.others))
    ]
    assert names == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("kelpoe", ["Kelpie"]),
        ("kelpo", []),
        ("Ox Gaet", ["Ox Gate"]),
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
    names = ("Kelpie", "Lanterns", "Anchorage", "Wandering Lightkeepers", "Ox Gate")
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
