"""Lineages of the real editions: known histories, laws and verdicts."""

import functools
import random
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

import pytest

from variorum_kb.answers.between_editions.crosswalk import crosswalk_rows
from variorum_kb.answers.between_editions.subject_changes import subject_changes
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.facts.verdicts import Verdict, all_verdicts, verdicts_between
from variorum_kb.forms.lineage import CrosswalkRowJson
from variorum_kb.history.aligning.sides import Side
from variorum_kb.history.canonical import Folder
from variorum_kb.history.steps import Step, StepKind
from variorum_kb.history.verdict_ends import holding
from variorum_kb.history.verdicts import decide, ends_of
from variorum_kb.thresholds.sure import SHOWN_CERTAIN

pytestmark = pytest.mark.corpus


def test_coins(base: KnowledgeBase) -> None:
    """The coin rules were a glossary entry, then both, then section 511, then 705."""
    history = base.subject("511", on="2008-02-01").history()

    names = [reading["number"] or reading["term"] for reading in history["readings"]]
    assert list(dict.fromkeys(names)) == ["Flip a Coin", "511", "705"]
    for number in ("511.1", "511.2", "511.3"):
        first = base.subject(number, on="2008-02-01").history()["readings"][0]
        assert first["term"] == "Flip a Coin"
    assert history["now"] is not None
    assert history["now"]["number"] == "705"


WHOLES = {
    ("705", "current"): {
        "2006-07-15": {"parts": 3},
        "2009-07-11": {"moved_only": 3},
        "2022-06-10": {"substantive": 2, "merged": 1},
        "2025-06-06": {"new": 1},
    },
    ("702.19", "current"): {
        "2011-07-15": {"moved_only": 5},
        "2013-07-13": {"moved_only": 5},
        "2021-06-18": {"new": 2, "substantive": 3},
    },
    ("509", "current"): {"2024-11-08": {"substantive": 4, "gone": 5, "moved_only": 10}},
    ("713", "2022-01-01"): {"2021-07-23": {"citation_only": 3, "moved_only": 18}},
}


@pytest.mark.parametrize("asked", WHOLES, ids=str)
def test_wholes(base: KnowledgeBase, asked: tuple[str, str]) -> None:
    """The history of a section or keyword shows the changes of its rules."""
    subrules = base.subject(asked[0], on=asked[1]).history()["subrules"]

    assert subrules is not None
    counts = {edition["edition"]: edition["counts"] for edition in subrules["editions"]}
    assert {edition: counts.get(edition) for edition in WHOLES[asked]} == WHOLES[asked]


def test_a_section_that_went_into_another(base: KnowledgeBase) -> None:
    """The rules of a removed section are found at their numbers today."""
    subrules = base.subject("713", on="2023-02-03").history()["subrules"]

    assert subrules is not None
    now = {
        subrule["number"]: subrule["now"]["number"] if subrule["now"] else None
        for subrule in subrules["last"]
    }
    assert (now["713.1"], now["713.6"], now["713.7"]) == ("712.4", "712.6", None)


def test_a_keyword_is_followed_through_its_numbers(base: KnowledgeBase) -> None:
    """Trample is compared with itself; Banding, which once had its number, is only named."""
    editions = (base.edition("2009-07-11"), base.edition("2026-08-07"))

    result = subject_changes(base, "702.19", editions)

    assert [subject.name for subject in result.old] == ["702.17"]
    assert [(bearer["gist"], bearer["elsewhere"]) for bearer in result.others] == [
        ("Banding", "702.22")
    ]
    olds = {change.old.address[:6] for change in result.changes.all if change.old is not None}
    assert olds == {"702.17"}


def numbers(base: KnowledgeBase, question: str) -> list[tuple[str, str]]:
    """Return all numbers and headwords of a current provision, each with its first edition."""
    readings = base.subject(question).history()["readings"]
    starts = [(reading["from"], reading["number"] or reading["term"] or "") for reading in readings]
    return [starts[0], *(then for before, then in pairwise(starts) if before[1] != then[1])]


