"""Examples on help pages that name numbers, days and sets of the real rules."""

import shutil
from pathlib import Path

import pytest

from tests.support.help_examples import (
    commit,
    examples,
    is_about_real_rules,
    needs_shell,
    run_example,
)

REAL = [command for command in examples() if is_about_real_rules(command)]
# All other examples find an answer: exit code 0.
EXPECTED = {
    "cr audit src --as-of M10": 1,  # a citation is stale
    "cr where - --from 2008-02-01 --jsonl < numbers.txt": 1,  # 704.5k is not in that edition
    "cr card Kruphix": 1,  # no cards were added
    "cr card birthing pod --on 2012-05-01": 1,
}


@pytest.fixture(scope="module")
def folder(editions: tuple[Path, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a program that cites rules, and an edition."""
    path = tmp_path_factory.mktemp("examples")
    (path / "src").mkdir()
    (path / "src" / "rules.py").write_text("# CR 704.5k\n", encoding="utf-8")
    (path / "numbers.txt").write_text("704.5k\n600.4a\n", encoding="utf-8")
    commit(path, "2009-08-01")
    shutil.copy(editions[-1], path / "new-rules.txt")
    return path


@needs_shell
@pytest.mark.slow
@pytest.mark.parametrize("command", REAL)
def test_example(corpus_base: Path, folder: Path, command: str) -> None:
    """An example does what its help page says, and always prints an answer."""
    code, printed = run_example(command, folder, {"VARIORUM_KB": str(corpus_base)})

    assert code == EXPECTED.get(command, 0), printed
    # Another process may have ended watching the rules, and then nothing of them changed.
    assert printed.strip() or " -o " in command or command.startswith("cr watch --since")
