"""Corrections made by hand."""

from tests.kb.history.test_align import FILLER, LONG, SECOND, edition
from variorum_kb.facts.corrections import Correction, all_corrections, corrections_between
from variorum_kb.history.canonical import Folder
from variorum_kb.history.corrections import corrected
from variorum_kb.history.sides import Side
from variorum_kb.history.steps import StepKind, align

OLD = edition("1 Basics", *FILLER, f"100.3 {LONG}", f"100.4 {SECOND}")
NEW = edition("1 Basics", *FILLER, f"100.3 {LONG}", f"100.4 {SECOND}", "100.5 Gulls may rest.")


def correction(old: str, new: list[str], *kinds: str) -> Correction:
    """Return a correction."""
    return Correction("2020-01-01", old, "2021-01-01", tuple(new), kinds, "somebody who read it")


def after(*corrections: Correction) -> dict[str, tuple[list[str], list[str]]]:
    """Return where each provision went and how, by addresses; what is new under ""."""
    folder = Folder()
    old, new = Side(OLD, folder), Side(NEW, folder)
    found: dict[str, tuple[list[str], list[str]]] = {}
    for step in corrected(align(OLD, NEW, folder), old, new, corrections):
        heirs = [NEW[place].address for place in step.new]
        name = OLD[step.old].address if step.old >= 0 else f"new {heirs[0]}"
        found[name] = heirs, [kind.value for kind in step.kinds]
    return found


def test_an_heir_is_put_in_its_place() -> None:
    """What was new has an heir's past then; what the alignment said is put aside."""
    found = after(correction("100.3", ["100.5"], "renumbered", "reworded"))

    assert found["100.3"] == (["100.5"], ["renumbered", "reworded"])
    assert found["new 100.3"] == (["100.3"], ["new"])
    assert "new 100.5" not in found


def test_what_is_taken_is_nobody_elses() -> None:
    """An heir that is given to another leaves its own provision without one."""
    found = after(correction("100.3", ["100.4"], "renumbered", "reworded"))

    assert found["100.3"][0] == ["100.4"]
    assert found["100.4"] == ([], ["gone"])


def test_a_merge_takes_nothing_away() -> None:
    """What is merged into a rule leaves that rule its own past."""
    found = after(correction("100.3", ["100.4"], "merged"))

    assert found["100.3"] == (["100.4"], ["merged"])
    assert found["100.4"] == (["100.4"], ["kept"])


def test_unknown_addresses_are_left_aside() -> None:
    """A correction of other documents of the same dates changes nothing."""
    assert after(correction("100.9", ["100.4"], "merged")) == after()
    assert after(correction("100.3", ["100.9"], "renumbered")) == after()


def test_the_table() -> None:
    """Each entry says where it comes from, and no provision has two."""
    table = all_corrections()

    assert all(one.source and one.kinds for one in table)
    assert all(bool(one.new) is ("gone" not in one.kinds) for one in table)
    assert all(StepKind(kind) for one in table for kind in one.kinds)
    assert len({(one.old_edition, one.old) for one in table}) == len(table)
    for one in table:
        assert one in corrections_between(one.old_edition, one.new_edition)
