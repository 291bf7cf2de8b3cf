"""The outcomes of citations by dates and words, in the sample rulebook."""

from collections.abc import Callable
from typing import Protocol

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.audit.citations.find import CitationFinder
from variorum_kb.audit.judging.judge import CitationJudge
from variorum_kb.audit.judging.verdict import CitationVerdict, NumberMeaning


class Judged(Protocol):
    """Judges the citations of a text."""

    def __call__(self, text: str, day: str = "", to: str = "latest") -> list[CitationVerdict]:
        """Return the verdicts."""
        ...


NUMBERS = (
    *("702.9a-703.1b", "702.9-702.12a", "702.9-702.9a", "704.5x-aa", "100-999", "100.1-999.9"),
    *("704.5a-z", "501.2-5", "510.2-5", "702.11-12", "100.1a-100.2", "702.11a-702.12a", "300-301"),
    *("509.2-3", "702.12-703.1", "704.5c-705.1", "100-102", "101-308", "303-305", "502.2-502.3"),
    *("502.5a-b", "502.5-6", "501.2", "501.3", "605.2c", "702.11", "702.11a", "712.3a", "510.1"),
    "211.1",
)


@pytest.fixture(scope="module")
def judged(base: KnowledgeBase) -> Judged:
    """Return a function that judges the citations of a text, by a day and a target."""
    judges: dict[str, CitationJudge] = {}

    def judge(text: str, day: str = "", to: str = "latest") -> list[CitationVerdict]:
        judges.setdefault(to, CitationJudge(base, base.edition(to)))
        citations = list(CitationFinder().find(text))
        return judges[to].judge_all(text, citations, [day] * len(citations))

    return judge


@pytest.mark.parametrize(
    ("text", "day", "message"),
    [
        ("CR 100", "1999-05-14", ("current", ["100"], True)),
        ("CR 101.4", "1999-05-14", ("renumbered", ["103.5"], True)),
        ("CR 300.1", "2003-02-10", ("another provision", ["500.1"], True)),
        ("CR 300.1", "2010-01-22", ("current", ["300.1"], True)),
        ("CR 100.2", "2010-01-22", ("split", ["100.2", "100.3"], False)),
        ("CR 413.2", "2003-02-10", ("merged", ["608.2"], False)),
        ("CR 211.1", "2003-02-10", ("gone", list[str](), False)),
        ("CR 101.3", "2003-02-10", ("split", ["103.3", "103.4"], False)),
        ("CR 999.9", "2003-02-10", ("never existed", list[str](), False)),
        # A day between two editions, a set code and a word also name an edition.
        ("CR 300.1", "2009-12-31", ("another provision", ["500.1"], True)),
        ("CR 300.1", "first", ("another provision", ["500.1"], True)),
        ("CR 300.1", "2037-01-01", ("current", ["300.1"], True)),
    ],
)
def test_dated(judged: Judged, text: str, day: str, message: tuple[str, list[str], bool]) -> None:
    """A citation means the rule that had its number on its day."""
    (verdict,) = judged(text, day)

    assert (verdict.status, [first for first, _ in verdict.heirs], verdict.is_sure) == message


def test_date_of_the_verdict(judged: Judged) -> None:
    """A verdict names the edition of its day; without a day, or before the first edition, none."""
    (by_day,) = judged("CR 300.1", "2009-12-31")
    (undated,) = judged("CR 300.1")
    (too_early,) = judged("CR 300.1", "1990-01-01")

    assert [verdict.as_of for verdict in (by_day, undated, too_early)] == ["2008-06-20", "", ""]
    assert too_early == undated


def test_undated(judged: Judged) -> None:
    """Without a date, a number is in doubt if it has meant several rules."""
    doubtful, alone, current, never = judged("CR 300.1; CR 101.4; CR 100.1; CR 999.9")

    assert (doubtful.status, doubtful.heirs, doubtful.is_sure) == (
        "uncertain",
        (("500.1", "500.1"), ("300.1", "300.1")),
        False,
    )
    assert doubtful.meanings == (
        NumberMeaning(
            "1999-05-14", "2008-06-20", "General: A turn has five parts: dawn, the…", ("500.1",)
        ),
        NumberMeaning(
            "2010-01-22", "2025-05-30", "General: The kinds of card are lamp, boat,…", ("300.1",)
        ),
    )
    assert (alone.status, alone.why, alone.is_sure) == (
        "renumbered",
        "it never meant anything else",
        True,
    )
    assert (current.status, current.why) == ("current", "")
    assert never.status == "never existed"


