"""Losses that a document itself reveals."""

import pytest

from tests.support.edition_texts import RULES, page
from variorum.reading.doubts import doubts_of, gaps_in
from variorum.reading.edition import read_edition

MORE = "".join(f"101.{number}. Wick {number} burns.\n\n" for number in range(3, 12))
WHOLE = f"{RULES}{MORE}"
WICKS = "101.1a A wick burns.\n\n"


def without(*numbers: int) -> bytes:
    """Return an edition without some rules of section 101."""
    rules = WHOLE
    for number in numbers:
        rules = rules.replace(f"101.{number}. Wick {number} burns.\n\n", "")
    return page(rules=rules)


@pytest.mark.parametrize(
    ("document", "gaps"),
    [
        (page(), []),
        (without(), []),
        (without(5), []),  # real editions skip one
        (without(5, 6), ["rules missing between 101.4 and 101.7"]),
        (
            page(rules=WHOLE.replace("101. Lamps\n\n101.1. Wick\n\n101.1a A wick burns.\n\n", "")),
            ["rules missing between 100.2 and 101.2", "missing, but in the contents: 101. Lamps"],
        ),
    ],
)
def test_gaps(document: bytes, gaps: list[str]) -> None:
    """Rules are missing if numbers skip farther than in editions, or into another section."""
    assert list(gaps_in(read_edition(document, "a.txt"))) == gaps


@pytest.mark.parametrize(
    ("letters", "gaps"),
    [
        ("ad", []),
        ("ae", ["rules missing between 101.1a and 101.1e"]),
        ("d", []),
    ],
)
def test_missing_letters(letters: str, gaps: list[str]) -> None:
    """Subrules are missing if letters skip farther than in editions; the first letter may be any."""
    subrules = "".join(f"101.1{letter} Wick {letter} burns.\n\n" for letter in letters)
    document = page(rules=WHOLE.replace(WICKS, subrules))

    assert list(gaps_in(read_edition(document, "a.txt"))) == gaps


def test_no_misprints_behind_a_gap() -> None:
    """Missing numbers do not make another number a misprint."""
    edition = read_edition(without(3, 4, 5), "a.txt")

    assert [
        provision.address
        for provision in edition.provisions
        if str(provision.meant) != provision.number
    ][1:] == []
    assert doubts_of(edition) == ["one source", "rules missing between 101.2 and 101.6"]
