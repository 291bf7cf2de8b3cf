"""Whether progress is shown."""

import io
import sys

import pytest

from variorum_crawler.cli.progress_bar import has_bar


@pytest.mark.parametrize(
    ("is_terminal", "name", "is_shown"),
    [(True, "xterm", True), (True, "dumb", False), (False, "xterm", False)],
)
def test_has_bar(
    monkeypatch: pytest.MonkeyPatch, is_terminal: bool, name: str, is_shown: bool
) -> None:
    """A bar is drawn on a terminal alone, and on none that cannot draw."""
    stderr = io.StringIO()
    monkeypatch.setattr(stderr, "isatty", lambda: is_terminal)
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setenv("TERM", name)

    assert has_bar() is is_shown
