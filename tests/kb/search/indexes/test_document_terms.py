"""The terms of documents, from which removed documents are subtracted."""

from collections import Counter
from pathlib import Path

import pytest

from variorum_kb.search.indexes.document_terms import count_terms, save_terms


@pytest.mark.parametrize("last", [65_535, 65_536])
def test_counted(tmp_path: Path, last: int) -> None:
    """The terms of some documents are counted, however many terms a part has."""
    save_terms(tmp_path, [[0, 7, last], [], [7], [1]], last + 1)

    assert count_terms(tmp_path, [0, 1, 2]) == Counter({7: 2, 0: 1, last: 1})
    assert count_terms(tmp_path, []) == Counter()


def test_none(tmp_path: Path) -> None:
    """Documents without a word have no terms."""
    save_terms(tmp_path, [[], []], 0)

    assert count_terms(tmp_path, [0, 1]) == Counter()
