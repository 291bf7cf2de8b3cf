"""Verdicts hold between the editions that were read, and through editions found between them."""

import pytest

from variorum.history.canonical import Folder
from variorum.history.sides import Side
from variorum.history.steps import Verdict, digest_of_words, held_between
from variorum.rows import State

OLD = "A boat with two masts is moored beside the pier, as rule 100.7 says."
NEW = "Each ship that has more than one mast anchors in the bay."
RECITED = OLD.replace("100.7", "200.9")


def rule(number: str, body: str) -> State:
    """Return a rule."""
    return State("rule", number, number, "", body, "100", "", "")


@pytest.mark.parametrize(
    ("between", "held"),
    [
        # The older words, or the newer ones, as they were read.
        ([rule("100.1", OLD)], (False, True)),
        ([rule("100.2", NEW)], (True, False)),
        # Under another number, or with another cited number.
        ([rule("100.5", OLD)], (False, True)),
        ([rule("100.1", RECITED)], (False, True)),
        ([rule("100.6", NEW)], (True, False)),
        # Words that neither end has, or that two rules have.
        ([rule("100.1", "The ferry leaves at dawn.")], (False, False)),
        ([rule("100.5", OLD), rule("100.6", OLD)], (False, False)),
    ],
)
def test_an_edition_between(between: list[State], held: tuple[bool, bool]) -> None:
    """A verdict holds between two of three editions if the one between has the words of an end."""
    old, new = rule("100.1", OLD), rule("100.2", NEW)
    digests = [digest_of_words("", state.body) for state in (old, new)]
    asked, heir = (f"{it.number} {digest}" for it, digest in zip((old, new), digests, strict=True))
    verdict = Verdict("2001-01-01", "2003-01-01", True, asked, "same", (heir,), (), "2", "Moored.")
    folder, read = Folder(), dict(zip(digests, (old, new), strict=True))
    printed = enumerate(([old], between, [new]), 1)
    dated = [(Side(states, folder), f"200{year}-01-01") for year, states in printed]

    assert tuple(bool(held_between([verdict], *dated[at : at + 2], read)) for at in (0, 1)) == held
    assert held_between([verdict], dated[0], dated[2], read)
