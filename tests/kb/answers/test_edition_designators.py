"""The edition that a designator names."""

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

import pytest

from variorum_kb.answers.edition_designators import (
    completions,
    day_note,
    find_edition,
    fitting_sets,
    is_date,
    of_day,
    of_month,
    of_set,
    split_pair,
)
from variorum_kb.answers.unknown_edition import is_ambiguous, why_none


@dataclass(frozen=True, slots=True)
class Known:
    """An edition with the properties that designators use."""

    effective: date
    set_code: str = ""
    set_name: str = ""
    issue: int = 1
    is_chosen: bool = True
    suffix: str = ""

    @property
    def label(self) -> str:
        """Return its date, with its issue if there are several."""
        return f"{self.effective}{self.suffix}"


EDITIONS = (
    Known(date(2003, 2, 10), "LNT", "Lanterns"),
    Known(date(2005, 3, 1), "TID", "The Tides", 1, is_chosen=False, suffix=".1"),
    Known(date(2005, 3, 1), "TID", "The Tides", 2, suffix=".2"),
    Known(date(2005, 3, 18), "TID", "The Tides"),
    Known(date(2009, 7, 11)),
    Known(date(2011, 9, 30), "SHR", "Shores", 1, suffix=".1"),
    Known(date(2011, 9, 30), "SHR", "Shores", 2, is_chosen=False, suffix=".2"),
)
TODAY = "2010-01-01"


@pytest.mark.parametrize(
    ("designator", "label"),
    [
        ("first", "2003-02-10"),
        (" Latest ", "2011-09-30.1"),
        ("last", "2011-09-30.1"),
        ("newest", "2011-09-30.1"),
        ("oldest", "2003-02-10"),
        ("now", "2009-07-11"),
        ("20090801", "2009-07-11"),
        ("current", "2009-07-11"),
        ("Today", "2009-07-11"),
        ("2005-03-01", "2005-03-01.2"),
        ("2005-03-01.1", "2005-03-01.1"),
        ("2005-03-01.2", "2005-03-01.2"),
        ("2005-03-18.1", "2005-03-18"),
        ("2005-03-17", "2005-03-01.2"),
        ("2011-09-30.2", "2011-09-30.2"),
        ("2099-12-31", "2011-09-30.1"),
        ("tid", "2005-03-18"),
        ("the tides", "2005-03-18"),
        ("Shores", "2011-09-30.1"),
        ("tides", "2005-03-18"),
        ("SHO", "2011-09-30.1"),
        ("2005", "2005-03-18"),
        ("2010", "2009-07-11"),
        ("2005-02", "2003-02-10"),
        ("2005-3", "2005-03-18"),
        ("march 2005", "2005-03-18"),
        ("2005 Mar.", "2005-03-18"),
        ("March 17th, 2005", "2005-03-01.2"),
        ("17 March 2005", "2005-03-01.2"),
        ("Sept 2011", "2011-09-30.1"),
    ],
)
def test_found(designator: str, label: str) -> None:
    """A word, a day, an issue, a code and a name each name one edition."""
    edition = find_edition(reversed(EDITIONS), designator, TODAY)

    assert edition is not None
    assert edition.label == label


@pytest.mark.parametrize(
    "designator",
    [
        *("", " ", "2002", "2003-01", "2009-13", "july", "july 11", "XYZ", "id", "?"),
        *("2009-07-11-1", "may 32 2005", "may june 2005", "2005 2009", "feb 30, 2005"),
        *(
            "2003-02-09",
            "2005-03-01.3",
            "2005-03-02.1",
            "2005-02-30",
            "2005-02-30.1",
            "TID..SHR",
            "r",
        ),
    ],
)
def test_not_found(designator: str) -> None:
    """Days before the first edition, days that do not exist, and unknown words name no edition."""
    assert find_edition(reversed(EDITIONS), designator, TODAY) is None


def test_no_more_than_needed() -> None:
    """The newest edition is found without looking at any other."""

    def newest_first() -> Iterator[Known]:
        yield EDITIONS[5]
        pytest.fail("looked on")

    assert find_edition(newest_first(), "latest") == EDITIONS[5]


@pytest.mark.parametrize(
    ("designator", "today", "reason"),
    [
        (
            "current",
            date(2001, 1, 1),
            "no edition is in force on 2001-01-01; the earliest edition here is 2003-02-10",
        ),
        (
            "2001-01-01",
            None,
            "no edition was in force on 2001-01-01; the earliest edition here is 2003-02-10",
        ),
        ("tidse", None, "no edition is called 'tidse'; near: The Tides, TID; give a date"),
        ("zzz", None, "no edition is called 'zzz'; give a date"),
        (
            "2001",
            None,
            "no edition was in force on the last day of 2001; the earliest edition here",
        ),
        ("TID..SHR", None, "'TID..SHR' names two editions; give one"),
        ("2005-03-02.1", None, "no edition 2005-03-02.1: none is dated 2005-03-02"),
        ("2005-03-01.3", None, "no edition 2005-03-01.3: the base has issue 1, 2 of 2005-03-01"),
    ],
)
def test_why_none(designator: str, today: date | None, reason: str) -> None:
    """If no edition fits, the message lists what the base has."""
    assert why_none(EDITIONS, designator, today).startswith(reason)


ALARA = (
    Known(date(2008, 10, 1), "ALA", "Shards of Alara"),
    Known(date(2009, 2, 1), "CON", "Conflux"),
    Known(date(2009, 5, 1), "ARB", "Alara Reborn"),
    Known(date(2009, 10, 1), "ZEN", "Zendikar"),
    Known(date(2020, 9, 25), "ZNR", "Zendikar Rising"),
)


