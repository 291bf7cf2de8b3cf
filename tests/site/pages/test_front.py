"""Tests of the pages that lead to all others."""

import posixpath

from tests.site.reading import Site
from variorum_site.page_index import PageIndex


def test_home(sample_site: Site) -> None:
    """The first page has the contents of today and the newest changes."""
    page = sample_site.pages["index.html"]

    hrefs = {href for _, href in page.links}
    assert {"rule/705/index.html", "changes/2025-05-30/index.html", "editions/index.html"} <= hrefs


def test_home_asks(sample_site: Site) -> None:
    """The first page searches, and compares with the day somebody last played, without a script."""
    text = sample_site.pages["index.html"].text

    assert '<input id="_q" name="q" type="search"' in text
    assert '<form class="since" action="compare/index.html" method="get">' in text
    assert '<input type="hidden" name="to" value="2025-05-30">' in text


def test_every_page_leads_to_comparing(sample_site: Site) -> None:
    """From every page two links lead to what changed and to comparing."""
    for name, page in sample_site.pages.items():
        folder = posixpath.dirname(name)
        found = {posixpath.normpath(posixpath.join(folder, href)) for _, href in page.links}
        assert {"changes/index.html", "compare/index.html"} <= found, name


def test_all_editions(sample_site: Site, index: PageIndex) -> None:
    """The list of editions leads to each."""
    hrefs = {href for _, href in sample_site.pages["editions/index.html"].links}

    assert {f"../{label}/index.html" for label in index.labels} <= hrefs


def test_former_sections(sample_site: Site) -> None:
    """Sections that are no more are listed apart."""
    page = sample_site.pages["rule/index.html"]

    assert page.text.index("Sections that are no more") < page.text.index("511. ")


def test_glossary(sample_site: Site) -> None:
    """The glossary of today has each entry with its words, and names what is no more."""
    page = sample_site.pages["glossary/index.html"]

    assert "boat" in page.ids
    assert any(href.startswith("#b") for _, href in page.links)
    assert ("a", "boat/index.html") in page.links
    assert "Headwords that are no more" in page.plain


def test_statistics(sample_site: Site, index: PageIndex) -> None:
    """Each picture has its table, and the ages of words add up."""
    page = sample_site.pages["statistics/index.html"]

    assert page.text.count("<svg") == 4
    assert page.text.count("<tr>") == len(index.labels) + 1
    assert "The oldest words still in force" in page.plain


def test_every_page_is_reached(sample_site: Site) -> None:
    """From the first page, links lead to every page that needs no script."""
    seen, ahead = {"index.html"}, ["index.html"]
    while ahead:
        here = ahead.pop()
        for _, href in sample_site.pages[here].links:
            file = href.partition("#")[0]
            there = posixpath.normpath(
                posixpath.join(posixpath.dirname(here), file or "index.html")
            )
            if there in sample_site.pages and there not in seen:
                seen.add(there)
                ahead.append(there)
    missed = {name.partition("/")[0] for name in set(sample_site.pages) - seen}
    assert missed <= {"compare", "offline", "search"}
