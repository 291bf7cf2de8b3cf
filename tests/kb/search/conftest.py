"""The sample rulebook with search indexes, for all tests of search."""

import shutil
from collections.abc import Generator
from datetime import date
from pathlib import Path

import pytest

from tests.support.search_requests import TODAY
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.facts.vocabulary import Concept, ConceptForm
from variorum_kb.search.answer import Search
from variorum_kb.search.indexes.current_indexes import BaseIndexes


def form(*words: str, first: date | None = None, last: date | None = None) -> ConceptForm:
    """Return words for a concept."""
    return ConceptForm(words, first, last, is_partial=False, is_gone=False)


# The real table shares few words with the sample rulebook.
CONCEPTS = (
    Concept(
        "bay",
        "era",
        (
            form("harbor", "haven", first=date(1999, 5, 14), last=date(2008, 6, 20)),
            form("bay", first=date(2010, 1, 22)),
        ),
        (),
    ),
    Concept("tide check", "abbreviation", (form("tc"), form("tide check")), ()),
    Concept("sunk", "players", (form("glugs"), form("is sunk")), ()),
    Concept("coin", "players", (form("heads or tails"), form("flipping a coin")), ()),
    Concept("unknown", "players", (form("wharf"), form("pontoon")), ()),
)


@pytest.fixture(scope="session")
def folder(sample_base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a base of the sample rulebook with its indexes."""
    copy = tmp_path_factory.mktemp("answers") / "kb"
    shutil.copytree(sample_base, copy)
    with pytest.MonkeyPatch.context() as patch, KnowledgeBase.open(copy, today=TODAY) as base:
        patch.setattr("variorum_kb.facts.vocabulary.all_concepts", lambda: CONCEPTS)
        BaseIndexes(base).keep_in_step()
    return copy


@pytest.fixture(scope="session")
def search(folder: Path) -> Generator[Search]:
    """Return the search of that base."""
    with Search.open(folder, today=TODAY) as opened:
        yield opened


@pytest.fixture(scope="session")
def base(folder: Path) -> Generator[KnowledgeBase]:
    """Return that base."""
    with KnowledgeBase.open(folder, today=TODAY) as opened:
        yield opened
