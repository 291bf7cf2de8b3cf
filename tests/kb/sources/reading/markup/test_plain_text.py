"""Marks that mail, forums, printers and wikis add to a plain text."""

import pytest

from variorum_kb.sources.reading.markup.plain_text import lay_out, without_unprinted
from variorum_kb.sources.reading.passages.passages import (
    LineRole,
    Partial,
    PassageKind,
    SourceLayout,
)
from variorum_kb.sources.recognise_kind import read_partial


def read(text: str) -> Partial:
    """Read a page of these tests."""
    return read_partial(text.encode(), "page.txt")


def rules(page: Partial) -> list[tuple[str, str]]:
    """Return the numbers and words of quoted rules."""
    return [(passage.number, passage.text) for passage in page.of(PassageKind.RULE)]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["> A lamp burns.", ">", "> > It shines."], ["A lamp burns.", "It shines."]),
        (["**705.1** A *lit* lamp is */* or 1+*."], ["705.1 A lit lamp is */* or 1+*."]),
        (["## Glossary", "Fight[edit | edit source]"], ["Glossary", "Fight"]),
        (["It shines.[1][2]", "A lamp with [1] burns."], ["It shines.", "A lamp with [1] burns."]),
        (["#####CR 705.1a", "##Lamps", "#705.2 A boat."], ["CR 705.1a", "Lamps", "705.2 A boat."]),
        (["A lamp is #1 of 2.", "#lamps"], ["A lamp is #1 of 2.", "#lamps"]),
        (
            ["[705.1](https://x.example/a_(b)) See [706](#706 'Oil') and [oil](here)."],
            ["705.1 See [706](#706 'Oil') and [oil](here)."],
        ),
        (
            ['**[705.1](/705)** See rule [706.2](<https://x.example/> "Oil").'],
            ["705.1 See rule 706.2."],
        ),
        (
            ["_Example: A lamp._", "A _lamp_ is", "_lit_ by _Ann_"],
            ["Example: A lamp.", "A _lamp_ is", "_lit_ by _Ann_"],
        ),
    ],
)
def test_shown(lines: list[str], expected: list[str]) -> None:
    """Marks around the words are removed and counted; the rules' own brackets and stars stay."""
    sheet = lay_out(lines)

    assert [line.text for line in sheet.lines] == expected
    signs = len("".join("".join(lines).split()))
    assert sheet.characters + sheet.hidden == signs


@pytest.mark.parametrize(("line", "title"), [(40, "Lamps"), (41, "")])
def test_front_matter(line: int, title: str) -> None:
    """Front matter ends within forty lines."""
    fields = ["", "---", 'Title: "Lamps"', *[f"x{place}: y" for place in range(line - 4)]]

    sheet = lay_out([*fields, "---", "705.1. A lamp burns."])

    assert sheet.title == title
    assert sheet.lines[-1].text == "705.1. A lamp burns."
    assert lay_out(["x", *fields, "---"]).title == ""


@pytest.mark.parametrize(
    ("line", "role"),
    [
        ("[Home](/a) | [Lamps](/b)", LineRole.NAVIGATION),
        ("[Home](/a) |", None),
        ("[Home](/a) [Lamps](/b)", None),
        ("[Home](/a) | [Lamps](/b) 2", None),
    ],
)
def test_bars(line: str, role: LineRole | None) -> None:
    """Two links with a sign between them, and nothing else, are a bar of links."""
    (shown,) = lay_out([line]).lines

    assert shown.role is role


def test_quoted_lines() -> None:
    """Quoted lines are recognised by their marks."""
    sheet = lay_out(["Thanks", "> A boat."])

    assert [(line.text, line.is_quoted) for line in sheet.lines] == [
        ("Thanks", False),
        ("A boat.", True),
    ]


def test_pages() -> None:
    """Page numbers are furniture, and a paragraph continues after them."""
    sheet = lay_out(["705.1. A lamp that", "", "11", "", "burns.", "", "12", "", "705.2. A boat."])

    assert [(line.text, line.role, line.after_blank) for line in sheet.lines] == [
        ("705.1. A lamp that", None, True),
        ("burns.", None, False),
        ("11", LineRole.BANNER, True),
        ("12", LineRole.BANNER, True),
        ("705.2. A boat.", None, True),
    ]


def test_numbers_that_count_nothing() -> None:
    """Numbers on their own lines that do not increase are not page numbers."""
    sheet = lay_out(["11", "A lamp.", "7", "A boat."])

    assert [line.role for line in sheet.lines] == [None] * 4


