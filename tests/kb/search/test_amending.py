"""Indexes that later editions amended."""

from importlib.resources import files
from pathlib import Path

import pytest

from tests.kb.search.small_indexes import amended, documents, keep
from tests.support.search_requests import TODAY
from tests.support.small_bases import build, write
from variorum_kb.forms.search import SearchJson
from variorum_kb.search.answer import Search, Wish

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
    found = {one.name: one.read_bytes() for one in source.iterdir() if one.name.endswith(".txt")}
    return write(folder, dict(sorted(found.items())))


def answers(folder: Path) -> list[SearchJson]:
    """Return what many queries find in the current edition, an old one, and all."""
    with Search.open(folder, today=TODAY) as search:
        return [
            search.search(Wish(query, on=on, ever=ever, limit=60))
            for query in QUERIES
            for on, ever in ((None, False), ("2008-06-20", False), (None, True))
        ]


@pytest.fixture(scope="module")
def anew(tmp_path_factory: pytest.TempPathFactory) -> list[SearchJson]:
    """Return what indexes answer that were made when the base had all editions."""
    folder = tmp_path_factory.mktemp("anew")
    build(folder / "kb", sample(folder))
    keep(folder / "kb")
    assert amended(folder / "kb") == [0, 0]
    return answers(folder / "kb")


@pytest.mark.parametrize("steps", [[6, 9], [7, 8, 9]])
def test_amended(tmp_path: Path, anew: list[SearchJson], steps: list[int]) -> None:
    """An index that was amended by later editions answers like one that was made anew."""
    paths = sample(tmp_path)

    announced: list[str] = []
    for number in steps:
        build(tmp_path / "kb", paths[:number])
        announced = keep(tmp_path / "kb")

    assert announced == ["all readings", "the edition of 2025-05-30"]
    assert amended(tmp_path / "kb") == [len(steps) - 1] * 2
    assert answers(tmp_path / "kb") == anew


def test_amended_too_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An index that was amended often is written anew."""
    monkeypatch.setattr("variorum_kb.search.index_builder._MOST_AMENDED", 2)
    counts: list[list[int]] = []

    paths = write(tmp_path, documents(5))
    for number in range(1, 6):
        build(tmp_path / "kb", paths[:number])
        keep(tmp_path / "kb")
        counts.append(amended(tmp_path / "kb"))

    assert counts == [[0, 0], [1, 1], [2, 2], [0, 0], [1, 1]]


def test_edition_in_the_middle(tmp_path: Path, anew: list[SearchJson]) -> None:
    """Where an edition comes in between others, the index is made anew."""
    paths = sample(tmp_path)
    build(tmp_path / "kb", [*paths[:4], *paths[5:]])
    keep(tmp_path / "kb")
    build(tmp_path / "kb", paths)

    keep(tmp_path / "kb")

    assert amended(tmp_path / "kb") == [0, 0]
    assert answers(tmp_path / "kb") == anew
