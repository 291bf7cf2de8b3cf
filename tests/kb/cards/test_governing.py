"""The traits of cards, and the rules of an edition that govern them."""

from datetime import date
from pathlib import Path

import pytest

from tests.support.edition_texts import HEAD, page
from tests.support.small_bases import build, write
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.cards.card import Card, CardRuling, Face
from variorum_kb.cards.governing import card_json
from variorum_kb.cards.titles_of_traits import traits_of

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
    faces = Face("Ox", "{1}", "", "Gleam", ""), Face("Gull", cost, "", "Ram\nTow", "")

    traits = list(traits_of(Card("Ox // Gull", layout, (), faces, ())))

    assert titles in [", ".join(trait.titles) for trait in traits]
    assert {"Gleam", "Ram", "Tow"} <= {trait.words for trait in traits}
