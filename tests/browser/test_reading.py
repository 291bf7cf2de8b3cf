"""Every kind of page for different readers: without scripts, from a file, in the dark, on paper."""

import re
from pathlib import Path
from typing import Literal

import pytest

from tests.browser.browsing import OpenTab, Tab, axe, served
from tests.browser.kinds import AXE, KINDS

# Without scripts, these pages have other texts, which their own tests check.
NEEDING = {"search", "compare", "offline"}
# Hides what a script adds, and the places that name the edition in force.
_LEAVE_OUT = """() => {
  for (const one of document.querySelectorAll("main :is(button, form, noscript, [data-current])")) one.hidden = true;
}"""
_LINKS = """() => [...document.querySelectorAll("main a[href]:not(.perma)")].map((one) => one.getAttribute("href"))"""
_FOLDED = "() => document.querySelectorAll('main details:not([open])').length"
_COPYING = "[data-copy], [data-copy-text], [data-copy-link]"
# How light the paper and the ink are, from 0 to 1.
_LIGHT = """() => {
  const style = getComputedStyle(document.body);
  return [style.backgroundColor, style.color].map((one) => {
    const [red, green, blue] = one.match(/[\\d.]+/g).map(Number);
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
  });
}"""
# The left edge of the element that a selector finds.
_LEFT = "(selector) => document.querySelector(selector).getBoundingClientRect().left"
_COLOURS = """() => {
  const style = getComputedStyle(document.body);
  return [style.backgroundColor, style.color, style.fontFamily];
}"""
_SHOWN = (
    "(what) => [...document.querySelectorAll(what)].filter((one) => one.checkVisibility()).length"
)
# Controls that are only for screens.
_FOR_SCREENS = "header.top nav, .skip, .find, main button, .steps"


def test_without_a_script(open_tab: OpenTab, tab: Tab) -> None:
    """Without JavaScript, all texts and links are there, and folded sections can be opened."""
    bare = open_tab(java_script_enabled=False)
    folded = 0
    for kind, page in KINDS.items():
        if kind in NEEDING:
            continue
        tab.open(page)
        bare.open(page)
        assert bare.value(_SHOWN, _COPYING) == 0, kind
        for item in (tab, bare):
            item.value(_LEAVE_OUT)

        assert bare.page.inner_text("main").split() == tab.page.inner_text("main").split(), kind
        assert bare.value(_LINKS) == tab.value(_LINKS), kind
        before: int = bare.value(_FOLDED)
        if before:
            folded += 1
            bare.page.focus("main details:not([open]) > summary")
            bare.press("Enter")
            assert bare.value(_FOLDED) == before - 1, kind
    assert folded > 2


def test_from_the_file_system(open_tab: OpenTab, tab: Tab, site_folder: Path) -> None:
    """From a file, every kind of page has its style, script and words, without errors."""
    tab.open("")
    colours = tab.value(_COLOURS)
    local = open_tab(f"{site_folder.as_uri()}/")
    for kind, page in KINDS.items():
        local.open(f"{page}index.html")

        assert local.texts("h1") != [""], kind
        assert local.value(_COLOURS) == colours, kind
        assert local.value("() => typeof variorum") == "object", kind


def test_links_in_the_file_system(open_tab: OpenTab, site_folder: Path) -> None:
    """From the file system, links lead from home to a rule as an old edition printed it."""
    tab = open_tab(f"{site_folder.as_uri()}/")
    tab.open("index.html")

    for link in ("rule/704/index.html", "704.5k/index.html"):
        tab.page.click(f"main a[href$='{link}']")
        tab.page.wait_for_url(f"**/{link}")
    tab.page.click(".story a[href*='/2015-04-17/'][href$='#704.5k']")
    tab.page.wait_for_url("**/2015-04-17/7/index.html#704.5k")

    assert tab.texts(":target > a[href*='/rule/704.5k/']") == ["704.5k"]


def test_below_a_path(open_tab: OpenTab, site_folder: Path) -> None:
    """Below a path of a host, every page finds its files and connects to no other host."""
    with served(site_folder.parent) as host:
        tab = open_tab(f"{host}{site_folder.name}/")
        answers: list[tuple[str, int]] = []
        tab.page.on("response", lambda answer: answers.append((answer.url, answer.status)))

        for page in KINDS.values():
            tab.open(page)

        assert [url for url, _ in answers if not url.startswith(tab.address)] == []
        # The browser may use files that it already has.
        assert [url for url, status in answers if status not in {200, 304}] == []
        assert {f"{tab.address}{page}" for page in KINDS.values()} <= {url for url, _ in answers}


def test_light_and_dark(tab: Tab) -> None:
    """Each kind of page is light or dark as its reader prefers."""
    for kind, page in KINDS.items():
        tab.page.emulate_media(color_scheme="light")
        tab.open(page)
        paper, ink = tab.value(_LIGHT)
        assert paper - ink > 0.7, kind

        tab.page.emulate_media(color_scheme="dark")

        paper, ink = tab.value(_LIGHT)
        assert ink - paper > 0.6, kind


def test_numbers_hang_beside_the_text(tab: Tab) -> None:
    """On a wide screen, the numbers of rules are in one column, with a heading and without."""
    tab.page.set_viewport_size({"width": 1280, "height": 800})
    for page in ("rule/702/", "2010-01-22/7/"):
        tab.open(page)

        for kind in (":is(.rule, .rule > p)", ".rule > :is(h2, h3)"):
            number = f".text {kind} > a:is(.n, [href*='/rule/'])"
            assert tab.value(_LEFT, number) == tab.value(_LEFT, ".text"), page


def test_a_chosen_entry_stays(tab: Tab) -> None:
    """On a wide screen, a glossary entry stays in its place when it is chosen."""
    tab.page.set_viewport_size({"width": 1280, "height": 800})
    tab.open("2010-01-22/glossary/")
    before = tab.value(_LEFT, ".glossary > [id] > h2 > a:not(.m)")

    tab.page.click(".glossary > [id] > p")

    assert tab.texts(":target .tools button") != []
    assert tab.value(_LEFT, ":target > h2 > a:not(.m)") == before


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_paper(tab: Tab, scheme: Literal["light", "dark"]) -> None:
    """Printed pages are black on white and complete, without screen controls."""
    kinds = ("rule/704.5k/", "2008-06-20/6/", "changes/2008-06-20/", "glossary/")
    for page in kinds:
        tab.page.emulate_media(media="screen", color_scheme="light")
        tab.open(page)
        words = set(re.findall(r"\w+", tab.page.inner_text("main .text, main .change")))
        assert tab.value(_SHOWN, _FOR_SCREENS) > 0

        tab.page.emulate_media(media="print", color_scheme=scheme)

        assert tab.value(_SHOWN, _FOR_SCREENS) == 0
        paper, ink = tab.value(_LIGHT)
        assert (round(paper, 6), ink) == (1, 0)
        assert words <= set(re.findall(r"\w+", tab.page.inner_text("main")))
        assert tab.page.is_visible("footer")
        tab.value(axe())
        assert tab.value(AXE, ["color-contrast"]) == []
