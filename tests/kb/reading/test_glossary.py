"""Glossary entries, however their blank lines fell."""

import pytest
from tests.kb.pages import page

from variorum_kb.model import Irregular
from variorum_kb.reading.edition import read_edition

ALL = {"Boat": "What a keeper has.", "Lamp": "What a boat has."}


@pytest.mark.parametrize(
    ("glossary", "entries", "odd"),
    [
        ("Boat\nWhat a keeper has.\n\nLamp\nWhat a boat has.\n\n", ALL, []),
        # 2003-05-26: no blank line above a headword, or one below it.
        (
            "Boat\nWhat a keeper has.\nLamp\nWhat a boat has.\n\nWick\nIt burns.\n\n",
            ALL | {"Wick": "It burns."},
            [Irregular.BLANK_LINE_MISSING],
        ),
        (
            "Boat\n\nWhat a keeper has.\n\nLamp\nWhat a boat has.\n\n",
            ALL,
            [Irregular.BLANK_LINE_ADDED],
        ),
        # Senses with blank lines between them.
        (
            "Boat\n\n1. What a keeper has.\n\n2. A hull.\n\nLamp\nWhat a boat has.\n\n",
            {"Boat": "1. What a keeper has.\n2. A hull.", "Lamp": "What a boat has."},
            [Irregular.BLANK_LINE_ADDED, Irregular.BLANK_LINE_ADDED],
        ),
        # 2021-06-18: a headword glued to its first sense.
        (
            "Boat1. What a keeper has.\n2. A hull.\n\nLamp\nWhat a boat has.\n\n",
            {"Boat": "1. What a keeper has.\n2. A hull.", "Lamp": "What a boat has."},
            [Irregular.HEADWORD_GLUED],
        ),
        # 2003-03-15: a list with headings of its own.
        (
            (
                "Boat\nWhat a keeper has. These are known:\n\nBig Boats\n\n     Trawler\n\n"
                "     Ketch\n\nLamp\nWhat a boat has.\n\n"
            ),
            {
                "Boat": "What a keeper has. These are known:\nBig Boats\nTrawler\nKetch",
                "Lamp": "What a boat has.",
            },
            [Irregular.BLANK_LINE_ADDED],
        ),
        # A short line that ends with a colon or is out of the alphabet is no headword.
        (
            "Boat\nWhat a keeper has.\nAll boats float:\nKetch, Trawler\n\nLamp\nWhat a boat has.\n\n",
            {
                "Boat": "What a keeper has.\nAll boats float:\nKetch, Trawler",
                "Lamp": "What a boat has.",
            },
            [],
        ),
    ],
)
def test_entries(glossary: str, entries: dict[str, str], odd: list[Irregular]) -> None:
    """Headword and words are told apart, and what is odd is recorded."""
    edition = read_edition(page(glossary=glossary), "a.txt")

    assert {entry.heading: entry.text for entry in edition.glossary} == entries
    assert [one.kind for entry in edition.glossary for one in entry.irregularities] == odd
    assert [entry.address for entry in edition.glossary] == list(entries)


def test_examples() -> None:
    """An entry may have examples."""
    glossary = 'Boat\nWhat a keeper has.\nExample: "Ketch" is a boat.\n     It floats.\n\n'

    (entry,) = read_edition(page(glossary=glossary), "a.txt").glossary

    assert entry.text == "What a keeper has.\nIt floats."
    assert entry.examples == ('"Ketch" is a boat.',)
