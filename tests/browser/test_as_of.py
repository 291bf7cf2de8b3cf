"""Tests of what a page of a number shows of another day, in a real browser."""

from tests.browser.browsing import Tab

RULE = "rule/705.2/index.html"
DAY = "form[data-at] input"
SHOW = "form[data-at] button"
SAID = "form[data-at] [role=status]"


def _ask(tab: Tab, page: str, day: str) -> None:
    tab.open(page)
    tab.page.fill(DAY, day)
    tab.page.click(SHOW)


def test_another_day(tab: Tab) -> None:
    """A day leads to the edition that was in force, and there to the rule under its number of then."""
    _ask(tab, RULE, "2009-12-31")

    tab.page.wait_for_url("**/2008-06-20/511/index.html#511.2")
    assert tab.complaints == []


def test_a_number_that_is_no_more(tab: Tab) -> None:
    """So does the page of a number that nothing bears today."""
    _ask(tab, "rule/511.2/index.html", "2009-12-31")

    tab.page.wait_for_url("**/2008-06-20/511/index.html#511.2")


def test_error_before_all_editions(tab: Tab) -> None:
    """Of a day before the first edition the page says that it knows none."""
    _ask(tab, RULE, "1990-01-01")

    tab.page.wait_for_function(f"() => document.querySelector('{SAID}').textContent !== ''")
    assert tab.page.inner_text(SAID) == "No edition here is so old."


def test_an_edition_by_its_date(tab: Tab) -> None:
    """Search leads to the edition that was in force on a day."""
    tab.open("search/index.html")

    tab.ask("2009-12-31")

    assert tab.texts(".results .hit")[0] == "Edition of 2008-06-20"
