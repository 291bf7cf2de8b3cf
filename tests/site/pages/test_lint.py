"""The pages of known errors."""

from tests.site.reading import Site
from variorum_kb.answers.lint.linter import lint_editions
from variorum_site.page_index import PageIndex


def test_every_finding_is_there(sample_site: Site, index: PageIndex) -> None:
    """The page of each edition has all of the command's findings, with counts."""
    for edition in lint_editions(index.base, index.editions):
        page = sample_site.pages[f"lint/{edition['edition']}/index.html"]
        assert page.text.count("<li><b>") == len(edition["findings"])
        assert f"{len(edition['findings']) or 'Nothing'} found" in page.plain
