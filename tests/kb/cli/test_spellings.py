"""Spellings that people type, on the fast path and in the full command."""

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from variorum_kb.cli.fast_path import answer_quickly
from variorum_kb.cli.main import main

CR = Path(sysconfig.get_path("scripts")) / ("cr.exe" if sys.platform == "win32" else "cr")
Process = Callable[[Sequence[str]], "subprocess.CompletedProcess[str]"]
# The typed words, and the provisions shown, each with its edition.
SPELLINGS = (
    ("705.2", "705.2 2025-05-30"),
    ("[CR 705.2]", "705.2 2025-05-30"),
    ("rule 705.2.", "705.2 2025-05-30"),
    ("CR 511.2 (2008-06-20)", "511.2 2008-06-20"),
    ("511.2 (CR 2008-06-20)", "511.2 2008-06-20"),
    ("511.2 2008", "511.2 2008-06-20"),
    ("511.2 2009", "511.2 2008-06-20"),
    ("511.2 2008-06", "511.2 2008-06-20"),
    ("511.2 june 2008", "511.2 2008-06-20"),
    ("511.2 as of June 20, 2008", "511.2 2008-06-20"),
    ("511.2 --on june\t2008", "511.2 2008-06-20"),
    ("511.2 2010-01-21 --on 2008", "511.2 2008-06-20"),
    ("511.2", "705.2 2025-05-30"),
    ("705.2 2008", "511.2 2008-06-20"),
    ("704.5a-c", "704.5a 2025-05-30, 704.5b 2025-05-30, 704.5c 2025-05-30"),
    ("704.5a..c", "704.5a 2025-05-30, 704.5b 2025-05-30, 704.5c 2025-05-30"),
    ("704.5a 704.5c", "704.5a 2025-05-30, 704.5c 2025-05-30"),
    ("704.5c, 704.5a and 705.2", "704.5c 2025-05-30, 704.5a 2025-05-30, 705.2 2025-05-30"),
    ("100.1 first, 705.2 latest", "100.1 1999-05-14, 705.2 2025-05-30"),
    ("511.2 511.1 (2008-06-20); 705.2", "511.2 2008-06-20, 511.1 2008-06-20, 705.2 2025-05-30"),
    ("511.2 705.2", "705.2 2025-05-30, 705.2 2025-05-30"),
    ("undertow", "Undertow 2025-05-30"),
    ("[undertow]", "Undertow 2025-05-30"),
    ("flip a coin (2003-02-10)", "Flip a Coin 2003-02-10"),
)


def _told(text: str) -> str:
    return ", ".join([f"{load['address']} {load['edition']}" for load in json.loads(text)])


