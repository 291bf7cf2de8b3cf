"""Cards: read from files of any source, stored, found by name in texts, and matched with rules."""

import bz2
import gzip
import io
import json
import lzma
import re
import zipfile
from collections.abc import Callable, Generator
from datetime import date
from pathlib import Path

import pytest

from tests.support.edition_texts import HEAD, page
from tests.support.sample_cards import ATOMIC, ORACLE, RULINGS, card
from tests.support.small_bases import build, write
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.cards.card import Card, CardRuling, Face
from variorum_kb.cards.card_files import KeyedCard, read_cards
from variorum_kb.cards.finder import find_cards, likeliest
from variorum_kb.cards.governing import card_json
from variorum_kb.cards.store import CARDS, Cards, take_in
from variorum_kb.cards.traits import traits_of
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
    more = {f"Ælf {number}": [card("", "é" * number, "", [])] for number in range(99)}
    value = {"meta": [1.25, {"data": {}}], "data": {**ATOMIC["data"], **more}}
    text = json.dumps(value, indent=3, ensure_ascii=False)
    (tmp_path / "cards").write_bytes(PACKED[name](text.encode()))

    counts = take_in([tmp_path / "cards"], tmp_path)

    assert (counts.cards, counts.rulings, counts.newest) == (7 + 99, 2, "2008-07-01")


BELL, BUOY = ATOMIC["data"]["Bell // Buoy"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
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
    ],
)  # fmt: skip
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
    [b"PK\x03\x04", b"\xfd7zXZ\x00", b"BZh9", gzip.compress(b"[]" * 9)[:-9], b"\x1f\x8b\x08"],
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


RULES_OF_ACTIONS = """\
1. Game Concepts

100. General

100.1. Two keepers play.

100.1a A keeper has a boat.

101. Keyword Actions

101.1. Counter

101.1a A countered flag is lowered.

101.2. Strike Down

101.2a A keeper strikes.

102. Boats

102.1. A boat sails.

103. Lamps

103.1. Boats

103.1a A boat has a lamp.

103.2. Gleam

103.2a A lamp gleams.

"""
GLOSSARY_OF_ACTIONS = """\
Adrift
An old word.

Charge Counter
See rule 999.9 and rule 103.1a.

"""


@pytest.mark.parametrize(
    ("line", "text", "keywords", "expected"),
    [
        # A type leads to the section about it, anything else to a rule.
        ("Boat", "", [], [("type", "102", "Boats", "Boat")]),
        ("", "", ["Boats"], [("keyword", "103.1", "Boats", "Boats")]),
        ("", "", ["Gleam", "Gleam"], [("keyword", "103.2", "Gleam", "Gleam")]),
        ("", "", ["Lamps"], [("keyword", "103", "Lamps", "Lamps")]),
        ("Gleam", "", [], [("type", "103.2", "Gleam", "Gleam")]),
        ("", "", ["Adrift", "Nothing"], []),
        # Else the glossary tells; a rule without a heading has that of the rule above it.
        ("", "Put a charge counter on it.", [], [("counter", "103.1a", "Boats", "charge counter")]),
        ("", "Counter target flag.", [], [("action", "101.1", "Counter", "counter")]),
        ("", "It strikes down a boat.", [], [("action", "101.2", "Strike Down", "strike down")]),
        ("", "Strikes, and down.", [], []),
    ],
)
def test_governing_rules(
    line: str,
    text: str,
    keywords: list[str],
    expected: list[tuple[str, str, str, str]],
    tmp_path: Path,
) -> None:
    """Types, keywords, counters and actions lead to headings, else to what the glossary cites."""
    contents = "101. Keyword Actions\n102. Boats\n103. Lamps\n"
    document = page(
        head=HEAD.replace("101. Lamps\n", contents),
        rules=RULES_OF_ACTIONS,
        glossary=GLOSSARY_OF_ACTIONS,
    )
    build(tmp_path / "kb", write(tmp_path, {"rules.txt": document}))
    face = Face("Ox", "", line, text, "")
    with KnowledgeBase.open(tmp_path / "kb") as base:
        rules = card_json(base, base.edition(), Card("Ox", "normal", tuple(keywords), (face,), ()))

    assert [
        (rule["reason"], rule["number"], rule["heading"], rule["words"]) for rule in rules["rules"]
    ] == expected


@pytest.mark.parametrize(
    ("day", "number", "edition", "now"),
    [
        ("2008-06-20", "511.2", "2008-06-20", "705.2"),
        ("2010-01-21", "511.2", "2008-06-20", "705.2"),
        ("2010-01-22", "705.2", "2010-01-22", "705.2"),
        ("2008-06-20", "510.1", "2008-06-20", None),
        ("2008-06-20", "999.9", None, None),
        ("1999-05-13", "100.1", None, None),
        ("soon", "100.1", None, None),
    ],
)
def test_number_in_a_ruling(
    day: str, number: str, edition: str | None, now: str | None, sample_base: Path
) -> None:
    """A number in a ruling is that of the edition in force on its day, and has another today."""
    ruling = CardRuling(day, f"See rule {number}.")
    with KnowledgeBase.open(sample_base, today=date(2026, 1, 1)) as base:
        face = Face("Ox", "", "", "", "")
        result = card_json(base, base.edition(), Card("Ox", "normal", (), (face,), (ruling,)))

    citation = {"number": number, "edition": edition, "now": now}
    assert result["rulings"] == [{"date": day, "text": ruling.text, "citations": [citation]}]


