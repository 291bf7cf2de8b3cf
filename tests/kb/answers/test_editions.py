"""What users call an edition."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.errors import NoEditionError


@pytest.fixture
def base(sample_base: Path) -> Iterator[KnowledgeBase]:
    """Return the sample rulebook as asked on a day in 2023."""
    with KnowledgeBase.open(sample_base, today=date(2023, 4, 5)) as found:
        yield found


@pytest.mark.parametrize(
    ("designator", "label"),
    [
        ("first", "1999-05-14"),
        ("latest", "2025-05-30"),
        ("Current", "2022-02-11"),
        ("2008-06-20", "2008-06-20"),
        ("2010-01-21", "2008-06-20"),
        ("2099-12-31", "2025-05-30"),
        ("2008-06-20.1", "2008-06-20"),
    ],
)
def test_designators(base: KnowledgeBase, designator: str, label: str) -> None:
    """A designator names the edition in force that day, or the one it describes."""
    assert base.edition(designator).label == label


def test_current_without_a_day(sample_base: Path) -> None:
    """Who gives no day gets the latest edition as the current one."""
    with KnowledgeBase.open(sample_base) as base:
        assert base.edition().label == "2025-05-30"


@pytest.mark.parametrize(
    ("designator", "message"),
    [
        (
            "XYZ",
            (
                "no edition is called 'XYZ'; give a date (2007-10-01), a set code (M10), "
                "first, latest or current"
            ),
        ),
        (
            "2007-02-30",
            (
                "no edition is called '2007-02-30'; give a date (2007-10-01), a set code (M10), "
                "first, latest or current"
            ),
        ),
        (
            "1990-01-01",
            "no edition was in force on 1990-01-01; the first one here is of 1999-05-14",
        ),
        ("2008-06-20.7", "no edition 2008-06-20.7: of 2008-06-20 the base has issue 1"),
        ("2008-06-21.1", "no edition 2008-06-21.1: none is dated 2008-06-21"),
    ],
)
def test_error_no_edition(base: KnowledgeBase, designator: str, message: str) -> None:
    """A designator that names no edition is answered with what would."""
    with pytest.raises(NoEditionError) as caught:
        base.edition(designator)

    assert str(caught.value) == message


def test_error_before_the_first(sample_base: Path) -> None:
    """Before the first edition none is in force."""
    with (
        KnowledgeBase.open(sample_base, today=date(1980, 1, 1)) as base,
        pytest.raises(NoEditionError) as caught,
    ):
        base.edition()

    assert str(caught.value) == (
        "no edition is in force on 1980-01-01; the first one here is of 1999-05-14"
    )
