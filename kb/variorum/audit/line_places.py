"""The places and marks of the lines of a text."""

import re
import sys
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property

from variorum.audit.citations.number_lists import Citation
from variorum.audit.reporting.baseline import line_mark


class LinePlaces:
    """Where the lines of a text begin."""

    def __init__(self, text: str) -> None:
        self.text = text
        # Old Macs ended lines with carriage returns; git, which dates lines, counts only line
        # feeds.
        self._sign = "\n" if "\n" in text else "\r"
        # A whole file may be one line, so marks are kept.
        self._marks: dict[int, str] = {}

    @cached_property
    def _starts(self) -> list[int]:
        """Return where each line begins, and a place behind the last line."""
        ends = [sign.end() for sign in re.finditer(self._sign, self.text)]
        return [0, *ends, sys.maxsize]

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of an offset, from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return the text of a line."""
        start, end = self._starts[number - 1 : number + 1]
        return self.text[start:end]

    def mark(self, number: int) -> str:
        """Return the mark that recognises a line."""
        if number not in self._marks:
            self._marks[number] = line_mark(self.line(number))
        return self._marks[number]

    def day(self, citation: Citation, days: Sequence[str]) -> str:
        """Return the day of the line of a citation's number."""
        line = self.place(citation.first.start)[0] if self._sign == "\n" else 1
        return days[line - 1] if line <= len(days) else ""
