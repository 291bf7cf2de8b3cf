"""The command on the sample rulebook, for tests of its output."""

import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.cli.main import main
from variorum_kb.search.indexes.current_indexes import BaseIndexes


@pytest.fixture(scope="module")
def indexed(sample_base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the sample rulebook's base with indexes; a module may change it."""
    copy = tmp_path_factory.mktemp("indexed") / "kb"
    shutil.copytree(sample_base, copy)
    with KnowledgeBase.open(copy, today=date(2026, 1, 2)) as base:
        BaseIndexes(base).keep_in_step()
    return copy


@pytest.fixture(scope="module")
def folder(sample_base: Path) -> Path:
    """Return the base that the command uses; modules may replace it."""
    return sample_base


@pytest.fixture
def cr(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Return the command on that base."""
    monkeypatch.setenv("VARIORUM_KB", str(folder))

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(main, list(arguments))

    return run
