"""Set word diffs for a terminal or a pipe: by signs, and on a terminal by colours too."""

from variorum_kb.cli.pages.provisions import WIDEST, wrap
from variorum_kb.system.terminal import BOLD, GREEN, PLAIN, RED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from variorum_kb.forms.values import Piece

# As in history/diff.py.
_MARKS = {"-": ("[-", "-]", RED), "+": ("{+", "+}", GREEN)}
# So many words that stayed are shown on each side of a change.
CONTEXT = 8


def marked(pieces: "Sequence[Piece]", *, context: int | None = CONTEXT) -> str:
    """Return a word diff as text: [-gone-] and {+come+}.

    Args:
        pieces: Of the diff.
        context: How many of the words that stayed stand around a change; None for all.
    """
    parts: list[str] = []
    for place, (sign, text) in enumerate(pieces):
        if sign in _MARKS:
            opening, closing, _ = _MARKS[sign]
            bare = text.rstrip()
            parts.append(f"{opening}{bare}{closing}{text[len(bare) :]}")
        elif context is None:
            parts.append(text)
        else:
            is_first, is_last = place == 0, place == len(pieces) - 1
            parts.append(_shortened(text, 0 if is_first else context, 0 if is_last else context))
    return "".join(parts).replace("+}[-", "+} [-").replace("-]{+", "-] {+")


def _shortened(text: str, before: int, after: int) -> str:
    """Leave out the middle of a long text: keep some words at its beginning and at its end."""
    words = text.split(" ")
    if len(words) <= before + after + 2:
        return text
    start = " ".join(words[:before])
    end = " ".join(words[len(words) - after :]) if after else ""
    return f"{start} … {end}" if start else f"… {end}"


def coloured(text: str, *, is_coloured: bool) -> str:
    """Colour the marks of a word diff; they stay, since not everybody sees colours."""
    if not is_coloured:
        return text
    for opening, closing, colour in _MARKS.values():
        text = text.replace(opening, f"{colour}{opening}").replace(closing, f"{closing}{PLAIN}")
    return text


def paragraph(text: str, margin: int, width: int, *, is_coloured: bool) -> list[str]:
    """Set a text with a margin, wrapped on a terminal.

    Args:
        text: May hold marks, and line feeds.
        margin: In columns.
        width: Of the terminal; 0 sets a paragraph a line.
        is_coloured: The marks of word diffs.
    """
    lines: list[str] = []
    is_open = ""
    for part in text.split("\n"):
        wrapped = wrap(part, min(width, WIDEST) - margin) if width else [part]
        for line in wrapped:
            shown = coloured(line, is_coloured=is_coloured)
            # A mark that goes on from the line before keeps its colour.
            lines.append(" " * margin + (is_open + shown + PLAIN if is_open else shown))
            is_open = _open_colour(line, is_open) if is_coloured else ""
    return lines


def _open_colour(line: str, is_open: str) -> str:
    for opening, closing, colour in _MARKS.values():
        opened, closed = line.rfind(opening), line.rfind(closing)
        if opened > closed:
            return colour
        if closed >= 0 and is_open == colour:
            is_open = ""
    return is_open


def bold(text: str, *, is_coloured: bool) -> str:
    """Return a text that stands out."""
    return f"{BOLD}{text}{PLAIN}" if is_coloured else text
