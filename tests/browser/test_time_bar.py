"""The time bar in a real browser: the same rule on any day, found by its history, not its number."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.browsing import OpenTab, Tab, served
from tests.support.small_sites import DAYS, build_base, build_site, edition

if TYPE_CHECKING:
    from playwright.sync_api import Route

DAY = "nav.time input"
SHOW = "nav.time button"
SAID = ".there"
STANDS = ".asof.stays"
# The top edges of a page's text and of everything after it.
_PLACES = """() => [...document.querySelectorAll("article, .text, main section, footer")]
  .map((each) => Math.round(each.getBoundingClientRect().y))"""


def _ask(tab: Tab, page: str, day: str) -> None:
    tab.open(page)
    tab.page.fill(DAY, day)
    tab.page.click(SHOW)


@pytest.mark.parametrize(
    ("page", "day", "there"),
    [
        (
            "rule/705.2/",
            "2009-12-31",
            "2008-06-20/5/index.html#511.2",
        ),  # under its number at that time
        ("rule/511.2/", "2009-12-31", "2008-06-20/5/index.html#511.2"),  # no provision has it today
        (
            "rule/511.2/",
            "2011-01-01",
            "2010-01-22/7/index.html#705.2",
        ),  # after the rule lost the number
        ("rule/705.2/", "2999-12-31", "2025-05-30/7/index.html#705.2"),  # after the last edition
        ("2008-06-20/5/#511.2", "2024-01-01", "2022-02-11/7/index.html#705.2"),
        ("2008-06-20/5/#511", "2024-01-01", "2022-02-11/7/index.html#705"),
        ("2008-06-20/5/", "2024-01-01", "2022-02-11/7/index.html"),  # also by its history
        ("2008-06-20/", "2007-01-01", "2006-03-01/index.html"),
        ("2008-06-20/glossary/", "2007-01-01", "2006-03-01/glossary/index.html"),
        ("glossary/boat/", "2011-01-01", "2010-01-22/glossary/index.html#boat"),
    ],
)
def test_any_day(tab: Tab, page: str, day: str, there: str) -> None:
    """A day leads to the same provision in the edition in force."""
    _ask(tab, page, day)

    tab.page.wait_for_url(f"**/{there}")


@pytest.mark.parametrize("page", ["rule/705.2/", "2008-06-20/5/#511.2", "2008-06-20/"])
def test_error_before_all_editions(tab: Tab, page: str) -> None:
    """For a day before the first edition, the page names the first edition."""
    _ask(tab, page, "1990-01-01")

    tab.page.wait_for_function(f"() => document.querySelector('{SAID}').textContent !== ''")
    assert tab.page.locator(SAID).first.inner_text() == "The earliest edition is 14 May 1999."


def test_several_bearers(tab: Tab) -> None:
    """If this rule and another bearer of the number were both in force, the page names both."""
    _ask(tab, "rule/702.4/", "2016-12-31")

    tab.page.wait_for_function(f"() => document.querySelector('{SAID}').textContent !== ''")
    locator = tab.page.locator(SAID).first
    links = locator.locator("a").evaluate_all("(all) => all.map((one) => one.getAttribute('href'))")
    anchors = [link.split("#")[1] for link in links if "#" in link]
    assert "702.4" in anchors
    assert len(anchors) == len(set(anchors)) > 1
    assert all("/2016-05-05/" in link or "/2015-04-17/" in link for link in links)


def test_today_and_neighbours(tab: Tab) -> None:
    """An old edition's rule links to its form today and in both adjacent editions."""
    for link, there in (
        ("a[data-today]", "rule/705.2/index.html"),
        ("a[rel=prev]", "2006-03-01/5/index.html#511.2"),
        ("a[rel=next]", "2010-01-22/7/index.html#705.2"),
    ):
        tab.open("2008-06-20/5/#511.2")
        tab.page.wait_for_selector(".tools")
        tab.page.click(f"nav.time {link}")
        tab.page.wait_for_url(f"**/{there}")


