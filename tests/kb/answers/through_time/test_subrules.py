"""The history of a provision with the changes of its subrules in each edition."""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from variorum_kb.answers.between_editions.change_finder import find_changes, find_changes_within
from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.subject import Subject
from variorum_kb.answers.through_time.subrules import Subrules
from variorum_kb.rows import SUBRULE_SORTS, wording_of


def heads(base: KnowledgeBase) -> Iterator[Subject]:
    """Yield every chapter, section and rule of some editions of all eras."""
    for edition in ("1999-05-14", "2008-06-20", "2010-01-22", "2025-05-30"):
        for subject in base.provisions(edition):
            if subject.kind in {"chapter", "section", "rule"}:
                yield subject


def held(base: KnowledgeBase, head: int, place: int) -> set[int]:
    """Return the ids of all provisions below a state in an edition."""
    return {below.state.id for _, below in base.subjects.at(head, place).tree()}


@pytest.mark.slow
def test_nothing_that_changed_is_left_out(base: KnowledgeBase) -> None:
    """A history has every subrule that only one of two adjacent editions has."""
    checked = 0
    for subject in heads(base):
        life = subject.lineage
        subrules = Subrules(base, life)
        places = [
            (place, stretch.state)
            for stretch in life
            for place in range(stretch.first, stretch.last + 1)
            if base.states[stretch.state].kind != "glossary"
        ]
        trees = [(place, held(base, head, place)) for place, head in places]
        for place, tree in trees:
            assert set(subrules.at(place)) == tree
            assert subrules.sizes[place] == len(tree)
        for (_, before), (place, after) in pairwise(trees):
            steps = subrules.steps.get(place, [])
            came = {number for step in steps for number in step.news}
            went = {step.old for step in steps}
            assert all(0 < step.confidence <= 1 for step in steps)
            # States may also differ in parent or irregularities, which are not part of a reading.
            same = {reading(base, number) for number in before} & {
                reading(base, number) for number in after
            }
            assert {
                number for number in after - before - came if reading(base, number) not in same
            } == set()
            assert {
                number for number in before - after - went if reading(base, number) not in same
            } == set()
            checked += len(before ^ after)
    assert checked > 500


def reading(base: KnowledgeBase, state: int) -> tuple[str, str]:
    """Return the number and the words of a state."""
    row = base.states[state]
    return row.number, wording_of(row)


def test_counts_are_those_of_the_changes(base: KnowledgeBase) -> None:
    """Each change is counted once by its sort; a rule that moved away has its number today."""
    moved = 0
    for subject in heads(base):
        subrules = subject.history()["subrules"]
        for edition in subrules["editions"] if subrules else ():
            sorts = [change["sort"] for change in edition["changes"]]
            assert edition["counts"] == {
                sort: sorts.count(sort) for sort in SUBRULE_SORTS if sort in sorts
            }
            for item in edition["changes"]:
                assert not item["words"]
                assert item["way"] == "out" or item["sort"] == "merged" or item["now"] is None
                moved += item["sort"] == "moved_out"
    assert moved > 3


def test_words_are_told_when_asked_for(base: KnowledgeBase) -> None:
    """A full history has word diffs of rewordings, and all words of additions and removals."""
    subrules = base.subject("705").history(is_full=True)["subrules"]

    assert subrules is not None
    for edition in subrules["editions"]:
        for change in edition["changes"]:
            signs = {sign for sign, _ in change["words"]}
            assert (signs - {"="} != set()) is (change["class"] in {"substantive", "sweep"})


def test_a_provision_without_subrules(base: KnowledgeBase) -> None:
    """A provision without subrules, or asked for with --only, has no history of subrules."""
    assert base.subject("705.1").history()["subrules"] is None
    assert base.subject("705").history(is_alone=True)["subrules"] is None


@pytest.mark.slow
def test_neighbours_are_compared_alike(base: KnowledgeBase) -> None:
    """A provision's changes between adjacent editions are those in the whole comparison."""
    changed = 0
    for older, newer in pairwise(base.editions):
        for pair in ((older, newer), (newer, older)):
            whole = find_changes(base, *pair)
            for subject in base.provisions(newer):
                if subject.kind in {"chapter", "section", "rule"}:
                    held = (ids(subject, pair[0]), ids(subject, pair[1]))
                    expected = whole.within(*held)
                    changes_within = find_changes_within(base, pair, held)

                    # A removed provision follows its former neighbour, which may have moved.
                    assert (changes_within.same, {*changes_within.all}) == (
                        expected.same,
                        {*expected.all},
                    )
                    assert len(changes_within.all) == len(expected.all)
                    changed += len(changes_within.all)
    assert changed > 1000


def ids(subject: Subject, edition: EditionEntry) -> set[int]:
    """Return the ids of a provision and its subrules in an edition that may lack it."""
    heir = subject.destination(edition).heir
    if heir is None:
        return set()
    return {heir, *held(subject.base, heir, edition.place)}
