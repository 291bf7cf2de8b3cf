"""Lines with all line ends."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum.model import LineEnds
from variorum.reading.lines import split_lines


@pytest.mark.parametrize(
    ("text", "lines", "ends"),
    [
        ("", (), (0, 0, 0)),
        ("a", ("a",), (0, 0, 0)),
        ("a\n", ("a",), (0, 0, 1)),
        ("a\r\n\r\nb", ("a", "", "b"), (2, 0, 0)),
        ("a\r\r\nb", ("a", "", "b"), (1, 1, 0)),
        ("a\r\rb\r", ("a", "", "b"), (0, 3, 0)),
        # 2019-05-03: blank lines that end in CR CR LF are not doubled line ends.
        ("a\r\r\nb\rc\r", ("a", "", "b", "c"), (1, 3, 0)),
        ("a\N{LINE SEPARATOR}b\fc\vd", ("a", "b", "c", "d"), (0, 0, 0)),
        ("a\N{NO-BREAK SPACE}b\tc\n", ("a b c",), (0, 0, 1)),
        ("a\N{ZERO WIDTH SPACE}b", ("a\N{ZERO WIDTH SPACE}b",), (0, 0, 0)),
        ("a\n\x1a", ("a",), (0, 0, 1)),
        ("a\n  b", ("a", "  b"), (0, 0, 1)),
    ],
)
def test_cases(text: str, lines: tuple[str, ...], ends: tuple[int, int, int]) -> None:
    """All line ends of the editions separate lines, also mixed, and are counted."""
    result = split_lines(text)

    assert result.texts == lines
    assert result.ends == LineEnds(*ends)
    assert result.repairs == ()


def test_blanks() -> None:
    """Each kind of blank that does not end a line becomes a space."""
    blanks = [sign for sign in map(chr, range(sys.maxunicode)) if sign.isspace()]

    texts = {split_lines(f"a{blank}b").texts for blank in blanks}

    assert texts == {("a b",), ("a", "b")}


def test_doubled_ends_are_mended() -> None:
    """If every line ends in CR CR LF, one CR is dropped, with a note."""
    lines = split_lines("a\r\r\n\r\r\nb")

    assert lines.texts == ("a", "", "b")
    assert lines.ends == LineEnds(2, 2, 0)
    assert lines.repairs == ("2 line ends were CR CR LF; one CR of each dropped",)


def test_common_indent_is_dropped() -> None:
    """An indent of all lines is removed."""
    lines = split_lines("  a\n\n    b\n")

    assert lines.texts == ("a", "", "  b")
    assert lines.repairs == ("every line was set in by blanks; 2 of each dropped",)


@given(st.text(alphabet="ab \t\r\n\v\f\u2028\xa0"))
def test_nothing_but_blanks_is_lost(text: str) -> None:
    """All characters except blanks are in the lines, in order."""
    assert "".join("".join(split_lines(text).texts).split()) == "".join(text.split())