@pytest.fixture
def at_the_sample(sample_base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every command use the sample rulebook."""
    monkeypatch.setenv("VARIORUM_KB", str(sample_base))


@pytest.fixture
def cr_process() -> Process:
    """Return a function that runs the command as a process, which may use the fast path."""

    def run(arguments: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([CR, *arguments], capture_output=True, text=True, check=False)

    return run


@pytest.mark.usefixtures("at_the_sample")
@pytest.mark.parametrize(("typed", "shown"), SPELLINGS)
def test_spellings(typed: str, shown: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """Every spelling leads to the same provisions on both paths: in JSON, on the page and on stderr."""
    arguments = [word.replace("\t", " ") for word in typed.split(" ")]

    full = CliRunner().invoke(main, [*arguments, "--json"])
    page = CliRunner().invoke(main, arguments)
    is_quick = answer_quickly([*arguments, "--json"], is_refs=False)
    quick, _ = capfdbinary.readouterr()
    answer_quickly(arguments, is_refs=False)
    out, err = capfdbinary.readouterr()

    assert is_quick
    assert _told(full.stdout) == shown
    assert (quick, out, err) == (full.stdout_bytes, page.stdout_bytes, page.stderr_bytes)
    assert (full.exit_code, page.exit_code) == (0, 0)


@pytest.mark.usefixtures("at_the_sample")
@pytest.mark.parametrize(
    ("typed", "code", "message"),
    [
        ("serach", 2, "cr: 'serach' is not a command; type: cr search\n"),
        (
            "serach --json low tide",
            2,
            "cr: 'serach' is not a command; type: cr search --json low tide\n",
        ),
        (
            "--json serach 'low'",
            2,
            "cr: 'serach' is not a command; type: cr search --json ''\"'\"'low'\"'\"''\n",
        ),
        ("hist 705", 2, "cr: 'hist' is not a command; type: cr history 705\n"),
        ("grep tide", 2, "cr: 'grep' is not a command; type: cr search tide\n"),
        ("diff --on", 2, "Option '--on' requires an argument"),
        ("help zzz", 2, "Error: no command 'zzz'; cr --help lists them. Other topics: env"),
        (
            "show serach",
            1,
            "cr: 'serach': not in the edition of 2025-05-30; near: Echo\n",
        ),
        (
            "zzz",
            1,
            "cr: 'zzz': not in the edition of 2025-05-30\n",
        ),
        ("''", 1, "cr: \"''\": not in the edition"),
        ("diff 2010-01-22 2022-02-11 coins flip", 1, "near: 705 Flipping a Coin\n"),
        ("705.2zz", 1, "cr: 705.2zz: no edition has had this number; did you mean 705.2; near: "),
        ("705.2 undertow", 1, "cr: no edition is called 'undertow'; give a date"),
        ("705.2 zzz", 1, "cr: no edition is called 'zzz'; give a date"),
        ("705.2 1998", 1, "cr: no edition was in force on the last day of 1998; the earliest"),
        ("705.2 2008..2010", 2, "cr: '2008..2010' names two editions; give one\n"),
        (
            "705.2 2008 --on 2010",
            2,
            "cr: 705.2: two editions are named, 2008-06-20 and 2010",
        ),
        ("705.2 999 --json", 1, "cr: 999: no edition has had this number; near: "),
        (
            "705.2 --json --copy",
            2,
            "Error: --json and --copy cannot be used together; give one of them\n",
        ),
        ("705.2 --markdown --tree", 2, "Error: --markdown and --tree cannot be used together"),
        ("changes --summary --json", 2, "Error: --json and --summary cannot be used together"),
        ("diff 2008 2010 --stat", 2, "Error: No such option '--stat'."),
        ("crosswalk 2008 --csv --sed", 2, "Error: --csv and --sed cannot be used together"),
        ("history 705.1 705.2", 1, "cr: 705.1, 705.2: ask for one at a time\n"),
        ("changes 705 --glossary", 2, "Error: --glossary and NUMBER cannot be used together"),
        ("changes 705 --limit 2", 2, "Error: --limit and NUMBER cannot be used together"),
        ("changes 705 --sort size", 2, "Error: --sort and NUMBER cannot be used together"),
        ("diff 2008 2010 --on 2008", 2, "Error: --on needs a NUMBER or a term"),
        ("changes --only", 2, "Error: --only needs a NUMBER or a term"),
        ("changes --summary --kind new", 2, "is not one of"),
        (
            "changes --summary --kind added",
            2,
            "Error: --summary and --kind cannot be used together",
        ),
        ("changes 2010 --on 2010", 2, "Error: name one edition"),
        ("changes 1066", 1, "cr: no edition was in force on the last day of 1066"),
        ("export --json --format csv", 2, "Error: --json and --format csv cannot be used together"),
        ("export --format csv", 2, "--format csv: for an edition, choose text, json"),
        ("export --crosswalk --format text", 2, "for the crosswalk, choose json, csv"),
        ("editions 2008 --copies", 2, "Error: NAME and --copies cannot be used together"),
        ("lint --all --limit 2", 2, "Error: --all and --limit cannot be used together"),
        ("refs 705.2 (2025-05-30) 511.2 (2008-06-20)", 2, "Error: ask for one edition at a time"),
        ("search tide --in boats", 2, "--in boats: takes a number, such as 7, 702 or 702.19"),
        ("705.2 --site example", 2, "Error: Invalid value for '--site'"),
        ("completion", 2, "Error: name a shell: bash, fish or zsh"),
    ],
)
def test_error_says_what_to_type(typed: str, code: int, message: str) -> None:
    """Unknown or contradictory words give their exit code and a line."""
    result = CliRunner().invoke(main, typed.split(" "))

    assert result.exit_code == code
    assert message in result.stderr


@pytest.mark.usefixtures("at_the_sample")
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("log 705.2", "history 705.2"),
        ("--on 2008 history 511.2", "history 511.2 --on 2008"),
        ("--json history -- 705.2", "history --json -- 705.2"),
        ("--json log 705.2", "history 705.2 --json"),
        ("history 511.2 2008-06-20", "history 511.2 --on 2008-06-20"),
        ("history CR 511.2 (2008-06-20)", "history 511.2 --on 2008-06-20"),
        ("where 511.2 (2008-06-20)", "where 511.2 --from 2008-06-20"),
        ("glossary flip a coin (2003-02-10)", "glossary flip a coin --on 2003-02-10"),
        ("refs 511.2 june 20 2008", "refs 511.2 --on 2008-06-20"),
        ("toc 511 20 june 2008", "toc 511 --on 2008-06-20"),
        ("help diff", "diff --help"),
        ("help", "--help"),
        ("version", "--version"),
        ("--json --version", "--version"),
    ],
)
def test_does_what_was_meant(typed: str, meant: str) -> None:
    """Other names of commands, options before them, and editions beside numbers work."""
    result, second = (CliRunner().invoke(main, words.split(" ")) for words in (typed, meant))

    assert result.exit_code == 0
    assert result.output == second.output


@pytest.mark.parametrize(
    "typed", ["--on 2008 history 511.2", "log 705.2", "705.2 704.5a", "704.5a..c 2010"]
)
def test_installed_command(sample_base: Path, typed: str) -> None:
    """The installed command gives the same answer."""
    environment = {**os.environ, "VARIORUM_KB": str(sample_base)}
    full = CliRunner(env=environment).invoke(main, typed.split(" "))

    done = subprocess.run([CR, *typed.split(" ")], capture_output=True, check=True, env=environment)

    assert done.stdout == full.stdout_bytes


@pytest.mark.usefixtures("at_the_sample")
def test_questions_on_stdin() -> None:
    """Each line is a question; a line without an answer gets a message, and the others are answered."""
    lines = "705.2\n\nCR 511.2 (2008-06-20)\n999\n704.5a, 704.5b\n"

    page = CliRunner().invoke(main, ["show", "-"], input=lines)
    as_json = CliRunner().invoke(main, ["show", "-", "--json"], input=lines)
    copied = CliRunner().invoke(main, ["show", "-", "--copy"], input="705.2\n511.2\n")

    assert _told(as_json.stdout) == (
        "705.2 2025-05-30, 511.2 2008-06-20, 704.5a 2025-05-30, 704.5b 2025-05-30"
    )
    assert (page.exit_code, as_json.exit_code) == (1, 1)
    assert page.stderr == as_json.stderr
    assert page.stderr.startswith("cr: 999: no edition has had this number")
    pages = [CliRunner().invoke(main, [line]).stdout for line in lines.splitlines() if line]
    assert page.stdout == "\n".join([item for item in pages if item])
    assert copied.stdout.count("(CR 2025-05-30)\n") == 2


@pytest.mark.usefixtures("at_the_sample")
def test_error_nothing_on_stdin_is_found() -> None:
    """If no line has an answer, each gets a message."""
    result = CliRunner().invoke(main, ["show", "-"], input="998\n999\n")

    assert (result.exit_code, result.stdout) == (1, "")
    assert [line[:8] for line in result.stderr.splitlines()] == ["cr: 998:", "cr: 999:"]


@pytest.mark.usefixtures("at_the_sample")
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("diff 2008..2010", "diff 2008-06-20 2010-01-22"),
        ("diff 2010..2008 705.2", "diff 2010-01-22 2008-06-20 705.2"),
        ("diff 2008.. 511.2", "diff 2008-06-20 current 511.2"),
        ("diff ..2003 flip a coin", "diff first 2003-02-10 flip a coin"),
        ("diff june 2008..january 2010 705.2", "diff 2008-06-20 2010-01-22 705.2"),
        ("diff june 2008 january 2010 705.2", "diff 2008-06-20 2010-01-22 705.2"),
        ("diff june 2008 CR 705.2", "diff 2008-06-20 current 705.2"),
        ("diff 2015 704.5a..c", "diff 2015-04-17 current 704.5a-c"),
        ("diff 2008 2010 511.2 (2008)", "diff 2008 2010 511.2 --on 2008"),
        ("diff 2008 undertow", "diff 2008 current undertow"),
        ("changes undertow", "changes current undertow"),
        ("where 511.2 2008-06-20", "where 511.2 --from 2008"),
        ("crosswalk 2008..2010 --csv", "crosswalk 2008-06-20 2010-01-22 --csv"),
        ("crosswalk june 2008", "crosswalk 2008-06-20 current"),
        ("since june 2008 705.2", "since 2008-06-01 705.2"),
        ("since 2009 705.2", "since 2009/1/1 705.2"),
        ("since 1999 705.2", "since first 705.2"),
        ("editions --on 2009/1/1", "2009/1/1"),
        ("editions --on 2008", "june 2008"),
        ("editions 2009/1/1 --json", "1 january 2009 --json"),
        ("705.2 flipping a coin", "705.2"),
        ("flipping a coin", "705"),
        ("flip-a-coin (2003-02-10)", "flip a coin --on 2003"),
        ("changes january 2010 705", "changes 2010-01-22 705"),
        ("export february 2003", "export 2003-02-10"),
        ("lint june 2008", "lint 2008-06-20"),
    ],
)
def test_editions_as_arguments(typed: str, meant: str) -> None:
    """Editions of several words, and pairs such as 2008..2010, are accepted as arguments."""
    result, second = (CliRunner().invoke(main, words.split(" ")) for words in (typed, meant))

    assert (result.exit_code, result.stdout) == (0, second.stdout)


@pytest.mark.usefixtures("at_the_sample")
@pytest.mark.parametrize(
    ("typed", "code", "message"),
    [
        ("crosswalk 2008 2010 705", 2, "705: name two editions; cr where takes a number"),
        ("diff 1990..2008", 1, "no edition was in force on the last day of 1990"),
        ("diff 2008 zzz 705", 1, "no edition is called 'zzz'"),
        ("since 2008..2010", 2, "names two editions"),
    ],
)
def test_error_editions_as_arguments(typed: str, code: int, message: str) -> None:
    """For a wrong word in the place of an edition, a message says what is wrong."""
    result = CliRunner().invoke(main, typed.split(" "))

    assert result.exit_code == code
    assert message in result.stderr


@pytest.mark.usefixtures("at_the_sample")
@pytest.mark.parametrize("form", ["--copy", "--markdown"])
@pytest.mark.parametrize("question", ["705.2", "704.5", "704.5a 705.2", "undertow"])
def test_identify_takes_what_show_copies(question: str, form: str) -> None:
    """Copied answers are dated by their words; the edition after them does not count."""
    copied = CliRunner().invoke(main, [*question.split(" "), form]).stdout

    result = CliRunner().invoke(main, ["identify", "-", "--json"], input=copied)

    answer = json.loads(result.stdout)
    assert (result.exit_code, answer["agrees"]) == (0, True)
    assert answer["to"] == "2025-05-30"


@pytest.mark.usefixtures("at_the_sample")
def test_identify_shows_six_editions() -> None:
    """If many editions have a passage, six are shown, with the number of the others."""
    passage = "Any player may count the cards in any stores at any time.\n"

    page = CliRunner().invoke(main, ["identify", "-"], input=passage).stdout

    assert len([line for line in page.splitlines() if " of 1" in line]) == 6
    assert "  and 3 more" in page.splitlines()


@pytest.mark.usefixtures("at_the_sample")
@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("511.2 --on 2009-01-01", "cr: in force on 2009-01-01: the edition of 2008-06-20\n"),
        ("511.2 2008-06-20", ""),
        ("705.2 today", ""),
        (
            "511.2 june 2008",
            "cr: in force on the last day of june 2008: the edition of 2008-06-20\n",
        ),
        (
            "history 511.2 --on 2009",
            "cr: in force on the last day of 2009: the edition of 2008-06-20\n",
        ),
        ("511.2 --on 2009-01-01 --json", ""),
        ("history 511.2 2009/1/1", "cr: in force on 2009-01-01: the edition of 2008-06-20\n"),
        ("blame 511.2 --on 2009-01-01", "cr: in force on 2009-01-01: the edition of 2008-06-20\n"),
        (
            "where 511.2 --from 2009-01-01",
            "cr: in force on 2009-01-01: the edition of 2008-06-20\n",
        ),
        ("since 2009", "cr: in force on 2009-01-01: the edition of 2008-06-20\n"),
        (
            "diff 1 january 2009..2010",
            (
                "cr: in force on 2009-01-01: the edition of 2008-06-20\n"
                "cr: in force on the last day of 2010: the edition of 2010-01-22\n"
            ),
        ),
    ],
)
def test_days_without_an_edition(typed: str, message: str, cr_process: Process) -> None:
    """For a day without an edition, both paths name the edition in force."""
    arguments = typed.split(" ")

    result = CliRunner().invoke(main, arguments)
    process = cr_process(arguments)

    assert (result.exit_code, result.stderr) == (0, message)
    assert (process.returncode, process.stdout, process.stderr) == (0, result.stdout, message)


@pytest.mark.usefixtures("at_the_sample")
def test_one_edition() -> None:
    """A single edition is shown with its period in force and the adjacent editions."""
    editions = json.loads(CliRunner().invoke(main, ["editions", "--json"]).stdout)
    for before, edition, after in zip(
        [None, *editions], editions, [*editions[1:], None], strict=False
    ):
        (listed,) = json.loads(CliRunner().invoke(main, [edition["label"], "--json"]).stdout)
        page = CliRunner().invoke(main, [edition["label"]]).stdout

        assert listed == edition
        assert listed["previous"] == (before and before["label"])
        assert listed["next"] == (after and after["label"])
        if after:
            day = date.fromisoformat(after["effective"]) - timedelta(days=1)
            assert f"in force from {edition['effective']} until {day}\n" in page
            assert listed["until"] == str(day)
        else:
            assert f"in force from {edition['effective']}\n" in page


@pytest.mark.usefixtures("at_the_sample")
def test_where_of_several() -> None:
    """Several numbers at once, or one on each line, get the same answers as one by one."""
    numbers = ("511.2 2008-06-20", "600.4b", "705.1")
    run = CliRunner()
    each = [json.loads(run.invoke(main, ["where", number, "--json"]).stdout) for number in numbers]
    lines = "\n".join([*numbers[:2], "", "999.9", numbers[2]])

    at_once = run.invoke(main, ["where", *numbers, "--json"])
    listed = run.invoke(main, ["where", "-", "--jsonl"], input=lines)
    page = run.invoke(main, ["where", "-"], input=lines)

    rows = [row for item in each for row in item]
    assert (rows[0]["asked"], rows[0]["edition"]) == ("511.2", "2008-06-20")
    assert json.loads(at_once.stdout) == rows
    assert [json.loads(line) for line in listed.stdout.splitlines()] == rows
    assert (at_once.exit_code, listed.exit_code, page.exit_code) == (0, 1, 1)
    assert (
        listed.stderr
        == page.stderr
        == "cr: 999.9: no edition has had this number; near: 901.4, 901.5\n"
    )
    assert all(f"{row['old']} in {row['edition']} is " in page.stdout for row in rows)


@pytest.mark.usefixtures("at_the_sample")
def test_changes_of_the_glossary() -> None:
    """--glossary keeps only glossary entries, and counts only those."""
    pair = ["diff", "first", "current", "--json"]
    everything, entries = (
        json.loads(CliRunner().invoke(main, words).stdout)
        for words in (pair, [*pair, "--glossary"])
    )

    def is_entry(change: dict[str, str | None]) -> bool:
        return any((change[end] or "").startswith("glossary: ") for end in ("old", "new"))

    assert (
        entries["changes"] == [change for change in everything["changes"] if is_entry(change)] != []
    )
    assert entries["summary"]["new"] == sum(change["old"] is None for change in entries["changes"])
