"""`cr audit`: pages, JSON, and exit codes."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kb.audit.audited import GIT, Cr, audit_in, write
from variorum_kb.audit.reporting.report import Report

needs_git = pytest.mark.skipif(not GIT, reason="git is not installed")

TURN = "General: A turn has four parts: dawn, the…"
KINDS = "General: The kinds of card are lamp, boat,…"
MOVED = f"now 500.1; was “{TURN}”; 300.1 means “{KINDS}” now"


@pytest.fixture
def cr(sample_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cr:
    """Return the command on the sample rulebook, in an empty folder."""
    return audit_in(tmp_path, sample_base, monkeypatch)


# The report ----------------------------------------------------------------------------------


def test_page(cr: Cr) -> None:
    """Each finding is printed on a line, above the summary."""
    write({"b.py": "# CR 101.4,\n# 100.1 and 999.9\n", "a/a.md": "é CR 300.1\n", "c.txt": "none\n"})

    result = cr("--as-of", "first")

    assert result.stdout == (
        f"a/a.md:1:3: CR 300.1: {MOVED}\n"
        "b.py:1:3: CR 101.4: renumbered to 103.5; was “Setting Out: A player who dislikes his or "
        "her…”\n"
        "b.py:2:13: 999.9: no edition ever had this number\n"
        "4 citations in 2 of 3 files, by the edition of 2025-05-30: 1 current, 1 renumbered, "
        "1 another provision, 1 never existed\n"
        "2 can be rewritten with --fix; --diff shows how\n"
    )
    assert (result.exit_code, result.stderr) == (1, "")


def test_nothing_wrong(cr: Cr) -> None:
    """Correct citations are counted, and listed if asked for."""
    write({"a.txt": "CR 100.1\n"})

    result = cr("--as-of", "latest", "--all")

    assert cr("--as-of", "latest").stdout == (
        "1 citation in 1 of 1 file, by the edition of 2025-05-30: 1 current\n"
    )
    assert result.stdout.splitlines()[0] == "a.txt:1:1: CR 100.1: current"
    assert result.exit_code == 0


def test_standard_input(cr: Cr) -> None:
    """A text from a pipe is audited like a file, and named by a dash."""
    result = cr("-", "--as-of", "first", stdin="CR 300.1\n")

    assert result.stdout.splitlines()[0] == f"-:1:1: CR 300.1: {MOVED}"
    assert result.exit_code == 1


NOT_PIPED = "standard input cannot be rewritten or dated by git; leave out --fix, --diff, --blame and --since"


@pytest.mark.parametrize(
    ("arguments", "stdin", "code", "message"),
    [
        (["-", "."], "", 2, "Error: - is standard input and cannot be combined with other paths"),
        *(
            (["-", *more], "", 2, f"Error: {NOT_PIPED}")
            for more in (["--fix"], ["--diff"], ["--blame"], ["--since=HEAD"])
        ),
        (["-"], b"\0", 3, "cr: standard input: not text"),
    ],
)
def test_error_standard_input(
    cr: Cr, arguments: list[str], stdin: str | bytes, code: int, message: str
) -> None:
    """With standard input, options that need a file are refused, and so is input that is not text."""
    result = cr(*arguments, stdin=stdin)

    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr.splitlines()[-1] == message


def test_nothing_at_all(cr: Cr) -> None:
    """An empty folder has no citations."""
    result = cr()

    assert (result.stdout, result.stderr, result.exit_code) == (
        "0 citations in 0 of 0 files\n",
        "",
        0,
    )


def test_undated(cr: Cr) -> None:
    """Citations that cannot be dated are reported, with advice."""
    write({"a.txt": "CR 300.1\n"})

    result = cr()

    assert "CR 300.1: uncertain, perhaps 500.1 or 300.1; " in result.stdout
    assert result.stderr.startswith(
        "cr: 1 citation without a date; give --blame, or --as-of EDITION"
    )


def test_exit_zero(cr: Cr) -> None:
    """With --exit-zero, findings do not change the exit code."""
    write({"a.txt": "CR 300.1\n"})

    assert cr("--as-of", "first", "--exit-zero").exit_code == 0


def test_progress(cr: Cr, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal shows on one line how many commits were read, of every hundred."""

    def audit_files(*_: object, progress: Callable[[int, int], None], **__: object) -> list[Report]:
        for read in (100, 200):
            progress(read, 300)
        progress(300, 300)
        return []

    monkeypatch.setattr("variorum_kb.cli.commands.audit.audit_files", audit_files)
    monkeypatch.setattr("variorum_kb.cli.commands.audit.has_bar", lambda: True)
    write({"a.txt": "CR 100.1\n"})

    assert cr("--as-of", "latest").stderr == (
        "cr: history: 100 of 300 commits\r"
        "cr: history: 200 of 300 commits\r"
        "cr: history: 300 of 300 commits\n"
    )