@pytest.mark.parametrize(
    ("words", "codes"),
    [
        ("Alara", "ARB CON ALA"),
        ("zendikar", "ZEN"),
        ("ZENDIKAR: rising", "ZNR"),
        ("dikar", "ZNR ZEN"),
        ("con", "CON"),
        ("al", ""),
        ("", ""),
    ],
)
def test_fitting_sets(words: str, codes: str) -> None:
    """Whole names are preferred to parts; a block's name fits all its sets."""
    assert [
        fitting_set.set_code for fitting_set in fitting_sets(reversed(ALARA), words)
    ] == codes.split()


def test_fitting_sets_without_codes() -> None:
    """Sets without a code are told apart by their names; each has its last edition."""
    names = ("High Tides", "Low Tides", "", "High Tides")
    editions = [Known(date(2010 + year, 1, 1), "", name) for year, name in enumerate(names)]

    fitting = fitting_sets(reversed(editions), "tides")

    assert [edition.label for edition in fitting] == ["2013-01-01", "2011-01-01"]


def test_why_several() -> None:
    """If several sets fit, the message lists them, oldest first."""
    assert is_ambiguous(ALARA, "alara")
    assert why_none(ALARA, "alara", None) == (
        "'alara' fits 3 sets: Shards of Alara (ALA, 2008-10-01), Conflux (CON, 2009-02-01), "
        "Alara Reborn (ARB, 2009-05-01); name one"
    )


@pytest.mark.parametrize(
    ("designators", "pair"),
    [
        ("M10..M11", ("M10", "M11")),
        ("M10 ... M11", ("M10", "M11")),
        ("2009..", ("2009", "current")),
        ("..shards of alara", ("first", "shards of alara")),
        ("..", None),
        ("2026-08-07.2", None),
    ],
)
def test_split_pair(designators: str, pair: tuple[str, str] | None) -> None:
    """Two dots separate two editions; a missing one means the first or the current edition."""
    assert split_pair(designators) == pair


def test_why_none_of_none() -> None:
    """Without editions, the message says how to get some."""
    assert why_none((), "first", None).startswith("the knowledge base holds no edition")


def test_several() -> None:
    """A day, a month or a set means all its issues."""
    assert [known.label for known in of_day(EDITIONS, date(2005, 3, 1))] == [
        "2005-03-01.1",
        "2005-03-01.2",
    ]
    assert len(list(of_month(EDITIONS, 2005, 3))) == 3
    names = ("Tid", "the Tides", "Tides")
    assert [len(list(of_set(EDITIONS, name))) for name in names] == [3, 3, 0]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("2004-02-29", True),
        ("2005-02-29", False),
        ("1900-02-29", False),
        ("2000-02-29", True),
        ("2005-13-01", False),
        ("2005-00-01", False),
        ("2005-01-32", False),
        ("0000-01-01", False),
        ("2005-1-01", False),
        ("²⁰⁰⁵-01-01", False),
        ("M10", False),
    ],
)
def test_is_date(word: str, expected: bool) -> None:
    """Only a day of the calendar is a date."""
    assert is_date(word) is expected


def test_completions() -> None:
    """Words, labels and codes are completed in any case; an empty code is not offered."""
    assert completions(EDITIONS, "t") == ["TID", "today"]
    assert completions(EDITIONS, "2011") == ["2011-09-30.1", "2011-09-30.2"]
    assert "" not in completions(EDITIONS, "")


@pytest.mark.parametrize(
    ("designator", "held", "message"),
    [
        ("2006-02-01", date(2006, 2, 1), ""),
        ("M10", date(2009, 7, 11), ""),
        ("today", date(2009, 7, 11), ""),
        ("2006-04-30", date(2006, 2, 1), "in force on 2006-04-30: the edition of"),
        (
            "2006-05-01",
            date(2006, 2, 1),
            "the edition in force on 2006-05-01, that of 2006-05-01, is not in",
        ),
        (
            "May 2006",
            date(2006, 2, 1),
            "the edition in force on the last day of May 2006, that of 2006-05-01,",
        ),
        ("2006", date(2006, 10, 1), "in force on the last day of 2006: the edition of"),
        (
            "2024-10-01",
            date(2024, 7, 30),
            "the edition in force on 2024-10-01, that of 2024-09-20, is",
        ),
        (
            "2010-01-01",
            date(2009, 2, 1),
            "the edition in force on 2010-01-01, that of 2009-10-01, is",
        ),
        # An edition of other rules.
        ("2006-06-01", date(2006, 2, 2), "in force on 2006-06-01: the edition of"),
    ],
)
def test_which_edition_was_taken(designator: str, held: date, message: str) -> None:
    """A note names the edition used for a day, month or year, or for a missing edition."""
    note = day_note(designator, Known(held))

    assert note == "" if not message else note.startswith(message)
    assert not message or note.endswith(f"edition of {held}")


@pytest.mark.parametrize("year", [1900, 2000, 2008, 2009])
def test_days_of_the_calendar(year: int) -> None:
    """Each day up to the last of its month is a date, and none after it."""
    for month in range(1, 13):
        last = monthrange(year, month)[1]
        days = [day for day in range(33) if is_date(f"{year}-{month:02}-{day:02}")]
        assert days == [*range(1, last + 1)]
    assert not is_date(f"{year}-00-01")
    assert not is_date(f"{year}-13-01")
