"""Format word diffs: with signs and, on a terminal, with colours."""

from variorum.cli.pages.provisions import WIDEST, wrap
from variorum.terminal import GREEN, PLAIN, RED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from variorum.history.word_diffs.diff import Piece

# As in history/word_diffs/diff.py.
_MARKS = {"-": ("[-", "-]", RED), "+": ("{+", "+}", GREEN)}
# How many unchanged words are shown on each side of a change.
CONTEXT = 8
EXAMPLE = "Example: "


def marked(pieces: "Sequence[Piece]", *, context: int | None = CONTEXT) -> str:
    """Return a word diff as text: [-removed-] and {+added+}.

    Args:
        pieces: The pieces of the diff.
        context: How many unchanged words to show around a change; None for all.
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


class _DiffReading:
    """A reader of one of the two texts of a word diff, paragraph by paragraph.

    Attributes:
        signs: The signs of the pieces that belong to this text.
        is_at_example: Whether an example begins here.
    """

    def __init__(self, signs: str, pieces: "Sequence[Piece]", examples: int) -> None:
        self.signs = signs
        ends = sum(text.count("\n") for sign, text in pieces if sign in signs)
        self._others = ends + 1 - examples  # remaining paragraphs that are not examples
        self.is_at_example = self._others <= 0

    def end_paragraph(self) -> None:
        """Go on to the next paragraph."""
        self._others -= 1
        self.is_at_example = self._others <= 0


def with_examples_named(pieces: "Sequence[Piece]", before: int, after: int) -> "Sequence[Piece]":
    """Return a word diff with "Example:" before each example.

    Args:
        pieces: The pieces of the diff.
        before: How many paragraphs at the end of the older text are examples.
        after: How many at the end of the newer text are.
    """
    if not (before or after):
        return pieces
    readings = _DiffReading("-=", pieces, before), _DiffReading("+=", pieces, after)
    named: list[Piece] = []
    for sign, text in pieces:
        here = [reading for reading in readings if sign in reading.signs]
        paragraphs: list[str] = []
        for place, words in enumerate(text.split("\n")):
            for reading in here if place else ():
                reading.end_paragraph()
            is_in_both = not place and all(reading.is_at_example for reading in readings)
            is_named = bool(words) and here[-1].is_at_example
            if is_named and is_in_both and sign != "=":
                named.append(("=", EXAMPLE))
                is_named = False
            paragraphs.append(EXAMPLE + words if is_named else words)
            for reading in (readings if is_in_both else here) if words else ():
                reading.is_at_example = False
        named.append((sign, "\n".join(paragraphs)))
    return named


def named_examples(text: str, count: int) -> str:
    """Return a text with "Example:" before each of its last paragraphs that are examples."""
    paragraphs = text.split("\n")
    others = len(paragraphs) - count
    return "\n".join([*paragraphs[:others], *(EXAMPLE + words for words in paragraphs[others:])])


def _shortened(text: str, before: int, after: int) -> str:
    """Shorten a long text to some words at its beginning and end."""
    words = text.split(" ")
    if len(words) <= before + after + 2:
        return text
    start = " ".join(words[:before])
    end = " ".join(words[len(words) - after :]) if after else ""
    return f"{start} … {end}" if start else f"… {end}"


def paragraph(text: str, margin: int, width: int) -> list[str]:
    """Format a text with a margin, wrapped on a terminal.

    Args:
        text: May contain line feeds.
        margin: Blank columns before each line.
        width: Columns of the terminal; 0 puts each paragraph on one line.
    """
    lines: list[str] = []
    for part in text.split("\n"):
        lines += wrap(part, min(width, WIDEST) - margin) if width else [part]
    return [" " * margin + line for line in lines]


def diff_paragraph(text: str, margin: int, width: int) -> "Iterator[str]":
    """Yield the lines of a word diff, formatted by `paragraph`, with colours between its marks."""
    is_open = ""
    for line in paragraph(text, margin, width):
        shown = line[margin:]
        for opening, closing, colour in _MARKS.values():
            shown = shown.replace(opening, f"{colour}{opening}")
            shown = shown.replace(closing, f"{closing}{PLAIN}")
        # A mark continued from the previous line keeps its colour.
        yield line[:margin] + (is_open + shown + PLAIN if is_open else shown)
        is_open = _open_colour(line, is_open)


def _open_colour(line: str, is_open: str) -> str:
    for opening, closing, colour in _MARKS.values():
        opened, closed = line.rfind(opening), line.rfind(closing)
        if opened > closed:
            return colour
        if closed > opened and is_open == colour:
            is_open = ""
    return is_open
