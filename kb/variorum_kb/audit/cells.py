"""Citations in tables: a column that is called "rule" needs no word in each of its cells."""

import re
from collections.abc import Iterator

from variorum_kb.audit.find import Citation, Part

SEPARATORS = {".csv": ",", ".tsv": "\t"}

_NAMES = re.compile(
    r"\W*(?:(?:cr|comp(?:rehensive)?)[ _-]*)?(?:rules?|cr|citations?|cites?|refs?|references?)"
    r"(?:[ _-]*(?:no|nos|nr|numbers?|refs?|cited))?\W*",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"[1-9]\d\d(?:\.[1-9]\d{0,2}(?:a?[a-z])?)?(?![\w@]|\.[\da-z])", re.ASCII | re.IGNORECASE
)
_BEFORE = re.compile(r"[\s\"';|/&+,]")


def find_in_cells(text: str, separator: str) -> Iterator[Citation]:
    """Yield the numbers in the columns of a table whose heading says that they hold rules.

    Several may stand in one cell, apart by blanks, commas, semicolons or bars. A number beside other
    words in its cell needs a word before it, as elsewhere.

    Args:
        text: Comma-separated values; the first row names the columns.
        separator: Between cells.
    """
    columns: set[int] = set()
    for row, column, start, end in _cells(text, separator):
        if row == 0:
            if _NAMES.fullmatch(text[start:end].replace('"', "")):
                columns.add(column)
        elif not columns:
            return
        elif column in columns:
            yield from _numbers(text, start, end)


def _cells(text: str, separator: str) -> Iterator[tuple[int, int, int, int]]:
    """Yield the row, column, start and end of each cell, quotation marks included."""
    cell = re.compile(
        rf'"(?:[^"]|"")*"|[^{re.escape(separator)}"\r\n][^{re.escape(separator)}\r\n]*'
    )
    row = column = place = 0
    while place < len(text):
        match = cell.match(text, place)
        if match is not None:
            yield row, column, match.start(), match.end()
            place = match.end()
        sign = text[place : place + 1]
        if sign == separator:
            column += 1
        elif sign in {"\n", "\r"}:
            if sign == "\r" and text.startswith("\n", place + 1):
                place += 1
            row, column = row + 1, 0
        place += 1


def _numbers(text: str, start: int, end: int) -> Iterator[Citation]:
    place, found = start, list[Citation]()
    while place < end:
        match = _NUMBER.match(text, place, end)
        if match is not None:
            part = Part(match[0].casefold(), match.start(), match.end(), "full")
            found.append(Citation(part, None, part.start, part.end))
            place = match.end()
        elif _BEFORE.match(text, place):
            place += 1
        else:
            return  # prose
    yield from found
