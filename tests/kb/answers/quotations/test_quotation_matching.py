"""Whether a state contains a quotation: whole or in part, with or without examples."""

import pytest

from variorum_kb.answers.quotations.quotation_matching import Quoted, fold_body, says, want
from variorum_kb.build.build import load_sample
from variorum_kb.rows import State, join_body
from variorum_kb.store.edition_rows import rows_of

TEXT = "Lamps burn oil.\nBoats burn nothing."
EXAMPLES = ("A lamp burns.", "A boat drifts.")
PARAGRAPHS = [("", word) for word in TEXT.split("\n")] + [
    ("Example:", example) for example in EXAMPLES
]


def state_of(kind: str, heading: str = "") -> State:
    """Return a rule or an entry with these words."""
    states = rows_of(next(load_sample()))[1]
    state = next(item for item in states if item.kind == kind)
    return state.changed(heading=heading, body=join_body(PARAGRAPHS))


@pytest.mark.parametrize(
    ("quoted", "with_examples", "expected"),
    [
        (Quoted("100.1", "", TEXT), False, True),
        (Quoted("100.1", "", "lamps BURN oil. Boats burn nothing."), False, True),
        (Quoted("100.1", "", "Lamps burn oil."), False, False),
        (Quoted("100.1", "", TEXT), True, False),  # a document with any examples has all
        (Quoted("100.1", "", TEXT, EXAMPLES), True, True),
        (Quoted("100.1", "", TEXT, EXAMPLES[:1]), True, False),
        (Quoted("100.1", "", TEXT, EXAMPLES[:1], is_last=True), True, True),
        (Quoted("100.1", "", TEXT, EXAMPLES[1:], is_last=True), True, False),
        (Quoted("100.1", "Lamps", TEXT), False, False),  # another heading
        (Quoted("", "", TEXT, is_entry=True), False, False),  # an entry, and this is a rule
        (Quoted("100.1", "", "burn nothing.", is_cut_before=True), False, True),
        (Quoted("100.1", "", "Lamps burn", is_cut_before=True), False, False),
        (Quoted("100.1", "", "Lamps burn", is_cut_after=True), False, True),
        (Quoted("100.1", "", "burn nothing.", is_cut_after=True), False, False),
        (Quoted("100.1", "", "oil. Boats", is_cut_before=True, is_cut_after=True), False, True),
        (Quoted("100.1", "", "oil. Lamps", is_cut_before=True, is_cut_after=True), False, False),
        (Quoted("100.1", "", "burn oil.", is_cut_before=True), False, False),
        (Quoted("", "", "burn oil.", is_loose=True, is_cut_before=True), False, True),
        (Quoted("", "", "Boats burn nothing.", is_loose=True), False, True),
        (Quoted("", "", "A boat drifts.", is_loose=True), True, True),
        (Quoted("", "", "A boat burns.", is_loose=True), True, False),
    ],
)
def test_says(quoted: Quoted, with_examples: bool, expected: bool) -> None:
    """A rule matches a quotation if it has its words; a part is enough if the rest is lost."""
    rule = state_of("rule")

    assert says(rule, fold_body(rule.body), want(quoted), with_examples=with_examples) is expected


@pytest.mark.parametrize(
    ("quoted", "of_section", "of_rule"),
    [
        (Quoted("101", "", "LAMPS"), True, False),
        (Quoted("", "", "Lamps", is_loose=True), True, True),
        (Quoted("101", "", "Boats"), False, False),
        (Quoted("", "", "Lamps", is_entry=True), False, False),
    ],
)
def test_headings(quoted: Quoted, *, of_section: bool, of_rule: bool) -> None:
    """A heading alone is a provision without words; without a number, also one with words."""
    for body, expected in (("", of_section), (TEXT, of_rule)):
        state = State("section", "101", "101", "Lamps", body, "1", "", "")
        assert says(state, fold_body(body), want(quoted), with_examples=False) is expected


@pytest.mark.parametrize(
    ("quoted", "expected"),
    [
        (Quoted("", "Lamp", TEXT, is_entry=True), True),
        (Quoted("", "Boat", TEXT, is_entry=True), False),
        (Quoted("", "", "Boats burn nothing.", is_entry=True), True),  # its headword is lost
        (Quoted("", "Lamp", "Boats burn nothing.", is_entry=True), False),
        (Quoted("100.1", "", TEXT), False),
    ],
)
def test_entries(quoted: Quoted, expected: bool) -> None:
    """An entry matches the text under its headword; without the headword, a paragraph is enough."""
    entry = state_of("glossary", "Lamp")

    assert says(entry, fold_body(entry.body), want(quoted), with_examples=False) is expected


def test_words() -> None:
    """The words of a quotation are its text and its examples, a line each."""
    assert Quoted("1.1", "", TEXT, EXAMPLES).words == "\n".join([TEXT, *EXAMPLES])
    assert Quoted("1.1", "", "", EXAMPLES[:1]).words == EXAMPLES[0]
