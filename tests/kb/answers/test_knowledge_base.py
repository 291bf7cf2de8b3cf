"""Questions to a knowledge base, on the sample rulebook."""

from pathlib import Path

import pytest

from tests.support.schemas import assert_fits
from variorum_kb.answers.exports.export import export_edition, ledger_of
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.build.build import load_sample
from variorum_kb.errors import NoBaseError
from variorum_kb.model import Edition
from variorum_kb.reading.as_json import export_json, ledger_json

SAMPLE = list(load_sample())


@pytest.mark.parametrize("edition", SAMPLE, ids=lambda edition: str(edition.effective))
def test_export_is_what_was_read(base: KnowledgeBase, edition: Edition) -> None:
    """The store returns exactly what the reader read."""
    result = export_edition(base, edition.effective.isoformat())

    assert result == export_json(edition, 1)
    assert [provision["irregularities"] for provision in result["provisions"]] == [
        subject.irregularities
        for subject in base.provisions(result["edition"]["effective"])
        if subject.number
    ]
    assert ledger_of(base, edition.effective.isoformat()) == ledger_json(edition)


def test_show_as_json(base: KnowledgeBase) -> None:
    """A match as JSON has what docs/json.md promises."""
    (rule,) = base.show("704.5")
    answer = rule.as_json([child.address for child in rule.children()])

    assert_fits([answer], "show")
    assert answer["children"] == [child.address for child in rule.children()]
    assert (answer["parent"], answer["edition"]) == ("704", "2025-05-30")
    assert answer["moved"] is None


def test_show_as_json_of_what_moved(base: KnowledgeBase) -> None:
    """A match under another number says how it came to its own, with four digits of confidence."""
    (moved,) = base.show("502.5a")

    assert moved.as_json([], "502.5a")["moved"] == {
        "asked": "502.5a",
        "edition": "2008-06-20",
        "since": "2017-11-10",
        "kinds": ["renumbered"],
        "confidence": 0.9997,
        "heirs": ["702.4a"],
    }


def test_error_no_base(tmp_path: Path) -> None:
    """Without a base, a line says how to get one."""
    with pytest.raises(NoBaseError) as caught:
        KnowledgeBase.open(tmp_path)

    assert str(caught.value).startswith(f"{tmp_path / 'kb.sqlite'}: no knowledge base; ")
