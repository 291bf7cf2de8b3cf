"""`cr audit`: dates by git, settings and baselines."""

import json
from pathlib import Path

import pytest

from tests.kb.audit.audited import GIT, Cr, audit_in, git, write
from variorum_kb.audit import audited_files

needs_git = pytest.mark.skipif(not GIT, reason="git is not installed")


@pytest.fixture
def cr(sample_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cr:
    """Return the command on the sample rulebook, in an empty folder."""
    return audit_in(tmp_path, sample_base, monkeypatch)


# Dates ---------------------------------------------------------------------------------------


@needs_git
def test_blame(cr: Cr) -> None:
    """Each line is judged by the rules of its day, and uncommitted lines by today's."""
    write({"a.txt": "CR 300.1\n"})
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "old", "--date", "2003-05-01T12:00:00+0000")
    write({"a.txt": "CR 300.1\nCR 300.1\n", "new.txt": "CR 300.1\n"})

    findings = json.loads(cr("--blame", "--json", "--all").stdout)["findings"]

    assert [
        (finding["file"], finding["line"], finding["as_of"], finding["status"])
        for finding in findings
    ] == [
        ("a.txt", 1, "2003-02-10", "another provision"),
        ("a.txt", 2, "2025-05-30", "current"),
        ("new.txt", 1, None, "uncertain"),
    ]


@needs_git
def test_error_shallow_clone(cr: Cr) -> None:
    """A clone without its history is an error, in one line."""
    write({"far/a.txt": "CR 300.1\n"})
    git("init", "-q", "far")
    git("-C", "far", "add", ".")
    git("-C", "far", "commit", "-qm", "old")
    write({"far/a.txt": "CR 300.1\nCR 300.2\n"})
    git("-C", "far", "commit", "-qam", "new")
    git("clone", "-q", "--depth=1", (Path.cwd() / "far").as_uri(), "near")

    result = cr("near", "--blame")

    folder = Path.cwd() / "near"
    assert (result.exit_code, result.stderr) == (
        3,
        (
            f"cr: {folder}: a shallow clone does not say when lines were written; fetch all of its "
            "history (git fetch --unshallow; fetch-depth: 0), or give --as-of without --blame\n"
        ),
    )


@needs_git
def test_blame_and_fix_keep_a_line_together(cr: Cr) -> None:
    """A line with an undecided citation is not rewritten, since git would date it as new."""
    old = "CR 300.1 and CR 211.1\nCR 300.1\nCR 300.1 and 500.1\n"
    write({"a.txt": old})
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "old", "--date", "2003-05-01T12:00:00+0000")
    before = [
        finding["status"] for finding in json.loads(cr("--blame", "--json").stdout)["findings"]
    ]

    result = cr("--blame", "--fix")

    text = Path("a.txt").read_text("utf-8")
    assert text.splitlines()[0] == "CR 300.1 and CR 211.1"
    assert text.splitlines()[1] == "CR 500.1"
    assert before[:2] == ["another provision", "gone"]
    assert "not rewritten: 1 citation (a.txt:1); their lines also have" in result.stderr
    again = json.loads(cr("--blame", "--json").stdout)["findings"]
    assert [item["status"] for item in again if item["line"] == 1] == before[:2]


# Settings and baseline -------------------------------------------------------------------------


def test_settings(cr: Cr) -> None:
    """Settings are found from the audited path; paths in them are relative to their file."""
    write(
        {
            "in/variorum.toml": '[audit]\nas-of = "first"\nexclude = ["/src/gen/"]\n'
            'dated = [{ paths = ["/src/new.txt"], as-of = "latest" }]\n',
            "in/src/old.txt": "CR 300.1\n",
            "in/src/new.txt": "CR 300.1\n",
            "in/src/gen/a.txt": "CR 300.1\n",
        }
    )

    for path in ("in", "in/src"):
        findings = json.loads(cr(path, "--json", "--all").stdout)["findings"]
        assert [(finding["file"], finding["status"]) for finding in findings] == [
            ("in/src/new.txt", "current"),
            ("in/src/old.txt", "another provision"),
        ]
    assert cr("in/src/gen/a.txt").stdout == "0 citations in 0 of 0 files\n"


def test_excluded(cr: Cr) -> None:
    """Paths excluded on the command line are left out, besides those in the settings."""
    write(
        {"a.md": "CR 300.1\n", "b.md": "CR 300.1\n", "variorum.toml": "[audit]\nexclude=['a*']\n"}
    )

    assert cr("--exclude", "b.md").stdout == "0 citations in 0 of 1 file\n"


