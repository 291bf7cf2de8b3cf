"""Tells how long the parts of long work take."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from time import perf_counter

listeners: list[Callable[[str], None]] = []  # called with a line for each part


@contextmanager
def timed(part: str) -> Generator[None]:
    """Tell how long a part of the work took."""
    start = perf_counter()
    try:
        yield
    finally:
        for tell in listeners:
            tell(f"{perf_counter() - start:.2f} s: {part}")