def test_a_rule_is_chosen(open_tab: OpenTab) -> None:
    """A click on a rule of a dated page offers to copy it as of that day, and to compare it."""
    tab = open_tab(
        permissions=["clipboard-read", "clipboard-write"], viewport={"width": 390, "height": 800}
    )
    tab.open("2008-06-20/5/")
    rule = tab.page.locator("[id='511.2']")
    rule.scroll_into_view_if_needed()
    top = rule.bounding_box()

    rule.click(position={"x": 150, "y": 30})

    assert rule.bounding_box() == top or rule.locator(".tools").is_visible()
    copied: list[str] = []
    for words in ("Copy text", "Copy citation", "Copy permalink"):
        rule.locator(f"button:text-is('{words}')").click()
        tab.page.wait_for_selector("button:text-is('Copied')")
        copied.append(tab.value("() => navigator.clipboard.readText()"))
        tab.page.wait_for_selector(f"button:text-is('{words}')")
    assert re.fullmatch(r"511\.2 (was .*)?If a card cares .*", copied[0])
    assert copied[1:] == ["CR 511.2 (2008-06-20)", f"{tab.address}2008-06-20/5/#511.2"]
    assert rule.locator("a:text-is('Compare with today')").get_attribute("href") == (
        f"{tab.address}compare/index.html?rule=511.2&from=2008-06-20&to=current"
    )


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_moves(tab: Tab, width: int) -> None:
    """The page reserves the room for the bar that the script adds."""
    tab.page.set_viewport_size({"width": width, "height": 800})
    held: list[Route] = []
    tab.page.route("**/script.js", lambda route: held.append(route))  # noqa: PLW0108 - it looks inside
    for page in ("rule/705.2/", "glossary/flag/", "2008-06-20/5/"):
        tab.page.goto(tab.address + page, wait_until="commit")
        tab.until("() => performance.getEntriesByName('first-contentful-paint').length")
        before = tab.value(_PLACES)

        held.pop().continue_()
        tab.page.wait_for_selector("nav.time form")

        after = tab.value(_PLACES)
        assert len(after) == len(before)
        assert (
            max(abs(new - old) for new, old in zip(after, before, strict=True)) <= 1
        )  # a rounding
    tab.page.unroute_all()


def test_sections_lead_on(tab: Tab, site_folder: Path) -> None:
    """A former address of a section leads to its place in the chapter."""
    script = (site_folder / "404.html").read_text("utf-8")
    tab.page.route(
        re.compile(r"/(2008-06-20|2009-01-01)/511/"),
        lambda route: route.fulfill(status=200, content_type="text/html", body=script),
    )

    for asked, there in (
        ("2008-06-20/511/#511.2", "2008-06-20/5/#511.2"),
        ("2008-06-20/511/", "2008-06-20/5/#511"),
        ("2009-01-01/511/#511.2", "2008-06-20/5/#511.2"),  # the edition in force on that day
    ):
        tab.open(asked)
        tab.page.wait_for_url(f"**/{there}")
    tab.page.unroute_all()


def test_published_but_not_in_force(open_tab: OpenTab, tmp_path: Path) -> None:
    """ "Today" is the edition in force; a published later one says from when it will be."""
    documents = {f"{day}.txt": edition(day) for day in DAYS[:3]}
    build_site(build_base(tmp_path, documents), tmp_path / "out", "--day", "2022-08-06")
    with served(tmp_path / "out") as address:
        tab = open_tab(address)

        tab.open("rule/100.1/")
        assert "In force: 6 July 2021" in tab.page.inner_text("footer")
        tab.open("2022-08-07/1/")
        assert "in force from 7 August 2022" in tab.page.inner_text(STANDS)
        assert "in force since" not in tab.page.inner_text(STANDS)


def test_an_edition_by_its_date(tab: Tab) -> None:
    """Search for a day leads to the edition in force."""
    tab.open("search/index.html")

    tab.ask("2009-12-31")

    assert tab.texts(".results .hit")[0] == "Edition of 20 June 2008"
