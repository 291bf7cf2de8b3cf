"""Drafts beside the editions that they would replace."""

from importlib.resources import files
from pathlib import Path

from tests.support.small_bases import NOW
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.build.preview import previewed


def test_draft_of_the_same_day(base: KnowledgeBase, tmp_path: Path) -> None:
    """A draft of an edition's day is a later issue of that day, whatever its hash is."""
    text = files("variorum_kb.sample").joinpath("2010-01-22.txt").read_bytes()
    draft = tmp_path / "draft.txt"
    draft.write_bytes(text.replace(b" may ", b" should "))

    with previewed(base, draft, NOW) as preview:
        labels = preview.before.label, preview.draft.label

    assert labels == ("2010-01-22.1", "2010-01-22.2")
