"""A provision of the sample rulebook through time: found by any number, followed to today."""

from datetime import date
from pathlib import Path

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase


def test_today_of_what_is_gone(base: KnowledgeBase) -> None:
    """A removed provision has no form today; its lineage says where and when it ended."""
    subject = base.subject("211.1")

    assert subject.today is None
    assert subject.latest == subject
    assert base.editions[subject.lineage[-1].last].label == subject.edition.label
    assert subject.destination(base.editions[-1]).loss is not None


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


def test_every_subject_is_itself_in_its_own_edition(base: KnowledgeBase) -> None:
    """In its own edition, each provision is itself, and its lineage contains it."""
    for subject in [*base.provisions("first"), *base.provisions("latest")]:
        destination = subject.destination(subject.edition)

        assert (destination.states, destination.own, destination.loss) == (
            [subject.state.id],
            subject.state.id,
            None,
        )
        assert subject.state.id in {stretch.state for stretch in subject.lineage}


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