LEAVES = "Whenever Ox dies, put a +1/+1 counter on a boat and create two Gull tokens."


@pytest.mark.parametrize(
    ("face", "layout", "keywords", "expected"),
    [
        (Face("Ox", "", "World City", "", ""), "normal", (), "type World: Worlds, World; type World: World Rule; type City: Cities, City"),
        (Face("Ox", "", "Legendary", "", ""), "modal_dfc", (), "layout modal dfc: Modal Double-Faced Cards, Double-Faced Cards; type Legendary: Legendaries, Legendary; type Legendary: Legend Rule"),
        (Face("Ox", "{X}{W/P}", "", "", ""), "normal", (), "cost {X}: X; cost {W/P}: Phyrexian Mana Symbol"),
        (Face("Ox", "", "", "{T}: Add {C}.", ""), "normal", (), "cost {T}: Tap Symbol; ability {T}: Activating Activated Abilities, Activated Ability; ability Add {: Mana Abilities, Mana Ability"),
        (Face("Ox", "", "", "Islandwalk, forestcycling {2}", ""), "normal", ("Islandwalk",), "keyword Islandwalk: Islandwalk, Landwalk; keyword forestcycling: forestcycling, Cycling"),
        (Face("Ox", "", "", "Protection from black\nOne two three\nOne two three four", ""), "normal", (), "keyword Protection: Protection; keyword One two three: One two three"),
        (Face("Ox", "", "", LEAVES, ""), "normal", (), "keyword Whenever ~ dies: Whenever ~ dies; ability Whenever: Handling Triggered Abilities, Triggered Ability; ability dies: Dies; counter +1/+1 counter: +1/+1 Counter, Counter, Counters; token Gull tokens: Gull Token, Token; token token: Token"),
        (Face("Ox", "", "", "It has so many counters and those counters and a first strike counter.", ""), "normal", (), "counter first strike counter: First Strike Counter, Counter, Counters"),
    ],
)  # fmt: skip
def test_traits(face: Face, layout: str, keywords: tuple[str, ...], expected: str) -> None:
    """The traits of a card are its layout, types, costs, keywords, abilities, counters and tokens."""
    traits = traits_of(Card("Ox", layout, keywords, (face,), ()))

    assert (
        "; ".join(f"{reason} {words}: {', '.join(titles)}" for reason, words, titles in traits)
        == expected
    )


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("{Q}: Bar.", "Untap Symbol"),
        ("It may sink a boat as an additional cost.", "Additional Cost"),
        ("Draw X cards, where X is your flame.", "X"),
        ("At the beginning of your turn, if it is wet, draw.", "Intervening “If” Clause"),
        ("Draw a card at the beginning of the next turn.", "Delayed Triggered Ability"),
        ("When you do, draw a card.", "Reflexive Triggered Ability"),
        ("Discard a card: Draw a card.", "Activating Activated Abilities, Activated Ability"),
        ("{T}: Add one oil.", "Mana Abilities, Mana Ability"),
        ("+1: Draw a card.", "Loyalty Ability"),
        ("If you would draw, bar instead.", "Replacement Effect"),
        ("Prevent that damage.", "Prevention Effect"),
        ("Copy target flag.", "Copying Objects, Copy"),
        ("Gain control of it.", "Continuous Effect"),
        ("It bars as long as it is wet.", "Handling Static Abilities, Static Ability"),
        ("Choose one —", "Modal, Mode, Mode"),
        ("Its mana value is 3.", "Mana Value, Converted Mana Cost"),
        ("It loses all abilities.", "Interaction of Continuous Effects, Layer"),
        ("Draw a card.", "Drawing a Card, Draw"),
        ("Untap it.", "Tap and Untap, Tap"),
        ("You lose the game.", "Lose the Game"),
        ("Create a Gull token.", "Gull Token, Token"),
    ],
)
def test_titles(text: str, titles: str) -> None:
    """What a text does leads to headings of the rules, else to headwords of the glossary."""
    traits = list(traits_of(Card("Ox", "normal", (), (Face("Ox", "", "", text, ""),), ())))

    assert titles in [", ".join(trait.titles) for trait in traits]
    assert all(trait.words == trait.words.strip(" :\n") for trait in traits)


@pytest.mark.parametrize(
    ("layout", "cost", "titles"),
    [
        ("aftermath", "", "Aftermath, Split Cards"),
        ("meld", "", "Meld Cards, Double-Faced Cards"),
        ("normal", "{S}", "Snow Mana Symbol"),
        ("normal", "{W/U/P}", "Hybrid Phyrexian Mana Symbols, Phyrexian Mana Symbol"),
    ],
)
def test_titles_of_layouts_and_costs(layout: str, cost: str, titles: str) -> None:
    """A layout and a symbol in a cost lead to their headings; costs of all faces count."""
    faces = Face("Ox", "{1}", "", "", ""), Face("Gull", cost, "", "Ram\nTow", "")

    traits = list(traits_of(Card("Ox // Gull", layout, (), faces, ())))

    assert titles in [", ".join(trait.titles) for trait in traits]
    assert {"Ram", "Tow"} <= {trait.words for trait in traits}


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
