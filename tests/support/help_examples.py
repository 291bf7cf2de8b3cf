"""Runs the examples of help pages and of the README."""

import contextlib
import importlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from variorum_kb.cli.command_table import COMMANDS, GROUPS
from variorum_kb.cli.help_pages import parse_help, walk_commands
from variorum_kb.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
BASH, GIT = shutil.which("bash") or "", shutil.which("git") or ""
_SCRIPTS = Path(sys.executable).parent
_SECONDS = 300
_SIMPLE = re.compile(
    r"cr (?!serve|mcp|site .*--serve)(?P<arguments>[^|&;$~<>]*?)(?: < (?P<file>\S+))?"
)
# These commands work on every base; others name numbers, days, sets and terms of the real rules.
_ABOUT_ANY_BASE = {*GROUPS["Check your files"], *GROUPS["Build and publish"], "export", "witnesses"}

needs_shell = pytest.mark.skipif(
    not (BASH and GIT) or sys.platform == "win32", reason="examples need bash and git"
)


def examples() -> Iterator[str]:
    """Yield the command lines of help pages and the README, each once, in order."""
    commands = {
        name: getattr(importlib.import_module(module), name) for name, module in COMMANDS.items()
    }
    pages = [
        main,
        *(command for name in commands for _, command in walk_commands(commands[name], name)),
    ]
    shown = [example.command for page in pages for example in parse_help(page.help or "").examples]
    readme = (ROOT / "README.md").read_text("utf-8").partition("### Commands")[2]
    block = readme.split("```")[1]
    shown += [re.split(r" {2,}", line)[0] for line in block.splitlines() if line]
    yield from dict.fromkeys(shown)


def name_of(command: str) -> str:
    """Return the command of an example; for a question, its first word."""
    return command.partition("cr ")[2].split()[0]


def is_about_real_rules(command: str) -> bool:
    """Return whether an example names numbers or terms of the real rules."""
    is_any = name_of(command) in _ABOUT_ANY_BASE and not re.search(
        r"\b(M1|[1-9]\d\d|2\d{3}-)", command
    )
    return not is_any


def _heed_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run_example(command: str, folder: Path, settings: Mapping[str, str]) -> tuple[int, str]:
    """Run a command line in a folder; return its exit code and all output.

    A process of its own takes half a second, so only servers and what needs a shell have one.
    """
    simple = _SIMPLE.fullmatch(command)
    if simple is None:
        return _run_in_shell(command, folder, settings)
    with contextlib.chdir(folder):
        result = CliRunner().invoke(
            main,
            shlex.split(simple["arguments"]),
            input=Path(simple["file"]).read_bytes() if simple["file"] else None,
            env={"HOME": str(folder), **settings},
            catch_exceptions=False,
        )
    return result.exit_code, result.output


def _run_in_shell(command: str, folder: Path, settings: Mapping[str, str]) -> tuple[int, str]:
    """Run a command line in a process; interrupt a server after it has printed its address."""
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(_SCRIPTS), os.environ["PATH"]]),
        "HOME": str(folder),
        **settings,
    }
    with subprocess.Popen(
        [BASH, "-c", command if "|" in command or "eval" in command else f"exec {command}"],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        # A shell's background processes ignore Ctrl-C, so the server would too.
        preexec_fn=None if sys.platform == "win32" else _heed_interrupts,  # noqa: PLW1509 - it starts nothing
    ) as process:
        first = process.stdout.readline() if process.stdout else ""
        if "Ctrl-C" in first:
            process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=_SECONDS)
    return process.returncode, first + rest


def commit(folder: Path, day: str) -> None:
    """Make a folder a git repository with one commit of a day."""
    day = f"{day}T12:00:00+0000"
    author = {"NAME": "Ada", "EMAIL": "ada@example.org", "DATE": day}
    settings = {
        f"GIT_{who}_{key}": value
        for who in ("AUTHOR", "COMMITTER")
        for key, value in author.items()
    }
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Rules"]):
        subprocess.run([GIT, *arguments], cwd=folder, check=True, env={**os.environ, **settings})
