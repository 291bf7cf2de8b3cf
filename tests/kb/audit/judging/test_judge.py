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


def test_name_of_a_neighbour(judged: Judged) -> None:
    """A name after the previous number is evidence for that number, not for the next."""
    first, second = judged("CR 702.8 (Tow), CR 702.9")

    assert first.status == "current"
    assert not second.is_sure


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