def test_ignored(cr: Cr) -> None:
    """Findings with ignored statuses are neither listed nor a failure."""
    write({"a.txt": "CR 300.1 and CR 999.9\n"})

    result = cr("--as-of", "first", "--ignore", "another provision", "--ignore", "never existed")

    assert (result.stdout.count("\n"), result.exit_code) == (2, 0)


def test_to(cr: Cr) -> None:
    """Citations can be checked against an edition other than the current one."""
    write({"a.txt": "CR 300.1\n"})

    result = cr("--as-of", "first", "--to", "2003-02-10")

    assert (result.stdout, result.exit_code) == (
        "1 citation in 1 of 1 file, by the edition of 2003-02-10: 1 current\n",
        0,
    )


@pytest.mark.parametrize(
    ("options", "count"),
    [
        ([], 0),
        (["--prefix", "MTR"], 1),
        (["--prefix", "MTR", "--prefix", "see"], 2),
        (["--bare"], 3),
        (["--prefix", ""], 0),
    ],
)
def test_words_of_ones_own(cr: Cr, options: list[str], count: int) -> None:
    """With other citation words, or with none required, other numbers are citations."""
    write({"a.txt": "MTR 300.1; see 300.1; at 300.1\n"})

    answer = json.loads(cr("--as-of", "first", "--json", *options).stdout)

    assert answer["summary"]["citations"] == count


def test_tables(cr: Cr) -> None:
    """A column of rules needs no citation words; a cell with a word is found only once."""
    write({"a.csv": "name,rule\nx,300.1\ny,CR 300.1\n", "b.TSV": "rule\tn\n300.1\t1\n"})

    findings = json.loads(cr("--as-of", "first", "--json").stdout)["findings"]

    assert [(finding["file"], finding["line"], finding["column"]) for finding in findings] == [
        ("a.csv", 2, 3),
        ("a.csv", 3, 3),
        ("b.TSV", 2, 1),
    ]


def test_cell_before_a_number(cr: Cr) -> None:
    """A citation ends at the end of its cell."""
    write({"a.csv": "note,count\nCR 300.1,12\n"})

    assert cr("--as-of", "first").exit_code == 1


def test_json(cr: Cr) -> None:
    """JSON has every property of a finding."""
    write({"a.txt": "x\nsee CR 502.5a–\r\nb\n"})

    result = cr("--as-of", "first", "--json")

    assert json.loads(result.stdout)["findings"] == [
        {
            "file": "a.txt",
            "line": 2,
            "column": 5,
            "end_line": 3,
            "end_column": 2,
            "cited": "CR 502.5a–\r\nb",
            "number": "502.5a",
            "last": "502.5b",
            "as_of": "1999-05-14",
            "status": "renumbered",
            "heirs": [["702.6a", "702.6b"]],
            "confidence": 0.9968,
            "since": None,
            "was": 'Skimming: Skimming means "This boat can be barred…',
            "now_means": None,
            "why": "",
            "meanings": [],
            "sure": True,
            "pinned": False,
            "rewrite": "CR 702.6a–\r\nb",
        }
    ]
    assert cr("--as-of", "first", "--format", "json").stdout == result.stdout


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_old_bytes(cr: Cr, form: str) -> None:
    """Bytes that are not UTF-8, in a file or its name, do not prevent findings."""
    write({"a.txt": b"CR 502.5a\x96b \xff\n", os.fsdecode(b"caf\xe9.txt"): "CR 300.1\n"})

    result = cr("--as-of", "first", "--format", form)

    assert (type(result.exception), result.exit_code) == (SystemExit, 1)
    assert result.stdout_bytes.decode("utf-8")


def test_fix_all_asks_nobody(cr: Cr) -> None:
    """Without a terminal, --fix=all takes the main heir without asking."""
    write({"a.txt": "CR 300.1, 413.2\n"})

    result = cr("--as-of", "first", "--fix=all")

    assert "cite" not in result.stderr
    assert Path("a.txt").read_bytes() == b"CR 500.1, 608.2\n"


@pytest.mark.usefixtures("cr")
def test_own_output_is_not_audited(tmp_path: Path) -> None:
    """The output file is not audited; a file beside it is."""
    write({"a.txt": "CR 300.1\n", "told.txt": "CR 999.9\n"})
    command = "from variorum_kb.cli.main import main; main()"

    with (tmp_path / "told.txt").open("r+b") as output:
        subprocess.run(
            [sys.executable, "-c", command, "audit", "--as-of=first", "."],
            check=False,
            stdout=output,
        )

    assert "1 citation in 1 of 1 file, " in (tmp_path / "told.txt").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
@pytest.mark.usefixtures("cr")
def test_old_bytes_on_a_strict_terminal(form: str) -> None:
    """Such findings are also printed on a platform that prints only UTF-8."""
    write({"a.txt": b"CR 502.5a\x96b \xff\n", os.fsdecode(b"caf\xe9.txt"): "CR 300.1\n"})
    command = "from variorum_kb.cli.main import main; main()"

    done = subprocess.run(
        [sys.executable, "-c", command, "audit", "--as-of=first", f"--format={form}"],
        check=False,
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": "utf-8:strict", "PYTHONUTF8": "1"},
    )

    assert b"Traceback" not in done.stderr
    assert done.stdout.decode("utf-8").count("502.5a")


