"""Ranges of numbers in bulletins."""

import pytest

from variorum_kb.references.ranges import BULLETINS, numbers_between


@pytest.mark.parametrize(
    ("text", "count", "last"),
    [
        ("104.4f-h", 3, "104.4h"),
        ("100-249", 150, "249"),
        ("100-250", 2, "250"),  # only its ends
    ],
)
def test_written_out(text: str, count: int, last: str) -> None:
    """A range is written out, unless it is far too long."""
    numbers = BULLETINS.read(text)

    assert (len(numbers), numbers[-1]) == (count, last)


@pytest.mark.parametrize(("last", "count"), [("101.200", 200), ("101.201", 2)])
def test_longest(last: str, count: int) -> None:
    """At most two hundred numbers are listed; a longer range has only its ends."""
    numbers = numbers_between("101.1", last)

    assert (len(numbers), numbers[0], numbers[-1]) == (count, "101.1", last)
