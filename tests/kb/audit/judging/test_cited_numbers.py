"""The former meanings of a cited number."""

from types import SimpleNamespace
from typing import Any

import pytest

from variorum_kb.answers.stored.number_runs import Run
from variorum_kb.answers.through_time.citation_statuses import CURRENT, Outcome
from variorum_kb.audit.judging.by_date import Meaning
from variorum_kb.audit.judging.cited_numbers import CitedNumbers

OF = 100


@pytest.mark.parametrize(
    ("runs", "sections"),
    [
        ([(80, 91)], {"601"}),
        ([(80, 90)], set[str]()),
        ([(10, 14), (80, 86)], {"601"}),
        ([(20, 40)], {"601"}),
        ([(19, 39)], set[str]()),
        ([(19, 39), (40, 40)], {"601"}),
    ],
)
def test_remembered_sections(runs: list[tuple[int, int]], sections: set[str]) -> None:
    """A former meaning of a section's number counts if it lasted for years and ended recently."""
    outcome = Outcome(CURRENT, ("601.1", "glossary: Boat", "502"), 1.0, "", 0, "", "", is_sure=True)
    meaning = Meaning(outcome, tuple([Run(1, first, last) for first, last in runs]))
    numbers: Any = SimpleNamespace(
        target=SimpleNamespace(place=OF),
        meanings_of={"502.4": (), "502": (meaning,)}.__getitem__,
    )
    nothing: Any = None

    cited = CitedNumbers(nothing, numbers, nothing).missing("502.4")

    assert (cited.number, cited.today, cited.once) == ("502.4", "502.4", frozenset())
    assert cited.sections == sections
