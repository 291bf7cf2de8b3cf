"""All real editions, from a server on loopback."""

from pathlib import Path

import pytest

from tests.crawler.mirror import Mirror
from tests.crawler.syncing import Place, at, do_nothing, good, known
from variorum_kb.search.base_indexes import BaseIndexes

pytestmark = pytest.mark.corpus

NEWEST = 50


def test_mirror_of_all_editions(
    editions: tuple[Path, ...],
    corpus_base: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Synced in two steps, the newest first, the base is that of a build; then news alone is asked for."""
    monkeypatch.setattr(BaseIndexes, "keep_in_step", do_nothing)
    place = Place(tmp_path)
    with Mirror() as mirror:
        for file in editions:
            mirror.serve(f"/{file.name}", good(file.read_bytes()))
        addresses = [at(mirror, file.name) for file in reversed(editions)]
        place.offer(known("mirror", *addresses[:NEWEST]))
        newest = place.sync("--jobs", "2")
        place.offer(known("mirror", *addresses))
        older = place.sync("--jobs", "2")
        before = place.snapshot()
        again = place.sync("--jobs", "2")

    assert [len(newest["new"]), len(older["new"])] == [NEWEST, len(editions) - NEWEST]
    assert older["editions"] == len(editions)
    for found in (newest, older):
        assert (found["further"], found["quarantined"], found["failed"]) == ([], [], [])
    assert place.contents() == (corpus_base / "kb.sqlite").read_bytes()
    assert again["requests"] == again["conditional"] == again["unchanged"] == len(editions)
    assert place.snapshot() == before
