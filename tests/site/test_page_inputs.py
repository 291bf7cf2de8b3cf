"""The inputs of number pages, by which a build knows which pages have changed."""

import pytest

from variorum_site import urls
from variorum_site.page_index import PageIndex
from variorum_site.page_inputs import PageInputs


def test_coming_provision(index: PageIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page changes with the edition and the words of a provision that is not yet in force."""
    page = urls.rule("999.9")
    inputs: set[str] = set()

    for coming in ({}, {page: (8, 0)}, {page: (8, 1)}, {page: (7, 0)}):
        monkeypatch.setattr(index, "coming", coming)
        inputs.add(PageInputs(index, "").of_page(page))

    assert len(inputs) == 4
