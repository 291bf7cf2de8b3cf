"""The pages of changes."""

from tests.pages.built_site import Site
from variorum_kb.answers.between_editions.change_finder import find_changes
from variorum_site.page_index import PageIndex


def test_every_change_is_there(sample_site: Site, index: PageIndex) -> None:
    """Each change that the library finds has an anchor on its edition's page."""
    for edition in index.editions[1:]:
        changes = find_changes(index.base, index.editions[edition.place - 1], edition)
        page = sample_site.pages[f"changes/{edition.label}/index.html"]
        text = page.text
        assert text.count('class="change"') + text.count("<li id=") == len(changes.all)


def test_first_edition_changed_nothing(sample_site: Site) -> None:
    """The first edition has no page of changes."""
    assert "changes/1999-05-14/index.html" not in sample_site.files
