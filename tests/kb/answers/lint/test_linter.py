"""What is wrong in an edition: citations, numbers and misprints."""

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
from variorum_kb.answers.lint.kinds import KINDS
from variorum_kb.answers.lint.linter import lint_editions
from variorum_kb.answers.refs import misfits_in

# Other citations ---------------------------------------------------------------------------------


def test_dangling(tmp_path: Path) -> None:
    """A citation of a number that nobody has leads nowhere."""
    (found,) = lint(tmp_path, {**RULES, "100.3.": TIDE.replace("101.2", "101.9")})

    (one,) = of("dangling", found)
    assert (one["address"], one["printed"], one["means"]) == ("100.3", "101.9", None)
    assert one["since"] is None


def test_dangling_after_a_move(tmp_path: Path) -> None:
    """Where the target has moved away, and nobody came, it is said where it is."""
    before = {**RULES, "100.3.": TIDE.replace("101.2", "101.3")}

    found = lint(tmp_path, before, {**without("101.3.", before), "101.1.": OARS, "101.2.": FERRY})

    (one,) = of("dangling", found[1])
    assert (one["printed"], one["means"], one["since"]) == ("101.3", "101.2", "2021-07-06")
    assert of("stale", found[1]) == []


def test_title(tmp_path: Path) -> None:
    """A title that is not that of what is cited is found, and whose it is."""
    cites = "Lamps are told of below (see rule 100, “Lamps”)."

    (found,) = lint(tmp_path, {**RULES, "100.3.": cites})

    (one,) = of("title", found)
    assert (one["title"], one["heading"], one["titled"]) == ("Lamps", "General", "101")


def test_title_that_several_have(tmp_path: Path) -> None:
    """Whose title it is is not said where several have it."""
    cites = {"100.3.": "Lamps are told of below (see rule 100, “Lamps”)."}

    (found,) = lint(tmp_path, RULES | cites | {"102.": "Lamps", "102.1.": BELLS})

    (one,) = of("title", found)
    assert one["titled"] is None


def test_glossary(tmp_path: Path) -> None:
    """The glossary cites, too."""
    (found,) = lint(
        tmp_path, RULES, glossary="Boat\nSee rule 109.1.\n\nLamp\nSee rule 101, “Lamps.”\n\n"
    )

    assert [one["address"] for one in found["findings"]] == ["Boat"]


# Numbers and misprints ---------------------------------------------------------------------------


def numbered(*numbers: str) -> Rules:
    """Return rules with some numbers that all say something else."""
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
    """What is left out is named, of every depth."""
    (found,) = lint(tmp_path, numbered(*numbers))

    assert [one["missing"] for one in of("gap", found)] == missing


def test_no_gap(tmp_path: Path) -> None:
    """Letters l and o are never used, after z comes aa, and a section may be blank."""
    letters = [*"abcdefghijkmnpqrstuvwxyz", "aa", "ab"]
    numbers = ["100.", "100.1.", *(f"100.1{letter}" for letter in letters), "100.2."]

    (found,) = lint(tmp_path, numbered(*numbers, "101.", "102.", "102.1."))

    assert of("gap", found) == []
    assert of("double", found) == []


def test_double(tmp_path: Path) -> None:
    """A number printed twice is one finding, with both who bear it and what one of them means."""
    (found,) = lint(tmp_path, numbered("100.", "100.1.", "100.2.", "100.2. ", "100.4."))

    (one,) = of("double", found)
    assert (one["address"], one["targets"]) == ("100.2", ["100.2#1", "100.2#2"])
    assert one["means"] == "100.3"
    assert of("gap", found) == []


def test_misprint(tmp_path: Path) -> None:
    """What reading has noted is said with what was meant and why."""
    (found,) = lint(tmp_path, numbered("100.", "100.1.", "100.54.", "100.3.", "100.4"))

    told = [(one["misprint"], one["printed"], one["means"]) for one in of("misprint", found)]
    assert told == [("misnumbered", "100.54", "100.2"), ("period missing", "100.4", "100.4.")]
    assert all(one["evidence"] for one in of("misprint", found))


def test_nothing(tmp_path: Path) -> None:
    """An edition in order has no findings."""
    (found,) = lint(tmp_path, RULES)

    assert found["findings"] == []
    assert found["counts"] == dict.fromkeys(KINDS, 0)


# All editions ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sample(sample_base: Path) -> Iterator[KnowledgeBase]:
    """Return the sample rulebook."""
    with KnowledgeBase.open(sample_base) as found:
        yield found


@pytest.mark.parametrize("place", range(9))
def test_misfits_are_found(sample: KnowledgeBase, place: int) -> None:
    """What `misfits` yields is found, each citation once; the rest of the citations is stale."""
    misfits = {
        (one["address"], one["text"], one["start"])
        for one in misfits_in(sample.provisions(sample.editions[place]))
    }

    (found,) = lint_editions(sample, [sample.editions[place]])

    cited = [one for one in found["findings"] if one["kind"] in {"dangling", "title", "stale"}]
    places = [(one["address"], one["printed"], one["start"]) for one in cited]
    assert len(places) == len(set(places))
    assert misfits <= set(places)
    other = {where for where, one in zip(places, cited, strict=True) if one["kind"] != "stale"}
    assert other <= misfits


def test_one_by_one(sample: KnowledgeBase) -> None:
    """An edition alone is judged as it is among all."""
    together = lint_editions(sample, sample.editions)

    assert [found for one in sample.editions for found in lint_editions(sample, [one])] == together


def test_current_by_default(sample: KnowledgeBase) -> None:
    """Without a designator the current edition is meant."""
    assert lint_editions(sample) == lint_editions(sample, ["current"])


def test_counts(sample: KnowledgeBase) -> None:
    """The counts are those of the findings, by kind and in order."""
    for found in lint_editions(sample, sample.editions):
        assert list(found["counts"]) == list(KINDS)
        for kind, count in found["counts"].items():
            assert count == len(of(kind, found))
