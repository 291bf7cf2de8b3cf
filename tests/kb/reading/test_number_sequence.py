"""The right numbers for misprints."""

import pytest

from tests.support.edition_texts import RULES, page
from variorum_kb.errors import TruncatedError
from variorum_kb.model import Irregular
from variorum_kb.reading.edition import read_edition
from variorum_kb.rule_numbers import SUBRULE_LETTERS


def numbered(*numbers: str) -> bytes:
    """Return an edition whose first sections have rules with these numbers."""
    lines = [
        f"{number}. Boats" if "." not in number else f"{number}. Words about {number}."
        for number in numbers
    ]
    rules = RULES.partition("100.1.")[0] + "\n\n".join(lines) + "\n\n101. Lamps\n\n"
    return page(rules=rules)


@pytest.mark.parametrize(
    ("numbers", "meant"),
    [
        # 2005-08-01
        ("100.1 100.2 100.2a 100.2b 160.2c 100.3", {"160.2c": "100.2c"}),
        # 2006-05-01
        (
            "100.1 100.2 100.3 105 105.1 100.2 100.3 100.4 106 106.1",
            {"100.2#2": "105.2", "100.3#2": "105.3", "100.4": "105.4"},
        ),
        # 2006-10-01
        ("100.1 100.2 100.2a 102.2b 100.3", {"102.2b": "100.2b"}),
        # 2009-10-01
        ("100.1 100.1a 100.1b 100.1b 100.2", {"100.1b#2": "100.1c"}),
        # 2010-06-18
        ("100.1 100.2 100.23 100.3a 100.4", {"100.23": "100.3"}),
        # 2021-09-24
        (
            "100.1 100.2 100.3a 100.3b 100.3c 100.3 100.4",
            {"100.3a": "100.2a", "100.3b": "100.2b", "100.3c": "100.2c"},
        ),
        # 2023-04-14
        ("100.1 100.2 100.2d 100.2e 100.3", {"100.2d": "100.2a", "100.2e": "100.2b"}),
        # 2024-09-20
        ("100.1 100.1a 100.1b 100.1 100.1a 100.3", {"100.1#2": "100.2", "100.1a#2": "100.2a"}),
        # Subrules without the first one, under another rule, or after another's.
        ("100.1 100.1b 100.1c 100.2", {"100.1b": "100.1a", "100.1c": "100.1b"}),
        ("100.1 100.2 100.3a", {"100.3a": "100.2a"}),
        ("100.1 100.1a 102.1b 100.2d", {"102.1b": "100.1b", "100.2d": "100.1c"}),
        # No misprint: l and o are never used, and aa follows z.
        (
            " ".join(
                ["100.1", *(f"100.1{letter}" for letter in (*SUBRULE_LETTERS, "aa", "ab")), "100.2"]
            ),
            {},
        ),
    ],
)
def test_misnumbered(numbers: str, meant: dict[str, str]) -> None:
    """The surrounding numbers show the right number of a misprint."""
    edition = read_edition(numbered(*numbers.split()), "a.txt")

    by_name = {
        p.address: odd.meant
        for p in edition.provisions
        for odd in p.irregularities
        if odd.kind is Irregular.MISNUMBERED
    }
    assert by_name == meant
    assert {p.address: str(p.meant) for p in edition.provisions if p.address in meant} == meant


@pytest.mark.parametrize(
    ("numbers", "after"),
    [
        ("100.1 100.1a 100.1b 100.1d 100.2", {"100.1d": "it follows 100.1b"}),  # 2001-07-23
        ("100.1 100.2 100.4 100.5", {"100.4": "it follows 100.2"}),  # 2009-07-11
        # At the end of a section.
        ("100.1 100.2b", {"100.2b": "it follows 100.1"}),
        ("100.1 100.5a", {"100.5a": "it follows 100.1"}),
        ("100.1 100.2 100.10", {"100.10": "it follows 100.2"}),
    ],
)
def test_skipped(numbers: str, after: dict[str, str]) -> None:
    """A gap after which the numbers continue is a gap, not a misprint."""
    edition = read_edition(numbered(*numbers.split()), "a.txt")

    by_name = {
        p.address: odd.evidence
        for p in edition.provisions
        for odd in p.irregularities
        if odd.kind is Irregular.NUMBERS_SKIPPED
    }
    assert by_name == after


def test_printed_twice() -> None:
    """Both bearers of a number are kept, each with its address."""
    edition = read_edition(numbered("100.1", "100.1a", "100.1a", "100.2"), "a.txt")

    twice = [p for p in edition.provisions if p.number == "100.1a"]
    assert [p.address for p in twice] == ["100.1a#1", "100.1a#2"]
    assert [
        odd.evidence
        for p in twice
        for odd in p.irregularities
        if odd.kind is Irregular.PRINTED_TWICE
    ] == ["1 of 2", "2 of 2"]


def test_error_parts_repeated() -> None:
    """A text with repeated parts is no edition."""
    numbers = [f"100.{number}" for number in range(1, 20)]

    with pytest.raises(TruncatedError) as caught:
        read_edition(numbered(*numbers, *numbers), "a.txt")

    assert str(caught.value) == "a.txt: 19 of 40 numbers are printed twice: parts are repeated"


@pytest.mark.parametrize(
    "numbers",
    [
        [f"100.{number}" for number in range(20, 0, -1)],
        [name for n in range(1, 9) for name in (f"100.{n}", f"100.{n}a", f"{150 + n}.1b")],
    ],
    ids=["backwards", "of other sections"],
)
def test_error_many_numbers_out_of_order(numbers: list[str]) -> None:
    """A text with many numbers out of order is no whole edition."""
    with pytest.raises(TruncatedError) as caught:
        read_edition(numbered(*numbers), "a.txt")

    assert str(caught.value).endswith("numbers are out of order: parts are missing or mixed up")
