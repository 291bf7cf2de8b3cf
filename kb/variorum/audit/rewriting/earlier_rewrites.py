"""Records the numbers that `--fix` wrote, so that another run does not take them for old."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class RewrittenNumber(NamedTuple):
    """A number that `--fix` wrote.

    Attributes:
        file: Its file.
        mark: The mark that recognises its line.
        number: In full.
        edition: The label of the edition whose number it is.
    """

    file: str
    mark: str
    number: str
    edition: str

    def entry(self) -> dict[str, str]:
        """Return the number in the form of the baseline."""
        return self._asdict()


class RewrittenNumbers:
    """The numbers that earlier runs of `--fix` wrote."""

    def __init__(self, entries: Iterable[Mapping[str, str]] = ()) -> None:
        numbers = [
            RewrittenNumber(*[str(entry[key]) for key in RewrittenNumber._fields])
            for entry in entries
        ]
        self.all = list(dict.fromkeys(numbers))
        self._editions = {
            (entry.file, entry.mark, entry.number): entry.edition for entry in self.all
        }
        self._files = {entry.file for entry in self.all}

    def has(self, file: str) -> bool:
        """Say whether `--fix` wrote any number in a file."""
        return file in self._files

    def edition(self, file: str, mark: str, number: str) -> str:
        """Return the edition of a number that `--fix` wrote; "" if `--fix` did not write it."""
        return self._editions.get((file, mark, number), "")

    def add(self, more: Iterable[RewrittenNumber]) -> "RewrittenNumbers":
        """Return these numbers and some more."""
        return RewrittenNumbers([number.entry() for number in (*self.all, *more)])