STORIES = {
    "705.1": [  # a coin has two sides
        ("2003-07-01", "Flip a Coin"),
        ("2006-07-15", "511.3"),
        ("2009-07-11", "705.3"),
        ("2022-06-10", "705.1"),
    ],
    "705.2": [  # winning a flip
        ("2003-07-01", "Flip a Coin"),
        ("2006-07-15", "511.1"),
        ("2009-07-11", "705.1"),
        ("2022-06-10", "705.2"),
    ],
    "800.4a": [("2005-08-01", "600.4a"), ("2009-07-11", "800.4a")],
    "800.4g": [  # another rule has its choices
        ("2005-08-01", "600.4d"),
        ("2009-07-11", "800.4e"),
        ("2012-02-01", "800.4f"),
        ("2021-04-22", "800.4g"),
    ],
    "800.4j": [
        ("2007-02-01", "600.4e"),
        ("2007-10-01", "600.4f"),
        ("2009-07-11", "800.4g"),
        ("2012-02-01", "800.4h"),
        ("2017-06-05", "800.4i"),
        ("2021-04-22", "800.4j"),
    ],
    # Combat damage went on the stack until 2009-07-11.
    "510.2": [("1999-04-23", "310.4"), ("2009-07-11", "510.2")],
    # The legend rule.
    "704.5j": [("1999-04-23", "420.5e"), ("2009-07-11", "704.5k"), ("2017-09-29", "704.5j")],
    # The mulligan.
    "103.5": [
        ("1999-04-23", "101.5"),
        ("2003-07-01", "101.4"),
        ("2009-07-11", "103.4"),
        ("2022-11-18", "103.5"),
    ],
}


@pytest.mark.parametrize("question", STORIES)
def test_stories(base: KnowledgeBase, question: str) -> None:
    """The base has the known histories of some rules."""
    assert numbers(base, question) == STORIES[question]


@pytest.mark.parametrize(
    ("old", "new", "on"),
    [
        ("511.1", "705.2", "2008-02-01"),
        ("511.2", "705.2", "2008-02-01"),
        ("511.3", "705.1", "2008-02-01"),
        ("410.8", "603.4", "1999-04-23"),
        ("310.4", "510.2", "1999-04-23"),
        ("420.5e", "704.5j", "1999-04-23"),
        ("101.5", "103.5", "1999-04-23"),
    ],
)
def test_where_they_are_today(base: KnowledgeBase, old: str, new: str, on: str) -> None:
    """A merged rule leads to the rule that absorbed it: 511.2 on 2022-06-10, 410.8 in 2009."""
    row = base.subject(old, on=on).where()

    assert row["new"][0] == new
    assert row["confidence"] >= SHOWN_CERTAIN
    assert not {"uncertain", "gone"} & {*row["kinds"]}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("600.4", "800.4"),
        ("600.4a", "800.4a"),
        ("600.4b", "800.4b"),
        ("600.4c", "800.4c"),
        ("600.4d", "800.4e"),
        ("600.4e", "800.4f"),
        ("600.4f", "800.4g"),
    ],
)
def test_leaving_the_game(base: KnowledgeBase, old: str, new: str) -> None:
    """600.4 became 800.4 with all its subrules; 800.4d was inserted."""
    (row,) = [subject.where(base.edition("2009-07-11")) for subject in base.show(old, "2009-05-01")]

    assert row["new"][0] == new
    history = base.subject(old, on="2007-10-01").history()
    assert history["readings"][0]["from"] <= "2007-10-01"
    assert {old, new} <= {reading["number"] for reading in history["readings"]}


