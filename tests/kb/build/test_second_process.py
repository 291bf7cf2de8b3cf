"""Work during a build."""

import json
from datetime import date
from pathlib import Path

import pytest

from tests.support.small_bases import DAYS, NOW, build, contents, edition, write
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.build import second_process as beside
from variorum_kb.search.indexes.cache import cache_of
from variorum_kb.search.indexes.current_indexes import BaseIndexes

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("many", [0, 9])
def test_same_bytes_and_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, many: int) -> None:
    """A process beside a build changes no byte of the base, and leaves parts of the indexes."""
    rules = ("A keeper sleeps, see rule 999.9.", "A keeper wakes.")
    documents = {f"{day[-4:]}.txt": edition(day, rule=rule) for day, rule in zip(DAYS, rules)}  # noqa: B905 - five days
    paths = write(tmp_path / "in", documents)
    build(tmp_path / "alone", paths)
    monkeypatch.setattr(beside, "_WORTH_A_PROCESS", 0)
    monkeypatch.setattr(beside, "_MANY_WITNESSES", many)

    build(tmp_path / "kb", paths, jobs=2)

    assert contents(tmp_path / "kb") == contents(tmp_path / "alone")
    cache = cache_of(tmp_path / "kb")
    parts = {path.name for path in cache.glob("part-*")}
    assert len(parts) == 2
    with KnowledgeBase.open(tmp_path / "kb", today=date.fromisoformat(NOW[:10])) as base:
        BaseIndexes(base).keep_in_step()
    assert {path.name for path in cache.glob("part-*")} == parts
    assert not list(cache.glob("*.draft"))
    for folder in (*cache.glob("on-*"), *cache.glob("ever-*")):
        _, manifest = (folder / "manifest.json").read_text().split("\n")
        assert parts >= set(json.loads(manifest)["parts"])
