"""The ledger finds characters that reading lost, invented or changed."""

import pytest

from tests.support.edition_texts import page
from variorum.model import Role
from variorum.reading.edition import read_edition
from variorum.reading.ledger import Holdings, LedgerError, draw_up
from variorum.reading.unwrap import Block, Unwrapped

LINES = ["100.1. A lamp", "", "burns."]
BLOCKS = Unwrapped((Block("100.1. A lamp", 1, 1, 0, True), Block("burns.", 3, 3, 0, True)))
FIRST, SECOND = (1, Role.RULE, "100.1. A lamp"), (3, Role.RULE, "burns.")


def holdings(*held: tuple[int, Role, str]) -> Holdings:
    result = Holdings()
    for line, role, text in held:
        result.add_blocks(role, [Block(text, line, line, 0, True)])
    return result


def test_balance() -> None:
    """Every line and every character is accounted for."""
    ledger = draw_up(LINES, BLOCKS, holdings(FIRST, SECOND))

    assert (ledger.lines, ledger.blank, ledger.accounted) == (3, 1, ((Role.RULE, 2),))
    assert ledger.characters == ledger.characters_kept == 17
    assert ledger.is_complete


@pytest.mark.parametrize(
    ("held", "message"),
    [
        ([FIRST], "line 3 belongs to nothing: 'burns.'"),
        ([FIRST, SECOND, SECOND], "line 3: '' became 'burns.'"),
        (
            [FIRST, SECOND, (2, Role.RULE, "x")],
            "text was kept from line 2, which the document does not have",
        ),
        ([FIRST, (3, Role.RULE, "turns.")], "line 3: 'burns.' became 'turns.'"),
        ([FIRST, (3, Role.RULE, "burns")], "line 3: '.' became ''"),
        ([FIRST, SECOND, (3, Role.GLOSSARY, "")], "line 3 belongs to rule and glossary"),
    ],
)
def test_error_imbalance(held: list[tuple[int, Role, str]], message: str) -> None:
    """Characters lost, added, changed or claimed twice are an error with its line."""
    with pytest.raises(LedgerError) as caught:
        draw_up(LINES, BLOCKS, holdings(*held))

    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("blocks", "held", "message"),
    [
        (BLOCKS.blocks[:1], [FIRST], "3 lines in, 2 out; 17 characters in, 11 out"),
        (BLOCKS.blocks, [FIRST, SECOND], "3 lines in, 4 out; 17 characters in, 17 out"),
    ],
)
def test_error_totals(
    blocks: tuple[Block, ...], held: list[tuple[int, Role, str]], message: str
) -> None:
    """A second count finds a line that the paragraphs missed, or that counts twice."""
    banners = (2,) if len(held) > 1 else ()

    with pytest.raises(LedgerError) as caught:
        draw_up(LINES, Unwrapped(blocks, banners), holdings(*held))

    assert str(caught.value) == message


def test_roles() -> None:
    """Each line of an edition has one role."""
    ledger = read_edition(page(), "a.txt").ledger

    assert dict(ledger.accounted) == {
        Role.TITLE: 1,
        Role.DATE: 1,
        Role.INTRODUCTION: 2,
        Role.CONTENTS: 6,
        Role.CHAPTER: 1,
        Role.SECTION: 2,
        Role.RULE: 6,
        Role.SUBRULE: 3,
        Role.GLOSSARY: 6,
        Role.CREDITS: 3,
    }
    assert ledger.lines == ledger.blank + sum(number for _, number in ledger.accounted)
