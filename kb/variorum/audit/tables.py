"""Reads citations without a word before them: in tables, and in links to rules.

In a column called "rule", the numbers need no word. Links are Yawgatog's anchors, Academy Ruins'
addresses, and our own permalinks.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter

from variorum.audit.numbers import (
    ANCHOR,
    FULL,
    Citation,
    PrintedNumber,
    line_end,
    read_list,
    share_doubt,
)
from variorum.rule_numbers import DOTTED, SECTION

SEPARATORS = {".csv": ",", ".tsv": "\t"}
_MARKDOWN = (".md", ".markdown", ".mdx")

_NAMES = re.compile(
    r"\W*(?:(?:cr|comp(?:rehensive)?)[ _-]*)?(?:rules?|cr|citations?|cites?|refs?|references?)"
    r"(?:[ _-]*(?:no|nos|nr|numbers?|refs?|cited))?\W*",
    re.IGNORECASE,
)
# Columns of these names may hold other things, so a number in them needs a dot.
_VAGUE = re.compile(r"\W*(?:refs?|references?|cites?|citations?)\W*", re.IGNORECASE)
_BEFORE = re.compile(r"[\s\"';|/&+,`*]")
_QUOTED = re.compile(r'"[^"]*"?')
# The line between the heading of a table in Markdown and its rows.
_DASHES = re.compile(r"^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*\|[ \t:|-]*$", re.MULTILINE)
_BETWEEN_BARS = re.compile(r"(?:\\.|[^|\\\n])+")


def find_in_tables(text: str, suffix: str) -> Iterable[Citation]:
    """Return the numbers in the columns for rules of the tables of a file."""
    if suffix in _MARKDOWN:
        return find_in_markdown(text)
    return find_in_cells(text, SEPARATORS[suffix]) if suffix in SEPARATORS else ()


def find_in_cells(text: str, separator: str) -> Iterator[Citation]:
    """Yield the numbers in those columns of a table that are called "rule", "cr" or the like.

    A cell may have several numbers, separated by spaces, commas, semicolons or bars. If a cell also
    has other words, a number in it needs a word before it, as elsewhere.
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


def find_in_markdown(text: str) -> Iterator[Citation]:
    """Yield the numbers in those columns of Markdown tables that are called "rule", "cr" or the like."""
    place = 0
    for dashes in _DASHES.finditer(text):
        if dashes.start() < place:
            continue  # a row of the table above
        start = text.rfind("\n", 0, max(0, dashes.start() - 1)) + 1
        columns = {
            column: _VAGUE.fullmatch(text, *cell) is None
            for column, cell in enumerate(_between_bars(text, start))
            if _NAMES.fullmatch(text, *cell)
        }
        place = line_end(text, dashes.end()) + 1
        while columns and text.find("|", place, line_end(text, place)) >= 0:
            for column, (begin, end) in enumerate(_between_bars(text, place)):
                if column in columns:
                    yield from _numbers(text, begin, end, with_sections=columns[column])
            place = line_end(text, place) + 1


def _between_bars(text: str, start: int) -> list[tuple[int, int]]:
    """Return where the cells of a row in Markdown begin and end."""
    cells = _BETWEEN_BARS.finditer(text, start, line_end(text, start))
    return [cell.span() for cell in cells]


def rows_of(text: str, separator: str) -> Iterator[dict[int, tuple[int, int]]]:
    """Yield where the cells of each row of a table begin and end, by their columns."""
    for _, cells in groupby(_cells(text, _parted_by(text, separator)), key=itemgetter(0)):
        yield {column: (start, end) for _, column, start, end in cells}


def _parted_by(text: str, separator: str) -> str:
    """Return the sign between cells: a semicolon or tab if the first row has more of these."""
    if separator != ",":
        return separator
    heading = _QUOTED.sub("", re.split(r"[\r\n]", text, maxsplit=1)[0])
    return max(",;\t", key=heading.count)


def _cells(text: str, separator: str) -> Iterator[tuple[int, int, int, int]]:
    """Yield the row, column, start and end of each cell, quotation marks included.

    The first row is 0. Rows may be skipped: the two signs of a line end count as two rows.
    """
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
            row, column = row + 1, 0
        place += 1


def _numbers(text: str, start: int, end: int, *, with_sections: bool) -> Iterator[Citation]:
    """Yield the citations of a cell that holds nothing else."""
    cell = text[:end]
    place, cited = start, list[Citation]()
    while place < end:
        citations = (
            list(share_doubt(read_list(cell, place, place))) if cell[place].isdigit() else []
        )
        if citations:
            cited += citations
            place = citations[-1].end
        elif _BEFORE.match(cell, place):
            place += 1
        else:
            return  # prose
    for citation in cited:
        if with_sections or "." in citation.first.number:
            yield citation


# Links --------------------------------------------------------------------------------------------

_NUMBER = rf"(?P<number>{DOTTED}|{SECTION})(?![\w-]|\.\d)"
_PATH = r"[^\s\"'`<>()\[\]{}#?]"
_LINK = re.compile(
    rf"""
    yawgatog\.com/ {_PATH}{{0,80}} \#R (?P<anchor> (?P<section>[1-9]\d\d) (?P<rule>\d{{0,3}})
        (?P<letters>[a-z]{{0,2}}) ) (?!\w)
    | academyruins\.com/ (?:{_PATH}{{0,80}}[/])? (?:[?\#](?:\w+=)?)? {_NUMBER}
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
# "rule/704.5k/" is today's rule with a number, "2007-10-01/6/#600.4a" that of an edition.
_OURS = re.compile(
    rf"(?:(?<=/rule/)|(?P<day>\d{{4}}-\d\d-\d\d(?:\.\d)?)/[1-9]/\#){_NUMBER}", re.ASCII
)
_ADDRESS = re.compile(r"https?://[^\s\"'`<>()\[\]{}]{0,300}\Z")
_LONGEST = 320


def find_links(text: str) -> Iterator[Citation]:
    """Yield the links to rules in a text."""
    if "/" not in text:
        return
    for link in _LINK.finditer(text):
        if link["anchor"]:
            rule = f".{link['rule']}" if link["rule"] else ""
            number, form, group = f"{link['section']}{rule}{link['letters']}", ANCHOR, "anchor"
            if link["letters"] and not rule:
                continue
        else:
            number, form, group = link["number"], FULL, "number"
        yield _citation(number.casefold(), *link.span(group), form)
    for link in _OURS.finditer(text):
        if _ADDRESS.search(text, max(0, link.start() - _LONGEST), link.start()):
            found = _citation(link["number"], *link.span("number"), FULL)
            yield found._replace(edition=link["day"] or "")


def _citation(number: str, start: int, end: int, form: str) -> Citation:
    return Citation(PrintedNumber(number, start, end, form), None, start, end)
