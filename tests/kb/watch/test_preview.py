"""A draft is compared with the edition before it, and the base stays as it was."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.conftest import NOW
from tests.support.schemas import assert_fits
from variorum_kb.build.build import Builder
from variorum_kb.cli.main import main

SAMPLE = Path(__file__).parents[3] / "kb/variorum_kb/sample"


def run(base: Path, *words: str) -> tuple[int, str]:
    """Run the command; return its exit code and output."""
    done = CliRunner().invoke(main, ["preview", *words, "--kb", str(base)])
    return done.exit_code, done.output


@pytest.mark.slow
def test_a_draft(tmp_path: Path) -> None:
    """The output names rewordings and citations that are newly wrong; the base stays the same."""
    before, latest = [
        (SAMPLE / f"{name}.txt").read_bytes().decode("utf-8-sig").replace("302.3.)", "302.9.)")
        for name in ("2022-02-11", "2025-05-30")
    ]
    (tmp_path / "2022-02-11.txt").write_text(before.replace("“Flipping a", "“Tossing a"), "utf-8")
    list(Builder(tmp_path / "kb", NOW, 1).build([tmp_path / "2022-02-11.txt"]))
    for old, new in (("705, “Flipping a", "705, “Throwing a"), ("601.3.)", "699.3.)")):
        assert old in latest
        latest = latest.replace(old, new)
    draft = tmp_path / "draft.txt"
    draft.write_text(latest, "utf-8")
    files = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    code, page = run(tmp_path / "kb", str(draft), "--exit-code")
    form = json.loads(run(tmp_path / "kb", str(draft), "--json")[1])

    assert_fits(form, "preview")
    assert code == 1
    assert "699.3" in page
    broken = [(item["kind"], item["printed"]) for item in form["broken"]]
    assert broken == [("dangling", "699.3"), ("title", "705")]
    assert form["diff"]["summary"]["substantive"] >= 2
    assert files == {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_a_past_update(sample_base: Path, tmp_path: Path) -> None:
    """An edition in the base is compared with the one before it; citations of a tree are judged."""
    tree = tmp_path / "a.txt"
    tree.write_text("CR 511.2 and CR 101.1\n", "utf-8")
    form = json.loads(run(sample_base, str(SAMPLE / "2010-01-22.txt"), str(tree), "--json")[1])

    assert (form["before"], form["edition"]) == ("2008-06-20", "2010-01-22")
    assert ("CR 511.2", "CR 705.2") in [
        (finding["cited"], finding["rewrite"]) for finding in form["findings"]
    ]
    assert form["citations"] == 2


def test_refusals(sample_base: Path, tmp_path: Path) -> None:
    """A file that is no edition, or older than all, is refused in a line."""
    (tmp_path / "a.txt").write_text("704.5k Some words.\n", "utf-8")
    first = run(sample_base, str(SAMPLE / "1999-05-14.txt"))

    assert run(sample_base, str(tmp_path / "a.txt"))[0] == 1
    assert first == (
        1,
        f"cr: {SAMPLE / '1999-05-14.txt'}: no edition before 1999-05-14 to compare it with\n",
    )
