"""All real editions, from a server on loopback."""

from pathlib import Path

import pytest

from tests.crawler.mirror import Mirror
from tests.crawler.syncing import Place, at, do_nothing, good, known
from variorum_kb.search.indexes import BaseIndexes

pytestmark = pytest.mark.corpus


def test_mirror_of_all_editions(
    editions: tuple[Path, ...],
    corpus_base: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From an empty folder the base of a mirror is that of a build; then only news is asked for."""
    monkeypatch.setattr(BaseIndexes, "keep_in_step", do_nothing)
    place = Place(tmp_path)
    with Mirror() as mirror:
        for file in editions:
            mirror.serve(f"/{file.name}", good(file.read_bytes()))
        place.offer(known("mirror", *(at(mirror, file.name) for file in editions)))

        first = place.sync("--jobs", "2")
        before = place.snapshot()
        second = place.sync("--jobs", "2")

    assert len(first["new"]) == first["editions"] == len(editions)
    assert (first["further"], first["quarantined"], first["failed"]) == ([], [], [])
    assert place.contents() == (corpus_base / "kb.sqlite").read_bytes()
    assert second["requests"] == second["conditional"] == second["unchanged"] == len(editions)
    assert place.snapshot() == before
