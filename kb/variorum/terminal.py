"""Output to a terminal: its width, colours and the escaping of control characters.

Documents, file names and arguments may hold characters that command a terminal. `shown` escapes
them in everything that `cr` prints. It turns the marks below into colours; they are lone
surrogates, which no decoded document, argument or row of a base holds.
"""

import os
import sys
from typing import TextIO

from variorum.text import visible

BOLD, DIM, RED, GREEN, MATCH, PLAIN = "\ud801", "\ud802", "\ud805", "\ud806", "\ud807", "\ud809"
# Marks for the tabulator and carriage return in the diff of a user's file.
TAB, RETURN = "\ud80a", "\ud80b"
# Marks the column where a line goes on if it has to be broken; and goes to the start of an empty line.
HANG, REDRAW = "\ud80d", "\ud80e"
_CODES = {BOLD: "1", DIM: "2", RED: "31", GREEN: "32", MATCH: "1;4", PLAIN: "0"}
_COLOURS = {mark: f"\x1b[{code}m" for mark, code in _CODES.items()}
_OTHERS = dict.fromkeys([*_CODES, HANG], "") | {TAB: "\t", RETURN: "\r", REDRAW: "\r\x1b[K"}


def bold(text: str) -> str:
    """Return a text in bold; without colours, the marks are removed when the page is printed."""
    return f"{BOLD}{text}{PLAIN}" if text else ""


def shown(text: str, *, is_coloured: bool = False) -> str:
    """Return a text with control characters escaped, and our marks replaced by colours or removed."""
    return visible(text, _OTHERS | _COLOURS if is_coloured else _OTHERS)


class SafeStream:
    """A text stream that escapes what could command a terminal; progress bars write to the `raw` one."""

    def __init__(self, stream: TextIO) -> None:
        self.raw = stream

    def write(self, text: str) -> int:
        """Write a text; return how long it was."""
        is_coloured = is_terminal(self.raw) and not os.environ.get("NO_COLOR")
        self.raw.write(shown(text, is_coloured=is_coloured))
        return len(text)

    def __getattr__(self, name: str) -> object:
        return getattr(self.raw, name)


def page_width() -> int:
    """Return the columns of stdout, or those that COLUMNS says; 0 if it is a pipe or a file."""
    if not sys.stdout.isatty():
        return 0
    columns = os.environ.get("COLUMNS", "")
    return int(columns) if columns.isdecimal() else os.get_terminal_size().columns


def is_terminal(stream: TextIO) -> bool:
    """Return whether a stream is a terminal that has colours and can redraw a line."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"
