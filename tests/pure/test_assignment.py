"""The assignment with the greatest sum."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum.history.aligning.assignment import assign

ROWS = st.lists(
    st.dictionaries(
        st.integers(0, 4), st.sampled_from([-1.0, 0.0, 1.0, 2.0, 3.5, 4.25]), max_size=4
    ),
    max_size=5,
)


def best(rows: list[dict[int, float]], taken: frozenset[int] = frozenset()) -> float:
    """Return the greatest sum of all possible assignments."""
    if not rows:
        return 0.0
    alone = best(rows[1:], taken)
    paired = [
        gain + best(rows[1:], taken | {column})
        for column, gain in rows[0].items()
        if column not in taken
    ]
    return max([alone, *paired])


@given(ROWS)
def test_nothing_is_better(rows: list[dict[int, float]]) -> None:
    """No other assignment has a greater sum, and no column is assigned twice."""
    result = assign(rows)

    assert len(set(result.values())) == len(result)
    assert all(rows[row][column] > 0 for row, column in result.items())
    assert sum(rows[row][column] for row, column in result.items()) == best(rows)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([{0: 9.0, 1: 8.0}, {0: 8.5}], {0: 1, 1: 0}),
        # Of two equal sums, the earlier rows keep what they had.
        ([{0: 3.0, 1: 3.0}, {0: 4.0, 1: 4.0}], {0: 0, 1: 1}),
        ([{0: 3.0, 1: 4.0}, {0: 2.0, 1: 3.0}], {0: 1, 1: 0}),
    ],
)
def test_whole_before_parts(rows: list[dict[int, float]], expected: dict[int, int]) -> None:
    """A row gives up its best column if that makes the sum greater, and only then."""
    assert assign(rows) == expected
