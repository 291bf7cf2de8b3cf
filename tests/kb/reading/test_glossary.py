"""Glossary entries with all placements of blank lines."""

import pytest

from tests.support.edition_texts import LONG, page
from variorum_kb.errors import ParseError, TruncatedError
from variorum_kb.model import Irregular
from variorum_kb.reading.edition import read_edition

ALL = {"Boat": "What a keeper has.", "Lamp": "What a boat has."}


@pytest.mark.parametrize(
    ("glossary", "entries", "odd"),
    [
        ("Boat\nWhat a keeper has.\n\nLamp\nWhat a boat has.\n\n", ALL, []),
        # 2003-05-26: no blank line above a headword, or a blank line below it.
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
        # A sentence in alphabetical order is no headword.
        (
            "Boat\nWhat a keeper has.\nLamps burn.\n\nWick\nIt burns.\n\n",
            {"Boat": "What a keeper has.\nLamps burn.", "Wick": "It burns."},
            [],
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
        # 2003-03-15: a list with its own headings.
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
        # A short line that ends with a colon, or is out of alphabetical order, is no headword.
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
    """Headword and words are separated, and irregularities are recorded."""
    edition = read_edition(page(glossary=glossary), "a.txt")

    assert {entry.heading: entry.text for entry in edition.glossary} == entries
    assert [
        irregularity.kind for entry in edition.glossary for irregularity in entry.irregularities
    ] == odd
    assert [entry.address for entry in edition.glossary] == list(entries)


def test_evidence_of_a_glued_headword() -> None:
    """If the first sense is glued to its headword, the evidence ends after the sense's number."""
    glossary = "Boat1. What a keeper has.\n2. A hull.\n\nLamp\nWhat a boat has.\n\n"

    (odd,) = read_edition(page(glossary=glossary), "a.txt").glossary[0].irregularities

    assert (odd.printed, odd.meant) == ("Boat1.", "Boat")


def words(letters: str) -> str:
    return "".join(f"{letter}{n}lamp\n{LONG}\n\n" for letter in letters for n in "abcdef")


def test_error_letters_missing() -> None:
    """A glossary without headwords of several letters has lost a part."""
    with pytest.raises(TruncatedError) as caught:
        read_edition(page(glossary=words("ABCDEFGHLMNOPRSTUVWXYZ")), "a.txt")

    assert str(caught.value) == (
        "a.txt:43: parts are missing: the glossary has no headword from I to K"
    )
    assert read_edition(page(glossary=words("ABCDEFGHILMNOPRSTUVWXYZ")), "a.txt").glossary


def test_error_no_headwords() -> None:
    """Paragraphs with hardly any entries are no glossary."""
    glossary = "Boat\n" + "".join(f"     {LONG}{n}.\n\n" for n in range(70))

    with pytest.raises(ParseError) as caught:
        read_edition(page(glossary=glossary), "a.txt")

    assert str(caught.value) == ("a.txt:43: 71 paragraphs of the glossary make up only 1 entries")


def test_headword_twice() -> None:
    """A headword that is printed twice is recorded on both entries."""
    glossary = "Boat\nWhat a keeper has.\n\nBoat\nA hull.\n\n"

    result = read_edition(page(glossary=glossary), "a.txt").glossary

    assert [[odd.kind for odd in entry.irregularities] for entry in result] == [
        [Irregular.PRINTED_TWICE],
        [Irregular.PRINTED_TWICE],
    ]


def test_examples() -> None:
    """An entry may have examples."""
    glossary = 'Boat\nWhat a keeper has.\nExample: "Ketch" is a boat.\n     It floats.\n\n'

    (entry,) = read_edition(page(glossary=glossary), "a.txt").glossary

    assert entry.text == "What a keeper has.\nIt floats."
    assert entry.examples == ('"Ketch" is a boat.',)
