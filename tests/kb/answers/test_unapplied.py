"""Verdicts that cannot be applied, and the commands that name them."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.support.small_bases import DAYS, build, edition, write
from variorum_crawler.setup_check import examine
from variorum_kb.answers import unapplied
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.lint.linter import lint_editions
from variorum_kb.answers.unapplied import unapplied_verdicts
from variorum_kb.cli.main import main
from variorum_kb.facts import verdicts
from variorum_kb.facts.verdicts import StepEnd, Verdict, digest_of_words

ONE, TWO, OTHER = "2020-05-06", "2021-07-06", "2022-08-07"


def verdict(number: str, old: str, new: str, text: str, heir: str) -> Verdict:
    """Return a verdict that makes one rule the heir of another, by their words."""
    asked, step_end = (StepEnd(number, digest_of_words("", words)) for words in (text, heir))
    return Verdict(old, new, True, asked, "same", (step_end,), (), "2", "so it is")


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[KnowledgeBase]:
    """Return a base of two editions; the second and third of four verdicts cannot be applied."""
    documents = {f"{n}.txt": edition(day) for n, day in enumerate(DAYS[:2])}
    build(tmp_path / "kb", write(tmp_path, documents))
    with KnowledgeBase.open(tmp_path / "kb") as base:
        first = str(base.edition("first").effective)
        text = next(
            m.state.body
            for m in base.provisions(base.edition("first"))
            if m.state.address == "100.2"
        )
        table = (
            verdict("100.2", first, TWO, text, text),
            verdict("100.2", first, OTHER, text, "Words of an edition that is not here."),
            verdict("101.1", first, TWO, "Words as another program", "would read them."),
            verdict("101.1", first, OTHER, "Another game", "has such numbers as well."),
        )
        for module in (unapplied, verdicts):
            monkeypatch.setattr(module, "all_verdicts", lambda: table)
        yield base


def test_what_is_named(base: KnowledgeBase) -> None:
    """A verdict is named if the base has one of its ends, or both editions, but not its step."""
    result = unapplied_verdicts(base)

    assert [
        (item.verdict.asked.name, item.verdict.new_edition, item.edition) for item in result
    ] == [
        ("100.2", OTHER, 1),
        ("101.1", TWO, 1),
    ]
    assert unapplied_verdicts(base, [1]) == result
    assert unapplied_verdicts(base, [0]) == []


def test_where_it_is_named(base: KnowledgeBase, tmp_path: Path) -> None:
    """`cr lint`, `cr doctor` and `cr build` name them."""
    (_, linted) = lint_editions(base, ["first", "latest"])
    checks = {
        checked.about: checked for checked in examine(tmp_path / "kb", None, {}, date(2021, 8, 1))
    }
    result = CliRunner().invoke(main, ["build", "--kb", str(tmp_path / "new"), str(tmp_path)])

    named = [finding["evidence"] for finding in linted["findings"] if finding["kind"] == "verdict"]
    assert [text.split(" between ")[0] for text in named] == ["read as same", "read as same"]
    first = base.edition("first").label
    message = (
        f"2 decisions about doubtful changes cannot be applied: 100.2 of {first}, 101.1 of {first};"
    )
    assert checks["verdicts"].what.startswith("2 verdicts cannot be applied: 100.2 of ")
    assert message in result.stdout
