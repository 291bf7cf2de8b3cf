"""Texts whose words are suspicious, with small editions."""

import pytest

from variorum_crawler.trust.suspicious_text import Signs, controls_in
from variorum_kb.rows import State

WORDS = ("boat", "lamp", "keeper", "tide", "harbor", "gull", "salt", "bell")
SOUND = [f"A {word} is what the {word} of section one says it is." for word in WORDS]
DAY = "2021-01-01"


def edition(bodies: list[str], kind: str) -> list[State]:
    """Return rules and entries; those of one kind have the given bodies, the others sound ones."""
    given = {"rule": SOUND, "glossary": SOUND, kind: bodies}
    rules = [
        State("rule", f"100.{place}", f"100.{place}", "", body, "", "", "")
        for place, body in enumerate(given["rule"], 1)
    ]
    entries = [
        State("glossary", "", word, word, f"{body} See rule 100.", "", "", "")
        for word, body in zip(WORDS, given["glossary"], strict=True)
    ]
    return [*rules, *entries]


@pytest.mark.parametrize(
    ("kind", "places", "reason"),
    [
        (
            "rule",
            (1, 0, 3, 2, 5, 4),
            "6 rules have changed places with each other: 100.1 is now 100.2, 100.2 is now 100.1 …",
        ),
        (
            "rule",
            (1, 2, 0, 4, 3),
            "5 rules have changed places with each other: 100.1 is now 100.3, 100.2 is now 100.1 …",
        ),
        ("rule", (1, 0, 3, 2), ""),
        ("glossary", (1, 0, 3, 2, 5, 4), ""),
    ],
)
def test_exchanged(kind: str, places: tuple[int, ...], reason: str) -> None:
    """More than four rules that exchanged places are suspicious; entries never are."""
    swapped = [*[SOUND[place] for place in places], *SOUND[len(places) :]]
    signs = Signs({"2020-01-01": edition(SOUND, kind)})

    against = signs.against(DAY, edition(swapped, kind))

    assert against == reason


@pytest.mark.parametrize(
    ("held", "missing", "reason"),
    [
        (["2020-01-01", "2022-01-01"], [3], "1 rule missing: 100.4"),
        (["2020-01-01"], [3], "1 rule missing: 100.4"),
        (["2022-01-01"], [3, 4], "2 rules missing: 100.4 to 100.5"),
        (["2022-01-01"], [3], ""),
        ([], [3, 4], ""),
    ],
)
def test_missing(held: list[str], missing: list[int], reason: str) -> None:
    """A text is suspicious if it lacks rules that the editions before and after it have."""
    whole = edition(SOUND, "rule")
    here = [state for place, state in enumerate(whole) if place not in missing]

    assert Signs(dict.fromkeys(held, whole)).against(DAY, here) == reason


@pytest.mark.parametrize("beside", ["2020-01-01", "2022-01-01"])
def test_same_date(beside: str) -> None:
    """An edition of the text's own date counts neither as earlier nor as later."""
    whole = edition(SOUND, "rule")
    signs = Signs({DAY: whole, beside: [*whole[:3], *whole[6:]]})

    assert signs.against(DAY, [*whole[:3], *whole[5:]]) == ""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a\tb\r\n\v\f\x1a\xad\u2028\u2029", ""),
        ("a\nb \x1b[2J", "control characters: \\u001b in line 2"),
        ("a\u202eb\x1b", "control characters: right-to-left override in line 1"),
        ("", ""),
    ],
)
def test_controls(text: str, reason: str) -> None:
    """The first character that commands a terminal or reorders a line is named, with its line."""
    assert controls_in(text.encode(), "a.txt") == reason


def test_controls_of_what_is_no_text() -> None:
    """What the reader refuses is not examined."""
    assert controls_in(b"%PDF-1.7 \x1b", "a.pdf") == ""


def test_another_date() -> None:
    """A text with the words of an edition of another date is suspicious."""
    signs = Signs(
        {"2019-01-01": edition(SOUND[::-1], "rule"), "2020-01-01": edition(SOUND, "rule")}
    )

    against = signs.against(DAY, edition(SOUND[::-1], "rule"))

    assert against == "it is the edition of 2019-01-01 under another date: the same words"
