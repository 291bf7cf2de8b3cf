"""The states that a quotation is compared with."""

from string import ascii_lowercase

import pytest

from variorum_kb.answers.quotations.quotation_likeness import HeldState, likest_of, name_of_state
from variorum_kb.answers.quotations.quotation_matching import Quoted, fold_body, want
from variorum_kb.rows import State


def held_state(kind: str, number: str, heading: str, body: str = "", id_: int = 0) -> HeldState:
    """Return a state of one edition."""
    state = State(kind, number, number, heading, body, "", "", "")
    return HeldState(id_, state, fold_body(body), 1)


def test_names() -> None:
    """A state is compared first with quotations of its number or headword."""
    assert name_of_state(held_state("glossary", "", "Boat’s Lamp")) == "entry boat's lamp"
    assert name_of_state(held_state("rule", "100.1", "Boat")) == "100.1"
    assert name_of_state(held_state("introduction", "", "Boat")) == ""


@pytest.mark.parametrize(
    ("count", "others", "is_likest"), [(3, 59, True), (3, 60, False), (17, 60, False)]
)
def test_texts_compared(count: int, others: int, *, is_likest: bool) -> None:
    """A part is compared with those sixty texts that have most of its sixteen longest words."""
    words = [letter * 6 for letter in ascii_lowercase[:count]]
    like, turned = " ".join(["azaaaa", *words[1:]]), " ".join(words[15::-1])
    bodies = enumerate([like, *[turned] * others])
    held = [held_state("rule", "100.1", "", body, number) for number, body in bodies]

    nearest = likest_of(want(Quoted("", "", " ".join(words), is_loose=True)), held)

    assert (nearest is not None and nearest.state == 0) == is_likest
