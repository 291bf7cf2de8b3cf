"""The latest names of provisions are those of their lineages."""

from pathlib import Path

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.through_time.latest_names import LatestNames


def test_latest_names_of_all_provisions(base: KnowledgeBase, sample_base: Path) -> None:
    """Names found at once are those that each provision of any edition has in time."""
    with KnowledgeBase.open(sample_base, today=base.today) as unread:
        first = LatestNames(unread)
        first.find(unread.reader.states_of(0), 0)
    names = LatestNames(base)
    found: list[tuple[str | None, str]] = []
    expected: list[tuple[str | None, str]] = []

    for edition in base.editions:
        states = base.texts.held(edition.place)
        names.find(states[::2], edition.place)
        for state in states:
            if not edition.place:
                assert first.of(state, 0) == names.of(state, 0)
            found.append(names.of(state, edition.place))
            subject = base.subjects.at(state, edition.place)
            today = subject.today
            expected.append((None if today is None else today.name, subject.latest.name))

    assert found == expected
    assert {now for now, _ in found} > {None}
