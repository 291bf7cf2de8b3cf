"""Quotations in prose, and their numbers."""

import pytest

from variorum_kb.sources.reading.markup.shown_lines import Line
from variorum_kb.sources.reading.prose import find_article_matter, find_quotations

LAMP = "A lamp gives oil once a turn."
BOAT = "A boat sails at most once."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Rule 101.2 says, “{LAMP}” and rule 102.3 doesn't.", ["101.2"]),
        (f"Rule 101.2 says, “{LAMP}” But rule 102.3 says, “{BOAT}”", ["101.2", "102.3"]),
        (f"“{LAMP}” (rule 101.2) is what counts.", ["101.2"]),
        (f"“{LAMP}” - 101.2", ["101.2"]),
        (f"“{LAMP}” Rule 101.2 is another thing.", [""]),
        (f"“{LAMP[:-1]},” as rule 101.2 has it.", ["101.2"]),
        (f"See rule 101.2. The card says, “{LAMP}” and nothing else.", [""]),
        (f"Rules 101.2 and 101.3 say, “{LAMP}”", ["101.3"]),
        (f"101.2“{LAMP}”", ["101.2"]),
        (f"“{LAMP}”101.2", [""]),
        (f"101.2 {'x' * 53} “{LAMP}”", ["101.2"]),
        (f"101.2 {'x' * 54} “{LAMP}”", [""]),
        (f"“{LAMP[:-1]}” {'x' * 57} 101.2", ["101.2"]),
        (f"“{LAMP[:-1]}” {'x' * 58} 101.2", [""]),
        ("Rule 101.2 says, “A lamp gives oil.”", []),
        ("Rule 101.2 says, “A lamp gives much oil.”", ["101.2"]),
        (f'Rule 101.2 says, "{LAMP}" now.', ["101.2"]),
        (f"“{LAMP[:-1]}”101.2", ["101.2"]),
        (f"My aunt said, “{LAMP}” over breakfast.", [""]),
        ("He said “rule 101.2 again” twice.", []),
    ],
)
def test_number_of_a_quotation(text: str, expected: list[str]) -> None:
    """A quotation has the number that its sentence cites for it."""
    assert [quotation.number for quotation in find_quotations(text)] == expected


HEAD = ["Lamps of the Bay", "By Ada Lantern", "May 3, 2017"]
BODY = [f"{LAMP} {LAMP}"] * 5


@pytest.mark.parametrize(
    ("lines", "title", "author", "day"),
    [
        ([*HEAD, *BODY], "Lamps of the Bay", "Ada Lantern", "2017-05-03"),
        ([*BODY, "Ada Lantern", "May 3, 2017"], "", "Ada Lantern", "2017-05-03"),
        ([*BODY, "Ada Lantern", BOAT, "May 3, 2017"], "", "Ada Lantern", "2017-05-03"),
        ([*BODY, "Ada Lantern", BOAT, BOAT, BOAT], "", "", ""),
        (["Ada Lantern", *BODY], "Ada Lantern", "", ""),
        (["3 - 1", *BODY], "", "", ""),
        ([BOAT, f"{BOAT} {BOAT} It is."], BOAT, "", ""),
        ([BOAT, BOAT + BOAT], "", "", ""),
        (["L" * 120, *BODY], "L" * 120, "", ""),
        (["L" * 121, *BODY], "", "", ""),
        ([HEAD[0], BOAT, BOAT, BOAT, HEAD[1], *BODY], "Lamps of the Bay", "", ""),
        ([HEAD[0], BOAT, BOAT, HEAD[1], *BODY], "Lamps of the Bay", "Ada Lantern", ""),
        ([HEAD[0], "I wrote this for all of you on May 3, 2017", *BODY], HEAD[0], "", ""),
        ([HEAD[0], "I wrote it for you on May 3, 2017", *BODY], HEAD[0], "", "2017-05-03"),
        ([HEAD[0], f"May 3, 2017 {'L' * 88}", *BODY], HEAD[0], "", "2017-05-03"),
        ([HEAD[0], f"May 3, 2017 {'L' * 89}", *BODY], HEAD[0], "", ""),
    ],
)
def test_head_and_foot_of_an_article(lines: list[str], title: str, author: str, day: str) -> None:
    """An article has its title, author and day in its first four or last three paragraphs."""
    blocks = [Line(text, n + 1, n + 1, place=n) for n, text in enumerate(lines)]

    matter = find_article_matter(blocks)

    dated = str(matter.dated.day) if matter.dated else ""
    assert (matter.title, matter.author, dated) == (title, author, day)
    assert len(matter.roles) == sum(map(bool, (title, author, day)))