def test_config(cr: Cr) -> None:
    """A settings file may be named; command-line options override it."""
    write({"x.toml": '[audit]\nas-of = "first"\nto = "first"\n', "a.txt": "CR 300.1\n"})

    assert cr("a.txt", "--config", "x.toml").exit_code == 0
    assert cr("a.txt", "--config", "x.toml", "--to", "latest").exit_code == 1


def test_baseline(cr: Cr) -> None:
    """Known findings fail nothing, and the baseline itself is not audited."""
    write({"a.txt": "CR 300.1\n"})

    written = cr("--as-of", "first", "--baseline", "known.json", "--write-baseline")
    again = cr("--as-of", "first", "--baseline", "known.json")

    assert (written.exit_code, written.stdout) == (0, "")
    assert (again.stdout, again.stderr, again.exit_code) == (
        (
            "1 citation in 1 of 2 files, by the edition of 2025-05-30: 1 another provision\n"
            "1 of these are in the baseline\n"
            "1 can be rewritten with --fix; --diff shows how\n"
        ),
        "",
        0,
    )


def test_baseline_elsewhere(cr: Cr) -> None:
    """Findings in the baseline are known from any folder, and new ones fail."""
    write({"in/a.txt": "CR 300.1\n", "known.json": ""})
    cr("in", "--as-of", "first", "--baseline", "known.json", "--write-baseline")

    known = [
        cr(path, "--as-of", "first", "--baseline", "known.json") for path in ("in", "in/a.txt")
    ]
    write({"in/a.txt": "\n\n  CR 300.1\nCR 300.1 too\n"})
    new = cr("in", "--as-of", "first", "--baseline", "known.json")

    assert [result.exit_code for result in known] == [0, 0]
    assert new.stdout.startswith("in/a.txt:4:1: ")
    assert (new.stdout.count("in/a.txt"), new.exit_code) == (1, 1)


def test_fixed_since(cr: Cr) -> None:
    """Known findings that are no longer found are counted, with the way to remove them."""
    write({"in/a.txt": "CR 300.1\n"})
    cr("in", "--as-of", "first", "--baseline", "known.json", "--write-baseline")
    write({"in/a.txt": "CR 500.1\n"})

    result = cr("in", "--as-of", "latest", "--baseline", "known.json")

    assert result.stdout.splitlines()[1:] == [
        "1 of the baseline no longer found; --write-baseline removes them"
    ]


def test_file_that_is_gone(cr: Cr) -> None:
    """Known findings of a deleted file are no longer found, and can be removed."""
    write({"in/a.txt": "CR 300.1\n", "in/b.txt": "CR 300.1\n", "c.txt": "CR 300.1\n"})
    cr("--as-of", "first", "--baseline", "known.json", "--write-baseline")
    Path("in/b.txt").unlink()
    Path("c.txt").unlink()

    result = cr("in", "--as-of", "first", "--baseline", "known.json")

    assert "1 of the baseline no longer found; --write-baseline removes them" in result.stdout
    cr("in", "--as-of", "first", "--baseline", "known.json", "--write-baseline")
    known = json.loads(Path("known.json").read_text("utf-8"))["findings"]
    assert [item["file"] for item in known] == ["c.txt", "in/a.txt"]


def test_ignored_findings_stay_known(cr: Cr) -> None:
    """Ignored findings stay in the baseline, and are not reported as fixed."""
    write({"a.txt": "CR 300.1, CR 101.4\n"})
    baseline = ("--as-of", "first", "--baseline", "known.json")
    cr(*baseline, "--write-baseline")

    result = cr(*baseline, "--ignore", "another provision")

    assert "not found" not in result.stdout
    cr(*baseline, "--ignore", "another provision", "--write-baseline")
    assert cr(*baseline).exit_code == 0


def test_part_of_the_tree(cr: Cr) -> None:
    """If only some files are audited, known findings of others are not mentioned."""
    write({"in/a.txt": "CR 300.1\n", "in/b.txt": "CR 300.1\n"})
    cr("in", "--as-of", "first", "--baseline", "known.json", "--write-baseline")

    assert "not found" not in cr("in/a.txt", "--as-of=first", "--baseline=known.json").stdout


def test_vanished(cr: Cr, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that vanishes before it is read is reported, and the others are audited."""
    write({"a.txt": "CR 300.1\n", "b.txt": "CR 999.9\n"})
    real = audited_files.read_text_file

    def read(path: Path) -> object:
        if path.name == "a.txt":
            path.unlink(missing_ok=True)
        return real(path)

    monkeypatch.setattr("variorum_kb.audit.run.read_text_file", read)
    result = cr("--as-of", "first")

    assert result.stdout.splitlines()[0] == "b.txt:1:1: CR 999.9: no edition ever had this number"
    assert result.stderr == "cr: a.txt: No such file or directory\n"
    assert result.exit_code == 3