def test_undated_heading_of_two_sections(judged: Judged) -> None:
    """Two sections of the same heading that had a number in turn are two meanings."""
    (verdict,) = judged("CR 300")

    assert (verdict.status, verdict.heirs) == ("uncertain", (("500", "500"), ("300", "300")))


@pytest.mark.parametrize(
    ("text", "heirs"),
    [
        ("CR 510.1", (("510.1", "510.1"),)),
        ("CR 510.1-510.2", (("510.1", "510.2"),)),
        ("CR 702.3a–c", (("702.3a", "702.3c"),)),
    ],
)
def test_undated_with_one_candidate(
    judged: Judged, text: str, heirs: tuple[tuple[str, str], ...]
) -> None:
    """If a number meant a removed rule and another today, it means today's, unless words deny it."""
    (verdict,) = judged(text)
    (denied,) = judged("CR 510.1: the condition of a card is upright or turned, tied or loose")

    assert (verdict.status, verdict.heirs) == ("current", heirs)
    assert denied.status == "another provision"


def test_not_in_the_edition_of_its_day(judged: Judged) -> None:
    """A number that only other editions have is judged by them, and not rewritten."""
    (verdict,) = judged("CR 101.4", "2025-05-30")

    assert (verdict.status, verdict.heirs, verdict.is_sure) == (
        "renumbered",
        (("103.5", "103.5"),),
        False,
    )
    assert verdict.why == "not in the edition of 2025-05-30"
    assert verdict.meanings == (
        NumberMeaning(
            "1999-05-14", "2008-06-20", "Setting Out: A player who dislikes his or her…", ("103.5",)
        ),
    )


@pytest.mark.parametrize(
    ("text", "heirs", "is_sure", "why"),
    [
        ("CR 502.3 (Drift)", [], False, "beside it: “Drift”"),
        ("Gleam, CR 502.3.", ["702.3"], True, "beside it: “Gleam”"),
        # A card's title is not the name of a keyword.
        ("CR 502.3 on a Night of Gleam", ["702.3"], False, "by the words beside it"),
        ("On a Night of Gleam as in CR 502.3", ["702.3"], False, "by the words beside it"),
        (
            "CR 502.3 says when Gleam wins.",
            ["702.3", "702.3a", "702.3c", "702.3b"],
            False,
            "beside it: “Gleam”",
        ),
    ],
)
def test_words_instead_of_a_date(
    judged: Judged, text: str, heirs: list[str], is_sure: bool, why: str
) -> None:
    """Without a date, the adjacent words decide; distant words do so with doubt."""
    (verdict,) = judged(text)

    assert [first for first, _ in verdict.heirs] == heirs
    assert (verdict.is_sure, verdict.why) == (is_sure, why)


def test_words_against_a_date(judged: Judged) -> None:
    """Adjacent words weigh more than a date, but nothing is rewritten then."""
    (verdict,) = judged("CR 300.1: “The kinds of card are lamp, boat, buoy, squall”", "2003-02-10")

    assert (verdict.status, verdict.is_sure) == ("current", False)
    assert verdict.why == (
        "beside it: “the kinds of card are lamp boat buoy…”, which it meant 2010-01-22 to "
        "2025-05-30"
    )


def test_weak_words_against_a_date(judged: Judged) -> None:
    """Distant words weigh less than a date."""
    (plain,) = judged("CR 502.3", "1999-05-14")
    (far,) = judged("CR 502.3 is older than Drift by far", "1999-05-14")

    assert far == plain


