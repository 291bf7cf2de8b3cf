"""Real editions, from a server on loopback."""

from pathlib import Path

import pytest

from tests.conftest import NOW
from tests.crawler.mirror import Mirror
from tests.crawler.syncing import Place, at, do_nothing, good, known
from variorum_kb.build.build import Builder
from variorum_kb.build.check import verify
from variorum_kb.build.check_results import Problem
from variorum_kb.search.indexes.current_indexes import BaseIndexes

pytestmark = pytest.mark.corpus

# Neighbours, among them the great renumbering; the newest are offered first.
SOME, NEWEST = slice(25, 31), 2


def test_mirror_of_editions(
    editions: tuple[Path, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A base synced in two steps, newest first, equals a base built at once.

    The next sync only asks for news.
    """
    files = editions[SOME]
    list(Builder(tmp_path / "built", now=NOW).build(files))
    monkeypatch.setattr(BaseIndexes, "keep_in_step", do_nothing)
    place = Place(tmp_path)
    with Mirror() as mirror:
        for file in files:
            mirror.serve(f"/{file.name}", good(file.read_bytes()))
        addresses = [at(mirror, file.name) for file in reversed(files)]
        place.offer(known("mirror", *addresses[:NEWEST]))
        newest = place.sync("--jobs", "2")
        place.offer(known("mirror", *addresses))
        older = place.sync("--jobs", "2")
        before = place.snapshot()
        again = place.sync("--jobs", "2")

    assert [len(newest["new"]), len(older["new"])] == [NEWEST, len(files) - NEWEST]
    assert older["editions"] == len(files)
    for item in (newest, older):
        assert (item["further"], item["quarantined"], item["failed"]) == ([], [], [])
    assert place.contents() == (tmp_path / "built" / "kb.sqlite").read_bytes()
    read_again = list(verify(tmp_path / "built", deep=True))
    assert [item for item in read_again if isinstance(item, Problem)] == []
    assert again["requests"] == again["conditional"] == again["unchanged"] == len(files)
    assert place.snapshot() == before
