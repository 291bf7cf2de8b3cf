"""Numbers in the columns of tables."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum_kb.audit.citations.table_cells import find_in_cells, find_in_tables


def named(text: str, separator: str = ",") -> list[str]:
    """Return the numbers found, a range with two dots."""
    return [
        in_cell.first.number + (f"..{in_cell.last.number}" if in_cell.last else "")
        for in_cell in find_in_cells(text, separator)
    ]


@pytest.mark.parametrize(
    "heading",
    [
        *("rule", "Rule", "RULES", "cr", "CR number", "rule_no", "rule-number", "Rule No."),
        *('"rule"', " rule ", "citation", "cites", "comp rule", "comprehensive_rules", "cr_ref"),
    ],
)
def test_headings(heading: str) -> None:
    """A column contains rules if its heading says so."""
    assert named(f"name,{heading}\nboat,702.9a\n") == ["702.9a"]


@pytest.mark.parametrize(
    "heading",
    ["ruler", "name", "rule text", "ruling", "cruise", "scr", "", "reference price", "price"],
)
def test_other_headings(heading: str) -> None:
    """Any other column contains none."""
    assert named(f"name,{heading}\nboat,702.9a\n") == []


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("rule\n702.9\n703.1\n", ["702.9", "703.1"]),
        ("rule\r\n702.9\r\n703.1\r\n", ["702.9", "703.1"]),
        ("rule\r702.9\r703.1", ["702.9", "703.1"]),
        ("a,rule,b,cites\n100,702.9,101,703.1\n", ["702.9", "703.1"]),
        ("a,rule\n,702.9\n", ["702.9"]),
        ("rule,a\n,702.9\n", []),
        ('a,rule\n"x, y",702.9\n', ["702.9"]),
        ('a,rule\n"two\nlines",702.9\n', ["702.9"]),
        ('a,rule\n"one ""word""",702.9\n', ["702.9"]),
        ("rule\n702.9", ["702.9"]),
        ("rule\n\n702.9", ["702.9"]),
        ("rule", []),
        ("702.9\nrule\n", []),
        ("", []),
        ('rule\n"702.9', ["702.9"]),
    ],
)
def test_tables(text: str, numbers: list[str]) -> None:
    """Rows may have any line end, and quoted cells may contain line ends and commas."""
    assert named(text) == numbers


_CELLS = st.lists(
    st.sampled_from([*'",\n\r |;-ax7', "702.9", "rule", "702", "703.1a", '""', ",", "\n"]),
    max_size=30,
).map("".join)


@given(_CELLS)
def test_offsets(text: str) -> None:
    """Numbers lie within the text, in order, and none overlaps another."""
    end = 0
    for in_cell in find_in_cells(f"rule,cr\n{text}", ","):
        assert end <= in_cell.start < in_cell.end <= len(text) + 8
        end = in_cell.end


@pytest.mark.slow
@pytest.mark.parametrize("piece", ['"', '"x', '"",', ",", "\n", "702.9 ", '"702.9', '"\n"'])
def test_patience(piece: str) -> None:
    """Each of these tables is read in seconds."""
    text = f"rule\n{piece * 20_000}x"

    assert len(named(text)) <= 20_000


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        (
            "| Name | CR |\n| --- | --- |\n| boat | 702.9a |\n| ship | `702.12` |\n",
            ["702.9a", "702.12"],
        ),
        (
            "Name | Rule no.\n:-- | --:\nboat | **702.9**, 703.1\nship | 702.12",
            ["702.9", "703.1", "702.12"],
        ),
        # A table ends with the first line that is no row; the next table has its own columns.
        ("|CR|\n|-|\n|702.9|\n\n702.12 | a\n", ["702.9"]),
        ("|CR|a|\n|-|-|\n|702.9|1|\n\n|a|CR|\n|-|-|\n|702.12|703.1|\n", ["702.9", "703.1"]),
        ("|CR|\n|-|\n|702.9|\n|-|\n|702.12|", ["702.9", "702.12"]),
        ("\n|CR|\n|-|\n|702.9|\n", ["702.9"]),
        # Prose in a cell, another column, no row of dashes above, no heading.
        ("|CR|\n|-|\n|702.9 of the boat|\n", []),
        ("|Price|\n|-|\n|702.9|\n", []),
        ("|CR|\n|702.9|\n", []),
        ("|-|\n|702.9|", []),
        ("|CR|\n|-|", []),
    ],
)
def test_markdown(text: str, numbers: list[str]) -> None:
    """A column of a Markdown table contains rules if its heading says so."""
    assert [cell.first.number for cell in find_in_tables(text, ".md")] == numbers
    assert list(find_in_tables(text, ".rst")) == []
