"""A base of the previous version: refused in a line, and rebuilt by the next build.

It has the sample rulebook's editions of 1999 and 2003, written by that version.
"""

import zipfile
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.support.small_bases import build, kinds, rows
from tests.support.small_bases import contents as contents_of
from variorum_crawler.setup_check import Level, examine
from variorum_kb.build.check import verify
from variorum_kb.build.check_results import Problem, Remedy
from variorum_kb.cli.main import main
from variorum_kb.documents.archive import Archive
from variorum_kb.schema_version import SCHEMA

PREVIOUS = Path(__file__).parents[2] / "golden" / "base-of-layout-5.zip"
LABELS = [("1999-05-14",), ("2003-02-10",)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the base, unpacked from its ZIP."""
    with zipfile.ZipFile(PREVIOUS) as packed:
        packed.extractall(tmp_path / "kb")
    return tmp_path / "kb"


def test_error_look_ups_refuse_it(folder: Path) -> None:
    """Every command says in one line what to do, and gives no answer."""
    line = (
        f"cr: {folder / 'kb.sqlite'}: written by an older program (layout 5, this one uses "
        f"{SCHEMA}); run cr build to rebuild it from its documents\n"
    )

    for asked in (["show", "100.1"], ["history", "100.1"], ["toc"], ["changes", "first..latest"]):
        result = CliRunner().invoke(main, [*asked, "--kb", str(folder)])
        assert (result.exit_code, result.stdout, result.stderr) == (3, "", line)


def test_error_it_is_a_problem(folder: Path) -> None:
    """`cr check` and `cr doctor` report it."""
    verifies = [report for report in verify(folder) if isinstance(report, Problem)]
    results = [
        checked
        for checked in examine(folder, None, {}, date(2004, 1, 1))
        if checked.level is Level.PROBLEM
    ]

    assert [(item.what, item.remedy) for item in verifies] == [
        ("written by an older program", Remedy.BUILD)
    ]
    assert [checked.remedy for checked in results] == ["cr build makes it anew from its documents"]


def test_it_is_built_anew(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A build says so and makes the bytes of a new base; it keeps the sources of documents."""
    sources = {
        sha256: Archive(folder / "documents").sources(sha256)
        for sha256 in Archive(folder / "documents")
    }

    events = build(folder)
    build(folder.parent / "new", sorted((folder / "documents").glob("??/*")))

    reason = f"written by an older program (layout 5, this one uses {SCHEMA})"
    warnings = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert warnings == [f"{folder / 'kb.sqlite'}: {reason}; rebuilding it"]
    assert kinds(events) == {"Taken": 2}
    assert rows(folder, "label") == LABELS
    assert contents_of(folder) == contents_of(folder.parent / "new")
    archive = Archive(folder / "documents")
    assert {sha256: archive.sources(sha256) for sha256 in archive} == sources
    assert [report for report in verify(folder, deep=True) if isinstance(report, Problem)] == []
