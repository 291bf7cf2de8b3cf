"""Any input is read, or refused with one line; the base stays intact."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.crawler.syncing import do_nothing
from tests.kb.build.damaged_documents import (
    DAMAGES,
    FOREIGN,
    HUGE,
    bomb,
    hostile,
    long_line,
    long_word,
    nested,
    nested_bomb,
)
from tests.support.document_kinds import KINDS, document
from variorum_kb.cli.main import main
from variorum_kb.search.indexes.current_indexes import BaseIndexes

_NAMES = ("edition.txt", "edition.docx", "wiki.html")
_PAGES = [name for name in KINDS if name.endswith(".html")]


def cr(*arguments: object) -> Result:
    """Run a command; an unexpected exception fails the test."""
    return CliRunner().invoke(main, list(map(str, arguments)), catch_exceptions=False)


def state(base: Path) -> tuple[bytes, dict[str, bytes]]:
    """Return the bytes of a base and of its archive."""
    documents = [path for path in (base / "documents").rglob("*") if path.is_file()]
    archive = {str(path.relative_to(base)): path.read_bytes() for path in documents}
    return (base / "kb.sqlite").read_bytes(), archive


@pytest.fixture(autouse=True)
def _without_indexes(monkeypatch: pytest.MonkeyPatch) -> None:
    # They take longer than all else here, and are made of what the base already holds.
    monkeypatch.setattr(BaseIndexes, "keep_in_step", do_nothing)


@pytest.fixture
def base(sample_base: Path, tmp_path: Path) -> Path:
    """Return a base of the sample rulebook that tests may change."""
    return shutil.copytree(sample_base, tmp_path / "kb")


def write(folder: Path, documents: Mapping[str, bytes]) -> list[Path]:
    """Write documents into a folder that is no knowledge base."""
    folder.mkdir()
    for name, data in documents.items():
        (folder / name).write_bytes(data)
    return [folder / name for name in documents]


def is_refusal(result: Result, path: Path) -> bool:
    """Check that the answer is on stdout, or is one line on stderr; return whether it is a refusal."""
    if result.stderr:
        assert result.exit_code in {1, 3}
        assert result.stdout == ""
        assert result.stderr.count("\n") == 1, result.stderr
        assert result.stderr.startswith((f"cr: {path}: ", f"cr: {path}:")), result.stderr
        return True
    assert result.stdout
    return False


def try_all(base: Path, paths: list[Path]) -> set[Path]:
    """Read, identify and build documents; return those that `cr build` refuses."""
    for path in paths:
        read = cr("read", path)
        assert is_refusal(read, path) == (read.exit_code != 0)
        is_refusal(cr("identify", path, "--kb", base), path)
    before = state(base)
    built = cr("build", *paths, "--kb", base)
    lines = [line for line in built.stderr.splitlines() if line.startswith("cr: ")]
    refused = {path for path in paths if any(line.startswith(f"cr: {path}:") for line in lines)}
    assert len(lines) == len(refused)
    assert bool(built.exit_code) == bool(refused)
    if len(refused) == len(paths):
        assert state(base) == before
    return refused


def test_sound(base: Path, tmp_path: Path) -> None:
    """A sound document of each kind is read and built in."""
    paths = write(tmp_path / "in", {name: document(name) for name in KINDS})

    assert {cr("read", path).exit_code for path in paths} == {0}
    assert cr("build", *paths, "--kb", base).exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
def test_error_damaged(sample_base: Path, base: Path, tmp_path: Path, damage: str) -> None:
    """A damaged document of any kind is read, or refused in one line, and never half built in."""
    damaged = {DAMAGES[damage](document(name)): name for name in KINDS}
    paths = write(tmp_path / "in", {name: data for data, name in damaged.items()})

    refused = sorted(try_all(base, paths))

    assert cr("check", "--kb", base).exit_code == 0
    again = shutil.copytree(sample_base, tmp_path / "again")
    before = state(again)
    assert cr("build", *refused, "--kb", again).exit_code == bool(refused)
    assert state(again) == before


@pytest.mark.parametrize("problem", FOREIGN)
def test_error_foreign(base: Path, tmp_path: Path, problem: str) -> None:
    """Files of other kinds are refused under any name, and the base stays."""
    paths = write(tmp_path / "in", dict.fromkeys(_NAMES, FOREIGN[problem]))

    assert try_all(base, paths) == set(paths)


@pytest.mark.parametrize("problem", ["another game", "another game, numbered"])
def test_error_another_game(base: Path, tmp_path: Path, problem: str) -> None:
    """The rules of another game can be read; the build reports them as other rules."""
    (path,) = write(tmp_path / "in", {"a.txt": FOREIGN[problem]})

    result = cr("build", path, "--kb", base)

    assert cr("read", path).exit_code == 0
    assert result.stderr.startswith(f"cr: {path}: excerpt of other rules: nothing of it stands")


def test_error_huge(base: Path, tmp_path: Path) -> None:
    """A file far larger than any document is refused for its size."""
    paths = write(tmp_path / "in", {name: document(name) for name in _NAMES})
    for path in paths:
        with path.open("r+b") as file:
            file.truncate(HUGE)

    assert try_all(base, paths) == set(paths)
    for path in paths:
        assert cr("read", path).stderr == f"cr: {path}: too large; at most 16 MB are read\n"


@pytest.mark.slow
@pytest.mark.parametrize("make", [bomb, nested_bomb])
def test_error_bomb(base: Path, tmp_path: Path, make: Callable[[], bytes]) -> None:
    """A Word document that unpacks to far more than its size is not unpacked."""
    data = make()
    (path,) = write(tmp_path / "in", {"a.docx": data})

    assert len(data) < 200_000
    assert try_all(base, [path]) == {path}
    assert "unpacks to far more than any edition holds" in cr("read", path).stderr


@pytest.mark.parametrize("name", _PAGES)
def test_hostile_markup(base: Path, tmp_path: Path, name: str) -> None:
    """Words in scripts, styles, handlers, frames and comments are never read."""
    page = document(name).decode()
    sound, evil = write(
        tmp_path / "in", {"a.html": page.encode(), "b.html": hostile(page).encode()}
    )

    stdout = cr("read", evil, "--json").stdout

    assert "EVIL" not in stdout
    assert stdout.count('"number": "511.1"') == cr("read", sound, "--json").stdout.count(
        '"number": "511.1"'
    )
    assert try_all(base, [evil]) == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wiki.html", "hyperlinked.html"])
@pytest.mark.parametrize("tag", ["div", "b", "a", "p", "table", "ul"])
def test_error_nested(tmp_path: Path, name: str, tag: str) -> None:
    """A page nested ten thousand levels deep is read if its tags close each other, else refused."""
    (path,) = write(tmp_path / "in", {name: nested(document(name).decode(), tag).encode()})

    result = cr("read", path)

    if is_refusal(result, path):
        assert result.stderr == f"cr: {path}: HTML nested more than 512 levels deep\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["excerpt.txt", "hyperlinked.html", "wikitext.txt"])
def test_long_line(tmp_path: Path, name: str) -> None:
    """A line of a million characters is read, or refused with one line."""
    data = {"a.txt": long_line(document(name)), "b.txt": long_word(document(name))}

    for path in write(tmp_path / "in", data):
        result = cr("read", path)

        assert is_refusal(result, path) == (result.exit_code == 1)


def test_error_several(base: Path, tmp_path: Path) -> None:
    """If some documents are bad, each is refused with a line, and the others are built in."""
    documents = {"a.txt": document("excerpt.txt"), "b.txt": b"", "c.txt": document("article.txt")}
    paths = write(tmp_path / "in", documents)

    result = cr("build", *paths, "--kb", base)

    assert result.exit_code == 1
    assert result.stdout == f"{base}: 2 new, 0 known, 1 refused\n"
    assert f"cr: {paths[1]}: the document is empty\n" in result.stderr
