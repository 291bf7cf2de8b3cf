"""Progress bars that record what they show."""

import contextlib
from collections.abc import Generator
from dataclasses import dataclass

import click
import pytest


@dataclass
class Bar:
    """A progress bar without a terminal.

    Attributes:
        shown: Label, position and length, whenever the bar is drawn.
    """

    shown: list[tuple[str, int, int]]
    label: str
    length: int
    pos: int = 0

    def render_progress(self) -> None:
        """Draw the bar."""
        self.shown.append((self.label, self.pos, self.length))

    def update(self, steps: int) -> None:
        """Go on by some steps, and draw the bar."""
        self.pos += steps
        self.render_progress()


@pytest.fixture
def bars(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, int]]:
    """Return what all progress bars of a test show."""
    shown: list[tuple[str, int, int]] = []

    @contextlib.contextmanager
    def progressbar(*, length: int, label: str, **_: object) -> Generator[Bar]:
        yield Bar(shown, label, length)

    monkeypatch.setattr(click, "progressbar", progressbar)
    return shown
