"""Verdicts of readers."""

import re
from collections import Counter

import pytest

from tests.kb.history.test_align import FILLER, LONG, SECOND, edition
from variorum_kb.facts.verdicts import (
    OF_NEW,
    OF_OLD,
    StepEnd,
    Verdict,
    all_verdicts,
    digest_of_words,
    read_verdicts,
    verdicts_between,
)
from variorum_kb.history.canonical import Folder
from variorum_kb.history.sides import Side
from variorum_kb.history.steps import Step, align
from variorum_kb.history.verdicts import decide
from variorum_kb.rows import State
from variorum_kb.thresholds import READ_CHANCE

OLD = edition("1 Basics", *FILLER, f"100.3 {LONG}", f"100.4 {SECOND}")
NEW = edition("1 Basics", *FILLER, f"100.3 {LONG}", f"100.4 {SECOND}", "100.5 Gulls may rest.")


def end(states: list[State], number: str) -> StepEnd:
    """Return an end as it stands in an edition."""
    (state,) = [one for one in states if one.address == number]
    return StepEnd(number, digest_of_words(state.heading, state.body))


def of_old(number: str, verdict: str, *heirs: str, also: tuple[str, ...] = ()) -> Verdict:
    """Return what was decided about a provision of OLD."""
    others, more = (tuple(end(NEW, one) for one in names) for names in (heirs, also))
    asked = end(OLD, number)
    return Verdict("2020-01-01", "2021-01-01", True, asked, verdict, others, more, "2", "so it is")


def of_new(number: str, verdict: str, *sources: str) -> Verdict:
    """Return what was decided about a provision of NEW."""
    others = tuple(end(OLD, one) for one in sources)
    asked = end(NEW, number)
    return Verdict("2020-01-01", "2021-01-01", False, asked, verdict, others, (), "2", "so it is")


def steps_after(
    *verdicts: Verdict, old: list[State] = OLD, new: list[State] = NEW
) -> dict[str, Step]:
    """Return the steps of two editions by addresses; what is new under "new 100.5"."""
    folder = Folder()
    decided = decide(align(old, new, folder), Side(old, folder), Side(new, folder), verdicts)
    return {
        old[one.old].address if one.old >= 0 else f"new {new[one.new[0]].address}": one
        for one in decided
    }


def after(
    *verdicts: Verdict, old: list[State] = OLD, new: list[State] = NEW
) -> dict[str, tuple[list[str], list[str]]]:
    """Return where each provision went and how, by addresses."""
    return {
        name: ([new[place].address for place in step.new], [kind.value for kind in step.kinds])
        for name, step in steps_after(*verdicts, old=old, new=new).items()
    }


def test_a_confirmed_step_is_read() -> None:
    """A step that was found right stays what it is, and is read instead of likely."""
    step = steps_after(of_old("100.3", "same", "100.3"))["100.3"]

    assert step.verdict is not None
    assert (step.verdict.readings, step.verdict.reason) == ("2", "so it is")
    assert step.confidence == READ_CHANCE
    assert {**after(of_old("100.3", "same", "100.3"))} == after()


def test_an_heir_is_put_in_its_place() -> None:
    """What was new has an heir's past then; what the alignment took for it is doubtful."""
    found = after(of_old("100.3", "same", "100.5"))

    assert found["100.3"] == (["100.5"], ["renumbered", "reworded"])
    assert found["new 100.3"] == (["100.3"], ["new", "uncertain"])
    assert "new 100.5" not in found


def test_what_is_taken_is_nobody_elses() -> None:
    """An heir that is given to another leaves its own provision in doubt, not in silence."""
    found = after(of_old("100.3", "same", "100.4"))

    assert found["100.3"][0] == ["100.4"]
    assert found["100.4"] == (["100.4"], ["merged", "uncertain"])


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
    """Each verdict is a step; what another provision has is left to it."""
    found = after(verdict)

    assert found["100.3"] == expected
    assert found["100.4"] == (["100.4"], ["kept"])


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
    """What a new provision came from is told of its source."""
    found = after(verdict)

    assert {name: found[name] for name in expected} == expected


def test_other_words_are_left_alone() -> None:
    """A verdict holds for the words that were read, under the number where they were read."""
    reworded = edition("1 Basics", *FILLER, f"100.3 {LONG} So they do.", f"100.4 {SECOND}")

    assert after(of_old("100.3", "merged", "100.4"), old=reworded) == after(old=reworded)
    shorter = NEW[:-1]
    assert after(of_old("100.3", "same", "100.5"), new=shorter) == after(new=shorter)


def test_verdicts_are_followed_over_a_gap() -> None:
    """Where the edition between two verdicts is not here, one leads on to the other."""
    onwards = Verdict(
        *("2021-01-01", "2022-01-01", True, end(NEW, "100.5"), "same"),
        *((StepEnd("100.4", end(NEW, "100.4").words),), (), "2", "and so on"),
    )
    later = NEW[:-1]

    assert after(of_old("100.3", "same", "100.5"), onwards, new=later)["100.3"] == (
        ["100.4"],
        ["renumbered", "reworded"],
    )


def test_verdicts_between_editions() -> None:
    """Those count whose step may lie between two editions, whatever stands between these."""
    one = all_verdicts()[0]

    assert one in verdicts_between(one.old_edition, one.new_edition)
    assert one in verdicts_between("1993-08-05", "2100-01-01")
    assert one not in verdicts_between(one.new_edition, "2100-01-01")
    assert one not in verdicts_between("1993-08-05", one.old_edition)


def test_words_are_known_again() -> None:
    """The digest of words never changes, and blanks don't count."""
    assert digest_of_words("", "A  boat\x1ehas a\n lamp.") == "2184bf830e462a3c"
    assert digest_of_words("A boat", "has a lamp.") == digest_of_words("", "A boat has a lamp.")


def test_table() -> None:
    """Every row has a known verdict, a short reason, ends with digests, and none is decided twice."""
    table = all_verdicts()

    for one in table:
        assert one.verdict in (OF_OLD if one.is_of_old else OF_NEW), one
        assert bool(one.others) is (one.verdict not in {"gone", "new"}), one
        assert one.old_edition < one.new_edition
        assert one.readings in {"1", "2", "decided"}
        assert 0 < len(one.reason.split()) <= 30, one
        assert all(re.fullmatch("[0-9a-f]{16}", end.words) for end in (one.asked, *one.others))
    counts = Counter((one.old_edition, one.new_edition, one.is_of_old, one.asked) for one in table)
    assert [one for one, count in counts.items() if count > 1] == []


def test_columns_are_read_by_name() -> None:
    """A table of one row, as others may write it."""
    head = "old_edition\tnew_edition\tasked\tprovision\twords\tverdict\tothers\twords_of_others"
    row = "2020-01-01\t2021-01-01\tnew\tglossary: Gull\tab\tmerged\t1.1; 1.2\tcd; ef"

    (found,) = read_verdicts([f"{head}\talso\twords_of_also\treadings\treason", f"{row}\t\t\t2\tx"])

    assert (found.is_of_old, found.asked) == (False, StepEnd("glossary: Gull", "ab"))
    assert found.others == (StepEnd("1.1", "cd"), StepEnd("1.2", "ef"))
