"""The output on stderr: progress, and notes that fit the terminal."""

import io
import sys

import pytest

from variorum_kb.cli.main import safely
from variorum_kb.system.terminal import has_bar


@pytest.mark.parametrize(
    ("is_terminal", "name", "is_shown"),
    [(True, "xterm", True), (True, "dumb", False), (False, "xterm", False)],
)
def test_has_bar(
    monkeypatch: pytest.MonkeyPatch, is_terminal: bool, name: str, is_shown: bool
) -> None:
    """A bar is drawn only on a terminal that can draw it."""
    stderr = io.StringIO()
    monkeypatch.setattr(stderr, "isatty", lambda: is_terminal)
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setenv("TERM", name)

    assert has_bar() is is_shown


@pytest.mark.parametrize(("is_terminal", "lines"), [(True, 3), (False, 1)])
def test_notes_fit_the_terminal(
    monkeypatch: pytest.MonkeyPatch, is_terminal: bool, lines: int
) -> None:
    """On a narrow terminal, a note breaks between words; elsewhere it is one line."""
    stderr = io.StringIO()
    monkeypatch.setattr(stderr, "isatty", lambda: is_terminal)
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setenv("COLUMNS", "24")

    safely(stderr).write("cr: 600.4a has been 800.4a since 2009-07-11\n")

    written = stderr.getvalue()
    assert written.split() == ["cr:", "600.4a", "has", "been", "800.4a", "since", "2009-07-11"]
    assert len(written.splitlines()) == lines
    assert not is_terminal or all(len(line) <= 24 for line in written.splitlines())
