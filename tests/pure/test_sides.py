"""Likeness by rare words and by runs of words."""

import pytest

from variorum.history.canonical import Folder
from variorum.history.sides import RareWords, Scale, Side
from variorum.rows import State


def sides(texts: list[str], others: list[str]) -> tuple[Side, Side, Scale]:
    """Return two sides of rules with these texts, and their scale."""
    folder = Folder()
    old, new = (
        Side(
            [State("rule", str(n), str(n), "", text, "", "", "") for n, text in enumerate(side)],
            folder,
        )
        for side in (texts, others)
    )
    return old, new, Scale(old, new)


@pytest.mark.parametrize(("count", "is_rare"), [(75, True), (76, False)])
def test_words_of_many_provisions_find_none(count: int, *, is_rare: bool) -> None:
    """A word in more than 150 provisions is too common to find candidates by."""
    old, new, scale = sides(["Lantern."] * 75, ["Lantern."] * count)

    likest = RareWords(scale, old.items, new.items).likest(old.items[0], 99)

    assert likest == [*range(count)] * is_rare


@pytest.mark.parametrize(
    ("words", "others", "is_run"),
    [(2, 62, True), (2, 61, False), (3, 0, True)],
)
def test_runs(words: int, others: int, *, is_run: bool) -> None:
    """A shared run has three words, or two that are rare enough to be no coincidence."""
    run = " ".join(["red", "gulls", "rest"][:words])
    fillers = [f"Word{n}." for n in range(others)]
    old, new, scale = sides([f"{run} here", "One.", *fillers], [f"There {run}", "Two.", *fillers])

    result = scale.runs(old.items[0].words, new.items[0].words)

    assert result == [(0, words)] * is_run


def test_likest() -> None:
    """The texts that share the most of their words come first; of equals, the first."""
    old, new, scale = sides(
        ["Red gulls rest."],
        [
            "Blue boats float.",
            "Red gulls sleep on wide rocks.",
            "Red gulls sleep.",
            "Red gulls eat.",
        ],
    )
    rare = RareWords(scale, old.items, new.items)

    assert rare.likest(old.items[0], 2) == [2, 3]
    assert rare.likest(old.items[0], 9) == [2, 3, 1]