@pytest.mark.parametrize(
    "designators", [("first", "latest"), ("2005-02-01", "M10"), ("M10", "M15")]
)
def test_there_and_back(base: KnowledgeBase, designators: tuple[str, str]) -> None:
    """A rule that was neither split nor merged returns to its number when followed back."""
    there = crosswalk_rows(base, *designators)
    back = {row["old"]: row["new"] for row in crosswalk_rows(base, *reversed(designators))}

    special = {"split", "merged", "gone", "new", "uncertain"}
    rules = [row for row in there if (row["old"] or "")[:1].isdigit()]
    plain = [row for row in rules if not special & set(row["kinds"])]
    assert len(plain) > 230
    lost = [row["old"] for row in plain if row["old"] not in back[row["new"][0]]]
    assert lost == []


@pytest.mark.parametrize("designators", [("first", "latest"), ("latest", "first"), ("M10", "M15")])
def test_one_number_as_in_the_table(base: KnowledgeBase, designators: tuple[str, str]) -> None:
    """A number looked up alone gets the same answer as in the table of all numbers."""
    rows = [row for row in crosswalk_rows(base, *designators) if (row["old"] or "g")[0].isdigit()]

    for row in rows[::7]:
        subjects = base.show(row["old"] or "", designators[0])
        alone = [subject.where(base.edition(designators[1])) for subject in subjects]
        # A single look-up also gives the number and the edition asked for.
        assert any(row.items() <= answer.items() for answer in alone)


# Verdicts ------------------------------------------------------------------------------------------


def test_verdicts_are_what_the_base_says(base: KnowledgeBase) -> None:
    """The base follows every verdict on heirs, removed provisions and new provisions."""
    pairs = {(verdict.old_edition, verdict.new_edition) for verdict in all_verdicts()}
    rows = {
        (*pair, which, name): row
        for pair in pairs
        for row in crosswalk_rows(base, *pair, glossary=True)
        for which, name in _names_of(row)
    }
    wrong = [verdict for verdict in all_verdicts() if not _is_followed(verdict, rows)]

    assert wrong == []


def _names_of(row: CrosswalkRowJson) -> Iterator[tuple[bool, str]]:
    if row["old"] is not None:
        yield True, row["old"]
    for name in row["new"] if row["old"] is None else ():
        yield False, name


def _is_followed(
    verdict: Verdict, rows: Mapping[tuple[str, str, bool, str], CrosswalkRowJson]
) -> bool:
    """Return whether a crosswalk shows a verdict; it has no row for unchanged provisions."""
    row = rows.get(
        (verdict.old_edition, verdict.new_edition, verdict.is_of_old, verdict.asked.name)
    )
    names = [end.name for end in verdict.others]
    if verdict.is_of_old:
        if row is None:
            return (verdict.verdict, names) == ("same", [verdict.asked.name])
        return row["new"][:1] == names[:1]
    return (row is not None) is (verdict.verdict == "new")


@pytest.fixture(scope="module")
def side(base: KnowledgeBase) -> Callable[[int], Side]:
    """Return a function that prepares an edition for comparison, each only once."""
    folder = Folder()

    @functools.cache
    def made(place: int) -> Side:
        return Side(
            [provision.state for provision in base.provisions(base.editions[place])], folder
        )

    return made


@pytest.mark.parametrize("seed", range(6))
def test_verdicts_hold_whatever_stands_between(
    base: KnowledgeBase, side: Callable[[int], Side], seed: int
) -> None:
    """A verdict also holds between editions further apart, if both its ends are in them."""
    chance = random.Random(seed)
    chosen = sorted(chance.sample(range(len(base.editions)), 30))
    held = 0
    for place, then in pairwise(chosen):
        old, new = base.editions[place], base.editions[then]
        verdicts = verdicts_between(old.label[:10], new.label[:10])
        before, after = side(place), side(then)
        lost = [Step(number, (), (StepKind.GONE,), 1.0, ()) for number in range(len(before.items))]
        steps = {step.old: step for step in decide(lost, before, after, verdicts)}
        for item in holding(verdicts, ends_of(before), ends_of(after)):
            if item.verdict.is_of_old:
                step = steps[item.place]
                assert step.verdict is not None
                assert bool(step.new) is (item.verdict.verdict != "gone")
                held += 1
    assert held
