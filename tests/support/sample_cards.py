"""Cards of the invented game, in the forms of MTGJSON and of Scryfall."""

import gzip
import json
import sys
from pathlib import Path
from typing import Any

Json = dict[str, Any]


def card(
    name: str, line: str, text: str, keywords: list[str], *rulings: tuple[str, str], **more: object
) -> Json:
    """Return a face of a card in MTGJSON's form."""
    rows = [{"date": date, "text": words} for date, words in rulings]
    return {
        "name": name,
        "layout": "normal",
        "manaCost": "{2}{X}",
        "type": line,
        "text": text,
        "keywords": keywords,
        "rulings": rows,
        **more,
    }


FACES = [
    card(
        "Marrow, Tide of Gulls",
        "Legendary Boat — Gull",
        "Undertow 2 (It pulls.)\nWhenever Marrow bars, draw a card.",
        ["Undertow"],
        ("2008-07-01", "If Marrow leaves the game, see rule 600.4a."),
        ("2007-01-01", "It pulls once."),
    ),
    card("Drain Harbor", "Squall", "Target player loses all unspent oil or may redirect it.", []),
    card("Redirect", "Squall", "Choose new targets for target flag.", []),
    card("Thought Reflection", "Chart", "If you would draw a card, draw two cards instead.", []),
    card("Wreath of Salt", "Chart", "Put a raising marker on target boat.", []),
    card("Keelgrinder", "Boat — Kraken", "Skimming", ["Skimming"], power="3", toughness="4"),
    card(
        "Bell // Buoy",
        "Flag",
        "Strike target flag. You may redirect it. They redirect a boat.",
        [],
        faceName="Bell",
        layout="split",
    ),
]
HALF = card(
    "Bell // Buoy",
    "Flag",
    "Draw a card. Redirect a boat, or redirect it.",
    [],
    faceName="Buoy",
    layout="split",
)
ATOMIC: Json = {
    "meta": {"date": "2026-01-01"},
    "data": {face["name"]: [face] for face in FACES} | {"Bell // Buoy": [FACES[-1], HALF]},
}
ORACLE: list[Json] = [
    {
        "object": "card",
        "oracle_id": "a",
        "name": "Keelgrinder",
        "layout": "normal",
        "mana_cost": "{3}",
        "type_line": "Boat — Kraken",
        "oracle_text": "Skimming",
        "keywords": ["Skimming"],
        "power": "3",
        "toughness": "4",
    },
    {
        "object": "card",
        "oracle_id": "b",
        "name": "Bell // Buoy",
        "layout": "split",
        "keywords": [],
        "card_faces": [
            {
                "name": "Bell",
                "mana_cost": "{1}",
                "type_line": "Flag",
                "oracle_text": "Strike target flag.",
            },
            {
                "name": "Buoy",
                "mana_cost": "{2}",
                "type_line": "Flag",
                "oracle_text": "Draw a card.",
            },
        ],
    },
    {
        "object": "card",
        "oracle_id": "c",
        "name": "Gull",
        "layout": "token",
        "type_line": "Token Boat",
    },
]
RULINGS: list[Json] = [
    {"object": "ruling", "oracle_id": "a", "published_at": "2020-02-02", "comment": "It skims."},
    {
        "object": "ruling",
        "oracle_id": "unknown",
        "published_at": "2020-02-02",
        "comment": "Of no card.",
    },
]


def write_cards(folder: Path) -> None:
    """Write the files named in the examples of `cr cards` into a folder."""
    (folder / "AtomicCards.json.gz").write_bytes(gzip.compress(json.dumps(ATOMIC).encode()))
    (folder / "oracle-cards.json").write_text(json.dumps(ORACLE, indent=1), "utf-8")
    (folder / "rulings.json").write_text(json.dumps(RULINGS), "utf-8")


if __name__ == "__main__":
    write_cards(Path(sys.argv[1]))
