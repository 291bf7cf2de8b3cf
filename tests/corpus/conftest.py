"""The real editions in one base, opened once for each test process."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from tests.conftest import MakeOnce
from tests.site.building import build_site
from variorum_kb.answers.knowledge_base import KnowledgeBase

DAY = date(2026, 11, 20)


@pytest.fixture(scope="session")
def base(corpus_base: Path) -> Iterator[KnowledgeBase]:
    """Return the base of all editions, open."""
    with KnowledgeBase.open(corpus_base, today=DAY) as opened:
        yield opened


@pytest.fixture(scope="session")
def site_folder(corpus_base: Path, make_once: MakeOnce) -> Path:
    """Return the folder of the site of all editions; tests must not change it."""
    folder = make_once("corpus-site", lambda parent: build_site(corpus_base, parent / "out", 2))
    return folder / "out"
