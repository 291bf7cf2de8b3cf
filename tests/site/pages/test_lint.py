"""Tests of the pages of what is wrong."""

from tests.site.reading import Site
from variorum_site.page_index import PageIndex


def test_every_finding_is_there(sample_site: Site, index: PageIndex) -> None:
    """Each edition's page has all findings of the command, counted."""
    for found in index.base.lint(*index.editions):
        page = sample_site.pages[f"lint/{found['edition']}/index.html"]
        assert page.text.count("<li><b>") == len(found["findings"])
        assert f"{len(found['findings']) or 'Nothing'} found" in page.plain


def test_findings_lead_to_their_place(sample_site: Site) -> None:
    """A finding leads to the provision in its edition."""
    page = sample_site.pages["lint/2008-06-20/index.html"]

    assert "Numbers left out" in page.plain
    assert any(href.startswith("../../2008-06-20/") and "#" in href for _, href in page.links)
