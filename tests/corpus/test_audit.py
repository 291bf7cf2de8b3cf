"""Citations of the real rules are judged rightly and never rewritten wrongly."""

import shutil
from pathlib import Path

import pytest

from lab.score.citations import EDITIONS, RIGHT, audit, fix
from lab.score.cited_tree import Page, write_tree
from lab.score.cited_truth import Truth

pytestmark = pytest.mark.corpus

NUMBER, SEED = 2_000, 7


@pytest.fixture(scope="module")
def tree(
    corpus_base: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, dict[str, Page]]:
    """Return a tree of citations by a dozen editions, and the citations; nobody may change it."""
    folder = tmp_path_factory.mktemp("cited")
    pages = write_tree(folder, Truth(corpus_base / "kb.sqlite"), EDITIONS, NUMBER, SEED)
    return folder, pages


def test_citations_are_judged(corpus_base: Path, tree: tuple[Path, dict[str, Page]]) -> None:
    """999 of 1,000 citations are found and judged rightly, and nothing else is reported."""
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
    """Citations that `--fix` rewrites name the true heir; no other byte of the tree changes."""
    folder, pages = tree
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)

    fixed = fix(corpus_base, copy, pages)

    assert fixed.wrong == ()
    assert fixed.rewritten >= 9 * fixed.left
