"""Lines and columns of offsets, counted from 1."""

import pytest

from variorum_kb.audit.line_places import LinePlaces


@pytest.mark.parametrize(
    ("text", "offset", "place"),
    [
        ("", 0, (1, 1)),
        ("ab", 1, (1, 2)),
        ("a\nb", 2, (2, 1)),
        ("\nab", 1, (2, 1)),
        ("\n\n", 1, (2, 1)),
        ("a\r\nb", 3, (2, 1)),
        ("a\rb", 2, (2, 1)),
    ],
)
def test_place(text: str, offset: int, place: tuple[int, int]) -> None:
    """Lines may be empty, even the first, and have the line ends of any system."""
    assert LinePlaces(text).place(offset) == place
