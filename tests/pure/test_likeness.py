"""Likeness by rare words and by runs of words."""

import pytest

from variorum.history.aligning.likeness import RareWordIndex, Scale, WeighedSide, likest
from variorum.history.aligning.sides import Side
from variorum.history.canonical import Folder
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

    ranked = RareWordIndex(scale, new.where).ranked(scale.words(old.items[0]))

    assert [place for _, place in ranked] == [*range(count)] * is_rare


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

    assert result == [(0, 1, words)] * is_run


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
    words = scale.words(old.items[0])

    ranked = RareWordIndex(scale, new.where).ranked(words)

    assert likest(ranked, words, 2, WeighedSide(scale, new)) == [2, 3]
    assert likest(ranked, words, 9, WeighedSide(scale, new)) == [2, 3, 1]
