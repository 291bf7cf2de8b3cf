"""`cr build`."""

import logging
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.support.edition_texts import page
from tests.support.small_bases import edition
from variorum_kb.cli.main import main
from variorum_kb.system import timing


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with an edition, and a base of its own to build."""
    monkeypatch.setenv("VARIORUM_KB", str(tmp_path / "kb"))
    result = tmp_path / "rules"
    result.mkdir()
    (result / "a.txt").write_bytes(page())
    return result


ONE_SOURCE = "1 new edition has only one source; cr editions marks them\n"


def build(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["build", *map(str, arguments)])


def test_build(folder: Path, tmp_path: Path) -> None:
    """New documents are built in; known ones are not read again."""
    first, again = build(folder), build(folder)

    assert (first.exit_code, again.exit_code) == (0, 0)
    assert first.stdout == f"{tmp_path / 'kb'}: 1 new, 0 known, 0 refused\n{ONE_SOURCE}"
    assert first.stderr == "2020-06-05  a.txt: 7 rules\n"
    assert again.stdout == f"{tmp_path / 'kb'}: 0 new, 1 known, 0 refused\n"
    assert again.stderr == ""


def test_translation(folder: Path) -> None:
    """No passages of a translation agree, so the output says that it is a translation."""
    (folder / "b.txt").write_text(
        "100.1. Ein Spieler wirft die Münze und gewinnt den Wurf.\n\n"
        "100.2. Wer die Seite nicht nennt, verliert den Wurf und die Wette.\n"
    )

    result = build(folder)

    line = next(line for line in result.stderr.splitlines() if line.startswith("b.txt: "))
    assert line.startswith("b.txt: a translation, too short to say of which edition: ")
    assert "agree" not in line


def test_counts(folder: Path) -> None:
    """Editions with one source, copies and documents compared again are counted, in words that agree."""
    excerpt = (
        b"100.1a A keeper has a boat.\n\n100.1b A boat has a lamp.\n\n100.2. The tide turns.\n"
    )
    (folder / "b.txt").write_bytes(edition("July 6, 2021"))
    (folder / "excerpt.txt").write_bytes(excerpt)
    first = build(folder)
    (folder / "c.txt").write_bytes(edition(designer="Somebody"))
    second = build(folder)
    (folder / "d.txt").write_bytes(edition("July 6, 2021", designer="Somebody"))
    (folder / "e.txt").write_bytes(edition("July 6, 2021", designer="Somebody Else"))
    third = build(folder)

    assert first.stdout.splitlines()[1:] == [
        "2 new editions have only one source; cr editions marks them"
    ]
    assert "excerpt.txt: excerpt, 3 of 3 passages agree\n" in first.stderr
    assert second.stdout.splitlines()[1:] == [
        "1 known document compared again",
        ONE_SOURCE.rstrip(),
        "1 document is a copy of known editions; cr editions --copies lists them",
    ]
    assert third.stdout.splitlines()[-1] == (
        "3 documents are copies of known editions; cr editions --copies lists them"
    )


def test_verbose(folder: Path) -> None:
    """With -v, the output has the time of each part, in this run only."""
    first, again = build("-v", folder), build(folder)

    parts = [line.partition(" s: ")[2] for line in first.stderr.splitlines() if " s: " in line]
    assert parts[:3] == [
        "checking the old base",
        "reading documents",
        "choosing the editions",
    ]
    assert parts[-2:] == ["indexing all editions", "indexing the edition of 2020-06-05"]
    assert again.stderr == ""
    assert not timing.log.isEnabledFor(logging.INFO)


def test_passed_over(folder: Path) -> None:
    """Other files in a folder are passed over; the exit code stays 0."""
    (folder / "notes.txt").write_bytes(b"no rules")

    result = build(folder)

    assert result.exit_code == 0
    assert "1 file in folders skipped: neither editions nor other witnesses\n" in result.stdout
    reason = "no sentence that could quote rules or be about them"
    assert f"skipped: {folder / 'notes.txt'}: {reason}\n" in result.stderr


def test_error_refused(folder: Path) -> None:
    """A named file that is not an edition is refused; the others are built in."""
    (folder / "notes.txt").write_bytes(b"no rules")

    result = build(folder / "notes.txt", folder / "a.txt", folder / "none.txt")

    assert result.exit_code == 3
    assert result.stdout.endswith(f": 1 new, 0 known, 2 refused\n{ONE_SOURCE}")
    assert result.stderr.splitlines()[-2:] == [
        f"cr: {folder / 'none.txt'}: No such file or directory",
        f"cr: {folder / 'notes.txt'}: no sentence that could quote rules or be about them",
    ]


def test_strict(folder: Path) -> None:
    """With --strict, a repaired document gives exit code 1, though it is built in."""
    (folder / "a.txt").write_bytes(page().replace(b"\n", b"\r\r\n"))

    result = build(folder, "--strict")

    assert result.exit_code == 1
    assert result.stdout.endswith(f": 1 new, 0 known, 0 refused\n{ONE_SOURCE}")
    assert "7 rules, repaired\n" in result.stderr
