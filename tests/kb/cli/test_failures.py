"""A failure has one exit code and one form in all commands."""

import errno
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from tests.support.schemas import assert_fits
from variorum_kb.cli.command_table import COMMANDS
from variorum_kb.cli.commands import toc
from variorum_kb.cli.main import main

# Failures on the sample rulebook, with their kinds and exit codes.
FAILURES = [
    (["999.9"], "not found", 1),
    (["show", "999.9"], "not found", 1),
    (["refs", "999.9"], "not found", 1),
    (["history", "999.9"], "not found", 1),
    (["blame", "999.9"], "not found", 1),
    (["why", "999.9"], "not found", 1),
    (["where", "999.9"], "not found", 1),
    (["where", "502.3"], "not found", 1),
    (["toc", "999"], "not found", 1),
    (["glossary", "xylophone"], "not found", 1),
    (["search", "xylophone"], "not found", 1),
    (["resolve", "xylophone"], "not found", 1),
    (["witnesses", "999.9"], "not found", 1),
    (["witnesses", "--of", "xylophone"], "not found", 1),
    (["witnesses", "--verdict", "contradicted"], "not found", 1),
    (["changes", "first"], "not found", 1),
    (["diff", "first", "latest", "999.9"], "not found", 1),
    (["since", "first", "999.9"], "not found", 1),
    (["accept", "ffffffff"], "not found", 1),
    (["lint", "xylophone"], "no edition", 1),
    (["705.1", "--on", "xylophone"], "no edition", 1),
    (["crosswalk", "xylophone"], "no edition", 1),
    (["export", "xylophone"], "no edition", 1),
    (["ledger", "xylophone"], "no edition", 1),
    (["refs", "--dangling", "xylophone"], "no edition", 1),
    (["read", "notes.txt"], "refused document", 1),
    (["search", '"'], "wrong usage", 2),
    (["lint", "--all", "latest"], "wrong usage", 2),
    (["refs"], "wrong usage", 2),
    (["sync", "--only", "nobody"], "wrong usage", 2),
    (["audit", "--to", "xylophone"], "wrong usage", 2),
    (["read", "missing.txt"], "input or output", 3),
    (["identify", "missing.txt"], "input or output", 3),
    (["audit", "missing.txt"], "input or output", 3),
    (["audit", "--config", "missing.toml"], "input or output", 3),
    (["sync", "--sources", "missing.toml"], "input or output", 3),
]
# Arguments that commands need before they open a base.
NEEDED = {
    "ask": ["question"],
    "card": ["name"],
    "blame": ["705"],
    "crosswalk": ["first"],
    "diff": ["first"],
    "history": ["705"],
    "refs": ["705"],
    "resolve": ["words"],
    "search": ["words"],
    "show": ["705"],
    "since": ["first"],
    "where": ["705"],
    "why": ["705"],
}


def commands() -> Iterator[tuple[list[str], click.Command]]:
    """Yield every command with its full name."""
    context = click.Context(main)
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from (([name, below], value) for below, value in command.commands.items())
        else:
            yield [name], command


def takes(command: click.Command, option: str) -> bool:
    """Return whether a command has an option."""
    return any(option in param.opts for param in command.params)


WITH_JSON = [words for words, command in commands() if takes(command, "--json")]
WITH_BASE = [words for words, command in commands() if takes(command, "--kb")]


def failure(arguments: Sequence[str]) -> dict[str, Any]:
    """Run a failing command, with and without JSON; return the error in JSON."""
    plain = CliRunner().invoke(main, list(arguments))
    as_json = CliRunner().invoke(main, [*arguments, "--json"])

    answer = json.loads(as_json.stdout)
    assert_fits(answer, "failure")
    error: dict[str, Any] = answer["error"]
    assert error["exit_code"] == as_json.exit_code == plain.exit_code
    assert error["message"] in as_json.stderr
    return error


