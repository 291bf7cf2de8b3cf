"""The site of the sample rulebook, built once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.site.reading import Site
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_site.build import SiteBuilder
from variorum_site.page_index import PageIndex


@pytest.fixture(scope="session")
def sample_site(sample_base: Path, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Return the site of the sample rulebook; nobody may change it."""
    out = tmp_path_factory.mktemp("site") / "out"
    builder = SiteBuilder(sample_base, out, jobs=1)
    list(builder.build(builder.groups()))
    return Site(out)


@pytest.fixture(scope="session")
def index(sample_base: Path) -> Iterator[PageIndex]:
    """Return where everything of the sample rulebook stands."""
    with KnowledgeBase.open(sample_base) as base:
        yield PageIndex(base)
