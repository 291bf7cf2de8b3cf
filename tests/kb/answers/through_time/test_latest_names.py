"""The latest names of provisions are those of their lineages."""

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.through_time.latest_names import LatestNames


def test_latest_names_of_all_provisions(base: KnowledgeBase) -> None:
    """Names found at once are those that each provision of any edition has in time."""
    names = LatestNames(base)
    found: list[tuple[str | None, str]] = []
    expected: list[tuple[str | None, str]] = []

    for edition in base.editions:
        states = base.texts.held(edition.place)
        names.find(states[::2], edition.place)
        for state in states:
            found.append(names.of(state, edition.place))
            subject = base.subjects.at(state, edition.place)
            today = subject.today
            expected.append((None if today is None else today.name, subject.latest.name))

    assert found == expected
    assert {now for now, _ in found} > {None}