@pytest.fixture
def folder(sample_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Enter a folder with a file without rules; return the folder."""
    monkeypatch.setenv("VARIORUM_KB", str(sample_base))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_bytes(b"no rules")
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "kind", "code"), FAILURES, ids=[" ".join(texts[:3]) for texts, _, _ in FAILURES]
)
def test_error_forms(arguments: list[str], kind: str, code: int) -> None:
    """In JSON, each failure has its kind, and fits the schema."""
    error = failure(arguments)

    assert (error["kind"], error["exit_code"]) == (kind, code)


@pytest.mark.parametrize("words", WITH_JSON, ids=" ".join)
def test_error_wrong_usage(words: list[str]) -> None:
    """Every command with --json also prints wrong usage as JSON."""
    error = failure([*words, "--nonsense"])

    assert (error["kind"], error["exit_code"]) == ("wrong usage", 2)
    assert error["message"].startswith("No such option '--nonsense'.")


@pytest.mark.parametrize("words", WITH_BASE, ids=" ".join)
def test_error_no_base(tmp_path: Path, words: list[str]) -> None:
    """Without a base, every command that needs one exits with 3."""
    if words[0] in {"build", "sync", "doctor", "accept", "cards"}:
        pytest.skip("makes a base, says what is wrong with it, or asks the archive alone")
    needed = {
        **NEEDED,
        "site": [str(tmp_path / "out")],
        "identify": [__file__],
        "preview": [__file__],
    }
    more = {("archive", "export"): [str(tmp_path / "rules.zip")]}
    arguments = more.get((words[0], words[-1])) or needed.get(words[0], [])

    result = CliRunner().invoke(main, [*words, *arguments, "--kb", str(tmp_path / "none")])

    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.startswith("cr: ")
    assert result.stderr.count("\n") == 1


def test_error_has_answer(sample_base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure has the part of the answer that a command found."""
    monkeypatch.setenv("VARIORUM_KB", str(sample_base))

    gone, twice = failure(["where", "502.3"]), failure(["resolve", "a coin"])
    nothing = failure(["search", "xylophone"])

    assert [(row["old"], row["new"], row["kinds"]) for row in gone["answer"]] == [
        ("502.3", [], ["gone"])
    ]
    assert (twice["kind"], twice["answer"]["status"]) == ("ambiguous", "ambiguous")
    assert len(twice["near"]) == len(twice["answer"]["sources"])
    assert nothing["answer"]["missing"] == ["xylophone"]
    assert nothing["near"] == nothing["answer"]["suggestions"]


def test_error_in_a_line(sample_base: Path) -> None:
    """With `--jsonl`, a failure is one line."""
    result = CliRunner().invoke(main, ["999.9", "--kb", str(sample_base), "--jsonl"])

    assert result.stdout.count("\n") == 1
    assert_fits(json.loads(result.stdout), "failure")


def test_error_interrupted(sample_base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C gives exit code 130 and one line."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(toc, "open_asked", interrupt)
    monkeypatch.setenv("VARIORUM_KB", str(sample_base))

    error = failure(["toc"])

    assert (error["kind"], error["exit_code"]) == ("interrupted", 130)


@pytest.mark.skipif(sys.platform == "win32", reason="a process ends otherwise there")
def test_error_interrupted_early(sample_base: Path) -> None:
    """Ctrl-C also gives exit code 130 before the full command is imported."""
    program = (
        "from variorum_kb.cli import fast_path, start\n"
        "def answer_quickly(*_, **__): raise KeyboardInterrupt\n"
        "fast_path.answer_quickly = answer_quickly\n"
        "start.process()\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program, "705.1", "--kb", str(sample_base), "--json"],
        capture_output=True,
        check=False,
        text=True,
    )

    assert (done.returncode, done.stderr) == (130, "cr: interrupted\n")
    assert json.loads(done.stdout)["error"]["kind"] == "interrupted"


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "cannot write: No space left on device"),
        (PermissionError(errno.EACCES, "Permission denied", "/x"), "/x: Permission denied"),
    ],
    ids=str,
)
def test_error_of_the_system(monkeypatch: pytest.MonkeyPatch, error: OSError, line: str) -> None:
    """An error of the operating system gives exit code 3 and one line."""

    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr(toc, "open_asked", refuse)

    result = failure(["toc"])

    assert (result["kind"], result["exit_code"], result["message"]) == ("input or output", 3, line)


def test_bugs_keep_their_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    """An unexpected exception keeps its traceback."""

    def err(*_: object) -> None:
        raise OSError("a bug")

    monkeypatch.setattr(toc, "open_asked", err)

    result = CliRunner().invoke(main, ["toc"])

    assert isinstance(result.exception, OSError)
    assert result.stderr == ""
