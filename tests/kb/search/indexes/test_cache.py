"""The cache of indexes: its place and its owner; nothing in a base is ever unpickled."""

import json
import os
import pickle
import shutil
import stat
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.kb.search.small_indexes import ask, documents, keep, names, parts
from tests.support.small_bases import build, write
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.cli.main import main
from variorum_kb.errors import NotWritableError
from variorum_kb.search.indexes import cache, postings
from variorum_kb.search.indexes.cache import cache_of, is_ours, open_cache, remove_former
from variorum_kb.search.indexes.postings import Part

pytestmark = pytest.mark.slow
needs_owners = pytest.mark.skipif(os.name == "nt", reason="Windows knows no such owners")

COMMANDS = (
    *(
        ("search", "keeper"),
        ("search", "--ever", "keeper"),
        ("search", "--json", "keeper AND wall"),
    ),
    *(("resolve", "a keeper may trade wicks at the wall"), ("100.1",), ("show", "100.1")),
    *(("lint",), ("history", "100.1"), ("changes", "2022-08-07"), ("editions",), ("check",)),
    *(("doctor",), ("blame", "100.1"), ("glossary",), ("witnesses",), ("build",)),
)


@pytest.fixture(scope="module")
def without_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a base of three editions; tests must not change it."""
    folder = tmp_path_factory.mktemp("three")
    build(folder / "kb", write(folder, documents(3)))
    return folder / "kb"


@pytest.fixture
def base(without_index: Path, tmp_path: Path) -> Path:
    """Return a base of three editions without indexes."""
    return Path(shutil.copytree(without_index, tmp_path / "kb"))


class Bomb:
    """An object that runs a program when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self._mark = mark

    def __reduce__(self) -> tuple[Callable[[Path], None], tuple[Path]]:
        return Path.touch, (self._mark,)


def plant(folder: Path, mark: Path) -> bytes:
    """Replace the list of files of each part by a malicious pickle; return the pickle."""
    bomb = pickle.dumps(Bomb(mark))
    for file in folder.rglob("*.seg"):
        data = file.read_bytes()
        place, _ = struct.unpack_from("!qi", data)
        file.write_bytes(data[:place] + bomb)
    return bomb


# Nothing in a base ---------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS, ids=[" ".join(command) for command in COMMANDS])
def test_hostile_index_in_a_base(base: Path, tmp_path: Path, command: tuple[str, ...]) -> None:
    """No command opens an index inside a base."""
    mark = tmp_path / "sprung"
    keep(base)
    shutil.copytree(cache_of(base), base / "index")
    plant(base / "index", mark)
    shutil.rmtree(cache_of(base))

    result = CliRunner().invoke(main, [*command, "--kb", str(base)])

    assert result.exit_code in {0, 1}
    assert not mark.exists()


def test_former_index_is_removed_by_a_build(base: Path) -> None:
    """The next build removes the folder of former versions, and says so once."""
    for name in ("on-0123abcd", "ever-0123abcd"):
        (base / "index" / name).mkdir(parents=True)
        (base / "index" / name / "manifest.json").write_text("{}")
    (base / "index" / "lock").touch()

    first, second = (CliRunner().invoke(main, ["build", "--kb", str(base)]) for _ in range(2))

    line = f"cr: {base / 'index'}: removed; indexes are now in the cache"
    assert line in first.stderr.splitlines()
    assert line not in second.stderr
    assert not (base / "index").exists()


@pytest.mark.parametrize("kind", ["foreign", "link", "file", "link within"])
def test_what_is_not_ours_stays(base: Path, tmp_path: Path, kind: str) -> None:
    """A folder with other files is not changed, nor is the target of a link."""
    index, second = base / "index", tmp_path / "other"
    (second / "on-0123abcd").mkdir(parents=True)
    (second / "on-0123abcd" / "dear").write_text("x")
    if kind == "foreign":
        (index / "on-0123abcd").mkdir(parents=True)
        (index / "thesis.txt").write_text("x")
    elif kind == "link":
        index.symlink_to(second)
    elif kind == "file":
        index.write_text("x")
    else:
        index.mkdir()
        (index / "on-0123abcd").symlink_to(second / "on-0123abcd")

    assert remove_former(base) is (kind == "link within")
    assert os.path.lexists(index) is (kind != "link within")
    assert (second / "on-0123abcd" / "dear").exists()


def test_read_only_base(base: Path) -> None:
    """A read-only base can be searched, and no file is left in it."""
    before = sorted(base.rglob("*"))
    for path in (base, *before):
        path.chmod(0o555 if path.is_dir() else 0o444)

    try:
        answer, _ = ask(base)
        again, texts = ask(base)
        there = sorted(base.rglob("*"))
    finally:
        for item in (base, *before):
            item.chmod(0o755 if item.is_dir() else 0o644)

    assert answer["hits"] == again["hits"] != []
    assert texts == []
    assert there == before


# What is unpickled ---------------------------------------------------------------------------


def test_hostile_pickles(base: Path, tmp_path: Path) -> None:
    """A part whose pickles name a program is refused."""
    mark = tmp_path / "sprung"
    keep(base)
    bomb = plant(cache_of(base), mark)

    for folder in cache_of(base).glob("part-*"):
        with pytest.raises(pickle.UnpicklingError, match=r"^an index names"):
            Part(folder)

    assert not mark.exists()
    pickle.loads(bomb)  # noqa: S301 - the trap works
    assert mark.exists()


