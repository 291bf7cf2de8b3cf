"""Verdicts of readers."""

import pytest

from tests.pure.test_align import FILLER, LONG, SECOND, edition
from variorum_kb.facts.verdicts import StepEnd, Verdict, digest_of_words
from variorum_kb.history.aligning.sides import Side
from variorum_kb.history.canonical import Folder
from variorum_kb.history.steps import Step, StepKind, align
from variorum_kb.history.verdicts import decide
from variorum_kb.rows import State

OLD = edition("1 Basics", *FILLER, f"100.3 {LONG}", f"100.4 {SECOND}")
NEW = edition("1 Basics", *FILLER, f"100.3 {LONG}", f"100.4 {SECOND}", "100.5 Gulls may rest.")


def end(states: list[State], number: str) -> StepEnd:
    """Return an end in an edition."""
    (state,) = [item for item in states if item.address == number]
    return StepEnd(number, digest_of_words(state.heading, state.body))


def of_old(number: str, verdict: str, *heirs: str, also: tuple[str, ...] = ()) -> Verdict:
    """Return a verdict on a provision of OLD."""
    others, more = (tuple(end(NEW, name) for name in names) for names in (heirs, also))
    asked = end(OLD, number)
    return Verdict("2020-01-01", "2021-01-01", True, asked, verdict, others, more, "2", "so it is")


def of_new(number: str, verdict: str, *sources: str) -> Verdict:
    """Return a verdict on a provision of NEW."""
    others = tuple(end(OLD, source) for source in sources)
    asked = end(NEW, number)
    return Verdict("2020-01-01", "2021-01-01", False, asked, verdict, others, (), "2", "so it is")


def steps_after(
    *verdicts: Verdict, old: list[State] = OLD, new: list[State] = NEW
) -> dict[str, Step]:
    """Return the steps of two editions by addresses; new provisions are under "new ADDRESS"."""
    folder = Folder()
    decided = decide(align(old, new, folder), Side(old, folder), Side(new, folder), verdicts)
    return {
        old[step.old].address if step.old >= 0 else f"new {new[step.new[0]].address}": step
        for step in decided
    }


def after(
    *verdicts: Verdict, old: list[State] = OLD, new: list[State] = NEW
) -> dict[str, tuple[list[str], list[str]]]:
    """Return the heirs of each provision and the kinds of its step, by addresses."""
    return {
        name: ([new[place].address for place in step.new], [kind.value for kind in step.kinds])
        for name, step in steps_after(*verdicts, old=old, new=new).items()
    }


def test_an_heir_is_put_in_its_place() -> None:
    """A verdict makes a new provision the heir; the alignment's choice becomes doubtful."""
    result = after(of_old("100.3", "same", "100.5"))

    assert result["100.3"] == (["100.5"], ["renumbered", "reworded"])
    assert result["new 100.3"] == (["100.3"], ["new", "uncertain"])
    assert "new 100.5" not in result


Story = tuple[list[str], list[str]]
OF_OLD_ONES: list[tuple[Verdict, Story]] = [
    (of_old("100.3", "merged", "100.4"), (["100.4"], ["merged"])),
    (of_old("100.3", "gone"), ([], ["gone"])),
    (of_old("100.3", "split", "100.3", "100.5"), (["100.3", "100.5"], ["split"])),
    (
        of_old("100.3", "same", "100.3", also=("100.5",)),
        (["100.3", "100.5"], ["kept", "copied"]),
    ),
]


@pytest.mark.parametrize(
    ("verdict", "expected"), OF_OLD_ONES, ids=["merged", "gone", "split", "copied"]
)
def test_verdicts_on_old_provisions(verdict: Verdict, expected: Story) -> None:
    """Each verdict becomes a step; words that another provision has stay with it."""
    result = after(verdict)

    assert result["100.3"] == expected
    assert result["100.4"] == (["100.4"], ["kept"])


OF_NEW_ONES: list[tuple[Verdict, dict[str, Story]]] = [
    (of_new("100.5", "part", "100.3"), {"100.3": (["100.3", "100.5"], ["split"])}),
    (of_new("100.5", "copy", "100.3"), {"100.3": (["100.3", "100.5"], ["copied"])}),
    (of_new("100.5", "new"), {"new 100.5": (["100.5"], ["new"])}),
    (
        of_new("100.5", "merged", "100.3", "100.4"),
        {
            "100.3": (["100.5"], ["renumbered", "reworded"]),
            "100.4": (["100.5"], ["merged"]),
        },
    ),
    (
        of_new("100.3", "new"),
        {"new 100.3": (["100.3"], ["new"]), "100.3": ([], ["gone", "uncertain"])},
    ),
]


@pytest.mark.parametrize(
    ("verdict", "expected"),
    OF_NEW_ONES,
    ids=["part", "copy", "new", "merged", "not its source"],
)
def test_verdicts_on_new_provisions(verdict: Verdict, expected: dict[str, Story]) -> None:
    """A verdict on a new provision changes the step of its source."""
    result = after(verdict)

    assert {name: result[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("others", "heirs", "kinds"),
    [
        ([], ["100.3", "100.5"], [StepKind.KEPT, StepKind.COPIED]),
        ([of_new("100.5", "copy", "100.4")], ["100.3"], [StepKind.KEPT]),
    ],
    ids=["its own copy", "read to be another's"],
)
def test_candidates_are_no_copies(
    others: list[Verdict], heirs: list[str], kinds: list[StepKind]
) -> None:
    """Copies found by the alignment are added to a verdict; candidates and others' copies are not."""
    folder = Folder()
    place = {state.address: at for at, state in enumerate(NEW)}
    doubtful = (StepKind.KEPT, StepKind.COPIED, StepKind.UNCERTAIN)
    news = (place["100.3"], place["100.5"], place["100.4"])
    steps = [
        Step(at, news, doubtful, 0.4, (), copies=(place["100.5"],))
        if state.address == "100.3"
        else step
        for at, (state, step) in enumerate(zip(OLD, align(OLD, NEW, folder), strict=False))
    ]

    verdicts = [of_old("100.3", "same", "100.3"), *others]
    decided = decide(steps, Side(OLD, folder), Side(NEW, folder), verdicts)

    (step,) = [item for item in decided if item.verdict and OLD[item.old].address == "100.3"]
    assert [NEW[heir].address for heir in step.new] == heirs
    assert step.kinds == tuple(kinds)


def test_other_words_are_left_alone() -> None:
    """A verdict applies only to the words that were read, under their number then."""
    reworded = edition("1 Basics", *FILLER, f"100.3 {LONG} So they do.", f"100.4 {SECOND}")

    assert after(of_old("100.3", "merged", "100.4"), old=reworded) == after(old=reworded)
    shorter = NEW[:-1]
    assert after(of_old("100.3", "same", "100.5"), new=shorter) == after(new=shorter)


def test_verdicts_are_followed_over_a_gap() -> None:
    """If the edition between two verdicts is missing, they are joined."""
    onwards = Verdict(
        *("2021-01-01", "2022-01-01", True, end(NEW, "100.5"), "same"),
        *((StepEnd("100.4", end(NEW, "100.4").words),), (), "2", "and so on"),
    )
    later = NEW[:-1]

    assert after(of_old("100.3", "same", "100.5"), onwards, new=later)["100.3"] == (
        ["100.4"],
        ["renumbered", "reworded"],
    )
