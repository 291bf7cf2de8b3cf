"""A provision of the sample rulebook through time: found by any number, followed to today."""

from datetime import date
from pathlib import Path

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase


def test_latest(base: KnowledgeBase) -> None:
    """A removed provision is shown as the last edition of its lineage printed it."""
    gone = [provision for provision in base.provisions("first") if provision.today is None]

    assert len(gone) > 1
    for subject in gone:
        last = subject.latest.lineage[-1]
        assert (last.state, last.last) == (subject.latest.state.id, subject.latest.edition.place)


def test_today_of_tomorrow(sample_base: Path) -> None:
    """A provision that is not yet in force is shown as its future edition prints it."""
    with KnowledgeBase.open(sample_base, today=date(2000, 1, 1)) as base:
        subject = base.subject("705.1", on="latest")

        assert subject.today == subject


@pytest.mark.parametrize(
    ("number", "on", "others"),
    [
        ("608.2", None, [("2010-01-22", "2017-11-10")]),
        ("608.2", "latest", []),  # the edition says which one is meant
        ("705.1", None, []),
    ],
)
def test_others(
    base: KnowledgeBase, number: str, on: str | None, others: list[tuple[str, str]]
) -> None:
    """A history names the other provisions that had the number, unless an edition was named."""
    history = base.subject(number, on).history()

    assert [(other["from"], other["to"]) for other in history["others"]] == others
