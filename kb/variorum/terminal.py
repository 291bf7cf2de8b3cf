"""Output to a terminal: its size, colours, the pager and the escaping of control characters.

Documents, file names and arguments may hold characters that command a terminal. `shown` escapes
them in everything that `cr` prints. It turns the marks below into colours; they are lone
surrogates, which no decoded document, argument or row of a base holds.
"""

import os
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import TextIO

from variorum.text import escapes, is_visible

BOLD, DIM, UNDERLINE, NO_UNDERLINE = "\ud801", "\ud802", "\ud803", "\ud804"
RED, GREEN, MATCH, NO_MATCH, PLAIN = "\ud805", "\ud806", "\ud807", "\ud808", "\ud809"
# Marks for control characters that `cr` prints on purpose: the tabulator and carriage return in
# the diff of a user's file, and U+0001 for a script.
TAB, RETURN, OURS = "\ud80a", "\ud80b", "\ud80c"
_COLOURS = {
    BOLD: "\x1b[1m",
    DIM: "\x1b[2m",
    UNDERLINE: "\x1b[4m",
    NO_UNDERLINE: "\x1b[24m",
    RED: "\x1b[31m",
    GREEN: "\x1b[32m",
    MATCH: "\x1b[1;4m",
    NO_MATCH: "\x1b[22;24m",
    PLAIN: "\x1b[0m",
}
# Python decodes the undecodable bytes of file names to these lone surrogates.
_NO_TEXT = range(0xDC80, 0xDD00)
_OURS = {ord(TAB): "\t", ord(RETURN): "\r", ord(OURS): "\x01"}
# The replacements of characters, with and without colours, made on first use.
_tables: dict[bool, dict[int, str]] = {}


def bold(text: str) -> str:
    """Return a text in bold; without colours, the marks are removed when the page is printed."""
    return f"{BOLD}{text}{PLAIN}"


def shown(text: str, *, is_coloured: bool = False) -> str:
    r"""Return a text with control characters escaped, and our marks replaced by colours or removed.

    >>> shown(f"{BOLD}704.5k{PLAIN} a\x1b[2J")
    '704.5k a\\u001b[2J'
    >>> shown(f"{BOLD}704.5k{PLAIN}", is_coloured=True)
    '\x1b[1m704.5k\x1b[0m'
    """
    if is_visible(text):
        return text
    if is_coloured not in _tables:
        _tables[is_coloured] = _table(is_coloured=is_coloured)
    table = _tables[is_coloured]
    # Faster than `str.translate`. Marks come last, since their colours are control characters.
    for code in sorted({*map(ord, set(text))} & table.keys()):
        text = text.replace(chr(code), table[code])
    return text


def _table(*, is_coloured: bool) -> dict[int, str]:
    """Return the replacement of each character that is not written unchanged."""
    colours = {ord(mark): colour if is_coloured else "" for mark, colour in _COLOURS.items()}
    no_text = {code: f"\\u{code:04x}" for code in _NO_TEXT}
    return {**escapes(), **no_text, **_OURS, **colours}


class SafeStream:
    """A text stream that escapes what could command a terminal."""

    def __init__(self, stream: "TextIO") -> None:
        """Wrap a stream."""
        self.raw = stream

    def write(self, text: str) -> int:
        """Write a text; return how long it was."""
        self.raw.write(shown(text, is_coloured=may_colour(self.raw)))
        return len(text)

    def writelines(self, lines: "Iterator[str]") -> None:
        """Write texts one after the other."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> object:
        """Return any other attribute of the wrapped stream."""
        return getattr(self.raw, name)


def unescaped(stream: "TextIO") -> "TextIO":
    """Return the wrapped stream; a progress bar needs it to move the cursor."""
    return stream.raw if isinstance(stream, SafeStream) else stream


def has_bar() -> bool:
    """Return whether stderr is a terminal that can redraw a line."""
    return sys.stderr.isatty() and not _is_dumb()


def terminal_size(stream: "TextIO") -> tuple[int, int]:
    """Return columns and lines of a stream's terminal; the variable COLUMNS overrides the columns."""
    try:
        columns, rows = os.get_terminal_size(stream.fileno())
    except OSError:
        columns, rows = 80, 24
    named = os.environ.get("COLUMNS", "")
    return int(named) if named.isdigit() and int(named) else columns, rows


def page_width() -> int:
    """Return the columns of the terminal; 0 if stdout is a pipe or a file."""
    return note_width(sys.stdout)


def note_width(stream: "TextIO") -> int:
    """Return the columns of a stream; 0 if it is not a terminal."""
    return terminal_size(stream)[0] if stream.isatty() else 0


COLOUR_CHOICES = ("auto", "always", "never")
_wished = {"color": "auto", "pager": "yes", "debug": ""}


def take_terminal_options(arguments: "Sequence[str]") -> list[str]:
    """Apply `--color`, `--no-pager` and `--debug` anywhere before "--"; return the other arguments.

    An invalid `--color` is returned as the first argument, so that the full command refuses it.
    """
    _wished.update(color="auto", pager="yes", debug="")
    end = list(arguments).index("--") if "--" in arguments else len(arguments)
    rest: list[str] = []
    wrong: list[str] = []
    words = iter(arguments[:end])
    for word in words:
        name, sign, value = word.partition("=")
        if word == "--no-pager":
            _wished["pager"] = ""
        elif word == "--debug":
            _wished["debug"] = "yes"
        elif name != "--color":
            rest.append(word)
        elif (value := value if sign else next(words, "")) in COLOUR_CHOICES:
            _wished["color"] = value
        else:
            wrong = [f"--color={value}"]
    return [*wrong, *rest, *arguments[end:]]


def shows_tracebacks() -> bool:
    """Return whether failures are shown with their tracebacks."""
    return bool(_wished["debug"])


def may_colour(stream: "TextIO") -> bool:
    """Return whether output to a stream may be coloured.

    `--color` decides; otherwise only terminals get colours, unless NO_COLOR is set.
    """
    if _wished["color"] != "auto":
        return _wished["color"] == "always"
    return stream.isatty() and not os.environ.get("NO_COLOR") and not _is_dumb()


def is_coloured() -> bool:
    """Return whether the answer may be coloured."""
    return may_colour(sys.stdout)


def pager() -> str:
    """Return the command of the pager, from CR_PAGER or PAGER; "" if none is to be used."""
    if not _wished["pager"] or _is_dumb():
        return ""
    command = os.environ.get("CR_PAGER", os.environ.get("PAGER", "less")).strip()
    return "" if command == "cat" else command


def is_paged(text: str) -> bool:
    """Return whether an answer is shown in the pager, because the terminal has too few lines."""
    return (
        sys.stdout.isatty() and text.count("\n") >= terminal_size(sys.stdout)[1] and bool(pager())
    )


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
