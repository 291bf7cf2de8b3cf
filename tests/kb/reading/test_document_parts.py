"""The parts of an edition, and editions that lack some."""

import pytest

from tests.support.edition_texts import CREDITS, HEAD, RULES, page
from variorum_kb.errors import DocumentError, LayoutError, ParseError, TruncatedError
from variorum_kb.model import Irregular
from variorum_kb.reading.edition import read_edition


@pytest.mark.parametrize(
    ("data", "kind", "message"),
    [
        (
            page(rules=RULES.partition("101.1. ")[2]),
            TruncatedError,
            (
                "a.txt:21: begins too late: its first rule is 101.1a, "
                "without chapter 1 and section 100 above it"
            ),
        ),
        (
            page().partition(b"Glossary\n\nBoat")[0],
            TruncatedError,
            "a.txt:39: ends without a glossary",
        ),
        (
            page().partition(b"2. What")[0],
            TruncatedError,
            "a.txt:47: ends inside the glossary, without credits",
        ),
        (
            page() + page(),
            ParseError,
            "a.txt:77: a rule after the credits: more than one edition",
        ),
        (
            page(head=HEAD.replace("June 5", "Juno 5")),
            ParseError,
            "a.txt:3: 'Juno' is not a month",
        ),
        (
            page(head=HEAD.replace("June 5", "June 31")),
            ParseError,
            "a.txt:3: no such date: day is out of range for month",
        ),
        (
            page(head=HEAD.replace("June 5, 2020", "now"), credits_="Nobody"),
            LayoutError,
            "a.txt: no sentence states the date from which the rules are effective",
        ),
    ],
)
def test_error_names_what_is_missing(data: bytes, kind: type[DocumentError], message: str) -> None:
    """An incomplete edition is refused, with the place of the error."""
    with pytest.raises(kind) as caught:
        read_edition(data, "a.txt")

    assert str(caught.value) == message


def test_introduction_and_credits() -> None:
    """The text between date and contents, and the text below the credits, are kept."""
    edition = read_edition(page(), "a.txt")

    assert len(edition.introduction) == 1
    assert edition.introduction[0].startswith("This rulebook explains a small game")
    assert edition.credits == tuple(CREDITS.strip().split("\n\n"))
    assert edition.effective.isoformat() == "2020-06-05"
    assert edition.irregularities == ()


@pytest.mark.parametrize("stated", ["June5, 2020.", "June 5, 2020", "JUNE 5, 2020."])
def test_forms_of_dates(stated: str) -> None:
    """The dating sentence lacks a blank in 2021-06-18, and its period since 2023-11-17."""
    data = page(head=HEAD.replace("June 5, 2020.", stated))

    assert read_edition(data, "a.txt").effective.isoformat() == "2020-06-05"


def test_dates_that_differ() -> None:
    """The first date counts; a different later one is recorded."""
    edition = read_edition(page(credits_=CREDITS.replace("June 5", "June 6")), "a.txt")

    (odd,) = edition.irregularities
    assert (odd.kind, odd.printed, odd.meant) == (
        Irregular.DATES_DIFFER,
        "2020-06-06",
        "2020-06-05",
    )
    assert edition.effective.isoformat() == "2020-06-05"


def test_no_contents() -> None:
    """2003-05-26 has no contents page."""
    head = HEAD.partition("Contents")[0]

    edition = read_edition(page(head=head), "a.txt")

    assert edition.counts()["rules"] == 7
    assert len(edition.introduction) == 1
