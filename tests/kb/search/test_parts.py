"""Indexes in several parts, added with later editions."""

import shutil
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.kb.search.small_indexes import documents, keep, parts
from tests.support.search_requests import TODAY
from tests.support.small_bases import build, write
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.stored.texts import NO_TEXTS, KnownTexts, Outline, Texts
from variorum_kb.forms.search import SearchJson
from variorum_kb.search.answer import Search
from variorum_kb.search.indexes.cache import cache_of, open_cache
from variorum_kb.search.indexes.index_builder import Maker
from variorum_kb.search.search_options import SearchOptions

if TYPE_CHECKING:
    from array import array

pytestmark = pytest.mark.slow

QUERIES = [
    "boat", "boats sail", "can’t be barred", "harbor", "if a player loses", "flame AND rises",
    "boat NOT sail*", "NOT boat", '"goes to its owner\'s locker"', "tide check", "moon",
    "flipping a coin", "storm markers", "100", "702", "705.1", "704.5*", "7.", "{T}",
    "his or her hand", "zones", "the", "multiple instances", "ebb flood", "chart OR pilot",
]  # fmt: skip


def sample(folder: Path) -> list[Path]:
    """Write the editions of the sample rulebook into a folder, oldest first."""
    source = files("variorum_kb").joinpath("sample")
    by_name = {
        path.name: path.read_bytes() for path in source.iterdir() if path.name.endswith(".txt")
    }
    return write(folder, dict(sorted(by_name.items())))


def answers(folder: Path) -> list[SearchJson]:
    """Return the hits of many queries in the current edition, an old one, and all."""
    with Search.open(folder, today=TODAY) as search:
        return [
            search.search(SearchOptions(query, on=on, ever=ever, limit=60))
            for query in QUERIES
            for on, ever in ((None, False), ("2008-06-20", False), (None, True))
        ]


@pytest.fixture(scope="module")
def at_once(sample_base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a base whose indexes were built when it already had all editions."""
    folder = tmp_path_factory.mktemp("at-once") / "kb"
    shutil.copytree(sample_base, folder)
    keep(folder)
    assert parts(folder) == [1, 1]
    return folder


@pytest.fixture(scope="module")
def anew(at_once: Path) -> list[SearchJson]:
    """Return the answers of those indexes."""
    return answers(at_once)


def test_in_parts(
    tmp_path: Path, at_once: Path, anew: list[SearchJson], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Indexes and stored texts that grow with later editions equal those of a single build."""
    paths = sample(tmp_path)
    for number in (7, 8):
        build(tmp_path / "kb", paths[:number])
        keep(tmp_path / "kb")
    build(tmp_path / "kb", paths)
    asked: list[int] = []
    distinct = Texts.distinct

    def noting(
        texts: Texts, known: KnownTexts = NO_TEXTS
    ) -> "tuple[list[Outline], array[int], array[int]]":
        asked.append(known.editions)
        return distinct(texts, known)

    monkeypatch.setattr(Texts, "distinct", noting)

    announced = keep(tmp_path / "kb")

    assert announced == ["all editions", "the edition of 2025-05-30"]
    assert max(parts(tmp_path / "kb")) > 1
    assert answers(tmp_path / "kb") == anew
    (whole,), (grown,) = (
        list(cache_of(folder).glob("ever-*")) for folder in (at_once, tmp_path / "kb")
    )
    assert asked == [8]
    for name in ("keys.bin", "lines.bin", "digests.bin", "editions.txt", "words.json"):
        assert (grown / name).read_bytes() == (whole / name).read_bytes()


def test_parts_before_an_index(tmp_path: Path) -> None:
    """The parts of both indexes, written first, are all that the indexes need."""
    build(tmp_path / "kb", write(tmp_path, documents(2)))
    with KnowledgeBase.open(tmp_path / "kb", today=TODAY) as base:
        Maker(base, open_cache(base.folder)).make_parts()
    before = {path.name for path in cache_of(tmp_path / "kb").glob("part-*")}

    keep(tmp_path / "kb")

    assert parts(tmp_path / "kb") == [1, 1]
    assert {path.name for path in cache_of(tmp_path / "kb").glob("part-*")} == before


def test_many_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If there are many parts, all but the largest are merged."""
    monkeypatch.setattr("variorum_kb.search.indexes.index_builder._MOST_PARTS", 3)
    counts: list[int] = []

    paths = write(tmp_path, documents(5))
    for number in range(1, 6):
        build(tmp_path / "kb", paths[:number])
        keep(tmp_path / "kb")
        counts.append(parts(tmp_path / "kb")[0])

    assert counts == [1, 2, 3, 2, 3]


def test_edition_in_the_middle(tmp_path: Path, anew: list[SearchJson]) -> None:
    """If an edition is added between others, only its new texts are indexed."""
    paths = sample(tmp_path)
    build(tmp_path / "kb", [*paths[:4], *paths[5:]])
    keep(tmp_path / "kb")
    before = {path.name for path in cache_of(tmp_path / "kb").glob("part-*")}
    build(tmp_path / "kb", paths)

    keep(tmp_path / "kb")

    assert parts(tmp_path / "kb")[0] > 1
    assert before <= {path.name for path in cache_of(tmp_path / "kb").glob("part-*")}
    assert answers(tmp_path / "kb") == anew


def test_edition_goes(tmp_path: Path, anew: list[SearchJson]) -> None:
    """Texts that a base no longer has are not found, though their part stays."""
    paths = sample(tmp_path)
    build(tmp_path / "kb", [*paths, *write(tmp_path, documents(5))])
    keep(tmp_path / "kb")
    shutil.rmtree(tmp_path / "kb")
    build(tmp_path / "kb", paths)

    keep(tmp_path / "kb")

    assert parts(tmp_path / "kb")[0] == 1
    assert answers(tmp_path / "kb") == anew
