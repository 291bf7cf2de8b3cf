"""Stale citations, whose target moved under an unchanged sentence, and similar cases."""

from pathlib import Path

import pytest

from tests.support.lint_rulebooks import (
    BELLS,
    FERRY,
    MOVED,
    OARS,
    RULES,
    TIDE,
    WICK,
    Rules,
    find_anew,
    lint,
    of,
    under,
    without,
)
from tests.support.small_bases import write_otherwise
from variorum_kb.forms.lint import LintJson


def stale(lints: list[LintJson]) -> list[list[tuple[str, str, str | None, str | None]]]:
    """Return the stale citations of each edition: place, number, number meant, and since when."""
    return [
        [
            (finding["address"], finding["printed"], finding["means"], finding["since"])
            for finding in of("stale", each)
        ]
        for each in lints
    ]


# Stale -------------------------------------------------------------------------------------------


def test_stale(tmp_path: Path) -> None:
    """A citation whose target moved is stale until its number is corrected."""
    mended = {**MOVED, "100.3.": TIDE.replace("101.2", "101.3")}

    answers = lint(
        tmp_path, RULES, MOVED, MOVED | {"101.5.": "Gulls follow the fishing fleet."}, mended
    )

    here = [("100.3", "101.2", "101.3", "2021-07-06")]
    assert stale(answers) == [[], here, here, []]


def test_stale_says_where_it_is_now(tmp_path: Path) -> None:
    """The finding names the meant rule by its number in that edition, however often it moved."""
    again = {**MOVED, "101.1.": "Gulls follow the fishing fleet past the mole."}
    again |= {"101.2.": BELLS, "101.3.": WICK, "101.4.": OARS, "101.5.": FERRY}

    answers = lint(tmp_path, RULES, MOVED, again)

    assert stale(answers)[2] == [("100.3", "101.2", "101.4", "2021-07-06")]


def test_stale_ends_with_the_sentence(tmp_path: Path) -> None:
    """A number in a rewritten sentence is no longer stale, since it may be intended."""
    reworded = "Whoever rows against the current of the bay loses one oar (see rule 101.2)."

    answers = lint(tmp_path, RULES, MOVED, {**MOVED, "100.3.": reworded})

    assert [len(rows) for rows in stale(answers)] == [0, 1, 0]


def test_no_finding_rests_on_a_doubtful_step(tmp_path: Path) -> None:
    """A removed rule and the new bearer of its number may be one rule, so there is no finding."""
    answers = lint(tmp_path, RULES, {**without("101.3.", RULES), "101.2.": FERRY}, MOVED)

    (last,) = stale(answers)[2]
    assert stale(answers)[:2] == [[], []]
    assert last[:2] == ("100.3", "101.2")


def test_stale_section(tmp_path: Path) -> None:
    """Cited sections are also followed; a wrong title is no second finding."""
    cites = {"100.3.": "Who steers is said elsewhere (see rule 101, “Lamps”)."}
    general = {number: text for number, text in RULES.items() if number < "101"} | cites
    lamps = {".": "Lamps", ".1.": WICK, ".2.": OARS, ".3.": FERRY}
    weather = {".": "Weather", ".1.": BELLS}

    answers = lint(
        tmp_path,
        general | under("101", lamps),
        general | under("101", weather) | under("102", lamps),
    )

    assert stale(answers)[1] == [("100.3", "101", "102", "2021-07-06")]
    assert of("title", answers[1]) == []


def test_stale_range(tmp_path: Path) -> None:
    """A range that was not updated means the present numbers of its ends."""
    cites = {"100.3.": "Lamps are told of below (see rules 101.1-101.2)."}

    answers = lint(tmp_path, RULES | cites, MOVED | cites)

    assert stale(answers)[1] == [("100.3", "101.1-101.2", "101.1-101.3", "2021-07-06")]


# Not stale ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cites", "then"),
    [
        # The citation follows its target.
        (TIDE, TIDE.replace("101.2", "101.3")),
        # In a list, the number now belongs to another rule.
        (
            "Lamps burn low (see rules 101.1 and 101.2).",
            "Lamps burn low (see rules 101.2 and 101.3).",
        ),
        # The sentence is printed twice, with one number each.
        (
            "Ebb is low. See rule 101.1. Flood is high. See rule 101.2.",
            "Ebb is low. See rule 101.2. Flood is high. See rule 101.3.",
        ),
        # The same sentence was inserted again before the first one.
        (
            "At flood the boats lie high. See rule 101.2.",
            "At ebb they lie low. See rule 101.2. At flood the boats lie high. See rule 101.3.",
        ),
        # The cited rule kept its place.
        (TIDE.replace("101.2", "100.2"), TIDE.replace("101.2", "100.2")),
    ],
)
def test_not_stale(tmp_path: Path, cites: str, then: str) -> None:
    """A citation whose number was updated, or is still right, is not stale."""
    answers = lint(tmp_path, {**RULES, "100.3.": cites}, {**MOVED, "100.3.": then})

    assert stale(answers)[1] == []


def test_not_stale_in_a_copy(tmp_path: Path) -> None:
    """A copied rule is a new text, so an old number in it counts as intended."""
    cites = {"100.3.": TIDE.replace("loses", "for longer than one bell after dusk loses")}
    copy = {"102.": "Storms", "102.1.": cites["100.3."], "102.2.": "Gulls follow the fleet."}

    answers = lint(tmp_path, RULES | cites, MOVED | cites | copy)

    assert [row[0] for row in stale(answers)[1]] == ["100.3"]


