"""Citations in tables: a column that is called "rule" needs no word in each of its cells."""

import re
from collections.abc import Iterator

from variorum_kb.audit.number_lists import Citation, read_list, share_doubt

SEPARATORS = {".csv": ",", ".tsv": "\t"}

_NAMES = re.compile(
    r"\W*(?:(?:cr|comp(?:rehensive)?)[ _-]*)?(?:rules?|cr|citations?|cites?|refs?|references?)"
    r"(?:[ _-]*(?:no|nos|nr|numbers?|refs?|cited))?\W*",
    re.IGNORECASE,
)
# Columns of these names hold other things, too; there, a number needs a dot.
_VAGUE = re.compile(r"\W*(?:refs?|references?|cites?|citations?)\W*", re.IGNORECASE)
_BEFORE = re.compile(r"[\s\"';|/&+,]")
_LONGEST_HEADING = 10_000
_QUOTED = re.compile(r'"[^"]*"?')


def find_in_cells(text: str, separator: str) -> Iterator[Citation]:
    """Yield the numbers in the columns of a table whose heading says that they hold rules.

    Several may stand in one cell, apart by blanks, commas, semicolons or bars. A number beside other
    words in its cell needs a word before it, as elsewhere.

    Args:
        text: Comma-separated values; the first row names the columns.
        separator: Between cells; where a comma is expected, the first row may say otherwise.
    """
    columns: dict[int, bool] = {}
    for row, column, start, end in _cells(text, _parted_by(text, separator)):
        if row == 0:
            name = text[start:end].replace('"', "")
            if _NAMES.fullmatch(name):
                columns[column] = _VAGUE.fullmatch(name) is None
        elif not columns:
            return
        elif column in columns:
            yield from _numbers(text, start, end, with_sections=columns[column])


def rows_of(text: str, separator: str) -> Iterator[dict[int, tuple[int, int]]]:
    """Yield where the cells of each row of a table begin and end, by their columns."""
    cells: dict[int, tuple[int, int]] = {}
    current = 0
    for row, column, start, end in _cells(text, _parted_by(text, separator)):
        if row != current and cells:
            yield cells
            cells = {}
        current = row
        cells[column] = start, end
    if cells:
        yield cells


def _parted_by(text: str, separator: str) -> str:
    """Return what parts the cells: semicolons, where a comma is the sign of decimals."""
    if separator != ",":
        return separator
    line = next(iter(text[:_LONGEST_HEADING].splitlines()), "")
    heading = _QUOTED.sub("", line)
    return max(",;\t", key=heading.count)


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


def _numbers(text: str, start: int, end: int, *, with_sections: bool) -> Iterator[Citation]:
    """Yield the citations of a cell that holds nothing else."""
    cell = text[:end]
    place, found = start, list[Citation]()
    while place < end:
        citations = (
            list(share_doubt(read_list(cell, place, place))) if cell[place].isdigit() else []
        )
        if citations:
            found += citations
            place = citations[-1].end
        elif _BEFORE.match(cell, place):
            place += 1
        else:
            return  # prose
    for citation in found:
        if with_sections or "." in citation.first.number:
            yield citation
