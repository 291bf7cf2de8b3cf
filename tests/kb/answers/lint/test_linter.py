"""The linter's findings in an edition: citations, numbers and misprints."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.lint_rulebooks import (
    BELLS,
    FERRY,
    OARS,
    RULES,
    TIDE,
    Rules,
    is_section,
    lint,
    of,
    without,
)
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.lint.linter import lint_editions
from variorum_kb.answers.refs import misfits_in

# Other citations ---------------------------------------------------------------------------------


def test_dangling_after_a_move(tmp_path: Path) -> None:
    """If a target moved and no provision has its number, the finding names its present number."""
    before = {**RULES, "100.3.": TIDE.replace("101.2", "101.3")}

    answers = lint(tmp_path, before, {**without("101.3.", before), "101.1.": OARS, "101.2.": FERRY})

    (finding,) = of("dangling", answers[1])
    assert (finding["printed"], finding["means"], finding["since"]) == (
        "101.3",
        "101.2",
        "2021-07-06",
    )
    assert of("stale", answers[1]) == []


@pytest.mark.parametrize(
    ("title", "more", "titled"),
    [
        ("Lamps", {}, "101"),
        ("Lamps", {"102.": "Lamps", "102.1.": BELLS}, None),  # of two sections
        ("Boat", {}, None),  # of an entry
    ],
)
def test_title(tmp_path: Path, title: str, more: Rules, titled: str | None) -> None:
    """A title of another provision is a finding, which names that provision if it is the only one."""
    cites = {"100.3.": f"Lamps are told of below (see rule 100, “{title}”)."}

    (answer,) = lint(tmp_path, RULES | cites | more)

    (finding,) = of("title", answer)
    assert (finding["title"], finding["heading"], finding["titled"]) == (title, "General", titled)


# Numbers and misprints ---------------------------------------------------------------------------


def numbered(*numbers: str) -> Rules:
    """Return rules with these numbers, each with its own words."""
    words = ("oar", "mast", "reef", "buoy", "sail", "gull", "knot", "pier", "dock", "surf", "crab")
    return {
        number: f"The {word} counts {place}." if not is_section(number) else word.title()
        for place, (number, word) in enumerate(zip(numbers, words * 9, strict=False), 1)
    }


@pytest.mark.parametrize(
    ("numbers", "missing"),
    [
        (["100.", "100.1.", "100.2.", "100.4.", "100.5."], [["100.3"]]),
        (["100.", "100.1.", "100.1a", "100.1b", "100.1e", "100.1f"], [["100.1c", "100.1d"]]),
        (["100.", "100.1.", "101.", "101.1.", "104.", "104.1."], [["102", "103"]]),
        (["100.", "100.1.", "2.", "201.", "201.1."], [["200"]]),
    ],
)
def test_gap(tmp_path: Path, numbers: list[str], missing: list[list[str]]) -> None:
    """Skipped numbers are named, on every level."""
    (answer,) = lint(tmp_path, numbered(*numbers))

    assert [finding["missing"] for finding in of("gap", answer)] == missing


def test_no_gap(tmp_path: Path) -> None:
    """Letters l and o are never used, after z comes aa, and a section may be blank."""
    letters = [*"abcdefghijkmnpqrstuvwxyz", "aa", "ab"]
    numbers = ["100.", "100.1.", *(f"100.1{letter}" for letter in letters), "100.2."]

    (answer,) = lint(tmp_path, numbered(*numbers, "101.", "102.", "102.1."))

    assert of("gap", answer) == []
    assert of("double", answer) == []


def test_double(tmp_path: Path) -> None:
    """A number printed twice is one finding, with both bearers and the right number of one."""
    (answer,) = lint(tmp_path, numbered("100.", "100.1.", "100.2.", "100.2. ", "100.4."))

    (finding,) = of("double", answer)
    assert (finding["address"], finding["targets"]) == ("100.2", ["100.2#1", "100.2#2"])
    assert finding["means"] == "100.3"
    assert of("gap", answer) == []


def test_misprint(tmp_path: Path) -> None:
    """A misprint noted by the reader is reported with the right number and the reason."""
    (answer,) = lint(tmp_path, numbered("100.", "100.1.", "100.54.", "100.3.", "100.4"))

    findings = [
        (finding["misprint"], finding["printed"], finding["means"])
        for finding in of("misprint", answer)
    ]
    assert findings == [("misnumbered", "100.54", "100.2"), ("period missing", "100.4", "100.4.")]
    assert all(finding["evidence"] for finding in of("misprint", answer))


# All editions ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sample(sample_base: Path) -> Iterator[KnowledgeBase]:
    """Return the sample rulebook."""
    with KnowledgeBase.open(sample_base) as base:
        yield base


@pytest.mark.parametrize("place", range(9))
def test_misfits_are_found(sample: KnowledgeBase, place: int) -> None:
    """Each citation that `misfits` yields is one finding; all other citation findings are stale."""
    misfits = {
        (misfit["address"], misfit["text"], misfit["start"])
        for misfit in misfits_in(sample.provisions(sample.editions[place]))
    }

    (answer,) = lint_editions(sample, [sample.editions[place]])

    cited = [
        finding
        for finding in answer["findings"]
        if finding["kind"] in {"dangling", "title", "stale"}
    ]
    places = [(finding["address"], finding["printed"], finding["start"]) for finding in cited]
    assert len(places) == len(set(places))
    assert misfits <= set(places)
    wheres = {
        where for where, finding in zip(places, cited, strict=True) if finding["kind"] != "stale"
    }
    assert wheres <= misfits


def test_current_by_default(sample: KnowledgeBase) -> None:
    """Without a designator, the current edition is linted."""
    assert lint_editions(sample) == lint_editions(sample, ["current"])
