"""The real editions in one base, opened once for each test process."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase

DAY = date(2026, 11, 20)


@pytest.fixture(scope="session")
def base(corpus_base: Path) -> Iterator[KnowledgeBase]:
    """Return the base of all editions, open."""
    with KnowledgeBase.open(corpus_base, today=DAY) as opened:
        yield opened
