"""The edition that a text with a doubtful date is most similar to."""

import pytest

from variorum_kb.history.in_time import nearest_elsewhere
from variorum_kb.thresholds.trust import OUT_OF_TIME, SAME_TEXT

OLD, BEFORE, AFTER, DAY = "2001-01-01", "2003-03-03", "2005-05-05", "2004-04-04"
HERE = set(range(2000))
FAR, SAME = int(OUT_OF_TIME * len(HERE)), int(SAME_TEXT * len(HERE))


def wordings(missing: int, more: int = 0) -> set[int]:
    """Return this edition's wordings without the first few, plus some that it lacks."""
    return set(range(missing, len(HERE) + more))


@pytest.mark.parametrize(
    ("held", "nearest"),
    [
        ({}, ""),
        ({BEFORE: set[int]()}, ""),
        ({BEFORE: wordings(900)}, ""),
        ({AFTER: wordings(900)}, ""),
        ({OLD: wordings(100), BEFORE: wordings(100 + FAR)}, ""),
        ({OLD: wordings(100), BEFORE: wordings(101 + FAR)}, OLD),
        ({OLD: wordings(100), AFTER: wordings(100 + FAR)}, ""),
        ({OLD: wordings(100), AFTER: wordings(101 + FAR), BEFORE: wordings(900)}, OLD),
        ({OLD: wordings(100), BEFORE: wordings(900), AFTER: wordings(101 + FAR)}, OLD),
        ({DAY: wordings(100), BEFORE: wordings(101 + FAR)}, DAY),
        ({OLD: wordings(len(HERE) - FAR - 1), BEFORE: set[int]()}, OLD),
        ({BEFORE: wordings(SAME)}, BEFORE),
        ({BEFORE: wordings(SAME + 1)}, ""),
        ({BEFORE: wordings(0, SAME)}, BEFORE),
        ({BEFORE: wordings(0, SAME + 1)}, ""),
        ({OLD: wordings(SAME), BEFORE: wordings(SAME)}, BEFORE),
    ],
)
def test_nearest(held: dict[str, set[int]], nearest: str) -> None:
    """Another edition is named if it has the same text, or is much closer than adjacent editions."""
    assert nearest_elsewhere(DAY, HERE, held) == nearest
