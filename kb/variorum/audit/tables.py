"""Finds the cells of tables: CSV, TSV and Markdown, as offsets."""

import re
from collections.abc import Iterator

SEPARATORS = {".csv": ",", ".tsv": "\t"}
_MARKDOWN = (".md", ".markdown", ".mdx")
_QUOTED = re.compile(r'"[^"]*"?')
# The line between the heading of a table in Markdown and its rows.
_DASHES = re.compile(r"^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*\|[ \t:|-]*$", re.MULTILINE)
_BETWEEN_BARS = re.compile(r"(?:\\.|[^|\\\n])+")

# Where the cells of a row begin and end, by their columns; quotation marks are part of a cell.
Row = dict[int, tuple[int, int]]


def tables_of(text: str, suffix: str) -> Iterator[Iterator[Row]]:
    """Yield the rows of each table of a file, the headings first.

    >>> [list(table) for table in tables_of('a;"b;c"', ".csv")]
    [[{0: (0, 1), 1: (2, 7)}]]
    """
    if suffix in SEPARATORS:
        yield _separated(text, SEPARATORS[suffix])
    elif suffix in _MARKDOWN:
        place = 0
        for dashes in _DASHES.finditer(text):
            if dashes.start() >= place:  # else a row of the table above
                rows = list(_of_markdown(text, dashes))
                place = max([end for row in rows for _, end in row.values()], default=0)
                yield iter(rows)


def line_end(text: str, start: int) -> int:
    """Return the offset of the next line feed, or of the end of the text."""
    end = text.find("\n", start)
    return end if end >= 0 else len(text)


def _of_markdown(text: str, dashes: re.Match[str]) -> Iterator[Row]:
    place = text.rfind("\n", 0, max(0, dashes.start() - 1)) + 1
    while place == 0 or place < len(text):
        end = line_end(text, place)
        if text.find("|", place, end) < 0 and place > dashes.end():
            return
        cells = _BETWEEN_BARS.finditer(text, place, end)
        yield {column: cell.span() for column, cell in enumerate(cells)}
        place = max(end, dashes.end()) + 1


def _separated(text: str, separator: str) -> Iterator[Row]:
    if separator == ",":
        heading = _QUOTED.sub("", re.split(r"[\r\n]", text, maxsplit=1)[0])
        separator = max(",;\t", key=heading.count)
    sign = re.escape(separator)
    cell = re.compile(rf'("(?:[^"]|"")*"[^{sign}\r\n]*|[^{sign}\r\n]*)({sign}|\r\n?|\n|\Z)')
    row: Row = {}
    column = 0
    for match in cell.finditer(text):
        if match[1]:
            row[column] = match.span(1)
        column += 1
        if match[2] != separator:
            if row:
                yield row
            row, column = {}, 0
