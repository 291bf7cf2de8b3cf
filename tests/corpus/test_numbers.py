"""What `cr` answers before there is a base, compared with the base of the real editions."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import run

PAIRS = [
    ("1999-04-23", "2026-08-07"),
    ("2003-07-01", "2009-07-11"),
    ("2005-02-01", "2026-08-07"),
    ("2007-10-01", "2026-08-07"),
    ("2009-05-01", "2009-07-11"),
    ("2015-01-23", "2023-04-14"),
    ("2026-08-07", "2007-10-01"),
]


def _crosswalk(old: str, new: str, *options: str) -> list[dict[str, Any]]:
    answer = run(["crosswalk", old, new, "--all", "--json", *options])
    assert answer.code == 0, answer.err
    rows: list[dict[str, Any]] = json.loads(answer.out)
    return sorted(rows, key=lambda row: (row["old"] or "", row["new"]))


@pytest.mark.corpus
@pytest.mark.usefixtures("corpus")
@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_numbers_without_words_go_where_the_rules_go(
    bases: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    old: str,
    new: str,
) -> None:
    """Heirs are the same, and kinds but for a few texts that differ in how they cite."""
    known = _crosswalk(old, new, "--kb", str(bases("real")))
    monkeypatch.setenv("VARIORUM_KB", str(tmp_path / "none"))
    shipped = _crosswalk(old, new)
    assert [(row["old"], row["new"]) for row in shipped] == [
        (row["old"], row["new"]) for row in known
    ]
    differing = sum(
        row["kinds"] != other["kinds"] for row, other in zip(shipped, known, strict=True)
    )
    assert differing < len(known) / 100
    assert [row["confidence"] for row in shipped] == pytest.approx(
        [row["confidence"] for row in known], abs=0.02
    )
