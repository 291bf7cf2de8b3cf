"""What each kind of page tells a reader, on files: a rule first, its story whole, words in players' terms."""

import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path

import pytest

from tests.pages.built_site import Site

# What a page says to readers: no markup, no addresses.
_HIDDEN = re.compile(r"<(?:script|style|code|svg)\b.*?</(?:script|style|code|svg)>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_MAIN = re.compile(r"<main.*?</main>", re.DOTALL)
_ISO = re.compile(r"\b\d{4}-\d\d-\d\d\b")


@pytest.fixture(scope="module")
def site(sites: Callable[[str], Path]) -> Site:
    """Return the site of the sample rulebook."""
    return Site(sites("sample"))


def main_of(site: Site, page: str) -> str:
    """Return the markup of a page's own part."""
    match = _MAIN.search((site.folder / page / "index.html").read_text("utf-8"))
    assert match is not None
    return match[0]


def said(markup: str) -> str:
    """Return what markup says, each run of blanks as one blank."""
    return " ".join(unescape(_TAG.sub("", _HIDDEN.sub("", markup))).split())


def rows(site: Site, page: str) -> dict[str, str]:
    """Return what the story of a page says of each day."""
    items = re.findall(
        r'<li id="_?(\d{4}[\d.-]*)">(.*?)</li>\n(?=<li|</ol>)', main_of(site, page), re.DOTALL
    )
    return {day: said(markup) for day, markup in items}


def test_the_rule_is_first(site: Site) -> None:
    """Between the title of a rule's page and its words stands nothing; then a line about it."""
    main = main_of(site, "rule/705.1")

    before, _, after = main.partition("</h1>")
    assert re.fullmatch(
        r'\s*<article[^>]*>\s*<h2 [^>]*class="unseen">705.1</h2>\s*', after.partition("<div")[0]
    )
    assert said(before) == "Rules 7. Additional Rules 705. Flipping a Coin 705.1"
    assert "Since 11 February 2022 · 511.1 until 2010" in said(main).replace("since", "Since")


def test_a_section_tells_of_its_rules(site: Site) -> None:
    """The story of a section says by edition what happened to all rules below it."""
    story = rows(site, "rule/705")

    assert story["2022-02-11"].endswith("Reworded: 705.1")
    assert story["2015-04-17"].endswith("Reworded: 705.3")
    assert story["2006-03-01"].endswith("“Flip a Coin” → 511.3")


def test_a_heading_is_no_text(site: Site) -> None:
    """Where an entry became a section, its words are not compared with the heading, and stand there once."""
    main = main_of(site, "rule/705")

    assert "sides" not in main
    assert (
        main.count("When a coin is flipped for a card that cares who wins the flip, a player") == 2
    )  # and 705.1


def test_an_old_number_shows_its_words(site: Site) -> None:
    """The page of a number that no rule has shows the words, the days, and where they went."""
    told = said(main_of(site, "rule/511.2"))

    assert "the coin is tossed without a call" in told
    assert "1 March 2006 to 21 January 2010 · now 705.2" in told


def test_neighbours_do_not_jump(site: Site) -> None:
    """What stands before a rule is its sibling or the rule above it."""
    jumps: list[tuple[str, str]] = []
    for name in site.pages:
        match = re.fullmatch(r"rule/([\d.a-z]+)/index\.html", name)
        before = re.search(r'rel="prev" href="\.\./([\d.a-z]+)/', site.pages[name].text)
        if match and before:
            parents = {
                re.sub(r"(?<=\d)[a-z]+$|\.\w+$|(?<=^\d)\d\d$", "", number)
                for number in (match[1], before[1])
            }
            if len(parents) > 1 and before[1] not in parents:
                jumps.append((match[1], before[1]))
    assert jumps == []


def test_titles_are_whole(site: Site) -> None:
    """No title is the cut beginning of a sentence."""
    texts = {name: (site.folder / name).read_text("utf-8") for name in site.pages}
    assert [
        name for name, text in texts.items() if "…</title>" in text or "… ·" in text[:900]
    ] == []


def test_facts_without_a_script(site: Site) -> None:
    """The citation and the edition before are those of the edition in force."""
    main = main_of(site, "rule/705.2")

    assert "CR 705.2 (2025-05-30)" in said(main)
    assert 'data-step="-1" href="../../2022-02-11/7/index.html#705.2"' in main


def test_quiet_changes_are_folded(site: Site) -> None:
    """Typography and citations are one row of a story, at its end."""
    for name in site.pages:
        if name.startswith(("rule/", "glossary/")):
            main = main_of(site, name.removesuffix("/index.html"))
            assert main.count('<li class="quiet">') <= main.count('<ol class="story">'), name


def test_each_wording_has_a_page(site: Site) -> None:
    """Earlier words of a rule have a small page with its own title and description."""
    page = "rule/705.1/2010-01-22/index.html"
    text = (site.folder / page).read_text("utf-8")

    assert "<title>705.1 as of 22 January 2010 · Variorum</title>" in text
    assert 'content="705.1 as of 22 January 2010: ' in text
    assert "in force 22 January 2010 to 9 November 2017 · now 705.1" in said(text)
    assert len(text) < 6000


def test_figures_of_the_feed(site: Site) -> None:
    """The feed counts what an edition changed as the page of its changes does."""
    feed = (site.folder / "feeds/editions.atom").read_text("utf-8")
    for day, summary in re.findall(r"<title>([\d.-]+).*?<summary>(.*?)</summary>", feed, re.DOTALL)[
        :-1
    ]:
        counts = dict(re.findall(r"<dt>(.*?)</dt><dd>([\d,]+)", main_of(site, f"changes/{day}")))
        for figure, name in re.findall(r"(\d+) ([a-z ]+)", summary.partition(".")[0]):
            assert counts[name.capitalize()] == figure, (day, name)


def test_the_newest_edition_is_not_compared_with_itself(site: Site) -> None:
    """Only an earlier edition offers what changed from then to today."""
    assert "to today" in main_of(site, "changes/2022-02-11")
    assert "to today" not in main_of(site, "changes/2025-05-30")


def lines(site: Site) -> Iterator[tuple[str, str]]:
    """Yield what each page says apart from rules, with its name."""
    for name, page in site.pages.items():
        own = re.sub(r'<div class="text.*?\n</div>', "", page.text, flags=re.DOTALL)
        own = re.sub(
            r'<p class="(?:diff|old|cite)".*?</p>|<a class="perma".*?</a>', "", own, flags=re.DOTALL
        )
        yield name, said(own)


def test_words_of_players(site: Site) -> None:
    """Labels are in players' words, and days are written out."""
    for name, words in lines(site):
        if not name.startswith(("compare/", "search/", "about/", "lint/", "witness/")):
            assert not re.search(
                r"\b[Pp]rovisions?\b|\b[Hh]eadwords?\b|Decided by readers|throughout", words
            ), name
            assert not _ISO.search(words.replace("CR 704.5k (2026-08-07)", "")), name
    for file in (site.folder / "compare/since").iterdir():
        assert "rovision" not in file.read_text("utf-8").partition('"lists":')[2]


def test_all_rules_on_one_page(site: Site) -> None:
    """The page of all rules has an anchor for every number that any edition printed."""
    page = site.pages["all/index.html"]
    numbers = [
        name.split("/")[1] for name in site.pages if re.fullmatch(r"rule/[^/]+/index\.html", name)
    ]

    assert {f"R{number.replace('.', '')}" for number in numbers} <= set(page.ids)
    assert '<p id="R7045k"><b>704.5k</b> A tow rope' in page.text
    assert re.search(r' id="R7052">(<a id="R\w+"></a>)*<a id="R5112"></a>', page.text)


def test_the_missing_page(site: Site) -> None:
    """What an unknown address shows is readable without its stylesheet, and its links come first."""
    text = (site.folder / "404.html").read_text("utf-8")

    assert text.index('<ul>\n<li><a href="/rule/') < text.index('<form class="find whole"')
    assert "style-src 'self' 'sha256-" in text
    assert "<style>:root" in text


def test_italics(site: Site) -> None:
    """No page shows the underscores that stand for italics."""
    raw = [name for name, page in site.pages.items() if re.search(r"\b_[A-Z][a-z]+_\b", page.words)]
    assert raw == []