def test_sarif(cr: Cr) -> None:
    """SARIF has a result for each finding; known ones are suppressed."""
    write({"a.txt": "CR 300.1\nCR 999.9\nCR 100.1\n"})

    document = json.loads(cr("--as-of", "first", "--format", "sarif", "--all").stdout)

    (run,) = document["runs"]
    assert [result["ruleId"] for result in run["results"]] == [
        "citation-another-provision",
        "citation-never-existed",
    ]


def test_github(cr: Cr) -> None:
    """A workflow annotates the line; commas and colons are escaped in values."""
    write({"a, b:c.txt": "CR 300.1\n", "d.txt": "(CR\n// 999.9)\n"})

    assert cr("--as-of", "first", "--format", "github").stdout == (
        "::error file=a%2C b%3Ac.txt,line=1,endLine=1,col=1,endColumn=9,"
        f"title=CR 300.1%3A another provision::{MOVED}\n"
        "::error file=d.txt,line=1,endLine=2,title=CR 999.9%3A never existed::"
        "no edition ever had this number\n"
    )


# Wrong usage -----------------------------------------------------------------------------------


def test_error_no_base(cr: Cr, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a knowledge base, one line says so."""
    monkeypatch.setenv("VARIORUM_KB", str(Path.cwd() / "none"))
    write({"a.txt": "CR 300.1\n"})

    result = cr()

    file = Path.cwd() / "none" / "kb.sqlite"
    assert (result.exit_code, result.stdout, result.stderr) == (
        3,
        "",
        (
            f"cr: {file}: no knowledge base; cr demo shows what one is for, "
            "cr build PATH or cr sync creates one\n"
        ),
    )


@pytest.mark.parametrize("option", ["--as-of", "--to"])
def test_error_unknown_edition(cr: Cr, option: str) -> None:
    """An unknown edition is an error before any finding is printed."""
    write({"a.txt": "CR 300.1\n"})

    result = cr(option, "Atlantis")

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("cr: ")
    assert "Atlantis" in result.stderr
    assert result.stderr.count("\n") <= 2


def test_error_unknown_edition_in_settings(cr: Cr) -> None:
    """An unknown edition in the settings is an error, even if no file has that date."""
    write({"variorum.toml": '[audit]\ndated = [{ paths = ["x"], as-of = "Atlantis" }]\n'})

    result = cr()

    assert (result.exit_code, result.stdout) == (2, "")
    assert "Atlantis" in result.stderr


def test_error_no_such_file(cr: Cr) -> None:
    """For a missing file, one line says so."""
    result = cr("none.txt")

    message = "cr: none.txt: No such file or directory\n"
    assert (result.exit_code, result.stdout, result.stderr) == (3, "", message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--write-baseline"],
            "Error: --write-baseline needs --baseline FILE, or one in the settings",
        ),
        *(
            (
                ["--baseline=b.json", "--write-baseline", option],
                "Error: --write-baseline cannot be combined with --fix or --diff",
            )
            for option in ("--fix", "--diff")
        ),
        *(
            (["--diff", option], "Error: --diff prints a patch; leave out --json or --format")
            for option in ("--json", "--jsonl", "--format=github")
        ),
        *(
            (
                ["--edition=first", option],
                "Error: --edition cannot be combined with --as-of, --to or --blame",
            )
            for option in ("--as-of=first", "--to=first", "--blame")
        ),
        (["--fix=some"], "Error: Invalid value for '--fix': 'some' is not one of 'sure', 'all'."),
        (["--baseline", ""], "Error: Invalid value for '--baseline': a path cannot be empty"),
        (["--jobs", "-1"], "Error: Invalid value for '--jobs': -1 is not in the range x>=0."),
        (["--nothing"], "Error: No such option '--nothing'."),
    ],
)
def test_error_usage(cr: Cr, arguments: list[str], message: str) -> None:
    """Wrong usage gets a message and exit code 2."""
    result = cr(*arguments)

    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1] == message


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--baseline", "none.json"], 3, "none.json: No such file or directory; "),
        (["--baseline", "odd.json"], 2, "odd.json: not a baseline; "),
        (
            ["--config", "odd.toml"],
            2,
            "odd.toml: no settings of cr audit; they belong in [audit]\n",
        ),
    ],
)
def test_error_files_of_ours(cr: Cr, arguments: list[str], code: int, message: str) -> None:
    """For a settings file or baseline that is missing or invalid, a message says so."""
    write({"odd.json": "[]", "odd.toml": "x = 1\n"})

    result = cr(*arguments)

    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr.startswith("cr: ")
    assert message in result.stderr
