"""The table of finding kinds is complete, and every list of kinds agrees with it."""

import re
from pathlib import Path
from typing import get_args

import pytest

from variorum_kb.answers.lint.finding import new_finding
from variorum_kb.answers.lint.kinds import KINDS, said_of
from variorum_kb.forms.lint import DetailsJson, LintKind
from variorum_kb.thresholds.sure import LINT_CERTAIN

ROOT = Path(__file__).resolve().parents[4]


def test_every_kind_has_words() -> None:
    """The table has words for every kind in JSON, in the same order."""
    assert tuple(KINDS) == get_args(LintKind)


def test_words_differ() -> None:
    """No two kinds have the same name."""
    for names in zip(
        *((kind.heading, kind.plural, kind.column) for kind in KINDS.values()), strict=True
    ):
        assert len(set(names)) == len(KINDS)


@pytest.mark.parametrize(
    ("kind", "details", "message"),
    [
        ("dangling", {}, "cites 9.1, which no rule has"),
        ("dangling", {"targets": ["9.1a", "9.1b"]}, "cites 9.1, which no rule has, except 9.1a, 9.1b"),
        (
            "dangling",
            {"since": "2010-01-22", "means": None},
            "cites 9.1, which no rule has; what had this number before 2010-01-22 has no number of its own now",
        ),
        (
            "stale",
            {"title": "Boats", "since": "2010-01-22", "means": "9.2", "confidence": LINT_CERTAIN},
            "cites 9.1 “Boats”; means 9.2, wrong since 2010-01-22",
        ),
        (
            "stale",
            {"since": "2010-01-22", "means": "9.2", "confidence": LINT_CERTAIN - 0.001},
            "cites 9.1; probably means 9.2, wrong since 2010-01-22",
        ),
        (
            "stale",
            {"since": "2010-01-22", "means": "9.2", "confidence": None},
            "cites 9.1; probably means 9.2, wrong since 2010-01-22",
        ),
        (
            "title",
            {"title": "Boats", "heading": "Lamps", "titled": None},
            "cites 9.1 “Boats”; the title there is “Lamps”",
        ),
        (
            "title",
            {"title": "Boats", "heading": "", "titled": "9.2"},
            "cites 9.1 “Boats”; there is no title; “Boats” is 9.2",
        ),
        ("gap", {"evidence": "it follows 9", "missing": ["1"]}, "it follows 9; 1 is left out"),
        ("gap", {"evidence": "it follows 9", "missing": ["1", "2"]}, "it follows 9; 1 and 2 are left out"),
        ("gap", {"evidence": "it follows 9", "missing": ["1", "2", "3"]}, "it follows 9; 1-3 are left out"),
    ],
)  # fmt: skip
def test_said(kind: LintKind, details: DetailsJson, message: str) -> None:
    """The message of a finding depends on its properties."""
    assert said_of(new_finding(kind, "9", "9.1", **details)) == message


def test_every_kind_is_documented() -> None:
    """docs/lint.md explains each kind and no other."""
    rows = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/lint.md").read_text("utf-8"), re.MULTILINE)

    assert rows == list(KINDS)
