"""Citations of the real rules are judged rightly, and never rewritten wrongly."""

import shutil
from pathlib import Path

import pytest

from lab.score.citations import EDITIONS, RIGHT, audit, fix
from lab.score.cited_tree import Page, write_tree
from lab.score.cited_truth import Truth
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.audit.judging.by_date import NumberVerdicts

pytestmark = pytest.mark.corpus

NUMBER, SEED = 1_000, 7


@pytest.fixture(scope="module")
def tree(
    corpus_base: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, dict[str, Page]]:
    """Return a tree of citations by a dozen editions, and the citations; tests must not change it."""
    folder = tmp_path_factory.mktemp("cited")
    pages = write_tree(folder, Truth(corpus_base / "kb.sqlite"), EDITIONS, NUMBER, SEED)
    return folder, pages


@pytest.mark.parametrize(
    ("number", "day", "is_late"),
    [
        # A number of 2005 to 2009 that other rules got in 2026.
        ("601.7a", "2026-06-15", True),
        ("601.8", "2026-06-15", True),
        ("601.7b", "2026-06-15", True),
        ("601.7a", "2009-07-11", False),
        ("601.7a", "2026-08-07", False),
        # No later edition has it.
        ("725.2a", "2026-06-15", False),
    ],
)
def test_newer_than_its_date(corpus_base: Path, number: str, day: str, is_late: bool) -> None:
    """A number is newer than its date if later editions with it are nearer than earlier ones."""
    with KnowledgeBase.open(corpus_base) as base:
        judge = NumberVerdicts(base, base.edition("latest"))

        assert judge.of(number, number, base.edition(day)).is_late is is_late


def test_citations_are_judged(corpus_base: Path, tree: tuple[Path, dict[str, Page]]) -> None:
    """Of 1,000 citations, 999 are found and judged rightly; nothing else is reported."""
    folder, pages = tree

    audited = audit(corpus_base, folder, pages)

    wrong = [
        f"{checked.outcome}: {checked.page.path}:{checked.line}: {checked.cited.claim}: {checked.said}"
        for checked in audited.checked
        if checked.outcome != RIGHT
    ]
    assert len(audited.checked) >= NUMBER
    assert len(wrong) <= len(audited.checked) // 1000, wrong
    assert audited.extra == ()


def test_rewriting_changes_nothing_else(
    corpus_base: Path, tree: tuple[Path, dict[str, Page]], tmp_path: Path
) -> None:
    """`--fix` rewrites citations to the true heir, and changes no other byte."""
    folder, pages = tree
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)

    fixed = fix(corpus_base, copy, pages)

    assert fixed.wrong == ()
    assert fixed.rewritten >= 9 * fixed.left