@pytest.mark.parametrize("name", ["on", "ever"])
def test_hostile_pickles_with_right_checksums(base: Path, tmp_path: Path, name: str) -> None:
    """Even with right checksums, an index in the cache runs no program."""
    mark = tmp_path / "sprung"
    keep(base)
    plant(cache_of(base), mark)
    for folder in cache_of(base).glob("part-*"):
        manifest = cache.open_manifest(folder)
        assert manifest is None
        data = json.loads((folder / "manifest.json").read_bytes().partition(b"\n")[2])
        new = cache.begin(cache_of(base))
        for file in folder.iterdir():
            shutil.copy(file, new / file.name)
        (new / "manifest.json").unlink()
        cache.put_in_place(new, folder.name, data["rests_on"])

    answer, texts = ask(base, ever=name == "ever")

    assert answer["hits"]
    assert [text.endswith("is damaged; rebuilding it") for text in texts] == [True]
    assert ask(base, ever=name == "ever") == (answer, [])
    assert not mark.exists()


def test_what_is_allowed_is_needed(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The allowed names are enough to read an index, and each of them is needed."""
    met: set[tuple[str, str]] = set()

    class Names(dict[tuple[str, str], object]):
        def __getitem__(self, name: tuple[str, str]) -> object:
            allowed = super().__getitem__(name)
            met.add(name)
            return allowed

    allowed = Names(postings.ALLOWED)
    monkeypatch.setattr(postings, "ALLOWED", allowed)

    ask(base)
    ask(base, "702", ever=True)

    assert met == set(allowed)


# Owners ----------------------------------------------------------------------------------------


@needs_owners
def test_private(base: Path) -> None:
    """Only this user can access the folders of the cache."""
    folder = open_cache(base)

    assert is_ours(folder)
    assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder.parent)] == [0o700] * 2


@needs_owners
@pytest.mark.parametrize("problem", ["search", "base", "link"])
def test_others_may_write(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: str
) -> None:
    """A cache that others can write is not opened; the index is built for this search only."""
    monkeypatch.setenv("VARIORUM_CACHE", str(tmp_path / "shared"))
    keep(base)
    expected, _ = ask(base)
    folder = cache_of(base)
    if problem == "link":
        folder.rename(tmp_path / "elsewhere")
        folder.symlink_to(tmp_path / "elsewhere")
    else:
        (folder.parent if problem == "search" else folder).chmod(0o777)

    answer, texts = ask(base)

    assert answer == expected
    assert texts[-1] == (
        f"the search index cannot be kept: {folder.parent}: other users may write there"
    )


@needs_owners
def test_of_somebody_else(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache of another user is not used."""
    keep(base)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)

    assert not is_ours(cache_of(base))
    with pytest.raises(NotWritableError):
        open_cache(base)


# Former bases --------------------------------------------------------------------------------


def test_bases_that_are_gone(
    base: Path, without_index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Building an index removes only the caches of bases that no longer exist."""
    monkeypatch.setenv("VARIORUM_CACHE", str(tmp_path / "cache"))
    path = Path(shutil.copytree(without_index, tmp_path / "other"))
    keep(base)
    keep(path)
    dear = cache_of(base).parent / "dear"
    dear.mkdir()
    shutil.rmtree(path)
    third = Path(shutil.copytree(without_index, tmp_path / "third"))

    keep(third)

    assert cache_of(base).exists()
    assert cache_of(third).exists()
    assert dear.exists()
    assert not cache_of(path).exists()


def test_very_many_bases(without_index: Path, tmp_path: Path) -> None:
    """Of more than 24 bases, the oldest indexes are removed."""
    folders = [f"{age:016x}" for age in range(26)]
    for age, name in enumerate(folders):
        (tmp_path / name).mkdir()
        (tmp_path / name / "base").write_bytes(os.fsencode(without_index))
        os.utime(tmp_path / name, (99 - age, 99 - age))

    cache.prune(tmp_path)

    assert sorted(path.name for path in tmp_path.iterdir()) == folders[:24]


def test_texts_that_changed_without_another_edition(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A base with another digest has another index, even if its editions agree."""
    keep(base)
    before = parts(base)
    monkeypatch.setattr(KnowledgeBase, "digest", "another")

    _, texts = ask(base)

    assert texts == ["the search index of the edition of 2022-08-07 is outdated; rebuilding it"]
    assert parts(base) == before  # none of its texts is new


@pytest.mark.parametrize("options", [["--ever"], []])
def test_several_at_once(base: Path, options: list[str]) -> None:
    """Searches that build the same index at once get the same answer; one index stays."""
    command = [sys.executable, "-P", "-c", "from variorum_kb.cli.main import main; main()"]
    asked = [*command, "search", "keeper", *options, "--json", "--kb", str(base)]
    running = [
        subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) for _ in range(2)
    ]
    datas = {process.communicate()[0] for process in running}

    assert [process.returncode for process in running] == [0, 0]
    assert len(datas) == 1
    assert len(names(base)) == 1
    assert parts(base) == [1]
