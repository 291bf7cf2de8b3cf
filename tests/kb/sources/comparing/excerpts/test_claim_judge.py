"""Verdicts on claims about a day, with invented histories."""

from datetime import date

import pytest

from variorum_kb.sources.comparing.attestation_types import PassageVerdict
from variorum_kb.sources.comparing.excerpts.claim_judge import Calendar, PastTurns, Turn, check

DAYS = [date(2001, 1, 1), date(2002, 2, 1), date(2003, 3, 1), date(2004, 4, 1), date(2005, 5, 1)]
CALENDAR = Calendar(DAYS, [day.isoformat() for day in DAYS])
LAMP = "A lamp that burns is lit."


def lived(*turns: tuple[int, int, str, str], number: str = "") -> PastTurns:
    """Return a history of words about a lamp, by default ending with the last number."""
    return PastTurns(LAMP, tuple([Turn(*turn) for turn in turns]), number or turns[-1][2])


CHANGED = lived((0, 1, "100.1", "A lamp burns."), (2, 4, "100.1", LAMP))
EARLY = lived((0, 0, "100.1", "A lamp burns."), (1, 4, "100.1", LAMP))
MOVED = lived((1, 2, "100.1", LAMP), (3, 3, "100.2", LAMP), (4, 4, "100.3", LAMP))
WORDS = "the words stand since 2003-03-01"


@pytest.mark.parametrize(
    ("life", "day", "verdict"),
    [
        (CHANGED, "2003-03-01", PassageVerdict.BY_WORDS),
        (CHANGED, "2003-02-10", PassageVerdict.BY_WORDS),
        (CHANGED, "2003-03-09", PassageVerdict.BY_WORDS),
        (CHANGED, "2003-01-29", PassageVerdict.BY_WORDS),
        (CHANGED, "2003-01-28", PassageVerdict.UNKNOWN),
        (CHANGED, "2003-04-01", PassageVerdict.BY_WORDS),
        (CHANGED, "2003-04-02", PassageVerdict.CONTRADICTED),
        (CHANGED, "2002-02-01", PassageVerdict.CONTRADICTED),
        (CHANGED, "2002-02-05", PassageVerdict.CONTRADICTED),
        (CHANGED, "2002-09-01", PassageVerdict.UNKNOWN),
        (CHANGED, "2003-09-01", PassageVerdict.CONTRADICTED),
        (CHANGED, "2004-04-01", PassageVerdict.CONTRADICTED),
        (CHANGED, "1999-01-01", PassageVerdict.CONTRADICTED),
        (EARLY, "2001-01-05", PassageVerdict.CONTRADICTED),
        (MOVED, "2002-02-01", PassageVerdict.BY_WORDS),
        (MOVED, "2004-04-01", PassageVerdict.BY_NUMBER),
        (MOVED, "2005-05-01", PassageVerdict.BY_NUMBER),
        (MOVED, "2003-03-01", PassageVerdict.CONTRADICTED),
        (MOVED, "2004-10-01", PassageVerdict.UNKNOWN),
        (lived((0, 4, "100.1", LAMP)), "2001-01-01", PassageVerdict.BY_WORDS),
        (lived((0, 4, "100.1", LAMP)), "2000-12-30", PassageVerdict.UNKNOWN),
        (lived((0, 4, "100.1", LAMP)), "1999-01-01", PassageVerdict.UNKNOWN),
        (lived((0, 4, "100.1", LAMP)), "2002-02-01", PassageVerdict.CONTRADICTED),
        (lived((0, 4, "100.1", "A boat floats.")), "2002-02-01", PassageVerdict.UNKNOWN),
    ],
)
def test_days(life: PastTurns, day: str, verdict: PassageVerdict) -> None:
    """A day is confirmed if the edition of that day, or one close to it, made the change."""
    assert check(life, date.fromisoformat(day), CALENDAR)[0] is verdict


@pytest.mark.parametrize(
    ("life", "day", "lines"),
    [
        (CHANGED, "2003-03-01", [WORDS, "2002-02-01 has other words"]),
        (
            CHANGED,
            "2003-02-10",
            [
                WORDS,
                "2002-02-01 has other words",
                "no edition here is of 2003-02-10; that of 2003-03-01 is 19 days later",
            ],
        ),
        (
            CHANGED,
            "2004-04-01",
            [
                WORDS,
                "2002-02-01 has other words",
                "words and number are the same in 2003-03-01 and 2004-04-01",
            ],
        ),
        (
            CHANGED,
            "2002-02-01",
            [
                WORDS,
                "2002-02-01 has other words",
                "the words are newer than 2002-02-01: 2003-03-01 brought them",
            ],
        ),
        (
            CHANGED,
            "2002-09-01",
            [
                WORDS,
                "2002-02-01 has other words",
                (
                    "no edition here is of 2002-09-01; 2003-03-01 is the next one, so that a "
                    "change after 2002-02-01 may be meant"
                ),
            ],
        ),
        (
            EARLY,
            "2001-07-01",
            [
                "the words stand since 2002-02-01",
                "2001-01-01 has other words",
                (
                    "no edition here is of 2001-07-01; 2002-02-01 is the next one, so that a "
                    "change after 2001-01-01 may be meant"
                ),
            ],
        ),
        (
            MOVED,
            "2005-05-01",
            [
                "the words stand since 2002-02-01 as 100.1; the number since 2005-05-01",
                "2001-01-01 has no such provision",
                "2005-05-01: 100.2 became 100.3",
            ],
        ),
    ],
)
def test_evidence(life: PastTurns, day: str, lines: list[str]) -> None:
    """The verdict names the editions that prove it, and their readings."""
    assert check(life, date.fromisoformat(day), CALENDAR)[1] == lines


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ("See rule 100.1 first.", "See rule 200.1 first.", "only what it cites changed"),
        ("See a lamp: first.", "See a lamp, first.", "only signs changed, no word"),
    ],
)
def test_smaller_changes(before: str, after: str, line: str) -> None:
    """A claim may also name the day on which only cited numbers or punctuation changed."""
    life = PastTurns(
        after, (Turn(0, 1, "5", "No."), Turn(2, 2, "5", before), Turn(3, 4, "5", after)), "5"
    )

    assert check(life, DAYS[2], CALENDAR)[0] is PassageVerdict.BY_WORDS
    verdict, why = check(life, DAYS[3], CALENDAR)
    assert (verdict, why[-1]) == (PassageVerdict.BY_WORDS, f"2004-04-01: {line}")
    assert check(life, DAYS[4], CALENDAR)[0] is PassageVerdict.CONTRADICTED


