"""The timelines of provisions."""

import re
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from tests.site.reading import Document
from variorum_site.page_index import PageIndex
from variorum_site.pages.timeline import WIDTH, Scale, life_line, signs

FIRST, LAST = date(1999, 1, 1), date(2026, 1, 1)


@given(st.dates(FIRST, LAST), st.dates(FIRST, LAST))
def test_scale_is_true(first: date, second: date) -> None:
    """Later days are further right, and all days are within the picture."""
    scale = Scale(FIRST, LAST)

    assert 0 <= scale.at(first) <= WIDTH
    assert (first <= second) <= (scale.at(first) <= scale.at(second))


def test_years_are_named() -> None:
    """Every fifth year has a labelled line."""
    assert [year for year, _ in Scale(FIRST, LAST).years()] == [2000, 2005, 2010, 2015, 2020, 2025]


def test_one_day() -> None:
    """A single edition also has a timeline."""
    assert Scale(FIRST, FIRST).at(FIRST) >= 0


def test_life_line(index: PageIndex) -> None:
    """Each number of a provision has a bar, and a label describes them in words."""
    days = [edition.effective for edition in index.editions]
    holder = index.holders(next(page for page in index.pages if page == "rule/705.2/"))[0]

    result = life_line(index.life(holder.end), days)

    page = Document(result)
    assert result.count("<rect") >= 2
    assert page.unclosed == []
    assert page.inline == []
    match = re.search(r'aria-label="([^"]*)"', result)
    assert match
    assert "511.2 from 2006-03-01; 705.2 from 2010-01-22" in match[1]


def test_signs(index: PageIndex) -> None:
    """The legend has exactly the marks in the picture."""
    days = [edition.effective for edition in index.editions]
    for page in index.pages:
        life = index.life(index.holders(page)[0].end)
        listed = {sign for sign, _ in signs(life)}
        image = life_line(life, days)

        assert ("●" in listed) == (' r="4"' in image)
        assert ("○" in listed) == (' r="3.5"' in image)
        assert ("×" in listed) == (life.gone is not None)
