"""Tests of blame over many editions."""

import inspect
import sys
from pathlib import Path

from tests.support.small_bases import build, edition, write
from variorum_kb.answers.knowledge_base import KnowledgeBase

_COUNT = 25
_WORDS = "Lamp {} burns until the harbor master puts it out."


def test_a_long_past(tmp_path: Path) -> None:
    """A rule that every edition reworded is dated without a recursion as deep as its past."""
    texts = {
        f"{place}.txt": edition(f"June 5, {2000 + place}", rule=_WORDS.format(place + 10))
        for place in range(_COUNT)
    }
    build(tmp_path / "kb", write(tmp_path, texts))
    limit = sys.getrecursionlimit()

    with KnowledgeBase.open(tmp_path / "kb") as base:
        subject = base.subject("100.3")
        assert len(subject.lineage) == _COUNT
        sys.setrecursionlimit(len(inspect.stack(0)) + 2 * _COUNT)
        try:
            words = base.ages.blame(subject)["words"]
        finally:
            sys.setrecursionlimit(limit)

    assert {word["since"] for word in words} == {"2000-06-05", f"{2000 + _COUNT - 1}-06-05"}
