"""What citations mean in an edition."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum_kb.model import RuleNumber
from variorum_kb.references.find import Reference
from variorum_kb.references.resolve import (
    Dangling,
    EditionIndex,
    Resolved,
    Target,
    TitleCheck,
    resolve,
)
from variorum_kb.rule_numbers import letters_after

TARGETS = (
    Target("7", "7", "", "Odds and Ends"),
    Target("702", "702", "702", "Kites"),
    Target("702.1", "702.1", "702.1", "Kites"),
    Target("702.2", "702.2", "702.2", "Maker’s Mark"),
    Target("702.2j", "702.2j", "702.2j", "Maker’s Mark"),
    Target("702.2k", "702.2k", "702.2k", "Maker’s Mark"),
    # l is never used.
    Target("702.2m", "702.2m", "702.2m", "Maker’s Mark"),
    Target("702.10", "702.10", "702.10", "String"),
    # Printed twice; the second should be 702.10b.
    Target("702.10a#1", "702.10a", "702.10a", "String"),
    Target("702.10a#2", "702.10a", "702.10b", "String"),
    Target("703", "703", "703", "Tails"),
    # Malformed; by its place it is 703.1.
    Target("703.a", "703.a", "703.1", "Tails"),
    Target("705", "705", "705", "Ends"),
)
EDITION = EditionIndex(TARGETS)


def _reference(first: str, last: str = "", title: str = "") -> Reference:
    return Reference(first, last or first, 0, len(first), title)


def _addresses(targets: tuple[Target, ...]) -> list[str]:
    return [target.address for target in targets]


@pytest.mark.parametrize(
    ("first", "last", "addresses"),
    [
        ("7", "7", ["7"]),
        ("702", "702", ["702"]),
        ("702.2k", "702.2k", ["702.2k"]),
        # Both bearers of a doubled number are meant.
        ("702.10a", "702.10a", ["702.10a#1", "702.10a#2"]),
        # A range keeps to its depth, and passes over letters and sections that are not used.
        ("702.2j", "702.2m", ["702.2j", "702.2k", "702.2m"]),
        ("702.1", "702.10", ["702.1", "702.2", "702.10"]),
        ("702", "705", ["702", "703", "705"]),
        ("702.2m", "702.10a", ["702.2m", "702.10a#1", "702.10a#2"]),
    ],
)
def test_resolved(first: str, last: str, addresses: list[str]) -> None:
    """A citation leads to all that it names, in printed order."""
    resolution = resolve(_reference(first, last), EDITION)

    assert isinstance(resolution, Resolved)
    assert _addresses(resolution.targets) == addresses
    assert not resolution.by_meaning


@pytest.mark.parametrize(("number", "address"), [("702.10b", "702.10a#2"), ("703.1", "703.a")])
def test_resolved_by_meaning(number: str, address: str) -> None:
    """A number that nobody bears in print leads to the misprinted provision that should."""
    resolution = resolve(_reference(number), EDITION)

    assert isinstance(resolution, Resolved)
    assert _addresses(resolution.targets) == [address]
    assert resolution.by_meaning


def test_range_to_a_misprinted_end() -> None:
    """A range takes in the misprinted provision that should bear its end, once."""
    resolution = resolve(_reference("702.2m", "702.10b"), EDITION)

    assert isinstance(resolution, Resolved)
    assert _addresses(resolution.targets) == ["702.2m", "702.10a#1", "702.10a#2"]
    assert resolution.by_meaning

    resolution = resolve(_reference("702.10", "703.1"), EDITION)

    assert isinstance(resolution, Resolved)
    assert _addresses(resolution.targets) == ["702.10", "703.a"]
    assert resolution.by_meaning


def test_print_outweighs_meaning() -> None:
    """Who bears a number in print is meant, whoever else should bear it."""
    edition = EditionIndex(
        (Target("702.3", "702.3", "702.2", "Kites"), Target("702.2", "702.2", "702.2", "String"))
    )

    resolution = resolve(_reference("702.2"), edition)

    assert isinstance(resolution, Resolved)
    assert _addresses(resolution.targets) == ["702.2"]
    assert not resolution.by_meaning


@pytest.mark.parametrize(
    ("first", "last", "missing", "addresses"),
    [
        ("999", "999", ("999",), []),
        ("702.2z", "702.2z", ("702.2z",), []),
        ("8", "8", ("8",), []),
        ("702.2k", "702.2p", ("702.2p",), ["702.2k", "702.2m"]),
        ("702.2h", "702.2k", ("702.2h",), ["702.2j", "702.2k"]),
        ("704", "706", ("704", "706"), ["705"]),
        ("800", "801", ("800", "801"), []),
    ],
)
def test_dangling(first: str, last: str, missing: tuple[str, ...], addresses: list[str]) -> None:
    """A citation of what the edition lacks says which number is missing, and what is there."""
    resolution = resolve(_reference(first, last), EDITION)

    assert isinstance(resolution, Dangling)
    assert resolution.missing == missing
    assert _addresses(resolution.targets) == addresses


@pytest.mark.parametrize(
    ("number", "title", "check"),
    [
        ("702.2", "", TitleCheck.NONE),
        ("702.2", "Maker’s Mark", TitleCheck.SAME),
        # Quotation marks, dashes and capitals do not count.
        ("702.2", "MAKER'S-MARK", TitleCheck.SAME),
        ("702.2j", "Maker’s Mark", TitleCheck.SAME),
        ("702.2", "Kites", TitleCheck.OTHER),
        ("7", "Odds and Ends", TitleCheck.SAME),
    ],
)
def test_titles(number: str, title: str, check: TitleCheck) -> None:
    """The printed title is compared with the heading that the number names."""
    resolution = resolve(_reference(number, title=title), EDITION)

    assert isinstance(resolution, Resolved)
    assert resolution.title is check


@pytest.mark.parametrize(
    ("title", "check"), [("Kites", TitleCheck.SAME), ("Ends", TitleCheck.OTHER)]
)
def test_title_of_a_range(title: str, check: TitleCheck) -> None:
    """The title behind a range is compared with the heading of its first provision."""
    resolution = resolve(_reference("702", "705", title), EDITION)

    assert isinstance(resolution, Resolved)
    assert resolution.title is check


def test_empty_edition() -> None:
    """In an edition without provisions everything dangles."""
    reference = _reference("702")

    assert resolve(reference, EditionIndex(())) == Dangling(reference, ("702",), ())


@given(st.integers(1, 60), st.data())
def test_ranges(length: int, data: st.DataObject) -> None:
    """A range of subrules leads to every one from its first to its last, past z too."""
    letters = [letters_after("")]
    while len(letters) < length:
        letters.append(letters_after(letters[-1]))
    numbers = [str(RuleNumber(702, 5, one)) for one in letters]
    one = data.draw(st.integers(0, length - 1))
    other = data.draw(st.integers(one, length - 1))

    resolution = resolve(
        _reference(numbers[one], numbers[other]),
        EditionIndex(Target(number, number, number, "") for number in numbers),
    )

    assert isinstance(resolution, Resolved)
    assert _addresses(resolution.targets) == numbers[one : other + 1]
