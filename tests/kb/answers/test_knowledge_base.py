"""Questions to a knowledge base, on the sample rulebook."""

from pathlib import Path

import pytest

from tests.support.schemas import assert_fits
from variorum_kb.answers.exports.export import export_edition, ledger_of
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.build.build import load_sample
from variorum_kb.errors import NoBaseError, NotFoundError
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


def test_show(base: KnowledgeBase) -> None:
    """The answer to a number is its provision in that edition."""
    (today,) = base.show("CR 705.2")
    (then,) = base.show("rule 511.2", "2008-06-20")

    assert today.edition.label == "2025-05-30"
    assert today.text == then.text
    assert (today.kind, today.number, today.parent) == ("rule", "705.2", "705")
    assert [subject.address for subject in today.path()] == ["7", "705"]


def test_show_doubles(base: KnowledgeBase) -> None:
    """The answer to a number printed twice has both provisions; #2 means the second."""
    both = base.show("702.11")
    (second,) = base.show("702.11#2")

    assert [subject.address for subject in both] == ["702.11#1", "702.11#2"]
    assert (second.address, second.meant) == ("702.11#2", "702.12")
    assert [child.address for child in second.children()] == ["702.11a#2"]


def test_show_ranges(base: KnowledgeBase) -> None:
    """The answer to a range has all provisions of its kind between its ends, even of several parents."""
    letters = [subject.address for subject in base.show("704.5a-d")]
    sections = [subject.address for subject in base.show("704-705")]
    across = [subject.address for subject in base.show("702.2a-702.3b")]

    assert letters == ["704.5a", "704.5b", "704.5c", "704.5d"]
    assert sections == ["704", "705"]
    assert across[0] == "702.2a"
    assert across[-1] == "702.3b"
    assert all(text.startswith(("702.2", "702.3")) for text in across)


@pytest.mark.parametrize("words", ["flip a coin", "Flip  A Coin", "“Flip a coin”"])
def test_show_terms(base: KnowledgeBase, words: str) -> None:
    """A headword is found in any case and with any quotes."""
    (entry,) = base.show(words, "2003-02-10")

    assert (entry.kind, entry.heading, entry.parent) == ("glossary", "Flip a Coin", "")


def test_tree(base: KnowledgeBase) -> None:
    """A tree has everything below a provision, in order, with its depth."""
    (section,) = base.show("704")

    tree = [(depth, subject.address) for depth, subject in section.tree()]

    below = [
        provision.address for provision in base.provisions() if provision.address.startswith("704.")
    ]
    assert [address for _, address in tree] == below
    assert {depth for depth, _ in tree} == {1, 2}
    assert [child.address for child in section.children()] == [a for d, a in tree if d == 1]


def test_misprinted_children_stand_below_their_place(base: KnowledgeBase) -> None:
    """A misnumbered subrule is below the rule above it on the page, in its right order."""
    (rule,) = base.show("712.3")
    (before,) = base.show("724.2", "2022-02-11")

    assert [child.address for child in rule.children()] == ["712.3d", "712.3e", "712.3f"]
    assert [child.address for child in before.children()] == ["724.3a", "724.3b", "724.3c"]


def test_words_with(base: KnowledgeBase) -> None:
    """Completion offers words of the given edition."""
    assert "705.1" in base.subjects.words_with("705.", base.edition())
    assert "flip a coin" in base.subjects.words_with("fl", base.edition("2003-02-10"))
    assert "flip a coin" not in base.subjects.words_with("fl", base.edition())


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


@pytest.mark.parametrize(
    ("question", "on", "message"),
    [
        (
            "999.9",
            "first",
            "999.9: no edition has had this number; near: 502.6a, 502.6b",
        ),
        (
            "flip a coi",
            "2003-02-10",
            "'flip a coi': not in the edition of 2003-02-10; near: Flip a Coin",
        ),
        (
            "704.5a-zz",
            "current",
            "704.5a-704.5zz: not in the edition of 2025-05-30; near: 704.5z, 704.5aa, 705, 705.1",
        ),
        (
            "702.11#3",
            "current",
            "702.11#3: not in the edition of 2025-05-30; near: 702.10a, 702.10b, 702.11a, 702.11b",
        ),
        ("", "current", "'': not in the edition of 2025-05-30"),
    ],
)
def test_error_not_found(base: KnowledgeBase, question: str, on: str, message: str) -> None:
    """The message about a missing number says when it existed, or what is near."""
    with pytest.raises(NotFoundError) as caught:
        base.show(question, on)

    assert str(caught.value) == message


def test_error_no_base(tmp_path: Path) -> None:
    """Without a base, a line says how to get one."""
    with pytest.raises(NoBaseError) as caught:
        KnowledgeBase.open(tmp_path)

    assert str(caught.value).startswith(f"{tmp_path / 'kb.sqlite'}: no knowledge base; ")
