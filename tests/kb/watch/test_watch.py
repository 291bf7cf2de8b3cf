"""Watched rules and paths: a sync reports their changes once, except mere renumbering."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.conftest import NOW
from tests.crawler.mirror import Mirror
from tests.crawler.syncing import at, known, serve, write_sources
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.build.build import Builder
from variorum_kb.cli.main import main
from variorum_kb.errors import SettingsError
from variorum_kb.watch.report import report_on, watched_by
from variorum_kb.watch.watch_list import (
    FILES,
    NAME,
    RULE,
    Watched,
    brought_up_to,
    load_watched,
    with_more,
)

SAMPLE = Path(__file__).parents[3] / "kb/variorum_kb/sample"
Cr = Callable[..., Result]


@pytest.fixture(scope="module")
def before_2022(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a base of the sample editions before 2022; tests must not change it."""
    folder = tmp_path_factory.mktemp("before") / "kb"
    list(Builder(folder, NOW, 1).build(sorted(SAMPLE.glob("*.txt"))[:-2]))
    return folder


@pytest.fixture
def cr(before_2022: Path, tmp_path: Path) -> Cr:
    """Return a function that runs commands on a copy of that base."""
    shutil.copytree(before_2022, tmp_path / "kb")

    def run(*words: str) -> Result:
        return CliRunner().invoke(main, [*words, "--kb", str(tmp_path / "kb")])

    return run


@pytest.mark.slow
def test_a_sync_tells_once(cr: Cr, tmp_path: Path) -> None:
    """A sync reports changes in watched rules and files; the next sync reports nothing."""
    file = tmp_path / "rules.py"
    file.write_text("# CR 705.1, CR 705.2\n", "utf-8")
    assert cr("watch", "705", "705.2", "705", str(file)).output.count("since 2017-11-10") == 3
    names = [path.name for path in sorted(SAMPLE.glob("*.txt"))[-2:]]

    with Mirror() as mirror:
        serve(mirror, names)
        sources = write_sources(tmp_path, known("mirror", *(at(mirror, name) for name in names)))
        sync = "sync", "--pause", "0", "--sources", str(sources)
        first, second = cr(*sync), cr(*sync, "--json")

    assert (
        "Watched, in the edition of 2025-05-30\n  705  Flipping a Coin, since 2017-11-10"
        in first.output
    )
    assert "[-he or she wins-] {+they win+}" in first.output
    assert "CR 705.1: reworded" in first.output
    assert "705.2" not in first.output
    assert json.loads(second.stdout)["watched"] == {
        "edition": "2025-05-30",
        "rules": [],
        "files": [],
    }
    assert cr("watch", "705", "--remove").output.count("since 2025-05-30") == 2
    assert "nothing is watched" in cr("watch", "--remove").output
    assert json.loads(cr(*sync, "--json").stdout)["watched"] is None


def test_reports(
    base: KnowledgeBase,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    golden: Callable[[str, object], None],
) -> None:
    """Reports are unchanged; mere renumbering is only counted, and a removal ends the watching."""
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("CR 511.2 and CR 600.4a\n", "utf-8")
    Path("b.txt").write_text("CR 511.2, CR 704.5, CR 101.1, CR 119.1c, CR 999.9\n", "utf-8")
    reports: list[object] = []

    for label, stop in (("2008-06-20", "2010-01-22"), ("2015-04-17", "2022-02-11")):
        watched = [Watched(RULE, name, label) for name in ("511.2", "409.1c", "702.3", "704", "9")]
        watched += [Watched(FILES, name, label) for name in ("a.txt", "b.txt")]
        report, names = report_on(base, watched, base.edition(stop))
        after = [item.as_json() for item in brought_up_to(watched, names, stop)]
        reports += [report, names, after]
        assert with_more(watched, [watched[0], Watched(RULE, "511.2", stop)]) == watched

    golden("watch/reports", reports)


@pytest.mark.parametrize("damage", ["[]", "{", "{}"])
def test_error_damaged(tmp_path: Path, damage: str) -> None:
    """A damaged list is refused."""
    (tmp_path / NAME).write_text(damage, "utf-8")

    with pytest.raises(SettingsError, match="damaged; remove it and run cr watch again"):
        load_watched(tmp_path)


@pytest.mark.parametrize(
    ("asked", "code", "message"),
    [
        (["999.9"], 1, "no edition has had this number"),
        (["511.2 M10"], 1, "one number, range, term or path at a time"),
        (["705 2008"], 1, "one number, range, term or path at a time"),
        (["--since", "nonsense"], 1, "no edition is called"),
        (["705", "--since", "2008-06-20"], 0, "511 → 705  Flipping a Coin, since 2008-06-20"),
    ],
)
def test_command(cr: Cr, asked: list[str], code: int, message: str) -> None:
    """A word that is no rule or path is refused; changes since any edition are shown."""
    done = cr("watch", *asked)

    assert (done.exit_code, message in done.output) == (code, True), done.output


def test_names(base: KnowledgeBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number means a rule, and is a path only if it is written like one."""
    monkeypatch.chdir(tmp_path)
    for name in ("705", "boat", "a.txt", "704.5j-704.5m"):
        (tmp_path / name).touch()

    watched = {
        name: [(item.kind, item.name) for item in watched_by(base, name)]
        for name in ("705", "./705", "boat", "a.txt", "704.5j-704.5m", "Sail")
    }

    assert watched == {
        "705": [(RULE, "705")],
        "./705": [(FILES, str(tmp_path / "705"))],
        "boat": [(FILES, str(tmp_path / "boat"))],
        "a.txt": [(FILES, str(tmp_path / "a.txt"))],
        "704.5j-704.5m": [(RULE, "704.5j"), (RULE, "704.5k"), (RULE, "704.5m")],
        "Sail": [(RULE, "glossary: Sail")],
    }
