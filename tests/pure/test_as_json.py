"""Irregularities as JSON."""

import pytest

from variorum.model import Irregular, Irregularity
from variorum.reading.as_json import irregularity_json


@pytest.mark.parametrize(("start", "expected"), [(-1, None), (0, 0), (7, 7)])
def test_start(start: int, expected: int | None) -> None:
    """A place in the text is given if there is one, even the first."""
    irregularity = Irregularity(Irregular.LOST_CHARACTER, "?", "–", "", start)

    assert irregularity_json(irregularity).start == expected
