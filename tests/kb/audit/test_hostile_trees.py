"""Strangers' repositories: `cr audit --blame` starts none of the programs they name."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.kb.audit.audited import Cr, audit_in
from tests.support.git_attacks import ATTACKS, FILE, GIT, Attack, Tree, plain_environment, trap_in

pytestmark = [
    pytest.mark.skipif(not GIT, reason="git is not installed"),
    pytest.mark.skipif(os.name == "nt", reason="the traps are shell scripts"),
]


@pytest.fixture
def cr(sample_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cr:
    """Return the command on the sample rulebook, with "." in the search path of programs."""
    monkeypatch.setenv("PATH", os.pathsep.join([".", "", os.environ["PATH"]]))
    return audit_in(tmp_path, sample_base, monkeypatch)


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_attack(cr: Cr, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attack: Attack) -> None:
    """A program that a repository names does not run, though plain git would run it."""
    trap = trap_in(tmp_path)
    folder = attack.plant(Tree(tmp_path / "tree"), trap)
    trap.mark.unlink(missing_ok=True)
    monkeypatch.chdir(folder)

    for options in (("--blame",), ("--blame", "--diff"), ("--blame", "--fix")):
        result = cr(*options, FILE)
        assert result.exception is None or isinstance(result.exception, SystemExit)
        assert not trap.mark.exists()

    if attack.control:
        plain = plain_environment()
        command = ["git", *attack.control]  # found in the search path
        subprocess.run(command, check=False, capture_output=True, env=plain, timeout=60)
        assert trap.mark.exists()


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_dates_all_the_same(
    cr: Cr, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attack: Attack
) -> None:
    """Lines of a hostile repository still get their days, unless git objects are missing."""
    folder = attack.plant(Tree(tmp_path / "tree"), trap_in(tmp_path))
    monkeypatch.chdir(folder)

    result = cr("--blame", "--json", FILE)

    is_lost = "promisor" in next(name for name, value in ATTACKS.items() if value is attack)
    message = f"cr: {folder / FILE}: git blame: fatal: "
    assert result.stderr.startswith(message) if is_lost else result.exit_code == 0


def test_settings_of_a_tree(cr: Cr, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository's settings cannot turn on git; settings named with --config can."""
    tree = Tree(tmp_path / "tree")
    monkeypatch.chdir(tree.path)
    Path("variorum.toml").write_text("[audit]\nblame = true\n")
    asked: list[Path] = []

    def watch(path: Path) -> None:
        asked.append(path)

    monkeypatch.setattr("variorum_kb.audit.dating.git_blame.repository_around", watch)

    result = cr(FILE)
    silent = cr("--no-blame", FILE)
    heard = list(asked)
    cr("--config", "variorum.toml", FILE)

    note = f"cr: {tree.path}: blame = true is ignored unless --config names the settings"
    assert result.stderr.splitlines()[0] == f"{note}; give --blame"
    assert note not in silent.stderr
    assert heard == []
    assert asked == [tree.path / FILE]


@pytest.mark.parametrize("name", ["HEAD", "index", "packed-refs", "commondir", "refs/heads/main"])
def test_pipes(cr: Cr, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A pipe in place of a file is skipped, since it has no end."""
    tree = Tree(tmp_path / "tree")
    (tree.path / ".git" / name).unlink(missing_ok=True)
    os.mkfifo(tree.path / ".git" / name)
    monkeypatch.chdir(tree.path)

    assert cr("--blame", FILE).exit_code == 0


def test_nothing_is_written(cr: Cr, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An audit changes no file of a repository, nor its time."""
    tree = Tree(tmp_path / "tree")
    os.utime(tree.path / FILE, (1, 1))  # git would record that in its index
    before = [(path, path.lstat().st_mtime_ns) for path in sorted(tree.path.rglob("*"))]
    monkeypatch.chdir(tree.path)

    cr("--blame", FILE)

    assert [(path, path.lstat().st_mtime_ns) for path in sorted(tree.path.rglob("*"))] == before