# Doubtful steps, and an heir with quite different words.
DOUBTS = [
    "UPDATE link SET confidence = 0.9",
    "UPDATE link SET kinds = kinds | 256",
    """
    UPDATE provision SET reading = (SELECT reading FROM provision WHERE number = '100.1')
    WHERE number IN ('101.2', '101.3') AND id IN (SELECT new FROM link)
    """,
]


@pytest.mark.parametrize("statement", DOUBTS)
def test_not_stale_by_a_doubtful_step(tmp_path: Path, statement: str) -> None:
    """A finding that depends on a doubtful step is left out."""
    lint(tmp_path, RULES, MOVED)
    write_otherwise(tmp_path / "kb", statement)

    anew = find_anew(tmp_path)

    assert of("stale", anew) == []


@pytest.mark.parametrize("statement", DOUBTS)
def test_dangling_after_a_doubtful_step(tmp_path: Path, statement: str) -> None:
    """A dangling citation is reported without its target's new place."""
    before = {**RULES, "100.3.": TIDE.replace("101.2", "101.3")}
    lint(tmp_path, before, {**without("101.3.", before), "101.1.": OARS, "101.2.": FERRY})
    write_otherwise(tmp_path / "kb", statement)

    anew = find_anew(tmp_path)

    (finding,) = of("dangling", anew)
    assert (finding["means"], finding["gone"], finding["since"], finding["confidence"]) == (
        None,
        False,
        None,
        None,
    )


RANGE = RULES | {"100.3.": "Lamps are told of below (see rules 101.1-101.3)."}
NEXT = RULES | {"100.1.": "Unless both keepers agree upon the course, proceed to rule 100.2."}
BELOW = {"101.2.": "Whatever drifts belongs to nobody.", "101.2a": OARS, "101.3.": FERRY}
FIRST = {"100.2.": "The elder keeper casts off first.", "100.3.": RULES["100.2."], "100.4.": TIDE}
REWORDED = OARS.replace("and stay there", "until the ebb takes them out again")
NEW = "Whoever has neither mast nor anchor drops out."


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # Provisions changed places only inside a range.
        (RANGE, RANGE | {"101.1.": OARS, "101.2.": WICK}),
        # A rule became a subrule of its old number, and is still found there.
        (RULES, {number: text for number, text in RULES.items() if number < "101.2"} | BELOW),
        # A reworded rule in the same place; a new one there may be the same rule, reworded.
        (RULES, RULES | {"101.2.": REWORDED}),
        (RULES, RULES | {"101.2.": NEW}),
        # A rule that refers to the next rule means whichever rule is next.
        (NEXT, NEXT | FIRST),
    ],
    ids=["range", "below", "reworded", "rewritten", "next"],
)
def test_not_stale_where_it_leads(tmp_path: Path, before: Rules, after: Rules) -> None:
    """A citation that still leads to what it means is not stale."""
    answers = lint(tmp_path, before, after)

    assert stale(answers)[1] == []


def test_not_stale_if_the_title_fits(tmp_path: Path) -> None:
    """A number printed too early, as its title proves, becomes right later."""
    cites = {"100.3.": "Two keepers play by lamplight (see rule 102, “Lamps”)."}
    general = {number: text for number, text in RULES.items() if number < "101"} | cites
    lamps = {".": "Lamps", ".1.": WICK, ".2.": OARS, ".3.": FERRY}
    weather = {".": "Weather", ".1.": BELLS}

    answers = lint(
        tmp_path,
        general | under("101", lamps) | under("102", weather),
        general
        | under("101", {".": "Whistles", ".1.": "Nobody whistles aboard."})
        | under("102", lamps)
        | under("103", weather),
    )

    assert [finding["titled"] for finding in of("title", answers[0])] == ["101"]
    assert answers[1]["findings"] == []


def test_not_stale_if_printed_twice(tmp_path: Path) -> None:
    """A citation of a number printed twice is never stale: it may mean either rule."""
    gulls = "Gulls follow the fishing fleet past the mole."
    twice = {**MOVED, "101.2.": WICK}
    twice = without("101.4.", without("101.3.", twice)) | {"101.2. ": OARS, "101.4.": FERRY}
    later = {**MOVED, "101.2.": gulls, "101.3.": WICK, "101.4.": OARS, "101.5.": FERRY}

    answers = lint(tmp_path, RULES, twice, later)

    assert len(of("double", answers[1])) == 1
    assert stale(answers) == [[], [], []]


def test_same_findings_one_edition_at_a_time(tmp_path: Path) -> None:
    """A base built edition by edition has the same findings as one built at once."""
    cites = {**RULES, "100.4.": "Gulls follow rule 101.2 and rule 101.3."}
    again = {**MOVED, "101.1.": OARS, "101.2.": BELLS, "101.3.": WICK, "101.4.": FERRY}
    editions = (cites, MOVED | {"100.4.": cites["100.4."]}, again, RULES)
    at_once = lint(tmp_path / "once", *editions)

    answers = [lint(tmp_path / "grown", *editions[:count]) for count in range(1, 5)][-1]

    grown, once = (tmp_path / name / "kb" / "kb.sqlite" for name in ("grown", "once"))
    assert answers == at_once
    assert [len(rows) for rows in stale(answers)] == [0, 3, 1, 0]
    assert grown.read_bytes() == once.read_bytes()
