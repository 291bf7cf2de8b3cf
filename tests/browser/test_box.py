"""Tests of citations in the box, as people copy and write them, in a real browser."""

import re
from datetime import date
from pathlib import Path

import pytest

from tests.browser.browsing import OpenTab, Tab

HOME = "index.html"
NAMES = "#_found .hit"


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("CR 511.2 (2008-06-20)", "2008-06-20/5/index.html#511.2"),
        ("511.2 june 2008", "2008-06-20/5/index.html#511.2"),
        ("511.2 on 31 December 2009", "2008-06-20/5/index.html#511.2"),
        ("Rule 705.1 (2010)", "2010-01-22/7/index.html#705.1"),
        ("cr 705.2", "rule/705.2/index.html"),
        ("Flip a Coin (2003-12-31)", "2003-02-10/glossary/index.html#flip-a-coin"),
    ],
)
def test_enter_opens_a_citation(tab: Tab, query: str, path: str) -> None:
    """A citation and Enter lead to the rule as the cited edition prints it."""
    tab.open(HOME)
    tab.ask(query)

    tab.press("Enter")

    tab.page.wait_for_url(f"**/{path}")


def test_our_own_citation(tab: Tab) -> None:
    """A citation from a page's copy button finds the rule, and says what its number is today."""
    tab.open("rule/705.2/index.html")
    citation = tab.texts(".cite a")[0]
    tab.ask(citation)

    day = date.fromisoformat(citation[-11:-1])
    words = f"{day.day} {day:%B} {day.year}"
    assert tab.texts(NAMES)[:2] == [f"705.2 in the edition of {words}", "705.2"]


def test_a_range(tab: Tab) -> None:
    """A range lists its rules, of today or of the edition after it."""
    tab.open(HOME)

    tab.ask("705.1-3")
    today = tab.texts(NAMES)
    tab.ask("511.1–2 (2008-06-20)")

    assert (today[0], today[-1]) == ("705.1", "705.3")
    assert tab.texts(NAMES) == [
        "511.1 in the edition of 20 June 2008",
        "511.2 in the edition of 20 June 2008",
    ]


def test_what_is_not_there(tab: Tab) -> None:
    """A note says that no edition was in force on a day, or that an edition lacks a number."""
    tab.open(HOME)

    tab.ask("705.2 (1990-01-01)")
    early = " ".join(tab.texts(".notes p"))
    tab.ask("705.2 (2008-06-20)")

    assert "No edition was in force on 1990-01-01" in early
    assert "No rule has the number 705.2 in the edition of 20 June 2008." in tab.texts(".notes p")


def test_from_the_file_system(open_tab: OpenTab, site_folder: object) -> None:
    """Citations also work without a server."""
    tab = open_tab(f"file://{site_folder}/")
    tab.open(HOME)

    tab.ask("CR 511.2 (2008-06-20)")

    assert tab.texts(NAMES)[0] == "511.2 in the edition of 20 June 2008"


def test_the_missing_page_reads_addresses(tab: Tab, site_folder: Path) -> None:
    """An address with another case, day or spelling leads to the right page, or offers it."""
    page = (site_folder / "404.html").read_text("utf-8")
    tab.page.route(
        re.compile(
            r"/(statistics|lint/2008-06-20|RULE|rule/704\.5A|2009-12/511\.2|2010-01-22/705\.2|glossary/(Boat|flotila-variant)|rule/999\.9)/"
        ),
        lambda route: route.fulfill(status=200, content_type="text/html", body=page),
    )

    for asked, there in (
        ("statistics/", "editions/"),
        ("lint/2008-06-20/", "lint/"),
        ("rule/704.5A/", "rule/704.5a/index.html"),
        ("2009-12/511.2/", "2008-06-20/5/index.html#511.2"),
        ("2010-01-22/705.2/", "2010-01-22/7/index.html#705.2"),
        ("glossary/Boat/", "glossary/boat/index.html"),
    ):
        tab.open(asked)
        tab.page.wait_for_url(f"**/{there}")
    tab.open("glossary/flotila-variant/")
    tab.page.wait_for_selector("#_found [role=option]")
    assert tab.texts("#_found .hit")[0] == "808 Flotilla Variant"
    tab.open("rule/999.9/")
    tab.page.wait_for_selector(".found .notes p")
    assert tab.texts(".found .notes p") == ["No edition ever printed 999.9."]
    tab.page.unroute_all()
