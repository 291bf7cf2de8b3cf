"""`cr read`."""

import json
from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.support.edition_texts import page
from variorum_kb.cli.main import main

SAMPLE = Path(str(files("variorum_kb").joinpath("sample")))


def cr(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["read", *map(str, arguments)])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a small edition's file."""
    result = tmp_path / "a.txt"
    result.write_bytes(page())
    return result


def test_one_file(path: Path) -> None:
    """A single document is described at length."""
    result = cr(path, "--ledger")

    assert result.exit_code == 0
    assert result.output == (
        "a.txt\n"
        "  edition    2020-06-05\n"
        "  layout     plain\n"
        "  encoding   ascii (every byte is ASCII)\n"
        "  line ends  54 LF\n"
        "  holds      1 chapter, 2 sections, 7 rules, 2 examples, "
        "2 glossary entries\n"
        "  ledger     54 lines = 31 accounted for + 23 blank; 872 of 872 characters kept\n"
        "  condition  sound\n"
        "  attested   one source\n"
        "  lines of   \n"
        "             title             1\n"
        "             date              1\n"
        "             introduction      2\n"
        "             contents          6\n"
        "             chapter           1\n"
        "             section           2\n"
        "             rule              6\n"
        "             subrule           3\n"
        "             glossary          6\n"
        "             credits           3\n"
    )


def test_irregularities() -> None:
    """Irregularities are shown by kind, with the right number or words."""
    result = cr(SAMPLE / "2008-06-20.txt")

    assert result.exit_code == 0
    assert (
        "  irregular  6\n"
        "             malformed number: 306.b '306.b' for '306.2b'\n"
        "             misnumbered: 306.1c '306.1c' for '306.2c'\n"
    ) in result.output


def test_json(path: Path) -> None:
    """In JSON, one document is a value; several, or a folder, are a list."""
    alone, folder = cr(path, "--json"), cr(path.parent, "--json")

    assert alone.exit_code == folder.exit_code == 0
    assert json.loads(alone.output)["edition"]["effective"] == "2020-06-05"
    assert json.loads(folder.output) == [json.loads(alone.output)]


def test_ledger_as_json(path: Path) -> None:
    """The ledger has its own JSON."""
    answer = json.loads(cr(path, "--ledger", "--json").output)

    assert answer["characters"] == answer["characters_kept"] == 872
    assert answer["unaccounted"] == []


def test_many_files() -> None:
    """Several documents are a table with one line each."""
    result = cr(SAMPLE, "--ledger")

    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert result.stderr == "9 read, 0 refused\n"
    assert len(lines) == 1 + 2 * 9
    assert lines[1].split()[:4] == ["1", "1999-05-14", "banners", "mac_roman"]


def test_error_refused(path: Path, tmp_path: Path) -> None:
    """Unreadable files are named at the end, and the rest is read; a missing file gives exit code 3."""
    (tmp_path / "b.txt").write_bytes(b"no rules")

    result = cr(path, tmp_path / "b.txt", tmp_path / "c.txt")

    assert result.exit_code == 3
    assert result.stderr == (
        f"cr: {tmp_path / 'b.txt'}: no sentence that could quote rules or be about them\n"
        f"cr: {tmp_path / 'c.txt'}: No such file or directory\n"
        "1 read, 2 refused\n"
    )
    assert "a.txt" in result.stdout


def test_error_refused_json(tmp_path: Path) -> None:
    """If all documents are refused, the JSON has the worst error."""
    (tmp_path / "b.txt").write_bytes(b"no rules")
    alone, both = cr(tmp_path / "b.txt", "--json"), cr(tmp_path, tmp_path / "c.txt", "--json")

    refused = "no sentence that could quote rules or be about them"
    assert (alone.exit_code, both.exit_code) == (1, 3)
    assert json.loads(alone.stdout)["error"]["message"] == f"{tmp_path / 'b.txt'}: {refused}"
    assert json.loads(alone.stdout)["error"]["kind"] == "refused document"
    assert json.loads(both.stdout)["error"]["kind"] == "input or output"
    assert sorted(both.stderr.splitlines()) == [
        f"cr: {tmp_path / 'b.txt'}: {refused}",
        f"cr: {tmp_path / 'c.txt'}: No such file or directory",
    ]


def test_strict(tmp_path: Path) -> None:
    """With --strict, a repaired document gives exit code 1."""
    path = tmp_path / "a.txt"
    path.write_bytes(page().replace(b"\n", b"\r\r\n"))

    assert cr(path).exit_code == 0
    assert cr(path, "--strict").exit_code == 1
    assert cr(path, "--strict", "--json").exit_code == 1


def test_error_empty_folder(tmp_path: Path) -> None:
    """A folder without files gives an error."""
    result = cr(tmp_path)

    assert (result.exit_code, result.output) == (3, f"cr: {tmp_path}: no files in this folder\n")


def test_error_empty_name() -> None:
    """An empty name, as from an unset variable, does not mean the current folder."""
    result = cr("")

    assert result.exit_code == 2
    assert "a path cannot be empty" in result.stderr


def test_error_usage() -> None:
    """Without a file, the command shows its usage and exits with 2."""
    result = cr()

    assert result.exit_code == 2
    assert "Missing argument 'FILES...'" in result.stderr
