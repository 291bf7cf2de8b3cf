"""What is read as a heading, a headword or a misprint, up to the letter at which it no longer is."""

from collections.abc import Callable
from datetime import date

import pytest

from tests.support.edition_texts import HEAD, RULES, page
from variorum_kb.errors import DocumentError
from variorum_kb.reading.edition import read_edition
from variorum_kb.reading.effective_date import find_effective_dates
from variorum_kb.reading.layouts import DocumentSigns, layout_of
from variorum_kb.reading.unwrap import Block


def titled(length: int) -> str:
    """Return a title of some length."""
    return ("Wick " * length)[: length - 1] + "k"


def rule_heading(length: int) -> str:
    """Read a rule whose only words are a title."""
    edition = read_edition(
        page(rules=RULES.replace("101.1. Wick", f"101.1. {titled(length)}")), "a"
    )
    return next(rule.heading for rule in edition.provisions if rule.address == "101.1")


def section_heading(length: int) -> str:
    """Read a section whose line has some length."""
    title = titled(length - len("101. "))
    head = HEAD.replace("101. Lamps", f"101. {title}")
    rules = RULES.replace("101. Lamps", f"101. {title}")
    try:
        edition = read_edition(page(head=head, rules=rules), "a")
    except DocumentError:
        return ""
    return "".join(rule.heading for rule in edition.provisions if rule.address == "101")


def headword(length: int) -> str:
    """Read a headword that has its words right below it."""
    glossary = f"Boat\nWhat a keeper has.\n\n{titled(length)}\nIt burns.\n\n"
    return read_edition(page(glossary=glossary), "a").glossary[-1].heading[:4].replace("Boat", "")


def headword_alone(length: int) -> str:
    """Read a headword that stands between blank lines."""
    glossary = f"Boat\nWhat a keeper has.\n\n{titled(length)}\n\nIt burns.\n\n"
    return read_edition(page(glossary=glossary), "a").glossary[-1].heading[:4].replace("Boat", "")


def next_number(gap: int) -> str:
    """Read a number that leaves out some; it stands as printed, or is a misprint of the next one."""
    rules = RULES.replace("101. Lamps\n", f"100.{2 + gap}. Oars.\n\n101. Lamps\n")
    edition = read_edition(page(rules=rules), "a")
    return "".join(
        rule.number
        for rule in edition.provisions
        if rule.printed == f"100.{2 + gap}." and str(rule.meant) == rule.number
    )


def entries_of_one(paragraphs: int) -> str:
    """Read a glossary of one entry with some paragraphs."""
    glossary = "Boat\n" + "".join(f"{place}. A keeper has it.\n" for place in range(1, paragraphs))
    try:
        return read_edition(page(glossary=f"{glossary}\n"), "a").glossary[0].heading
    except DocumentError:
        return ""


@pytest.mark.parametrize(
    ("read", "largest"),
    [
        (rule_heading, 60),
        (section_heading, 120),
        (headword, 120),
        (headword_alone, 60),
        (next_number, 9),
        (entries_of_one, 60),
    ],
)
def test_limits(read: Callable[[int], str], largest: int) -> None:
    """The largest is read as such, and nothing larger."""
    assert read(largest)
    assert not read(largest + 1)


@pytest.mark.parametrize(("printed", "year"), [("93", 1993), ("92", 2092)])
def test_century(printed: str, year: int) -> None:
    """Two digits name a year since the game began."""
    head = [Block(f"Revised 04/23/{printed}", 1, 1, 0, after_blank=True)]

    (found,) = find_effective_dates(head, [], "a")

    assert found[0] == date(year, 4, 23)


@pytest.mark.parametrize(("longest", "name"), [(159, "wrapped"), (160, "plain")])
def test_wrapped(longest: int, name: str) -> None:
    """Lines of up to 159 letters are wrapped paragraphs."""
    signs = DocumentSigns(longest=longest, underlines=0, rules=90, indented=44, dates=2)

    assert layout_of(signs, "a.txt").name == name
