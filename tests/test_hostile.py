"""What strangers made or damaged: repositories that name programs, and bases."""

import contextlib
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.command import run
from tests.support.git_attacks import ATTACKS, FILE, GIT, Attack, Tree, plain_environment, trap_in

needs_git = pytest.mark.skipif(
    not GIT or os.name == "nt", reason="git is not installed, or cannot run the traps"
)


@pytest.fixture
def settings(bases: Callable[[str], Path], tmp_path: Path) -> dict[str, str]:
    """Return the settings of a careless user, with "." in the search path of programs."""
    return {
        "VARIORUM_KB": str(bases("sample")),
        # The cache has the days of equal commits, which trees of the same second share.
        "VARIORUM_CACHE": str(tmp_path / "cache"),
        "PATH": os.pathsep.join([".", "", os.environ["PATH"]]),
        "GIT_CONFIG_GLOBAL": os.devnull,
    }


@needs_git
@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_attack(tmp_path: Path, settings: dict[str, str], attack: Attack) -> None:
    """A program that a repository names does not run, though plain git runs it; lines get their days."""
    trap = trap_in(tmp_path)
    folder = attack.plant(Tree(tmp_path / "tree"), trap)
    trap.mark.unlink(missing_ok=True)

    dated, diff, fixed = [
        run(["audit", "--blame", *options, FILE], folder=folder, settings=settings)
        for options in (("--json", "--all"), ("--diff",), ("--fix",))
    ]

    assert not trap.mark.exists()
    is_lost = "promisor" in next(name for name, value in ATTACKS.items() if value is attack)
    (finding,) = json.loads(dated.out)["findings"]
    assert (finding["cited"], finding["status"]) == ("CR 100.1", "current")
    # Of a file with an object that git misses, and must not fetch, no line has a date.
    assert (finding["as_of"] is None) == is_lost
    assert (dated.code, diff.code, fixed.code) == (0, 0, 0)
    if attack.control:
        plain = {**plain_environment(), "PATH": settings["PATH"]}
        command = ["git", *attack.control]  # found in the search path
        subprocess.run(command, check=False, capture_output=True, cwd=folder, env=plain, timeout=60)
        assert trap.mark.exists()


@needs_git
def test_leaves_no_temporary_folder(tmp_path: Path, settings: dict[str, str]) -> None:
    """A process of the command removes the private folders in which git ran."""
    tree, folder = Tree(tmp_path / "tree").path, tmp_path / "temporary"
    folder.mkdir()
    audit = "from variorum.cli.start import process; process()", "audit", "--blame", FILE

    environment = {**os.environ, **settings, "TMPDIR": str(folder)}
    subprocess.run([sys.executable, "-c", *audit], check=True, cwd=tree, env=environment)

    assert not [*folder.iterdir()]


@needs_git
@pytest.mark.parametrize("name", ["HEAD", "index", "packed-refs", "commondir", "refs/heads/main"])
def test_pipe(tmp_path: Path, settings: dict[str, str], name: str) -> None:
    """A pipe in place of a file of git has no end, and is not read."""
    tree = Tree(tmp_path / "tree")
    path = tree.path / ".git" / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)

    result = run(["audit", "--blame", FILE], folder=tree.path, settings=settings)

    assert "Traceback" not in result.err
    assert result.code in {0, 3}


@needs_git
def test_nothing_is_written(tmp_path: Path, settings: dict[str, str]) -> None:
    """An audit changes no file of a repository, nor its time."""
    tree = Tree(tmp_path / "tree")
    os.utime(tree.path / FILE, (1, 1))  # git would note that in its index

    def times() -> list[tuple[Path, int]]:
        return [(path, path.lstat().st_mtime_ns) for path in sorted(tree.path.rglob("*"))]

    before = times()
    run(["audit", "--blame", FILE], folder=tree.path, settings=settings)

    assert times() == before


def test_packed_bomb(tmp_path: Path) -> None:
    """A ZIP's member is unpacked no further than an edition can be long."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as packed:
        packed.writestr("big.txt", b"a" * 17_000_000, zipfile.ZIP_DEFLATED)
        packed.writestr("odd.txt", b"b", zipfile.ZIP_BZIP2)
    result = run(["build", str(tmp_path / "a.zip"), "--kb", str(tmp_path)])
    assert result.err.count("big.txt: too large") == result.err.count("odd.txt: packed") == 1


def test_flipped_bits(tmp_path: Path, bases: Callable[[str], Path]) -> None:
    """One changed bit anywhere in a base is noticed."""
    whole = (bases("sample") / "kb.sqlite").read_bytes()
    chosen = random.Random(43)
    for _ in range(200):
        damaged = bytearray(whole)
        damaged[chosen.randrange(len(whole))] ^= 1 << chosen.randrange(8)
        (tmp_path / "kb.sqlite").write_bytes(damaged)
        result = run(["705.1", "--kb", str(tmp_path)])
        assert (result.code, "Traceback" in result.err) == (3, False)


FORGED = (
    """DROP TABLE span; CREATE VIEW span AS WITH RECURSIVE n(provision, first, last) AS
    (SELECT 1, 1, 1 UNION ALL SELECT provision + 1, 1, 1 FROM n) SELECT * FROM n""",
    "CREATE TRIGGER more AFTER INSERT ON meta BEGIN DELETE FROM meta; END",
    "UPDATE link SET old = new",
    "UPDATE edition SET effective = 'soon', label = 'soon' WHERE id = 8",
    "UPDATE reading SET body = x'ff00'",
    "UPDATE provision SET parent = address",
    "UPDATE provision SET heading = 7.5",
    "UPDATE edition SET states = x'ffffff7fffffff7f'",
    "UPDATE provision SET reading = reading + 100000",
    "UPDATE finding SET body = 7; UPDATE edition SET credits = '{}', ledger = 7",
    "DELETE FROM evidence",
    "DELETE FROM meta",
)


@pytest.mark.parametrize("forgery", FORGED)
def test_forged_base(tmp_path: Path, bases: Callable[[str], Path], forgery: str) -> None:
    """A base that somebody forged, checksum and all, is refused or answers; nothing breaks or hangs."""
    file = Path(shutil.copy(bases("sample") / "kb.sqlite", tmp_path))
    with contextlib.closing(sqlite3.connect(file)) as base:
        base.executescript(forgery)
    data = file.read_bytes()
    crc = zlib.crc32(data[:60] + bytes(4) + data[64:])
    file.write_bytes(data[:60] + crc.to_bytes(4, "big") + data[64:])
    for question in ("705.1", "history 705.1", "diff first latest 705", "lint", "export --json"):
        result = run([*question.split(), "--kb", str(tmp_path)])
        assert (result.code in {0, 1, 3}, "Traceback" in result.err) == (True, False)