def test_unprinted() -> None:
    """Soft hyphens and zero-width characters are removed and counted."""
    sheet = without_unprinted(lay_out(["A light\u00adhouse\u200b burns.", "\u200b"]))

    assert [line.text for line in sheet.lines] == ["A lighthouse burns."]
    assert sheet.hidden == 3


def test_answer_to_a_mail() -> None:
    """Text around quoted rules is prose; wrapped lines of a quotation are joined."""
    page = read(
        "No, it stays. The rule is here:\n\n"
        "> 705.1. To turn a lamp, a keeper lifts it and names a side of the\n"
        "> bay, and every keeper who sits at the table may watch while this\n"
        "> is done by her in the open and with both of her hands on the rim\n"
        "> of the lamp.\n\nThat is why it stays.\n"
    )

    ((number, words),) = rules(page)
    assert (number, words[-40:]) == (
        "705.1",
        "with both of her hands on the rim of the lamp."[-40:],
    )
    assert [passage.text for passage in page.of(PassageKind.PROSE)] == [
        "No, it stays. The rule is here:",
        "That is why it stays.",
    ]


@pytest.mark.parametrize(
    "line", ["(705.1) A lamp burns.", "[705.1] A lamp burns.", "“705.1 A lamp burns.”"]
)
def test_numbers_in_brackets(line: str) -> None:
    """A number in brackets, or after a quotation mark, is read as a number."""
    assert [number for number, _ in rules(read(f"{line}\n\n705.2. A boat floats.\n"))] == [
        "705.1",
        "705.2",
    ]


def test_headwords_on_the_line() -> None:
    """A headword may be on the line of its definition."""
    page = read("Glossary\n\nLamp: A light at the bay.\n\nOil: What a lamp burns.\n")

    assert [(passage.headword, passage.text) for passage in page.passages] == [
        ("Lamp", "A light at the bay."),
        ("Oil", "What a lamp burns."),
    ]


def test_senses_without_headword() -> None:
    """The first sense begins a definition; other senses and a citation continue it."""
    page = read(
        "which burns.\nGlossary\nA light that is seen from the bay by every keeper.\n"
        "1. A zone of boats.\n2. To put a boat there.\nSee rule 406, “Harbor.”\n"
        "A boat that is seen by nobody at all.\n"
    )

    assert [passage.text for passage in page.of(PassageKind.GLOSSARY)] == [
        "A light that is seen from the bay by every keeper.",
        "1. A zone of boats.\n2. To put a boat there.\nSee rule 406, “Harbor.”",
        "A boat that is seen by nobody at all.",
    ]


def test_short_headwords_are_not_wrapped() -> None:
    """Short lines above long ones are headwords, not wrapped lines."""
    words = "is a light at the bay that every keeper sees from the shore, also in the dark of night"
    page = read(
        "Glossary\n\n" + "\n\n".join(f"{name} Lamp\nIt {words}." for name in ("Big", "Tin", "Old"))
    )

    assert [passage.headword for passage in page.passages] == ["Big Lamp", "Tin Lamp", "Old Lamp"]


def test_headline_ends_definitions() -> None:
    """After a quoted definition, a wiki's heading ends the glossary; rulings are prose."""
    page = read(
        "Lamp\nFrom MTG Wiki\nFrom the glossary of the Comprehensive Rules (Harbor Lights)\n"
        "Lamp\nA light at the bay.\nRulings[edit]\nA lamp without oil is turned all the same.\n"
    )

    assert [(passage.kind, passage.headword) for passage in page.passages] == [
        (PassageKind.GLOSSARY, "Lamp"),
        (PassageKind.PROSE, ""),
    ]


def test_article_that_mostly_quotes() -> None:
    """A page of quotations that addresses readers keeps its author and its day."""
    rule = "A keeper who names no side turns the lamp toward the sea, where the boats are. " * 3
    page = read(
        "<html><body><article><h1>Ask the Keeper</h1><p class=byline>By Ann Lee</p>"
        "<p>May 14, 2012</p><p>Did we ever turn a lamp? I did.</p>"
        f"<blockquote>705.1. {rule}</blockquote><p>That is why we turn it.</p></article></body></html>"
    )

    assert (page.author, page.title) == ("Ann Lee", "Ask the Keeper")
    assert page.dated is not None
    assert [number for number, _ in rules(page)] == ["705.1"]


def test_end_of_a_citation() -> None:
    """A number at the beginning of a page of definitions ends a citation."""
    page = read(
        "107.5.\nLamp\nA light at the bay.\nOil\nWhat a lamp burns.\nWick\nWhat a keeper trims.\n"
    )

    assert page.layout is SourceLayout.FRAGMENT
    assert not list(page.of(PassageKind.RULE))
