"""Permanent addresses, and the buttons that copy them, on the site of the sample rulebook."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.browsing import OpenTab, Tab

if TYPE_CHECKING:
    from playwright.sync_api import Locator

# The position of the address's target, and whether its background differs from the page's.
_TARGET = """() => {
  const found = document.querySelector(":target");
  const style = getComputedStyle(found);
  const plain = getComputedStyle(document.body);
  return [found.getBoundingClientRect().top, style.backgroundColor !== plain.backgroundColor];
}"""


@pytest.mark.parametrize(
    ("link", "anchor"),
    [
        ("2008-06-20/6/#600.4a", "600.4a"),
        ("2008-06-20/6/index.html#600.4a", "600.4a"),
        ("2025-05-30/7/#702.11", "702.11"),
        ("2025-05-30/7/#702.11-2", "702.11-2"),
        ("1999-05-14/glossary/#flag", "flag"),
        ("rule/704/#704.5k", "704.5k"),
    ],
)
def test_anchors(open_tab: OpenTab, link: str, anchor: str) -> None:
    """A dated link leads to the rule, which is visible and marked."""
    tab = open_tab(viewport={"width": 360, "height": 500})

    tab.open(link)
    tab.until("() => document.querySelector(':target') !== null")

    top, is_marked = tab.value(_TARGET)
    assert tab.attribute(":target", "id") == anchor
    assert 0 <= top < 250
    assert is_marked


def _copied(tab: Tab, button: "Locator") -> str:
    """Press a button; return the text that it copied."""
    button.click()
    tab.until("one => one.textContent === 'Copied'", button.element_handle())
    return str(tab.value("() => navigator.clipboard.readText()"))


def test_copying(open_tab: OpenTab) -> None:
    """Buttons copy the text, a citation and a permalink to the rule as of that day."""
    tab = open_tab(permissions=["clipboard-read", "clipboard-write"])
    tab.open("rule/704.5k/")
    words = tab.texts(".text p")[0]

    text = _copied(tab, tab.page.locator("[data-copy-text]"))
    citation = _copied(tab, tab.page.locator("[data-copy]"))
    permalink = _copied(tab, tab.page.locator("[data-copy-link]"))

    assert words.startswith("A tow rope")
    assert text == f"704.5k {words}"
    assert citation == "CR 704.5k (2025-05-30)"
    assert permalink == f"{tab.address}rule/704.5k/#2015-04-17"
    tab.page.goto(permalink)
    assert f"704.5k {tab.texts(':target .text')[0]}" == text


def test_copying_from_the_file_system(open_tab: OpenTab, sites: Callable[[str], Path]) -> None:
    """From the file system, a permalink is the address of the published site, if that was given."""
    tab = open_tab(
        f"{sites('published').as_uri()}/", permissions=["clipboard-read", "clipboard-write"]
    )
    tab.open("rule/704.5k/index.html")

    assert _copied(tab, tab.page.locator("[data-copy-link]")).startswith("https://")


def test_copying_what_was_printed_twice(open_tab: OpenTab) -> None:
    """If a number is printed twice, each button copies the provision beside it."""
    tab = open_tab(permissions=["clipboard-read", "clipboard-write"])
    tab.open("rule/702.11/")

    copied: list[tuple[str, str]] = []
    for place in range(2):
        article = tab.page.locator("main article").nth(place)
        text = _copied(tab, article.locator("[data-copy-text]"))
        assert " ".join(text.split()) in " ".join(article.inner_text().split())
        copied.append((text, _copied(tab, article.locator("[data-copy-link]"))))

    assert len(set(copied)) == 2
    assert {link for _, link in copied} == {
        f"{tab.address}rule/702.11/#2025-05-30",
        f"{tab.address}rule/702.11/#2022-02-11",
    }


def test_error_copying_is_not_allowed(open_tab: OpenTab) -> None:
    """If the browser does not let pages copy, the button says so."""
    tab = open_tab()
    tab.page.add_init_script(
        "navigator.clipboard.writeText = () => Promise.reject(new Error('no'));"
    )
    tab.open("rule/704.5k/")

    tab.page.click("button:text-is('Copy citation')")

    tab.page.wait_for_selector("button:text-is('Not allowed here')")
