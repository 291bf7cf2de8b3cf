"""Help pages: they fit the terminal, examples come first, and each option is in a transcript."""

import re
import shlex
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from tests.support.command import run

TRANSCRIPTS = Path(__file__).parent / "transcripts"
SYNCS = Path(__file__).parent / "golden" / "sync"


def page(name: str, columns: int = 80) -> str:
    """Return the help of a command, "" for that of the program."""
    shown = run([*name.split(), "--help"], settings={"COLUMNS": str(columns)})
    assert (shown.code, shown.err) == (0, "")
    return shown.out


def listed(help_page: str, titles: str) -> list[str]:
    """Return the first words of the lines below some titles of a help page."""
    parts = re.findall(rf"^(?:{titles}):\n((?:  .*\n)+)", help_page, re.MULTILINE)
    return re.findall(r"^  (\S+)", "".join(parts), re.MULTILINE)


@cache
def commands() -> dict[str, str]:
    """Return the help page of each command, by its full name; five are not listed."""
    pages: dict[str, str] = {}
    names = listed(page(""), r"(?!Examples|Options)[A-Z][\w ]+")
    for name in [*names, "completion", "demo", "read"]:
        whole = page(name)
        below = listed(whole, "Commands")
        pages |= {f"{name} {word}": page(f"{name} {word}") for word in below} or {name: whole}
    return pages


def options(help_page: str) -> set[str]:
    """Return the options that a help page lists, but for the one that shows it."""
    lines = re.findall(r"^  (-\S.*?)(?:  |$)", help_page, re.MULTILINE)
    return {word for line in lines for word in re.findall(r"--[a-z-]+", line)} - {"--help"}


@cache
def used() -> dict[str, set[str]]:
    """Return the options of each command that transcripts use."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    lines = [
        line
        for path in [*TRANSCRIPTS.glob("*.txt"), *SYNCS.glob("*.txt")]
        for line in path.read_text("utf-8").splitlines()
        if line.startswith("$ ")
    ]
    for call in re.findall(r"\bcr ([^|;&\n]*)", "\n".join(lines)):
        try:
            words = shlex.split(call)
        except ValueError:  # a quotation that a sign of the shell cuts off
            words = call.split()
        pairs = (" ".join(words[:count]) for count in (2, 1))
        names = [*pairs, *words, "show"]
        name = next(name for name in names if name in commands() or name == "show")
        found[name] |= {word.partition("=")[0] for word in words}
    return found


def test_the_front_page_is_short() -> None:
    """It fits on a screen, and its options are in one line."""
    assert len(page("").splitlines()) <= 40


@pytest.mark.parametrize("name", ["", *commands()])
def test_page(name: str) -> None:
    """A summary, then examples, within 80 columns."""
    whole = page(name)
    usage, summary, examples, *_ = whole.split("\n\n")

    assert usage.startswith(f"Usage: cr {name}".rstrip())
    assert summary.endswith(".")
    assert re.match(r"  Examples?:\n    (cr |eval )", examples)
    assert max(map(len, whole.splitlines())) <= 80


@pytest.mark.parametrize("name", sorted(commands().keys() - {"mcp"}))
def test_every_option_is_used(name: str) -> None:
    """Each option of a command is in a transcript, those of `cr mcp` in test_mcp.py."""
    assert options(commands()[name]) - used()[name] == set()
