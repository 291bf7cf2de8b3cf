"""Citations in any text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum.citations import Reference, find_references, numbers_between


def _printed(text: str) -> list[str]:
    return [text[reference.start : reference.end] for reference in find_references(text)]


def _named(text: str) -> list[tuple[str, str]]:
    return [(reference.first, reference.last) for reference in find_references(text)]


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("Read rule 704.5k first.", ["704.5k"]),
        ("Read rule 702.", ["702"]),
        ("Rules 212-215 name the kinds.", ["212-215"]),
        ("Rules 702 to 704 and 801 through 803.", ["702 to 704", "801 through 803"]),
        ("See section 9, “Odd Games.”", ["9"]),
        ("See sections 5 and 6.", ["5", "6"]),
        ("The steps of 601.2a–h.", ["601.2a–h"]),
        ("Rules 702.5, “Glue,” and 702.6.", ["702.5", "702.6"]),
        ("Rules 701.42, “Melt,” and 730, “Weld”", ["701.42", "730"]),
        ("rules 112.7a, 608.2b, and 800.4g", ["112.7a", "608.2b", "800.4g"]),
        ("rules 100, 101, 102", ["100", "101", "102"]),
        ("rules 100 (Tide), 101 (Glue)", ["100", "101"]),
        ("rule 810.8 (for pairs), rule 903.10", ["810.8", "903.10"]),
        ("see 702.9", ["702.9"]),
        ("rule\N{NO-BREAK SPACE}702.72", ["702.72"]),
        ("704.5aa follows 704.5z", ["704.5aa", "704.5z"]),
        # 2021-07-23 omits the word; only the title shows the citation.
        ("As read. See 706, “Throwing a Cube.”", ["706"]),
        # 2021-06-18 omits the blank.
        ("See rule702.72.", ["702.72"]),
        # 2008-05-01 has lost its dashes.
        ("Rules 306?311 or 212.2h?k, are they?", ["306?311", "212.2h?k"]),
        # 2012-02-01 puts blanks around them.
        ("Rules 601.2b and 601.2e - g hold.", ["601.2b", "601.2e - g"]),
        ("Rules 205.1a - b, 305.7, and 613.1d.", ["205.1a - b", "305.7", "613.1d"]),
        # Heads of rules as a bulletin or a website sets them.
        ("**409.1c & 409.1d** changed", ["409.1c", "409.1d"]),
        ("600.4a - When you go", ["600.4a"]),
        ("600.4b - a late guest", ["600.4b"]),
        ("702.9b – e.g. a kite", ["702.9b"]),
        # A comment in a program.
        ("# CR 702.52a-c, 613.7", ["702.52a-c", "613.7"]),
        ("CR702.52a-c", ["702.52a-c"]),
        ("C.R. 702.52a", ["702.52a"]),
        ("(CR 702)", ["702"]),
        ("/* 702.52A */", ["702.52A"]),
        ("`704.5k`", ["704.5k"]),
        ("//702.52a", ["702.52a"]),
        (f"a://{'a' * 197}(702.1", ["702.1"]),
        # The word before a number is at most sixteen characters away.
        (f"rule{' ' * 12}702", ["702"]),
        (f"rule{' ' * 13}702", []),
        # A row with slashes.
        ("rules 702.9/703/704.5k, and 705.1", ["702.9", "703", "704.5k", "705.1"]),
        ("601.2f–h/602.1", ["601.2f–h", "602.1"]),
        ("rule 702.52a–702.52c", ["702.52a–702.52c"]),
        # A possessive after a number is no title, nor is a word in small letters.
        ("It is rule 702.9b's point", ["702.9b"]),
        ("'rule 702.9b' ends", ["702.9b"]),
        ("rule 702.9 'it’", ["702.9"]),
    ],
)
def test_citations(text: str, printed: list[str]) -> None:
    """Numbers, ranges and rows are found as printed, without the word before them."""
    assert _printed(text) == printed


@pytest.mark.parametrize(
    "text",
    [
        "",
        "No digit at all.",
        "In 2004 a player had 100 life.",
        "The year 2019-07-12, at 12:30.",
        "A 2/2 gets +1/+1 and -1/-1.",
        "Apply layer 7c within layers 2–6.",
        "Do it 999,999 times.",
        "It costs $704.50 or €100.10 or £100.1.",
        "It costs 704.50 dollars.",
        "A file of 704.5 MB or 704.5MB, at 100.1 FM or 100.1MHz.",
        "It is 100.1° or 100.1 % or 100.1%.",
        "python 3.11.702, release 311.7.2, v702.9",
        "http://100.1/ and https://a.example/702.9 and www.a.example/704.5k",
        "http://a.example/704.5/702.9, ftp://704.5k, a/704.5k",
        "at www.a(702.1",
        f"a://{'a' * 196}(702.1",
        "12/25/704, 1/704.5, 704.5/12",
        "192.168.100.1 and 10.100.1.5",
        "555-123-4567, 555.123.4567, 555-704.5",
        "a_704_5k, x704.5k, 704.5k_y, me@704.5k",
        "Pages 100-102, lines 100 to 200.",
        "see rule 7, see 702",
        "rules 1-3",
        "rule 702.0, rule 012.5",
        "Rule 4091f is misprinted, so is rule 419,8.",
        "rule 702.9abc",
        "100-a",
    ],
)
def test_no_citations(text: str) -> None:
    """Other numbers are not citations, and misprints are not guessed."""
    assert _printed(text) == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("603.7d-f", ("603.7d", "603.7f")),
        ("603.7d–603.7f", ("603.7d", "603.7f")),
        ("119.7–8", ("119.7", "119.8")),
        ("119.7-119.8", ("119.7", "119.8")),
        ("rules 306-311", ("306", "311")),
        ("rules 306-11", ("306", "311")),
        ("704.5y-ab", ("704.5y", "704.5ab")),
        ("702.52A-C", ("702.52a", "702.52c")),
        ("601.2e - g", ("601.2e", "601.2g")),
        ("603.7f-d", ("603.7f", "603.7f")),
        ("rules 306-301", ("306", "306")),
        ("119.7-702", ("119.7", "119.7")),
        ("rules 306-311.5", ("306", "311.5")),
        ("section 3", ("3", "3")),
    ],
)
def test_ends(text: str, named: tuple[str, str]) -> None:
    """A range has both ends in full; one that runs backwards means its first rule."""
    assert _named(text) == [named]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("rule 702.9, “Kites.”", "Kites"),
        ('rule 702.9, "Kites"', "Kites"),
        ("rule 702.9: ‘The Maker’s Kites’", "The Maker’s Kites"),
        ("rule 702.9 (Kites and String)", "Kites and String"),
        ("rule 702.9 (which has kites)", ""),
        ("rule 702.9, “kites”", ""),
        ("rule 702.9, “Kites", ""),
        (f"rule 702.9, “{'K' * 89}”", "K" * 89),
        (f"rule 702.9, “{'K' * 90}”", ""),
        ("rule 702.9 is “Kites”", ""),
    ],
)
def test_titles(text: str, title: str) -> None:
    """Words in quotation marks after a number are its title."""
    (reference,) = find_references(text)

    assert reference.title == title


def test_offsets() -> None:
    """Offsets count code points of the text."""
    (reference,) = find_references("\N{MICROSCOPE} rule 704.5k")

    assert reference == Reference("704.5k", "704.5k", 7, 13)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("(702.9b)" * 50_000, 50_000),
        ("702.9b" + " " * 50_000 + "-", 1),
        ("rule 702.9 'a" * 50_000, 50_000),
    ],
    ids=["no blanks", "blanks alone", "titles that never end"],
)
def test_long_texts(text: str, count: int) -> None:
    """The time for a text without citations is proportional to its length."""
    assert len([*find_references(text)]) == count


NUMBERS = st.from_regex(r"[1-9][0-9]{2}(\.[1-9][0-9]?([a-k]|a[a-k])?)?", fullmatch=True)
WORDS = st.sampled_from(
    ["rule ", "rules ", "section 4", "see ", "CR", " and ", ", ", "-", "–", "?", " - ", " to ", "."]
)
QUOTES = st.sampled_from(
    ["'", "’", "‘", "“", "”", '"', "(", ")", "Kites", "s", "\n", "1", "$", "/"]
)
TEXTS = st.one_of(st.text(), st.lists(st.one_of(NUMBERS, WORDS, QUOTES)).map("".join))


@given(TEXTS)
def test_spans(text: str) -> None:
    """Spans are within the text, in order, without overlap, and begin with their number."""
    end = 0

    for reference in find_references(text):
        assert end <= reference.start < reference.end <= len(text)
        assert text[reference.start : reference.end].casefold().startswith(reference.first)
        end = reference.end


@given(NUMBERS)
def test_every_number(number: str) -> None:
    """Every well-formed number is found after the word, with and without a period."""
    assert _named(f"rule {number}") == [(number, number)]
    assert _named(f"Rule {number}.") == [(number, number)]


@given(TEXTS)
def test_what_follows(text: str) -> None:
    """A later sentence without citations changes no earlier citation."""
    assert [*find_references(f"{text}\nNothing.\n")] == [*find_references(text)]


@pytest.mark.parametrize(
    ("first", "last", "numbers"),
    [
        ("603.7d", "603.7d", ("603.7d",)),
        ("603.7d", "603.7f", ("603.7d", "603.7e", "603.7f")),
        ("603.7k", "603.7p", ("603.7k", "603.7m", "603.7n", "603.7p")),
        ("704.5z", "704.5ab", ("704.5z", "704.5aa", "704.5ab")),
        ("119.7", "119.9", ("119.7", "119.8", "119.9")),
        ("306", "308", ("306", "307", "308")),
        # A range that cannot be enumerated has only its ends.
        ("603.7k", "603.7o", ("603.7k", "603.7o")),
        ("100", "900", ("100", "900")),
        ("4", "6", ("4",)),
    ],
)
def test_numbers_between(first: str, last: str, numbers: tuple[str, ...]) -> None:
    """A range has the numbers between its ends, without the letters that are never used."""
    assert numbers_between(first, last) == numbers


@pytest.mark.parametrize(("last", "count"), [("101.200", 200), ("101.201", 2)])
def test_longest(last: str, count: int) -> None:
    """At most two hundred numbers are listed; a longer range has only its ends."""
    numbers = numbers_between("101.1", last)

    assert (len(numbers), numbers[0], numbers[-1]) == (count, "101.1", last)
