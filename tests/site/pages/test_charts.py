"""Charts of figures."""

import re
from datetime import date

import pytest

from tests.site.reading import Document
from variorum_site.pages.charts import bars, line

DAYS = [date(2000 + year, 1, 1) for year in range(5)]


@pytest.mark.parametrize(
    ("most", "figures"),
    [
        (0, ["1"]),
        (1, ["1"]),
        (5, ["1", "2", "3", "4", "5"]),
        (6, ["2", "4", "6"]),
        (10, ["2", "4", "6", "8", "10"]),
        (99, ["20", "40", "60", "80"]),
        (3162, ["1,000", "2,000", "3,000"]),
        (156_076, ["50,000", "100,000", "150,000"]),
    ],
)
def test_grid(most: int, figures: list[str]) -> None:
    """Charts of any figures have at most five grid lines, and no tag is left open."""
    result = line("Figures", DAYS, [0, most, most // 2, 0, most])

    assert re.findall(r'<text class="label"[^>]*>([^<]+)', result) == figures
    assert Document(result).unclosed == []


@pytest.mark.parametrize(("most", "figures"), [(0, ["1"]), (9, ["1"]), (10, ["1", "10"])])
def test_grid_of_powers(most: int, figures: list[str]) -> None:
    """A logarithmic chart has grid lines at powers of ten."""
    result = bars("Figures", DAYS, [0, most, 0, 0, 0], is_log=True)

    assert re.findall(r'<text class="label"[^>]*>([^<]+)', result) == figures


def test_bars_of_nothing_are_left_out() -> None:
    """A figure of zero has no bar."""
    assert bars("Figures", DAYS, [0, 1, 0, 100, 2], is_log=True).count("<rect") == 3


def test_line_keeps_its_height_until_the_next_day() -> None:
    """The line stays level until the next edition."""
    assert 'd="M6 160H183V12H360V160' in line("Figures", DAYS, [0, 5, 0, 0, 0])
