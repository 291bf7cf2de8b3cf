"""Any two editions of the sample rulebook, compared in a browser."""

import re
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import variorum
from tests.browser.browsing import OpenTab, Tab, axe

if TYPE_CHECKING:
    from playwright.sync_api import Browser

DAY = date(2026, 1, 2)
PAGE = "compare/index.html"
FOUND = "#compare-found:not([aria-busy]) dl"
STATUS = "#compare-status"
_OPEN = """() => {
  for (const one of document.querySelectorAll("#compare-found details")) one.open = true;
}"""
_COUNTS = """() => Object.fromEntries([...document.querySelectorAll(".counts > div")].map((one) =>
  [one.querySelector("dt").textContent, one.querySelector("dd").firstChild.textContent]))"""


@pytest.fixture(scope="module")
def opened(bases: Callable[[str], Path]) -> Iterator[variorum.Base]:
    """Return the base of the sample rulebook, open."""
    with variorum.open(bases("sample"), today=DAY) as base:
        yield base


def _day(edition: variorum.Edition) -> str:
    day = date.fromisoformat(edition.label)
    return f"{day.day} {day:%B} {day.year}"


def _compared(tab: Tab, query: str) -> None:
    tab.open(f"{PAGE}?{query}")
    tab.page.wait_for_selector(FOUND)


def test_neighbours(opened: variorum.Base, tab: Tab) -> None:
    """Neighbouring editions have a page of changes, to which the comparison leads."""
    before, after = opened.editions[2:4]

    tab.open(f"{PAGE}?from={before.label}&to={after.label}")

    tab.page.wait_for_url(f"**/changes/{after.label}/index.html")


def test_as_the_command(opened: variorum.Base, tab: Tab) -> None:
    """From each edition to the newest, the figures are those of `cr since`."""
    for edition in opened.editions[:-2]:
        _compared(tab, f"from={edition.label}&to=latest")

        summary = opened.diff(edition.label, "latest").summary
        counts = tab.value(_COUNTS)
        assert counts["Reworded"] == f"{summary.substantive:,}"
        assert (counts["New"], counts["Removed"]) == (f"{summary.new:,}", f"{summary.gone:,}")
        assert counts["Words added"] == f"{summary.words_came:,}"


def test_other_pairs(tab: Tab) -> None:
    """Other editions are compared by sections, each with its counts, which open."""
    tab.open(f"{PAGE}?from=2003-02-10&to=2010-01-22")
    tab.page.wait_for_selector("#compare-found details")
    titles = tab.texts("#compare-found summary")
    assert re.fullmatch(r"[\d,]+ changes in \d+ sections", tab.page.inner_text(STATUS))
    assert all(re.search(r" \d+ (reworded|new|removed|split off)", title) for title in titles)

    section = "details[open]:has(summary:has-text('Flipping a Coin')) .whole b"
    tab.page.wait_for_selector(section)
    assert tab.texts(section)[0] == "705"


def test_links(tab: Tab, site_folder: Path) -> None:
    """Every link leads to an existing page and anchor."""
    _compared(tab, "from=first&to=latest")
    tab.value(_OPEN)
    tab.until("() => document.links.length > 100")

    links: list[str] = tab.value("() => [...document.links].map((link) => link.href)")

    for link in links:
        file, _, anchor = link.removeprefix(tab.address).partition("#")
        if file.startswith(PAGE):
            assert not anchor or tab.page.query_selector(f'[id="{anchor}"]') is not None
            continue
        text = (site_folder / file).read_text("utf-8")
        assert not anchor or f'id="{anchor}"' in text, link


def test_choosing(opened: variorum.Base, tab: Tab) -> None:
    """A reader chooses two editions, also by a day; the address keeps the choice."""
    first, later = opened.editions[1], opened.editions[4]
    page = tab.page
    tab.open(PAGE)
    page.fill("#compare-from-day", "2004-01-01")
    page.select_option("#compare-to", later.label)
    page.wait_for_selector(f'#compare-from option[value="{first.label}"]:checked', state="attached")

    page.click("#compare button")
    page.wait_for_selector("#compare-found details")

    assert tab.path == f"{PAGE}?from={first.label}&to={later.label}"
    assert page.title() == f"From {_day(first)} to {_day(later)} · Variorum"
    page.go_back()
    page.wait_for_selector("#compare-found details", state="detached")


