"""The knowledge base of all real editions."""

from collections import Counter
from pathlib import Path

import pytest

from variorum_kb.build.check import verify
from variorum_kb.build.check_results import CheckedPart, Examined, Problem
from variorum_kb.store.reader import Reader

pytestmark = pytest.mark.corpus

LARGEST = 40 * 10**6


def test_all_editions(corpus_base: Path, editions: tuple[Path, ...]) -> None:
    """Every edition is in the base with its set, and the file is small."""
    reader = Reader(corpus_base / "kb.sqlite")
    rows = reader.editions()
    reader.close()

    assert len(rows) == len(editions) == 120
    assert all(row["set_code"] and row["set_name"] for row in rows)
    assert (corpus_base / "kb.sqlite").stat().st_size <= LARGEST


def test_nothing_wrong(corpus_base: Path) -> None:
    """Nothing in the base is damaged or out of step; test_sync.py reads documents again."""
    reports = list(verify(corpus_base))

    assert [str(report) for report in reports if isinstance(report, Problem)] == []
    assert Counter(report.part for report in reports if isinstance(report, Examined)) == {
        CheckedPart.DOCUMENT: 120,
        CheckedPart.BASE: 1,
        CheckedPart.EDITION: 120,
    }
