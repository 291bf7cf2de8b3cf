"""Charts of figures."""

import re
from datetime import date

import pytest

from variorum_site.pages.charts import bars

DAYS = [date(2000 + year, 1, 1) for year in range(5)]


@pytest.mark.parametrize(("most", "figures"), [(0, ["1"]), (9, ["1"]), (10, ["1", "10"])])
def test_grid_of_powers(most: int, figures: list[str]) -> None:
    """A logarithmic chart has grid lines at powers of ten."""
    result = bars("Figures", DAYS, [0, most, 0, 0, 0])

    assert re.findall(r'<text class="label"[^>]*>([^<]+)', result) == figures


def test_bars_of_nothing_are_left_out() -> None:
    """A figure of zero has no bar."""
    assert bars("Figures", DAYS, [0, 1, 0, 100, 2]).count("<rect") == 3
