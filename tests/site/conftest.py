"""The site of the sample rulebook, built once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import MakeOnce
from tests.pages.built_site import Site
from tests.site.building import BASE_URL, build_site
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_site.page_index import PageIndex
from variorum_site.settings import SiteSettings


@pytest.fixture(scope="session")
def sample_site(sample_base: Path, make_once: MakeOnce) -> Site:
    """Return the site of the sample rulebook; tests must not change it."""
    folder = make_once("sample-site", lambda folder: build_site(sample_base, folder / "out"))
    return Site(folder / "out")


@pytest.fixture(scope="session")
def published_site(sample_base: Path, make_once: MakeOnce) -> Site:
    """Return the same site with an address; tests must not change it."""
    settings = SiteSettings(base_url=BASE_URL)
    folder = make_once(
        "published-site", lambda folder: build_site(sample_base, folder / "out", settings=settings)
    )
    return Site(folder / "out")


@pytest.fixture(scope="session")
def index(sample_base: Path) -> Iterator[PageIndex]:
    """Return the index of the sample rulebook's pages."""
    with KnowledgeBase.open(sample_base) as base:
        yield PageIndex(base)