@pytest.mark.parametrize(
    ("text", "day", "heirs"),
    [
        # If a name decides, its rule is first, or a subrule that fits the number.
        ("CR 702.4 (Gleam)", "2025-05-30", ["702.3", "702.3a", "702.3c", "702.3b"]),
        (
            "CR 702.4 (Gleam): damage before boats without it",
            "2025-05-30",
            ["702.3", "702.3a", "702.3b", "702.3c"],
        ),
        (
            "CR 702.5a (Ram): damage left goes to the lighthouse",
            "2025-05-30",
            ["702.4a", "702.4", "702.4b"],
        ),
        ("CR 502.3 is Gleam", "", ["702.3", "702.3a", "702.3c", "702.3b"]),
        # Not if the number is certain, or the date agrees.
        ("CR 702.5 (Ram)", "", ["702.4"]),
        ("CR 702.5 (Ram)", "2010-01-22", ["702.4"]),
        # Not for a citation with its own edition.
        ("CR 702.4 (2025-05-30) is Gleam", "", ["702.4"]),
    ],
)
def test_subrules_of_a_named_rule(judged: Judged, text: str, day: str, heirs: list[str]) -> None:
    """A name decides on a rule; its subrules follow, likeliest first."""
    (verdict,) = judged(text, day)

    assert [first for first, _ in verdict.heirs] == heirs


@pytest.mark.parametrize(
    ("text", "day", "is_late"),
    [
        # Only later, or only earlier, editions have the number.
        ("CR 702.11a", "1999-05-14", True),
        ("CR 101.4", "2025-05-30", False),
        # As many editions later as earlier.
        ("CR 702.11a", "2017-11-10", False),
        ("CR 702.11a", "2015-04-17", False),
        ("CR 702.11a", "", False),
        ("CR 999.9", "1999-05-14", False),
    ],
)
def test_newer_than_its_date(judged: Judged, text: str, day: str, is_late: bool) -> None:
    """A number is newer than its date if the nearest edition with it is later."""
    (verdict,) = judged(text, day)

    assert verdict.is_late is is_late


@pytest.mark.parametrize(
    ("text", "day", "message"),
    [
        # A rare word is enough to doubt a number, but adds no subrules as candidates.
        (
            "CR 702.5a: boats, damage, hull",
            "",
            ("another provision", ["702.4a"], "beside it: “boats, damage, hull”"),
        ),
        # Common words are not enough: the whole sentence counts.
        (
            "CR 702.5a: boats, damage, lighthouse",
            "",
            ("another provision", ["702.4a"], "by the words beside it"),
        ),
        (
            "CR 400.1: ability, flag, harbor, moon, tide, cost, bars",
            "",
            ("uncertain", ["600.1", "400.1"], ""),
        ),
        # But they are enough to confirm a number.
        (
            "CR 600.1: ability, mast, flag",
            "",
            ("current", ["600.1"], "beside it: “ability, mast, flag”"),
        ),
        # Against a date, the whole sentence also counts, but only makes the number uncertain.
        ("CR 300.1: lamp, boat, kinds", "1999-05-14", ("current", ["300.1"], "300.1 says so now")),
        (
            "CR 302.1: hoist, hand, mast",
            "1999-05-14",
            ("another provision", ["502.1"], "but beside it: “hoist, hand, mast”"),
        ),
    ],
)
def test_words_of_one_meaning(
    judged: Judged, text: str, day: str, message: tuple[str, list[str], str]
) -> None:
    """Words of only one meaning of a number weigh less than its name."""
    (verdict,) = judged(text, day)

    status, heirs, why = message
    assert (verdict.status, verdict.why, verdict.is_sure) == (status, why, False)
    assert [first for first, _ in verdict.heirs][: len(heirs)] == heirs
    assert status == "uncertain" or len(verdict.heirs) == len(heirs)


def test_words_that_agree(judged: Judged) -> None:
    """Words that agree with the date change nothing."""
    (plain,) = judged("CR 502.3", "1999-05-14")
    (named,) = judged("CR 502.3 (Gleam)", "1999-05-14")

    assert plain == named


def test_nothing_cited(judged: Judged) -> None:
    """A text without citations needs no verdicts."""
    assert judged("nothing") == []


def test_words_of_a_neighbour(judged: Judged) -> None:
    """Words belong to the nearest citation."""
    first, second = judged("CR 502.3 (Gleam) CR 502.3 (Drift)")

    assert first.heirs == (("702.3", "702.3"),)
    assert second.heirs == ()


def test_name_of_a_neighbour(judged: Judged) -> None:
    """A name after the previous number is evidence for that number, not for the next."""
    first, second = judged("CR 702.8 (Tow), CR 702.9")

    assert first.status == "current"
    assert not second.is_sure


