"""Colours and the pager, on a terminal and in a pipe."""

import io
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.terminal import COMMAND, needs_terminal, run_on_terminal
from variorum_kb.system import terminal
from variorum_kb.system.terminal import (
    SafeStream,
    has_bar,
    is_coloured,
    is_paged,
    note_width,
    page_width,
    shown,
    take_terminal_options,
    unescaped,
)

# A look-up on the fast path, and one that needs the full command.
LOOKUPS = (["705.1"], ["705.1", "--tree"], ["history", "705"], ["search", "coin"])
BOLD = "\x1b[1m"


@pytest.mark.parametrize(
    ("arguments", "rest"),
    [
        (["704.5k"], ["704.5k"]),
        (["--color=never", "704.5k", "--no-pager"], ["704.5k"]),
        (["704.5k", "--color", "always", "--json"], ["704.5k", "--json"]),
        (["search", "--", "--no-pager", "--color"], ["search", "--", "--no-pager", "--color"]),
        (["show", "702", "--color=red"], ["--color=red", "show", "702"]),
        (["702", "--color"], ["--color=", "702"]),
    ],
)
def test_options_are_taken_wherever_they_stand(arguments: list[str], rest: list[str]) -> None:
    """Terminal options are recognised anywhere before "--"; a wrong one is put first."""
    terminal_options = take_terminal_options(arguments)
    take_terminal_options([])

    assert terminal_options == rest


def in_a_pipe(arguments: Sequence[str], base: Path, settings: dict[str, str]) -> str:
    """Run `cr` with its output in a pipe."""
    environment = {**os.environ, "VARIORUM_KB": str(base), **settings}
    return subprocess.run(
        [*COMMAND, *arguments], env=environment, check=True, capture_output=True, encoding="utf-8"
    ).stdout


@needs_terminal
@pytest.mark.slow
@pytest.mark.parametrize("arguments", LOOKUPS, ids=" ".join)
def test_colour(sample_base: Path, arguments: list[str]) -> None:
    """A terminal has colour unless NO_COLOR, TERM=dumb or --color=never; a pipe with --color=always."""
    base = {"VARIORUM_KB": str(sample_base)}

    assert BOLD in run_on_terminal([*COMMAND, *arguments], base, rows=999)
    for settings, options in (
        ({"NO_COLOR": "1"}, []),
        ({"TERM": "dumb"}, []),
        ({}, ["--color=never"]),
    ):
        printed = run_on_terminal([*COMMAND, *arguments, *options], {**base, **settings}, rows=999)
        assert printed.strip()
        assert "\x1b" not in printed
    assert "\x1b" not in in_a_pipe(arguments, sample_base, {})
    coloured = in_a_pipe(["--color", "always", *arguments], sample_base, {"NO_COLOR": "1"})
    assert BOLD in coloured


@needs_terminal
@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["705"], ["changes", "2010-01-22"]], ids=" ".join)
@pytest.mark.parametrize(
    ("settings", "options", "is_paged"),
    [
        ({"PAGER": "sed s/^/paged:/"}, [], True),
        ({"PAGER": "false", "CR_PAGER": "sed s/^/paged:/"}, [], True),
        ({"PAGER": "sed s/^/paged:/", "CR_PAGER": ""}, [], False),
        ({"PAGER": ""}, [], False),
        ({"PAGER": "cat"}, [], False),
        ({"PAGER": "sed s/^/paged:/", "TERM": "dumb"}, [], False),
        ({"PAGER": "sed s/^/paged:/"}, ["--no-pager"], False),
    ],
    ids=str,
)
def test_pager(
    sample_base: Path,
    arguments: list[str],
    settings: dict[str, str],
    options: list[str],
    *,
    is_paged: bool,
) -> None:
    """CR_PAGER overrides PAGER; an empty one, TERM=dumb and --no-pager turn the pager off."""
    base = {"VARIORUM_KB": str(sample_base), **settings}

    printed = run_on_terminal([*COMMAND, *arguments, *options], base, rows=4)
    roomy = run_on_terminal([*COMMAND, *arguments, *options], base, rows=999)

    assert (printed.startswith("paged:")) is is_paged
    assert not roomy.startswith("paged:")