def test_since_i_last_played(opened: variorum.Base, tab: Tab) -> None:
    """A day is compared with today; the address keeps the day."""
    tab.open(PAGE)
    tab.page.fill("#compare-played", "2016-05-05")

    tab.page.press("#compare-played", "Enter")
    tab.page.wait_for_selector(FOUND)

    assert tab.path == f"{PAGE}?from=2016-05-05&to=current"
    before, latest = opened.edition("2016-05-05"), opened.editions[-1]
    assert tab.page.inner_text("#compare-title") == f"From {_day(before)} to {_day(latest)}"


def test_filters(opened: variorum.Base, tab: Tab) -> None:
    """Filters show only the changes of a section, or of one sort."""
    _compared(tab, "from=first&to=latest")
    changes = opened.diff("first", "latest").changes
    new = [str(change.new) for change in changes if change.new is not None and change.old is None]
    entries = [name for name in new if name.startswith("glossary")]

    shown = "count => document.querySelectorAll('.pair').length === count"
    tab.page.select_option("#compare-sort", "new")
    tab.page.wait_for_function(shown, arg=len(new))
    tab.page.select_option("#compare-section", "glossary")
    tab.page.wait_for_function(shown, arg=len(entries))
    assert tab.page.inner_text(STATUS).startswith(f"{len(entries)} changes in ")


def test_only_a_keyboard(tab: Tab) -> None:
    """Editions can be chosen and compared with the keyboard alone."""
    tab.open(PAGE)
    tab.page.focus("#compare-played")

    while tab.focused() != "compare-from":
        tab.press("Tab")
    tab.page.keyboard.type("1999")
    while tab.focused() != "Compare":
        tab.press("Tab")
    tab.press("Enter")
    tab.page.wait_for_selector(FOUND)

    assert tab.path == f"{PAGE}?from=1999-05-14&to=2025-05-30"


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("from=xyz", "No edition is called “xyz”; give a day (2007-10-01), a month,"),
        ("from=1990-01-01", "No edition was in force on 1990-01-01; the earliest edition is"),
    ],
)
def test_error_no_edition(tab: Tab, query: str, message: str) -> None:
    """A designator that names no edition gives the command's own message."""
    tab.open(f"{PAGE}?{query}")

    tab.page.wait_for_selector(f"{STATUS}:text('edition')")

    assert tab.page.inner_text(STATUS).startswith(message)


def test_error_no_texts(browser: "Browser", address: str) -> None:
    """If the texts cannot be loaded, the page says so and links to pages of adjacent editions."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.route("**/compare/since/*.js", lambda route: route.abort())
    page.goto(f"{address}{PAGE}?from=first&to=latest")

    page.wait_for_selector("#compare-without:not([hidden])")

    assert page.inner_text(STATUS) == "The texts could not be loaded. Are you online?"
    context.close()


def test_from_the_file_system(open_tab: OpenTab, site_folder: Path) -> None:
    """The page works without a server."""
    tab = open_tab(f"{site_folder.as_uri()}/")

    _compared(tab, "from=first&to=latest")

    assert re.fullmatch(r"[\d,]+ changes in \d+ sections", tab.page.inner_text(STATUS))


def test_without_a_script(open_tab: OpenTab, opened: variorum.Base) -> None:
    """Without JavaScript, the page says so and links to pages of adjacent editions."""
    tab = open_tab(java_script_enabled=False)
    tab.open(PAGE)

    shown = tab.page.inner_text("#compare-without")

    assert "cr diff 1999-05-14 2025-05-30" in shown
    assert all(_day(edition) in shown for edition in opened.editions[1:])
    assert not tab.page.is_visible("#compare")


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1280, "dark")])
def test_everybody_can_read_it(open_tab: OpenTab, scheme: str, width: int) -> None:
    """The page is no wider than a phone, and axe finds no problem."""
    tab = open_tab(color_scheme=scheme, viewport={"width": width, "height": 800})
    _compared(tab, "from=first&to=latest")
    tab.value(_OPEN)

    tab.value(axe())
    value = tab.value("async () => (await axe.run()).violations.map((one) => one.id)")

    assert value == []
    assert tab.value("() => document.documentElement.scrollWidth") <= width