@pytest.mark.parametrize(
    ("text", "day", "expected"),
    [
        ("CR 502.5a–b", "first", ("renumbered", [("702.6a", "702.6b")], True)),
        ("CR 502.5-6", "first", ("renumbered", [("702.6", "702.7")], True)),
        ("CR 100.1-2", "2025-05-30", ("current", [("100.1", "100.2")], True)),
        ("CR 704.5a-c", "2010-01-22", ("current", [("704.5a", "704.5c")], True)),
        # No longer a range, or another one.
        ("CR 102-103", "first", ("uncertain", [("104", "101")], False)),
        ("CR 100-101", "first", ("another provision", [("100", "103")], False)),
        ("CR 502.2-502.4", "2003-02-10", ("uncertain", [("702.2", "702.3")], False)),
        ("CR 502.2-502.3", "2003-02-10", ("another provision", list[tuple[str, str]](), False)),
        ("CR 100.1-100.9", "first", ("never existed", list[tuple[str, str]](), False)),
        ("CR 900-999", "first", ("never existed", list[tuple[str, str]](), False)),
        # Too long to look at each number, so the numbers inside are unknown.
        ("CR 101-308", "first", ("another provision", [("103", "508")], False)),
    ],
)
def test_ranges(
    judged: Judged, text: str, day: str, expected: tuple[str, list[tuple[str, str]], bool]
) -> None:
    """A range is rewritten if the new range has the same provisions and no others."""
    (verdict,) = judged(text, day)

    status, heirs, is_sure = expected
    assert (list(verdict.heirs), verdict.is_sure) == (heirs, is_sure)
    assert verdict.status == status or not heirs


def test_range_to_a_number_never_printed(judged: Judged) -> None:
    """The reason says of each number of a range what it is now, or that it never existed."""
    (verdict,) = judged("CR 502.5a-502.5f", "2003-02-10")

    assert verdict.why == "502.5a is 702.4a, 502.5b is 702.4b, 502.5f never existed"


def test_range_says_no_wrong(judged: Judged) -> None:
    """Today's meaning of the last number is not reported for the first."""
    (verdict,) = judged("CR 100-101", "first")

    assert (verdict.was, verdict.now_means) == ("General", "")


def test_any_number(judged: Judged, golden: Callable[[str, object], None]) -> None:
    """Verdicts on ranges of all kinds, and on numbers printed twice or misprinted, are unchanged."""
    lines: list[str] = []
    for to in ("latest", "first", "2010-01-22"):
        for day in ("", "1999-05-14", "2006-03-01", "2010-01-22", "2025-05-30"):
            lines += [f"to {to}, {day or 'undated'}"]
            for text in NUMBERS:
                (verdict,) = judged(f"CR {text}", day, to)
                heirs = " ".join(["–".join(dict.fromkeys(pair)) for pair in verdict.heirs])
                marks = f"{' sure' * verdict.is_sure}{' late' * verdict.is_late}"
                lines.append(f"  {text}: {verdict.status}{marks} {heirs} {verdict.why}".rstrip())

    golden("audit/numbers.txt", "".join(f"{line}\n" for line in lines))


@pytest.mark.parametrize(
    ("text", "as_of", "is_pinned"),
    [
        ("CR 300.1 (1999-05-14)", "1999-05-14", True),
        ("CR 300.1 (1999-06)", "1999-05-14", True),
        ("CR 300.1 (of 2003-02)", "2003-02-10", True),
        ("CR 300.1 [as of 1999-05-14]", "1999-05-14", True),
        ("CR 300.1 (on 2001-01-01)", "1999-05-14", True),
        ("CR 300.1(2003-02-10)", "2003-02-10", True),
        ("CR 300.1 2003-02-10", "2010-01-22", False),
        ("CR 300.1 (see 2003-02-10)", "2010-01-22", False),
        ("CR 300.1 (2003-02-30)", "2010-01-22", False),
        ("CR 300.1 (2003-99-99)", "2010-01-22", False),
        ("CR 300.1 (1990-01-01)", "2010-01-22", False),
    ],
)
def test_pinned(judged: Judged, text: str, as_of: str, is_pinned: bool) -> None:
    """A writer may name the edition; an unknown name is ignored."""
    (verdict,) = judged(text, "2010-01-22")

    assert (verdict.as_of, verdict.is_pinned) == (as_of, is_pinned)
    assert not (verdict.is_pinned and verdict.is_sure)
