"""Divides the values of a statement, because SQLite does not accept any number of them."""

from itertools import islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeVar

    Value = TypeVar("Value")

# No build of SQLite has a lower limit.
_MOST_VALUES = 999


def batches(values: "Iterable[Value]") -> "Iterator[tuple[str, list[Value]]]":
    """Yield the values in batches, each with a question mark for each of its values."""
    rest = iter(values)
    while some := list(islice(rest, _MOST_VALUES)):
        yield ", ".join("?" * len(some)), some
