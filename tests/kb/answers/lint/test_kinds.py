"""The table of the kinds of findings is whole, and every place that lists them has it."""

import re
from pathlib import Path
from typing import get_args

from variorum_kb.answers.lint.kinds import KINDS
from variorum_kb.forms.lint import LintKind

ROOT = Path(__file__).resolve().parents[4]


def test_every_kind_has_words() -> None:
    """What JSON may say is what the table has words for, in the same order."""
    assert tuple(KINDS) == get_args(LintKind)


def test_words_differ() -> None:
    """No two kinds are called the same anywhere."""
    for names in zip(
        *((kind.heading, kind.many, kind.column) for kind in KINDS.values()), strict=True
    ):
        assert len(set(names)) == len(KINDS)


def test_every_kind_is_documented() -> None:
    """docs/lint.md explains each kind, and no other."""
    rows = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/lint.md").read_text("utf-8"), re.MULTILINE)

    assert rows == list(KINDS)
