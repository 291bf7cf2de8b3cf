"""Output to a terminal: its width, colours and the escaping of control characters.

Documents, file names and arguments may hold characters that command a terminal. `shown` escapes
them in everything that `cr` prints. It turns the marks below into colours; they are lone
surrogates, which no decoded document, argument or row of a base holds.
"""

import os
import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, suppress
from functools import cache
from time import perf_counter
from typing import TextIO

from variorum.text import escapes, is_visible

BOLD, DIM = "\ud801", "\ud802"
RED, GREEN, MATCH, NO_MATCH, PLAIN = "\ud805", "\ud806", "\ud807", "\ud808", "\ud809"
# Marks for control characters that `cr` prints on purpose: the tabulator and carriage return in
# the diff of a user's file, and U+0001 for a script.
TAB, RETURN, OURS = "\ud80a", "\ud80b", "\ud80c"
# Marks the column where a line goes on if it has to be broken.
HANG = "\ud80d"
_COLOURS = {
    BOLD: "\x1b[1m",
    DIM: "\x1b[2m",
    RED: "\x1b[31m",
    GREEN: "\x1b[32m",
    MATCH: "\x1b[1;4m",
    NO_MATCH: "\x1b[22;24m",
    PLAIN: "\x1b[0m",
    HANG: "",
}
# Python decodes the undecodable bytes of file names to these lone surrogates.
_NO_TEXT = range(0xDC80, 0xDD00)
_OURS = {ord(TAB): "\t", ord(RETURN): "\r", ord(OURS): "\x01"}


def bold(text: str) -> str:
    """Return a text in bold; without colours, the marks are removed when the page is printed."""
    return f"{BOLD}{text}{PLAIN}" if text else ""


def shown(text: str, *, is_coloured: bool = False) -> str:
    r"""Return a text with control characters escaped, and our marks replaced by colours or removed.

    >>> shown(f"{BOLD}704.5k{PLAIN} a\x1b[2J")
    '704.5k a\\u001b[2J'
    >>> shown(f"{BOLD}704.5k{PLAIN}", is_coloured=True)
    '\x1b[1m704.5k\x1b[0m'
    """
    return text if is_visible(text) else text.translate(_table(is_coloured))


@cache
def _table(is_coloured: bool) -> dict[int, str]:  # noqa: FBT001 - a key of the cache
    """Return the replacements of characters, with and without colours."""
    colours = {ord(mark): colour if is_coloured else "" for mark, colour in _COLOURS.items()}
    no_text = {code: f"\\u{code:04x}" for code in _NO_TEXT}
    return {**escapes(), **no_text, **_OURS, **colours}


class SafeStream:
    """A text stream that escapes what could command a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self.raw = stream

    def write(self, text: str) -> int:
        """Write a text; return how long it was."""
        self.raw.write(shown(text, is_coloured=may_colour(self.raw)))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts one after the other."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> object:
        return getattr(self.raw, name)


def unescaped(stream: TextIO) -> TextIO:
    """Return the wrapped stream; a progress bar needs it to move the cursor."""
    return stream.raw if isinstance(stream, SafeStream) else stream


def has_bar() -> bool:
    """Return whether stderr is a terminal that can redraw a line."""
    return sys.stderr.isatty() and not _is_dumb()


def page_width() -> int:
    """Return the columns of stdout, or those that COLUMNS says; 0 if it is a pipe or a file."""
    if not sys.stdout.isatty():
        return 0
    with suppress(OSError, ValueError):
        return int(os.environ.get("COLUMNS") or os.get_terminal_size(sys.stdout.fileno()).columns)
    return 80


def may_colour(stream: TextIO | None = None) -> bool:
    """Return whether a stream, by default stdout, is a terminal that should have colours."""
    stream = stream or sys.stdout
    return stream.isatty() and not os.environ.get("NO_COLOR") and not _is_dumb()


def _is_dumb() -> bool:
    return os.environ.get("TERM") == "dumb"


# Called with a line for each part of long work.
listeners: list[Callable[[str], None]] = []


@contextmanager
def timed(part: str) -> Generator[None]:
    """Tell how long a part of the work took."""
    start = perf_counter()
    try:
        yield
    finally:
        for tell in listeners:
            tell(f"{perf_counter() - start:.2f} s: {part}")
