"""The outcomes of cited numbers, in the sample rulebook."""

import pytest

from variorum_kb.answers.between_editions.crosswalk import crosswalk_rows
from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.subject import Subject
from variorum_kb.answers.through_time.citation_statuses import (
    CURRENT,
    DOUBTFUL,
    GONE_SINCE,
    MERGED_INTO,
    RENUMBERED,
    REUSED,
    SPLIT_UP,
    STATUSES,
    Outcome,
    status_of,
)
from variorum_kb.answers.through_time.cited_number_heirs import Heirs
from variorum_kb.history.walks import Destination

LABELS = [
    *("1999-05-14", "2003-02-10", "2006-03-01", "2008-06-20", "2010-01-22"),
    *("2015-04-17", "2017-11-10", "2022-02-11", "2025-05-30"),
]


def outcome_of(base: KnowledgeBase, number: str, edition: str, stop: str = "latest") -> Outcome:
    """Return the outcome of a number's only bearer."""
    heirs = Heirs(base, stop)
    (subject,) = heirs.bearers(number, base.edition(edition))
    return heirs.outcome(subject, number)


@pytest.mark.parametrize(
    ("number", "edition", "expected"),
    [
        ("100", "1999-05-14", (CURRENT, ("100",), True)),
        ("100.1", "1999-05-14", (CURRENT, ("100.1",), True)),
        ("101.4", "1999-05-14", (RENUMBERED, ("103.5",), True)),
        ("502.5a", "1999-05-14", (RENUMBERED, ("702.6a",), True)),
        ("300.1", "2003-02-10", (REUSED, ("500.1",), True)),
        ("101", "2008-06-20", (REUSED, ("103",), False)),
        ("702.3", "2010-01-22", (DOUBTFUL, (), False)),
        ("100.2", "2010-01-22", (SPLIT_UP, ("100.2", "100.3"), False)),
        ("413.2", "2003-02-10", (MERGED_INTO, ("608.2",), False)),
        ("608.2", "2017-11-10", (MERGED_INTO, ("608.2",), False)),
        ("211.1", "2003-02-10", (GONE_SINCE, (), False)),
        ("102.3", "1999-05-14", (GONE_SINCE, (), False)),
        ("101.3", "1999-05-14", (SPLIT_UP, ("103.3", "103.4"), False)),
        ("608.3", "2010-01-22", (REUSED, ("608.2",), True)),
        ("406", "2008-06-20", (DOUBTFUL, (), False)),
        ("201", "1999-05-14", (REUSED, ("2",), False)),
        # The edition of 2015 leaves it out; the edition of 2017 has it again.
        ("509.3", "2010-01-22", (CURRENT, ("509.3",), True)),
        # Two sections titled "General" had the same number in turn.
        ("300", "2008-06-20", (REUSED, ("500",), True)),
        ("300", "2010-01-22", (CURRENT, ("300",), True)),
    ],
)
def test_heirs(
    base: KnowledgeBase, number: str, edition: str, expected: tuple[str, tuple[str, ...], bool]
) -> None:
    """Each number of the sample rulebook has its outcome."""
    outcome = outcome_of(base, number, edition)

    assert (outcome.status, outcome.heirs, outcome.is_sure) == expected


@pytest.mark.parametrize(("chance", "status"), [(0.79, DOUBTFUL), (0.8, RENUMBERED)])
def test_followed_if_likely_enough(chance: float, status: str) -> None:
    """A lineage is followed from a chance of 80 % on."""
    destination = Destination([7])
    destination.confidence = chance

    assert status_of(destination, is_same=False) == status


@pytest.mark.parametrize(
    ("number", "edition", "since"),
    [
        ("102.3", "1999-05-14", "2006-03-01"),
        ("211", "2003-02-10", "2008-06-20"),
        ("211.1", "2006-03-01", "2008-06-20"),
        ("502.3", "2003-02-10", "2017-11-10"),
        ("702.3", "2015-04-17", "2017-11-10"),
        ("100", "1999-05-14", ""),
        ("502.5a", "1999-05-14", ""),
    ],
)
def test_since(base: KnowledgeBase, number: str, edition: str, since: str) -> None:
    """A removed provision has the day of the first edition without it; others have no such day."""
    assert outcome_of(base, number, edition).since == since