def test_spelling_is_no_change() -> None:
    """Different quotes and dashes are no change."""
    turns = (Turn(0, 2, "5", "A “lamp”—it’s lit."), Turn(3, 4, "5", 'A "lamp" - it\'s lit.'))
    life = PastTurns('A "lamp"-it\'s lit.', turns, "5")

    assert check(life, DAYS[3], CALENDAR)[0] is PassageVerdict.CONTRADICTED


def test_several_smaller_changes() -> None:
    """Each edition that changed punctuation confirms its day, even if another changed it later."""
    texts = ["No.", "See a lamp: first.", "See a lamp; first.", "See a lamp, first."]
    turns = tuple([Turn(place, place, "5", text) for place, text in enumerate(texts)])
    life = PastTurns("See a lamp, first.", turns, "5")

    passage_verdicts = [check(life, day, CALENDAR)[0] for day in DAYS]

    assert passage_verdicts == [
        PassageVerdict.CONTRADICTED,
        PassageVerdict.BY_WORDS,
        PassageVerdict.BY_WORDS,
        PassageVerdict.BY_WORDS,
        PassageVerdict.CONTRADICTED,
    ]


def test_absence() -> None:
    """Words that one edition lacked are in force since their return."""
    life = lived((0, 1, "100.1", LAMP), (3, 4, "100.1", LAMP))

    verdict, why = check(life, DAYS[3], CALENDAR)

    assert verdict is PassageVerdict.BY_WORDS
    assert why == ["the words stand since 2004-04-01", "2003-03-01 has no such provision"]


def test_part_of_a_paragraph() -> None:
    """A claim about one of several sentences concerns only that sentence."""
    turns = (Turn(0, 1, "5", "A boat floats."), Turn(2, 4, "5", f"A boat floats. {LAMP}"))

    assert (
        check(PastTurns("A boat floats.", turns, "5"), DAYS[2], CALENDAR)[0]
        is PassageVerdict.CONTRADICTED
    )
    assert check(PastTurns(LAMP, turns, "5"), DAYS[2], CALENDAR)[0] is PassageVerdict.BY_WORDS


def test_close_to_an_edition_that_changed_nothing() -> None:
    """A day close to an edition means it, even if only the next edition made a change."""
    verdict, why = check(MOVED, date(2003, 3, 9), CALENDAR)

    assert verdict is PassageVerdict.CONTRADICTED
    assert why[-1] == "words and number are the same in 2002-02-01 and 2003-03-01"


def test_wrong_number() -> None:
    """A renumbering confirms only its new number."""
    life = lived((1, 2, "100.1", LAMP), (3, 4, "100.2", LAMP), number="100.7")

    assert check(life, DAYS[1], CALENDAR)[0] is PassageVerdict.BY_WORDS
    assert check(life, DAYS[3], CALENDAR) == (
        PassageVerdict.CONTRADICTED,
        [
            "the words stand since 2002-02-01 as 100.1; no edition found prints them as 100.7",
            "2001-01-01 has no such provision",
            "2005-05-01 has them as 100.2",
        ],
    )
    assert check(life, date(2003, 9, 1), CALENDAR)[0] is PassageVerdict.UNKNOWN


@pytest.mark.parametrize(
    ("day", "of", "before", "in_force", "near"),
    [
        ("2000-12-31", [0], -1, None, "1 day later"),
        ("2001-01-01", [0], -1, 0, ""),
        ("2001-01-02", [0], 0, 0, "1 day earlier"),
        ("2002-01-31", [1], 0, 0, ""),
        ("2001-06-15", [], 0, 0, ""),
        ("2005-05-01", [4], 3, 4, ""),
        ("2005-05-03", [4], 4, 4, ""),
    ],
)
def test_calendar(day: str, of: list[int], before: int, in_force: int | None, near: str) -> None:
    """A day means the edition of that day, or one a few days off; the last edition is in force."""
    asked = date.fromisoformat(day)

    assert CALENDAR.of(asked) == of
    assert (CALENDAR.before(asked), CALENDAR.in_force(asked)) == (before, in_force)
    assert CALENDAR.distance(0, asked) == near
