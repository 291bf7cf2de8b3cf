"""`cr glossary TERM`: an entry, the rules it names, and its history; `cr show --terms`."""

import json
from collections.abc import Callable
from itertools import pairwise

import pytest
from click.testing import Result

from tests.support.schemas import assert_fits
from variorum_kb.answers.glossary.entries import Gloss
from variorum_kb.cli.pages.glossary import set_entry, set_former, set_terms
from variorum_kb.forms.lineage import HistoryJson
from variorum_kb.forms.provision import EntryRuleJson
from variorum_kb.system.terminal import BOLD, PLAIN, shown


def test_pages(cr: Callable[..., Result], golden: Callable[[str, object], None]) -> None:
    """The output for current, former and dated entries is unchanged."""
    asked = [
        ["glossary", "ability"],
        ["glossary", "undertow"],
        ["glossary", "drift", "--on", "2006-03-01"],
        ["glossary", "flip a coin"],
        ["glossary", "harbor"],
        ["702.9", "--terms", "--tree"],
        ["705.2", "--terms"],
        ["active player", "--terms"],
    ]

    pages = [f"$ cr {' '.join(texts)}\n{cr(*texts).output}" for texts in asked]

    golden("cr-glossary-and-terms.txt", "\n".join(pages))


@pytest.mark.parametrize(
    "arguments",
    [["ability"], ["flip", "a", "coin"], ["drift", "--on", "2006-03-01"], ["--on", "2006-03-01"]],
    ids=" ".join,
)
def test_json(cr: Callable[..., Result], arguments: list[str]) -> None:
    """Entries as JSON fit their schema; an entry asked for has its rules and history."""
    answer = json.loads(cr("glossary", *arguments, "--json").output)

    assert_fits(answer, "glossary")
    assert answer
    is_asked = not arguments[0].startswith("-")
    assert all(("history" in item) is is_asked for item in answer)


GLOSSES = [
    Gloss("Undertow", "702.9", "Undertow", None, "A keyword."),
    Gloss(
        "Tide",
        "",
        "",
        None,
        "Whatever comes and goes twice a day, and takes boats with it, or does not.",
    ),
    Gloss("Sail", "302.4", "Boats", "302", "To go."),
]


def test_terms_are_a_line_each() -> None:
    """Terms are listed one a line, shortened to the terminal; in a pipe, sentences are complete."""
    terminal, wide, pipe = (set_terms(GLOSSES, width=width) for width in (40, 80, 0))

    assert [*map(shown, terminal)] == [
        "Terms",
        "  Undertow  702.9. Undertow",
        "  Tide      Whatever comes and goes …",
        "  Sail      302.4 (302. Boats)",
    ]
    assert pipe[2].endswith("or does not.")
    assert max(map(len, map(shown, wide))) <= 80
    assert wide[:2] == [f"{BOLD}Terms{PLAIN}", f"  {BOLD}Undertow{PLAIN}  702.9. Undertow"]


@pytest.mark.parametrize(
    ("length", "width", "expected"),
    [
        (26, 80, 26),  # columns of terms before their meanings; a longer term moves only its own
        (27, 80, 26),
        (27, 0, 4),
    ],
)
def test_long_terms(length: int, width: int, expected: int) -> None:
    """The longest term decides where meanings begin, up to a limit."""
    glosses = [Gloss("x" * length, "", "", None, "Long."), Gloss("Sail", "", "", None, "To go.")]

    *_, last = map(shown, set_terms(glosses, width=width))

    assert last.index("To go.") == 2 + expected + 2


def rule(text: str, targets: list[str], heading: str = "", *, lost: bool = False) -> EntryRuleJson:
    """Return a rule that an entry names."""
    return {
        "text": text,
        "targets": targets,
        "heading": heading,
        "under": None,
        "status": "dangling" if lost else "resolved",
    }


RULES = [
    rule("702.9", ["702.9"], "Undertow"),
    rule("702.9", ["702.9"], "Undertow"),
    rule("704.5a-c", ["704.5a", "704.5b"], "Checks", lost=True),
    rule("100.1", ["100.1"]),
    rule("999.1", [], lost=True),
]


def life(rewordings: int) -> HistoryJson:
    """Return the history of an entry, reworded once a year and then removed."""
    days = [f"{2000 + year}-01-01" for year in range(rewordings + 2)]
    return {
        "now": None,
        "readings": [
            {
                "number": None,
                "term": "Tide",
                "from": day,
                "to": day,
                "heading": "Tide",
                "text": day,
                "examples": 0,
                "class": "substantive",
                "words": [("+", day)],
            }
            for day in days[:-1]
        ],
        "steps": [
            {
                "from_edition": before,
                "to_edition": day,
                "from": "glossary: Tide",
                "to": ["glossary: Tide"] if day != days[-1] else [],
                "kinds": ["reworded"] if day != days[-1] else ["gone"],
                "class": "substantive" if day != days[-1] else "",
                "confidence": 1.0,
                "read": None,
                "evidence": [],
                "announced": [],
            }
            for before, day in pairwise(days)
        ],
        "others": [],
        "witnesses": [],
        "doubts": {},
        "subrules": None,
    }


def test_rules_of_an_entry() -> None:
    """Each rule is listed once with its heading; a citation that dangles, even in part, is marked."""
    lines = set_entry(RULES, life(0), "cr history tide", width=80)

    assert [*map(shown, lines[:6])] == [
        "cites:",
        "  702.9. Undertow",
        "  704.5a-c. Checks  dangling in part",
        "  100.1",
        "  999.1  dangling",
        "",
    ]


def test_long_lives_are_cut() -> None:
    """A long history shows its first and last steps, and the command that shows the rest."""
    lines = [*map(shown, set_entry([], life(9), "cr history tide", width=80))]

    assert lines[0] == "in the glossary from 2000-01-01 to 2009-01-01:"
    assert [line[2:12] for line in lines[1:7]] == [
        "2000-01-01",
        *[f"20{year:02}-01-01" for year in range(6, 11)],
    ]
    assert lines[7:] == ["  … 5 more: cr history tide"]


def test_what_became_of_a_former_entry() -> None:
    """For a removed entry, its last name is shown, and the rules with parts of its words."""
    gone = set_former(life(0), "2000-01-01", [], width=0)
    renamed = set_former(life(0), "1999-01-01", ["705"], width=0)

    assert gone.endswith("the last that had it. It no longer exists.\n\n")
    assert renamed.endswith(
        "It was last seen as glossary: Tide in the edition of 2000-01-01, but parts of it are 705 today."
        "\n\n"
    )
