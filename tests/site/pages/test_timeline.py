"""The timelines of provisions."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from variorum_site.page_index import PageIndex
from variorum_site.pages.timeline import WIDTH, Scale, life_line, signs

FIRST, LAST = date(1999, 1, 1), date(2026, 1, 1)


@given(st.dates(FIRST, LAST), st.dates(FIRST, LAST))
def test_scale_is_true(first: date, second: date) -> None:
    """Later days are further right, and all days are within the picture."""
    scale = Scale(FIRST, LAST)

    assert 0 <= scale.at(first) <= WIDTH
    assert (first <= second) <= (scale.at(first) <= scale.at(second))


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
