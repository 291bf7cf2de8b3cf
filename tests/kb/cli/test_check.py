"""`cr check`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.support.small_bases import build, change, edition, write, write_otherwise
from variorum_kb.build.part_versions import current_meta
from variorum_kb.cli.commands.check import check


def cr(*arguments: object) -> Result:
    return CliRunner().invoke(check, list(map(str, arguments)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a base of two editions."""
    documents = {"a.txt": edition(), "b.txt": edition("July 6, 2021")}
    build(tmp_path / "kb", write(tmp_path, documents))
    return tmp_path / "kb"


@pytest.mark.parametrize("options", [[], ["--deep"]])
def test_nothing_wrong(folder: Path, options: list[str]) -> None:
    """For a sound base, the command prints one line and exits 0."""
    result = cr("--kb", folder, *options)

    assert result.output == "2 editions, 2 documents: nothing wrong\n"
    assert result.exit_code == 0


def test_one_edition(tmp_path: Path) -> None:
    """A single edition is counted in the singular."""
    build(tmp_path / "kb", write(tmp_path, {"a.txt": edition()}))

    assert cr("--kb", tmp_path / "kb").output == "1 edition, 1 document: nothing wrong\n"


def test_problems(folder: Path) -> None:
    """Each problem is a line on stdout; the exit code is 1."""
    change(folder, "UPDATE edition SET rules = 8, sections = 3 WHERE id = 1")

    result = cr("--kb", folder)

    remedy = "cr build builds it anew from the documents kept"
    assert result.stdout == (
        f"kb.sqlite: damaged: edition does not hold what was written; {remedy}\n"
        "2 editions, 2 documents: 1 problem\n"
    )
    assert result.stderr == ""
    assert result.exit_code == 1


def test_deep(folder: Path) -> None:
    """Only --deep finds faults that the documents reveal."""
    write_otherwise(folder, "UPDATE edition SET layout = 'word' WHERE id = 0")

    shallow, deep = cr("--kb", folder), cr("--kb", folder, "--deep")

    assert (shallow.exit_code, deep.exit_code) == (0, 1)
    assert deep.stdout.endswith("2 editions, 2 documents: 1 problem\n")


def test_json(folder: Path) -> None:
    """JSON has the same problems, in separate fields."""
    (folder / "documents" / "notes.txt").write_bytes(b"")

    sound, result = cr("--kb", folder, "--json", "--deep"), cr("--kb", folder, "--json")

    assert sound.exit_code == result.exit_code == 1
    assert json.loads(result.stdout) == {
        "editions": 2,
        "documents": 2,
        "problems": [
            {
                "part": "document",
                "where": "documents/notes.txt",
                "what": "not in the manifest",
                "remedy": "remove it, or add it with cr build FILE",
            }
        ],
        "notes": [],
    }
    (folder / "documents" / "notes.txt").unlink()
    assert json.loads(cr("--kb", folder, "--json").stdout)["problems"] == []


def test_the_usual_place(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --kb, the base that VARIORUM_KB names is checked."""
    monkeypatch.setenv("VARIORUM_KB", str(folder))

    assert cr().output == "2 editions, 2 documents: nothing wrong\n"


def test_progress(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal gets a progress bar on stderr, separate from the answer."""
    monkeypatch.setattr("variorum_kb.cli.commands.check.has_bar", lambda: True)

    result = cr("--kb", folder)

    assert result.stdout == "2 editions, 2 documents: nothing wrong\n"
    assert "checking" in result.stderr


def test_another_version(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part made by another version is a note, not a problem."""
    made = current_meta()
    monkeypatch.setattr("variorum_kb.build.check.current_meta", lambda: {**made, "reader": "0"})

    page, answer = cr("--kb", folder), json.loads(cr("--kb", folder, "--json").stdout)

    assert page.exit_code == 0
    assert page.stdout.startswith("note: kb.sqlite: read by version ")
    assert page.stdout.endswith("nothing wrong\n")
    assert [note["where"] for note in answer["notes"]] == ["kb.sqlite"]
    assert answer["problems"] == []