def test_words(base: KnowledgeBase) -> None:
    """A provision, and the present bearer of its number, are named by heading or first words."""
    moved = outcome_of(base, "300.1", "2003-02-10")
    gone = outcome_of(base, "702.3", "2010-01-22")
    kept = outcome_of(base, "100", "1999-05-14")

    assert moved.was == "General: A turn has five parts: dawn, the…"
    assert moved.now_means == "General: The kinds of card are lamp, boat,…"
    assert (gone.was, gone.now_means) == ("Drift", "Gleam")
    assert (kept.was, kept.now_means) == ("General", "")


def test_since_backwards(base: KnowledgeBase) -> None:
    """A provision that an older edition lacks is missing up to the edition before its first."""
    outcome = outcome_of(base, "724.1", "2025-05-30", "1999-05-14")
    first = Heirs(base, "latest").runs("724.1")[0].first

    assert outcome.since == LABELS[first - 1]


@pytest.mark.parametrize("number", ["999.9", "702.99z", "", "=", "glossary: Boat", "702.9'", "0"])
def test_nobody(base: KnowledgeBase, number: str) -> None:
    """A number that no edition ever had has no bearers."""
    heirs = Heirs(base)

    assert (heirs.runs(number), heirs.bearers(number, base.editions[0])) == ((), [])


def test_misprinted_number(base: KnowledgeBase) -> None:
    """If an edition misprints a number, both the printed and the right bearer are known."""
    heirs = Heirs(base)
    edition = base.edition("2006-03-01")

    assert heirs.bearers("510.2", edition)
    assert len(heirs.bearers("501.2", edition)) == 1


@pytest.mark.slow
@pytest.mark.parametrize("stop", LABELS)
def test_laws(base: KnowledgeBase, stop: str) -> None:
    """Heirs have the numbers that an outcome names; a sure outcome has exactly one heir."""
    heirs = Heirs(base, stop)

    for number in _numbers(base):
        for edition in base.editions:
            for subject in heirs.bearers(number, edition):
                _check(heirs, subject, number, base.edition(stop))


def _check(heirs: Heirs, subject: Subject, number: str, stop: EditionEntry) -> None:
    outcome = heirs.outcome(subject, number)
    names = [heir.partition("#")[0] for heir in outcome.heirs]
    assert outcome.status in STATUSES[:-1]
    assert all(heir.startswith("glossary: ") or heirs.bearers(heir, stop) for heir in names)
    assert 0 <= outcome.confidence <= 1
    assert outcome.was
    assert bool(outcome.since) == (not outcome.heirs), (number, subject, outcome)
    if outcome.status == CURRENT:
        assert (names[0], outcome.now_means) == (number, "")
    if outcome.status in {RENUMBERED, REUSED} and names:
        assert names[0] != number
    if outcome.status == REUSED:
        assert outcome.now_means
        assert number not in names
    if outcome.status == GONE_SINCE:
        assert not outcome.heirs
        assert not outcome.now_means
    if outcome.is_sure:
        assert len(outcome.heirs) == 1
        assert outcome.status in {CURRENT, RENUMBERED, REUSED}
    if subject.edition == stop:  # nothing is rewritten, though a misprint may be reported
        assert outcome.status == CURRENT or not outcome.is_sure, (number, outcome)


@pytest.mark.slow
@pytest.mark.parametrize("stop", LABELS)
def test_one_outcome_a_run(base: KnowledgeBase, stop: str) -> None:
    """A number has the same outcome in every edition of a run, before or after the target."""
    heirs = Heirs(base, stop)
    place = LABELS.index(stop)

    for number in _numbers(base):
        for run in heirs.runs(number):
            whole = heirs.outcome_of(run, number)
            for edition in range(run.first, run.last + 1):
                if edition <= place or run.first >= place:
                    outcome = heirs.outcome(base.subjects.at(run.state, edition), number)
                    assert (outcome.status, outcome.heirs, outcome.since) == (
                        whole.status,
                        whole.heirs,
                        whole.since,
                    ), (number, run, edition)


def _numbers(base: KnowledgeBase) -> list[str]:
    """Return every number in an edition."""
    texts: set[str] = set()
    for start in base.editions:
        rows = crosswalk_rows(base, start, "latest", glossary=False)
        texts |= {row["old"] for row in rows if row["old"]}
        texts |= {number for row in rows for number in row["new"]}
    return sorted({text.partition("#")[0] for text in texts if not text.startswith("glossary: ")})