@needs_terminal
@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["705"],
        ["history", "705.1"],
        ["search", "coin"],
        ["lint", "--all"],
        ["changes", "2010-01-22"],
    ],
    ids=" ".join,
)
def test_fifty_columns(sample_base: Path, arguments: list[str]) -> None:
    """At 50 columns no line is longer, so the terminal breaks no word."""
    settings = {"VARIORUM_KB": str(sample_base), "TERM": "dumb"}
    in_a_pipe(arguments, sample_base, {})  # builds the search index, and says so

    narrow = run_on_terminal([*COMMAND, *arguments], settings, columns=50, rows=999)

    assert narrow.strip()
    assert [line for line in narrow.splitlines() if len(line) > 50] == []


class Screen(io.StringIO):
    """A stream that may be a terminal, of unknown size."""

    def __init__(self, *, is_terminal: bool = True) -> None:
        super().__init__()
        self.is_terminal = is_terminal

    def isatty(self) -> bool:
        return self.is_terminal


@pytest.mark.parametrize(
    ("is_terminal", "columns", "width"),
    [(True, "100", 100), (True, "0", 80), (True, "wide", 80), (True, "", 80), (False, "100", 0)],
)
def test_width(
    monkeypatch: pytest.MonkeyPatch, *, is_terminal: bool, columns: str, width: int
) -> None:
    """Pages and notes fit the terminal; in a file or a pipe, nothing limits them."""
    screen = Screen(is_terminal=is_terminal)
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setenv("COLUMNS", columns)

    assert (note_width(screen), page_width()) == (width, width)


@pytest.mark.parametrize(
    ("settings", "options", "lines"),
    [
        ({}, [], 24),
        ({"PAGER": "more"}, [], 24),
        ({"PAGER": " cat "}, [], None),
        ({"PAGER": "more", "CR_PAGER": ""}, [], None),
        ({"TERM": "dumb"}, [], None),
        ({}, ["--no-pager"], None),
    ],
    ids=str,
)
def test_paged(
    monkeypatch: pytest.MonkeyPatch,
    settings: dict[str, str],
    options: list[str],
    lines: int | None,
) -> None:
    """An answer with as many lines as the terminal is paged, unless that was turned off."""
    monkeypatch.setattr(sys, "stdout", Screen())
    for name in ("PAGER", "CR_PAGER", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    take_terminal_options(options)

    shortest = next((count for count in range(99) if is_paged("x\n" * count)), None)
    take_terminal_options([])

    assert shortest == lines


@pytest.mark.parametrize(
    ("is_terminal", "settings", "options", "expected"),
    [
        (True, {}, [], True),
        (False, {}, [], False),
        (True, {"NO_COLOR": "1"}, [], False),
        (True, {"TERM": "dumb"}, [], False),
        (False, {"NO_COLOR": "1", "TERM": "dumb"}, ["--color=always"], True),
        (True, {}, ["--color=never"], False),
        (True, {}, ["--color=auto"], True),
    ],
)
def test_coloured(
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_terminal: bool,
    settings: dict[str, str],
    options: list[str],
    expected: bool,
) -> None:
    """`--color` decides; otherwise a terminal has colours, unless NO_COLOR or TERM=dumb."""
    screen = Screen(is_terminal=is_terminal)
    monkeypatch.setattr(sys, "stdout", screen)
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    take_terminal_options(options)

    SafeStream(screen).writelines(
        iter([f"{terminal.BOLD}1{terminal.PLAIN} a\x1b\udc80\udcff\udd00"])
    )
    said = is_coloured()
    take_terminal_options([])

    assert said is expected
    plain = "1 a\\u001b\\udc80\\udcff\udd00"
    assert screen.getvalue() == (f"\x1b[1m1\x1b[0m{plain[1:]}" if expected else plain)


@pytest.mark.parametrize("name", ["TAB", "RETURN", "OURS"])
def test_characters_of_ours(name: str) -> None:
    """Marks stand for the control characters that are printed on purpose."""
    sign = {"TAB": "\t", "RETURN": "\r", "OURS": "\x01"}[name]

    assert shown(f"a{getattr(terminal, name)}") == f"a{sign}"


@pytest.mark.parametrize(
    ("is_terminal", "term", "expected"),
    [(True, "xterm", True), (True, "dumb", False), (False, "xterm", False)],
)
def test_bar(
    monkeypatch: pytest.MonkeyPatch, *, is_terminal: bool, term: str, expected: bool
) -> None:
    """A progress bar needs a terminal that can redraw a line, and its own stream."""
    screen = Screen(is_terminal=is_terminal)
    monkeypatch.setattr(sys, "stderr", SafeStream(screen))
    monkeypatch.setenv("TERM", term)

    assert has_bar() is expected
    assert unescaped(sys.stderr) is unescaped(screen) is screen
