"""Holes in an edition are found by adjacent editions, and by gaps in its own numbers."""

import pytest

from variorum.history.doubts import holes_in
from variorum.rows import State

_ALL = "100 100.1 100.1a 100.1b 100.2 101 101.1 101.2 101.3 102 102.1"
NUMBERS = _ALL.split()


def rules(*numbers: str, words: str = "Keeper {0} may {0}a a {0}b.") -> list[State]:
    """Return provisions with these numbers, and with words of their own."""
    own = {number: words.format(number.replace(".", "x")) for number in numbers}
    return [_rule(number, text if "." in number else "") for number, text in own.items()]


def _rule(number: str, body: str) -> State:
    kind = "section" if "." not in number else "subrule" if number[-1].isalpha() else "rule"
    heading = f"Section {number}" if kind == "section" else ""
    return State(kind, number, number, heading, body, "", "", "")


def entry(term: str) -> State:
    """Return a glossary entry."""
    return State("glossary", "", term, term, f"What {term} means.", "", "", "")


WHOLE = rules(*NUMBERS)
CUT = rules(*(number for number in NUMBERS if number not in {"100.2", "101", "101.1"}))


@pytest.mark.parametrize(
    ("before", "after"), [(WHOLE, WHOLE), (WHOLE, []), ([], WHOLE)], ids=["both", "first", "last"]
)
def test_hole(before: list[State], after: list[State]) -> None:
    """A rule is missing if editions before and after have it, or if the numbers have a gap."""
    assert holes_in(CUT, before, after) == "3 rules missing: 100.2 to 101.1"


MOVED = [it._replace(number=str(float(it.number) + 1)[:5].removesuffix(".0")) for it in WHOLE[5:]]
MOVED[2] = MOVED[2]._replace(body="Now it is said in other words.")
TWO_GONE = rules(*(number for number in NUMBERS if number not in {"101.1", "101.2"}))


@pytest.mark.parametrize(
    ("here", "missing"),
    [
        (TWO_GONE, "2 rules missing: 101.1 to 101.2"),
        (rules(*(number for number in NUMBERS if number != "101.1")), ""),
        # The last rules of a section may be new later.
        (rules(*(number for number in NUMBERS if number not in {"100.1b", "100.2"})), ""),
        # A number that the next edition lacks, or that is none, does not end a gap.
        (rules("100", "100.1", "100.2", "100.7"), ""),
        (rules("100", "100.1", "100.b", "101"), ""),
    ],
)
def test_hole_of_the_first_edition(here: list[State], missing: str) -> None:
    """Two provisions that the first edition skips are missing; a single one may be new later."""
    assert holes_in(here, [], WHOLE) == missing


@pytest.mark.parametrize(("last", "is_missing"), [("199", True), ("200", False)])
def test_missing_sections(last: str, *, is_missing: bool) -> None:
    """A section that is left out within a chapter is missing; between chapters, it may be new."""
    assert bool(holes_in(rules("197", last), [], rules("197", "198", "198.1", last))) is is_missing


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        ("100.1 100.2 101.2", "3 rules missing: 100.1, 100.2, 101.2"),
        ("100.1 100.2 101.2 102.1", "4 rules missing: 100.1, 100.2, 101.2 and 1 more"),
        ("100.1a 100.1b", "2 rules missing: 100.1a to 100.1b"),
    ],
)
def test_runs_of_holes(missing: str, expected: str) -> None:
    """Three runs of missing rules are named; subrules are rules."""
    here = rules(*(number for number in NUMBERS if number not in missing.split()))

    assert holes_in(here, WHOLE, WHOLE) == expected


def test_entries() -> None:
    """Glossary entries are missing if editions before and after have them; a single one may be."""
    terms = [entry(word) for word in ("Boat", "Keeper", "Lamp", "Tide")]

    assert holes_in(terms[:1], terms, terms) == "3 glossary entries missing: Keeper to Tide"
    assert holes_in(terms[:3], terms, terms) == ""


@pytest.mark.parametrize(
    ("here", "before", "after"),
    [
        (WHOLE, WHOLE, WHOLE),
        (CUT, [], []),
        ([*WHOLE[:5], *rules("101", "101.1", words="Tide {0}."), *MOVED], WHOLE, []),
        (rules(*NUMBERS[:-1]), WHOLE, rules(*NUMBERS[:-1])),  # removed for good
        (rules(*NUMBERS[:-1]), WHOLE, []),  # the last one of its section, so no number is skipped
        (rules(*NUMBERS, "103", "103.1"), WHOLE, WHOLE),  # added, then removed
        (rules(*NUMBERS, words="Now {0} is {0}a said in other words."), WHOLE, WHOLE),
        ([WHOLE[8]._replace(number="109.3"), *WHOLE[:8], *WHOLE[9:]], WHOLE, WHOLE),
    ],
)
def test_no_hole(here: list[State], before: list[State], after: list[State]) -> None:
    """Ordinary changes of editions leave no hole."""
    assert holes_in(here, before, after) == ""
