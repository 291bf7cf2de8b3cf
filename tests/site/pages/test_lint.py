"""The pages of known errors."""

from tests.pages.built_site import Site
from variorum_kb.answers.lint.linter import lint_editions
from variorum_site.page_index import PageIndex


def test_every_finding_is_there(sample_site: Site, index: PageIndex) -> None:
    """The page of the current edition has all of the command's findings, at both addresses."""
    (edition,) = lint_editions(index.base, [index.current])
    pages = [name for name in sample_site.pages if name.startswith("lint/")]

    assert pages == ["lint/2025-05-30/index.html", "lint/index.html"]
    for name in pages:
        page = sample_site.pages[name]
        assert page.text.count("<li><b>") == len(edition["findings"])
        assert f"{len(edition['findings']) or 'None'} found" in page.plain
