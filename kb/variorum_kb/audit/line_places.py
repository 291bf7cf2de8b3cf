"""The places and marks of the lines of a text."""

from bisect import bisect_right
from collections.abc import Sequence

from variorum_kb.audit.citations.number_lists import Citation
from variorum_kb.audit.reporting.baseline import line_mark


class LinePlaces:
    """Where the lines of a text begin."""

    def __init__(self, text: str) -> None:
        self.text = text
        # Old Macs ended lines with carriage returns; git, which dates lines, counts only line
        # feeds.
        self._sign = "\n" if "\n" in text else "\r"
        self._starts: list[int] = []
        # The last marked line and its mark. A whole file may be one line.
        self._marked = (0, "")

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of an offset, from 1."""
        if not self._starts:
            self._starts.append(0)
            end = self.text.find(self._sign)
            while end >= 0:
                self._starts.append(end + 1)
                end = self.text.find(self._sign, end + 1)
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def mark(self, number: int) -> str:
        """Return the mark that recognises a line."""
        if self._marked[0] != number:
            self.place(0)
            start = self._starts[number - 1]
            end = self.text.find(self._sign, start)
            line = self.text[start : end if end >= 0 else None]
            self._marked = (number, line_mark(line))
        return self._marked[1]

    def day(self, citation: Citation, days: Sequence[str]) -> str:
        """Return the day of the line of a citation's number."""
        line = self.place(citation.first.start)[0] if self._sign == "\n" else 1
        return days[line - 1] if line <= len(days) else ""
