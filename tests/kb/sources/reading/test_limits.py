"""The largest documents that are read as witnesses."""

import pytest

from variorum_kb.errors import LayoutError
from variorum_kb.sources.reading.markup.shown_lines import check_size
from variorum_kb.sources.reading.passages.passages import Markup


@pytest.mark.parametrize(
    ("markup", "sign", "most", "reason"),
    [
        (
            Markup.PLAIN,
            "x",
            16_000_000,
            "16 million characters of plain text; a witness may have 16",
        ),
        (Markup.HTML, "x", 8_000_000, "8 million characters of HTML; a witness may have 8"),
        (Markup.WIKITEXT, "x", 4_000_000, "4 million characters of wikitext; a witness may have 4"),
        (Markup.JSON, "x", 6_000_000, "6 million characters of JSON; a witness may have 6"),
        (Markup.PLAIN, "\n", 60_000, "60,001 lines; a witness may have 60,000"),
        (Markup.WIKITEXT, "\n", 60_000, "60,001 lines; a witness may have 60,000"),
        (Markup.HTML, "<", 110_000, "110,001 tags; a witness may have 110,000"),
    ],
)
def test_largest(markup: Markup, sign: str, most: int, reason: str) -> None:
    """The largest fits; with one more character, line or tag it is refused."""
    check_size(sign * most, markup, "a.txt")
    with pytest.raises(LayoutError, match=reason):
        check_size(sign * (most + 1), markup, "a.txt")


def test_lines_of_an_export() -> None:
    """An export may have any number of lines, one for each value."""
    check_size("\n" * 110_001, Markup.JSON, "a.json")
