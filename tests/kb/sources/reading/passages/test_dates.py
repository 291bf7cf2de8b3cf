"""Days in the forms that people write."""

import pytest

from variorum_kb.text.days import find_day


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("June 7, 2024—Harbor Lights 3", "2024-06-07"),
        ("Revision as of 19:09, 21 November 2018 by somebody", "2018-11-21"),
        ("Sept. 5th, 2011", "2011-09-05"),
        ("June18, 2021", "2021-06-18"),
        ("2018-11-21T10:00Z", "2018-11-21"),
        ("MagicCompRules_20121001.rtf", "2012-10-01"),
        ("[CompRules 2007/02/01]", "2007-02-01"),
        ("[Aahz 03/17/97]", "1997-03-17"),
        ("97/12/18", "1997-12-18"),
        ("00/05/21", "2000-05-21"),
        ("12/31/93", "1993-12-31"),
        ("12/31/92", "2092-12-31"),
        ("12/31/99", "1999-12-31"),
        ("1/31/1993", "1993-01-31"),
        ("12/31/1992", "None"),
        ("1/31/2093", "None"),
        ("December 1, 2092", "2092-12-01"),
        ("3 March 2012, not June 7, 2024", "2012-03-03"),
        # An ambiguous date gives no day.
        ("05/06/07", "None"),
        ("October 2010", "None"),
        ("February 30, 2012", "None"),
        ("May 1, 1850", "None"),
        ("705.1 to 705.12", "None"),
    ],
)
def test_days(text: str, expected: str) -> None:
    """A text names this day, or no single day."""
    assert str(find_day(text)) == expected
