"""Charts of figures."""

from datetime import date

import pytest

from tests.site.reading import Document
from variorum_site.pages.charts import bars, line

DAYS = [date(2000 + year, 1, 1) for year in range(5)]


@pytest.mark.parametrize("most", [0, 1, 7, 10, 99, 3162, 156_076])
def test_grid(most: int) -> None:
    """Charts of any figures have at most five grid lines, and no tag is left open."""
    result = line("Figures", DAYS, [0, most, most // 2, 0, most])

    assert result.count('class="grid"') <= 5
    assert Document(result).unclosed == []


def test_bars_of_nothing_are_left_out() -> None:
    """A figure of zero has no bar."""
    assert bars("Figures", DAYS, [0, 1, 0, 100, 2], is_log=True).count("<rect") == 3


def test_line_keeps_its_height_until_the_next_day() -> None:
    """The line stays level until the next edition."""
    assert 'd="M6 160H183V12H360V160' in line("Figures", DAYS, [0, 5, 0, 0, 0])
