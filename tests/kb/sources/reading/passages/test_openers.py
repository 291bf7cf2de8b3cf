"""The beginnings of passages, and the brackets after them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum_kb.sources.reading.passages.openers import (
    find_stamp,
    is_titled,
    open_headed,
    open_lettered,
    open_note,
    open_numbered,
    take_claims,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("705.1. A lamp.", ("705.1", "705.1.", "A lamp.")),
        ("705.1a A lamp.", ("705.1a", "705.1a", "A lamp.")),
        ("705.1a - A lamp.", ("705.1a", "705.1a", "A lamp.")),
        ("702. 37a A lamp.", ("702.37a", "702. 37a", "A lamp.")),
        ("901.4.All lamps.", ("901.4", "901.4.", "All lamps.")),
        ("306.b A lamp.", ("306.b", "306.b", "A lamp.")),
        ("Rule 705.1: A lamp.", ("705.1", "705.1", "A lamp.")),
        ("CR 705.1a A lamp.", ("705.1a", "705.1a", "A lamp.")),
        ("**705.1.** A lamp.", ("705.1", "705.1.", "A lamp.")),
        ("705.1.", ("705.1", "705.1.", "")),
        ("705.1a.Ruling.2 - A lamp.", ("705.1a.Ruling.2", "705.1a.Ruling.2", "A lamp.")),
        ("212.2c).", None),
        ("705.1 a lamp.", None),
        ("705.1 - a lamp.", ("705.1", "705.1", "a lamp.")),
        ("A.2.Ruling.1 - A lamp.", ("A.2.Ruling.1", "A.2.Ruling.1", "A lamp.")),
        ("406.1, “Oil.”", None),
        ("705.1 and 705.2 say so.", None),
        ("100 lamps.", None),
    ],
)
def test_numbers(text: str, expected: tuple[str, str, str] | None) -> None:
    """A paragraph begins with this number, or continues the one before."""
    result = open_numbered(text)

    assert (None if result is None else (result.number, result.printed, result.rest)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("705. Turning a Lamp", "705 Turning a Lamp"),
        ("600 - General", "600 General"),
        ("6. Far Waters", "6 Far Waters"),
        ("600 General", ""),
        ("705. A lamp burns.", ""),
        ("1993, the first year", ""),
        ("600: General", "600 General"),
        ("(6) Boats", ""),
        ("600. boats", ""),
    ],
)
def test_headings(text: str, expected: str) -> None:
    """A paragraph is this heading, or no heading."""
    result = open_headed(text)

    assert (f"{result.number} {result.rest}" if result else "") == expected


def test_letters_and_notes() -> None:
    """Collections number their rulings in their own way ("A.1.3"); notes have no numbers."""
    longest = "L" * 80
    texts = [
        *("A.1.3 - A lamp burns.", "A.1.4 - Lit Lamps"),
        *("A.18 - First Lamp:", "A.19 - as lit as a lamp"),
        *(f"A.20 - {longest}", f"A.21 - {longest}s"),
    ]
    result = [open_lettered(text) for text in texts]
    note = open_note("Note - A lamp burns.")

    assert [item and (item.kind.value, item.number) for item in result] == [
        ("ruling", "A.1.3"),
        ("ruling", "A.1.4"),
        ("heading", "A.18"),
        ("ruling", "A.19"),
        ("heading", "A.20"),
        ("ruling", "A.21"),
    ]
    assert note is not None
    assert (note.number, note.rest) == ("", "A lamp burns.")


def test_claims() -> None:
    """Each claim is about the words before it; other brackets are text."""
    words, claims, _ = take_claims(
        "Pay [cost]. [Aahz 03/17/97] Then [card] burns. [Mirage, Page 29] So be it."
    )

    assert words == "Pay [cost]. Then [card] burns. So be it."
    assert [(claim.source, str(claim.day), words[claim.start : claim.end]) for claim in claims] == [
        ("Aahz", "1997-03-17", "Pay [cost]."),
        ("Mirage, Page 29", "None", "Then [card] burns."),
    ]


@given(st.text(alphabet="ab .[]12/ ", max_size=80))
def test_claims_lose_nothing(text: str) -> None:
    """Words and claims together are the paragraph."""
    words, claims, printed = take_claims(text)

    assert "".join("".join(printed).split()) == "".join(text.split())
    kept = len("".join((words + "".join(claim.words for claim in claims)).split()))
    assert kept == len("".join(text.split()))


@pytest.mark.parametrize(
    ("text", "words", "is_glossary", "is_whole"),
    [
        (
            "From the Comprehensive Rules (June 7, 2024—Lights 3)",
            "June 7, 2024—Lights 3",
            False,
            True,
        ),
        ("From the glossary of the Comprehensive Rules (Innistrad)", "Innistrad", True, True),
        ("Comprehensive Rules Glossary (August 7, 2020)", "August 7, 2020", True, True),
        (
            "This search based on the April 2, 2009 release of the Rulings.",
            "based on the April 2, 2009 release",
            False,
            True,
        ),
        (
            "This page is current as of Comprehensive Rules October 2010.",
            "October 2010",
            False,
            False,
        ),
        ("CR, dated 2010-10-01 now", "2010-10-01", False, True),
        ("CR, dated 2010-10-01 then", "2010-10-01", False, False),  # exactly four fifths
        ("See MagicCompRules_20121001.rtf there.", "MagicCompRules_20121001", False, False),
    ],
)
def test_stamps(text: str, words: str, is_glossary: bool, is_whole: bool) -> None:
    """These words on a page name its edition."""
    stamp = find_stamp(text, 1)

    assert stamp is not None
    assert (stamp.stated.words, stamp.is_glossary, stamp.is_whole) == (words, is_glossary, is_whole)


def test_no_stamp() -> None:
    """Prose names no edition, and is no title; neither is a long line."""
    assert is_titled("L" * 80)
    assert not is_titled("L" * 81)
    assert open_headed(f"705. {'L' * 80}")
    assert not open_headed(f"705. {'L' * 81}")
    assert find_stamp("From the Comprehensive Rules (in particular section 614)", 1) is None
    assert find_stamp("From the Comprehensive Rules (of May 2012)", 1) is not None
    assert find_stamp("A lamp burns (see rule 705).", 1) is None
    assert not is_titled("A lamp burns")
    assert is_titled("Turning a Lamp")
