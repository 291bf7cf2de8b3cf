"""Reads tables of facts: tab-separated, a fact a line, the names of the columns first; "#" begins a remark."""

from collections.abc import Iterator
from pathlib import Path


def read_table(path: Path) -> Iterator[dict[str, str]]:
    """Yield the rows by the names of their columns; what a row leaves out at its end is ""."""
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    names = lines[0].split("\t")
    for line in lines[1:]:
        cells = line.split("\t")
        yield dict(zip(names, cells + [""] * (len(names) - len(cells)), strict=True))
