"""The editions that words mean, with the sets of invented editions."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.sources.comparing.stated_editions import find_meant

SETS = {
    "1999-05-14": ("LMP", "Lamps"),
    "2003-02-10": ("HAR", "Harbours of Old"),
    "2006-03-01": ("HON", "Harbours: Open Night"),
    "2008-06-20": ("M08", "Magic 2008"),
    "2010-01-22": ("TID", "Tides 2"),
    "2015-04-17": ("TD3", "Tides 3"),
    "2017-11-10": ("KEE", "The Keepers' War"),
    "2022-02-11": ("8ED", "Eighth Edition"),
}


@pytest.fixture(scope="module")
def base(sample_base: Path) -> Iterator[KnowledgeBase]:
    """Return the sample rulebook, with its editions named after sets."""
    with KnowledgeBase.open(sample_base, today=date(2026, 1, 1)) as opened:
        opened.editions = tuple(
            [
                edition.changed(set_code=SETS[edition.label][0], set_name=SETS[edition.label][1])
                if edition.label in SETS
                else edition
                for edition in opened.editions
            ]
        )
        yield opened


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("June 20, 2008", ["2008-06-20"]),
        ("June 20, 2008—Magic 2008", ["2008-06-20"]),
        ("MagicCompRules 20080620", ["2008-06-20"]),
        ("issue 2008-06-20.1", ["2008-06-20"]),
        ("of June 2008", ["2008-06-20"]),
        ("July 2008", ["2008-06-20"]),
        ("July 1, 2008", ["2008-06-20"]),
        ("Lamps", ["1999-05-14"]),
        ("lamps", ["1999-05-14"]),
        ("based on the Lamps release", ["1999-05-14"]),
        ("Keepers’ War", ["2017-11-10"]),
        ("The Keeper's War", ["2017-11-10"]),
        ("Open Night", ["2006-03-01"]),
        ("Open", ["2006-03-01"]),
        ("Old", []),
        ("TID or KEE", ["2010-01-22"]),
        ("issue 2008-06-20.7", ["2008-06-20"]),
        ("January 1994", []),
        ("June 19, 2008", ["2006-03-01"]),
        ("Harbours", ["2003-02-10", "2006-03-01"]),
        ("Tides 2", ["2010-01-22"]),
        ("Tides 4", []),
        ("TD3", ["2015-04-17"]),
        ("Magic 2008 Core Set", ["2008-06-20"]),
        ("8th Edition", ["2022-02-11"]),
        ("July 4, 2012—Lamps", ["1999-05-14"]),
        ("July 4, 2012—Boats", []),
        ("January 1, 1994", []),
        ("words without an edition", []),
        ("", []),
    ],
)
def test_meant(base: KnowledgeBase, words: str, meant: list[str]) -> None:
    """A day, month, set name (also partial or misspelt) or code names an edition."""
    editions = find_meant(base, words)

    assert [base.editions[place].label for place in editions.places] == meant
    assert editions.evidence.startswith(f"“{words}”: ")


def test_day_and_name_disagree(base: KnowledgeBase) -> None:
    """If day and name disagree, both editions are possible, the day's last."""
    editions = find_meant(base, "June 20, 2008—Lamps")

    assert [base.editions[place].label for place in editions.places] == ["1999-05-14", "2008-06-20"]


def test_known_edition_is_not_here(base: KnowledgeBase) -> None:
    """If the facts know a day but the base lacks its edition, the answer says so."""
    editions = find_meant(base, "June 7, 2024")

    assert editions.places == ()
    assert editions.evidence == (
        "“June 7, 2024”: the edition of 2024-06-07 (Modern Horizons 3) is not in the base"
    )
