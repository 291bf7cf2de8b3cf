"""One rule or section between two days, and the digest of a comparison, in a real browser."""

import re

import pytest

from tests.browser.browsing import OpenTab, Tab, axe

PAGE = "compare/index.html"
PAIR = "#compare-found .pair:not(.heads)"


def _open(tab: Tab, query: str) -> None:
    tab.open(f"{PAGE}?{query}")
    tab.page.wait_for_selector(f"{PAIR}, #compare-found:not([aria-busy]) dl, #compare-found .note")


def test_a_rule_by_its_provision(tab: Tab) -> None:
    """A rule is compared under its number in each edition, whichever number the user gives."""
    rows: list[tuple[list[str], list[str]]] = []
    for query in ("rule=511.2&from=2008-12-31&to=2012-05-05", "rule=705.2&from=2012&to=2008"):
        _open(tab, query)
        rows.append((tab.texts(f"{PAIR} .before b"), tab.texts(f"{PAIR} .after b")))

    assert rows == [(["511.2"], ["705.2"])] * 2
    assert tab.page.input_value("#compare-rule") == "705.2"


def test_a_number_that_is_another_rule_there(tab: Tab) -> None:
    """If the number means another rule in the other edition, the page says so and links to it."""
    _open(tab, "rule=100.3&from=first&to=current")
    assert tab.texts(f"{PAIR} b") == ["100.3", "100.4"]

    tab.page.click("text=compare that one")
    tab.page.wait_for_selector(PAIR)

    assert tab.texts(f"{PAIR} .after b") == ["100.3", "100.2"]
    assert tab.texts(f"{PAIR} .before del") != []
    assert "from=2025-05-30&to=1999-05-14" in tab.path


def test_a_heading_and_a_text(tab: Tab) -> None:
    """A heading is never compared with a text, and a text that was divided is told once."""
    _open(tab, "rule=705&from=2003-02-10&to=current")

    before = [text for text in tab.texts(f"{PAIR} .before") if "When a coin is flipped" in text]
    heading = tab.page.locator(f"{PAIR}:has(.after a:text-is('705'))")

    assert len(before) == 1
    assert heading.locator("ins, del").count() == 0
    assert heading.locator(".after .diff").inner_text() == "Flipping a Coin"


def test_words_as_printed(tab: Tab) -> None:
    """Both sides are as printed, with blanks and the marks of examples."""
    _open(tab, "rule=600.4a&from=2006-03-01&to=current")
    texts = tab.value(
        "() => ['.before', '.after'].map((side) => document.querySelector(`.pair:not(.heads) ${side} .diff`).innerText)"
    )

    printed: list[str] = []
    for place in ("2006-03-01/6/#600.4a", "2025-05-30/7/../8/#800.4a"):
        tab.open(place)
        words = tab.value("(id) => wordsOf(id)", place.partition("#")[2])
        printed.append(re.sub(r"^\d\S*\s*", "", words))

    assert "Example: " in texts[0]
    assert [" ".join(text.split()) for text in texts] == [
        " ".join(text.split()) for text in printed
    ]


def test_a_section_as_one_text(tab: Tab) -> None:
    """A section is one text with marked changes; unchanged rules show their age."""
    _open(tab, "rule=705&from=2010-01-22&to=current")
    sides = len(tab.texts(PAIR))

    tab.page.select_option("#compare-view", "text")
    tab.page.wait_for_selector(".rule-text")

    assert len(tab.texts(".rule-text .whole")) == sides > 2
    margins = tab.texts(".rule-text .whole small")
    assert all(
        margin.startswith(("unchanged since ", "as in the first", "removed")) for margin in margins
    )
    assert tab.path == f"{PAGE}?rule=705&from=2010-01-22&to=current&view=text"
    tab.page.reload()
    tab.page.wait_for_selector(".rule-text .whole")


def test_filters_are_in_the_address(tab: Tab) -> None:
    """The address keeps the filters, and opening it sets them."""
    _open(tab, "from=first&to=latest")
    tab.page.select_option("#compare-sort", "new")
    tab.page.select_option("#compare-section", "glossary")
    tab.page.wait_for_selector("#compare-status:text('changes in')")
    texts = tab.texts("#compare-status")
    address = tab.path

    tab.open("index.html")
    tab.open(address)
    tab.page.wait_for_selector("#compare-found:not([aria-busy]) dl")

    assert address.endswith("from=first&to=latest&section=glossary&sort=new")
    assert tab.texts("#compare-status") == texts


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_columns(open_tab: OpenTab, width: int, scheme: str) -> None:
    """Editions are side by side on a wide screen, and one below the other on a phone."""
    tab = open_tab(color_scheme=scheme, viewport={"width": width, "height": 800})
    _open(tab, "rule=511&from=2008-06-20&to=current")

    tops = tab.value(
        """() => [...document.querySelectorAll(".pair:not(.same):not(.heads)")].map((pair) =>
          [...pair.children].map((one) => Math.round(one.getBoundingClientRect().top)))"""
    )

    assert tops
    assert all((top[0] == top[1]) == (width > 1000) for top in tops if len(top) > 1)
    tab.value(axe())
    value = tab.value("async () => (await axe.run()).violations.map((one) => one.id)")
    assert value == []
    assert tab.value("() => document.documentElement.scrollWidth") <= width


def test_a_digest_comes_first(tab: Tab) -> None:
    """A comparison shows a digest first, then sections; the counts are below."""
    _open(tab, "from=first&to=latest")

    blocks = tab.value(
        "() => [...document.querySelectorAll('#compare-found > *')].map((one) => one.className || one.localName)"
    )

    assert blocks[0] == "digest"
    assert blocks[-1] == "counts"
    titles = [text.rstrip("0123456789 ") for text in tab.texts(".digest summary")]
    assert titles[0] == "New sections"
    assert "New keywords" in titles
    assert titles[-1] == "Removed or rewritten rules that others cited most"
    assert all(tab.texts(".digest li"))
