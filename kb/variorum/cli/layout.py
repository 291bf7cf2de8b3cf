"""The vocabulary of pages: paragraphs, entries, word diffs; and notes.

A command yields lines, a paragraph each. A line is broken only when it is printed, where the terminal is
narrower; it goes on at its mark HANG, or four columns further in than it began.
"""

from collections.abc import Iterable, Sequence
from textwrap import wrap

import click

from variorum.records.answer import Piece
from variorum.rows import EditionRow
from variorum.terminal import GREEN, HANG, PLAIN, RED, bold, shown
from variorum.text import without_middle

# Longer lines are hard to read; only rows of a table are as wide as the terminal.
_WIDEST = 100
EXAMPLE = "Example: "
# How many unchanged words are shown on each side of a change.
CONTEXT = 8
# Longer cells of a table go beyond their column.
_CELL = 40
# As in history/word_diffs.py.
_MARKS = {"-": ("[-", "-]", RED), "+": ("{+", "+}", GREEN)}


def print_note(text: object) -> None:
    """Print a note on stderr."""
    click.echo(f"cr: {text}", err=True)


def fitted(text: str, width: int) -> str:
    r"""Return a page whose lines fit a terminal, broken between words; 0 is any width.

    >>> print(fitted("  A line that is long\nA", 14))
      A line that
          is long
    A
    """
    lines = text.split("\n")
    return "\n".join([part for line in lines for part in _broken(line, width)] if width else lines)


def _broken(line: str, width: int) -> list[str]:
    width = min(width, _WIDEST) if HANG in line else width
    if len(shown(line)) <= width:
        return [line]
    margin = len(line) - len(line.lstrip(" "))
    column = len(shown(line.partition(HANG)[0])) if HANG in line else margin + 4
    indent = " " * (column if column < width // 2 else margin + 2)
    # A mark counts as a column, so a line with colours may end a few columns early.
    return wrap(line, width, subsequent_indent=indent, break_long_words=False)


def para(text: str, margin: int = 0) -> list[str]:
    """Return a line for each paragraph of a text; it goes on below its beginning."""
    return [f"{' ' * margin}{HANG}{part}" for part in text.split("\n")]


def entry(name: str, words: str = "", margin: int = 2) -> str:
    """Return the line of a name in bold and words about it."""
    return f"{' ' * margin}{bold(name)}  {words}".rstrip()


def table(rows: Iterable[Sequence[object]]) -> list[str]:
    """Return the lines of a table with its columns below each other; numbers are set right, with their heads."""
    kept = [list(row) for row in rows]
    numeric = [any(isinstance(cell, int) for cell in column) for column in zip(*kept, strict=True)]
    cells = [[f"{it:,}" if isinstance(it, int) else str(it) for it in row] for row in kept]
    widths = [max(min(len(it), _CELL) for it in column) for column in zip(*cells, strict=True)]
    columns = [(">" if it else "<") + str(width) for it, width in zip(numeric, widths, strict=True)]
    return ["  ".join(map(format, row, columns)).rstrip() for row in cells]


def edition_line(edition: EditionRow) -> str:
    """Return the line that names an edition, with the doubts about it."""
    of_set = f", {edition.set_name} ({edition.set_code})" if edition.set_code else ""
    doubts = f"; {', '.join(edition.doubts.splitlines())}" if edition.doubts else ""
    return f"Comprehensive Rules effective {edition.label}{of_set}{doubts}"


def titled(title: str, lines: Iterable[str]) -> list[str]:
    """Return lines below a title in bold, with a blank line before it; nothing if there are none."""
    listed = [*lines]
    return ["", bold(title), *listed] if listed else []


def marked(pieces: "Iterable[tuple[str, str]]", *, context: int | None = CONTEXT) -> str:
    """Return a word diff as text: [-removed-] and {+added+}, with some unchanged words around them, or all."""
    pieces, parts = list(pieces), list[str]()
    for place, (sign, text) in enumerate(pieces):
        if sign in _MARKS:
            opening, closing, _ = _MARKS[sign]
            bare = text.rstrip()
            parts.append(f"{opening}{bare}{closing}{text[len(bare) :]}")
        elif context is None:
            parts.append(text)
        else:
            after = 0 if place == len(pieces) - 1 else context
            parts.append(without_middle(text, context if place else 0, after))
    return "".join(parts).replace("+}[-", "+} [-").replace("-]{+", "-] {+")


def diffed(text: str, margin: int) -> list[str]:
    """Return the lines of a marked word diff, with colours between its marks."""
    for opening, closing, colour in _MARKS.values():
        text = text.replace(opening, f"{colour}{opening}").replace(closing, f"{closing}{PLAIN}")
    return para(text, margin)


def named_examples(text: str, count: int) -> str:
    """Return a text with "Example:" before each of its last paragraphs that are examples."""
    return with_examples([Piece("+", text)], 0, count)[0].text


def with_examples(pieces: Sequence[Piece], before: int, after: int) -> list[Piece]:
    """Return a word diff with "Example:" before each example: some paragraphs at the end of each text."""
    left, is_begun, named = {"-": -before, "+": -after}, {"-": True, "+": True}, list[Piece]()
    for side in left:
        left[side] += "".join([text for sign, text in pieces if sign in {"=", side}]).count("\n")
    for sign, text in pieces:
        sides, parts = ("-+" if sign == "=" else sign), text.split("\n")
        if sign != "=" and all(is_begun.values()) and max(left.values()) < 0:
            named.append(Piece("=", EXAMPLE))
            is_begun = dict.fromkeys(is_begun, False)
        for at, part in enumerate(parts):
            if part and at > left[sides[-1]] and (at or is_begun[sides[-1]]):
                parts[at] = EXAMPLE + part
        named.append(Piece(sign, "\n".join(parts)))
        left |= {side: left[side] - len(parts) + 1 for side in sides}
        is_begun |= dict.fromkeys(sides, not parts[-1])
    return named
