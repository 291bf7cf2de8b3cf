"""The pages that lead to all others."""

import posixpath

from tests.pages.built_site import Site
from variorum_site.page_index import PageIndex


def test_every_page_leads_to_comparing(sample_site: Site) -> None:
    """Every page links to the latest changes and to the page for comparing."""
    for name, page in sample_site.pages.items():
        folder = posixpath.dirname(name)
        normpaths = {posixpath.normpath(posixpath.join(folder, href)) for _, href in page.links}
        assert {"changes/index.html", "compare/index.html"} <= normpaths, name


def test_all_editions(sample_site: Site, index: PageIndex) -> None:
    """The list of editions links to each."""
    hrefs = {href for _, href in sample_site.pages["editions/index.html"].links}

    assert {f"../{label}/index.html" for label in index.labels} <= hrefs


def test_every_page_is_reached(sample_site: Site) -> None:
    """Every page that needs no script can be reached from the first page."""
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
