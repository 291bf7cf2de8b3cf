"""Invented editions for a benchmark of growth: real editions with later dates."""

import re
from collections.abc import Sequence
from pathlib import Path

# After this many years, each date falls on the same day of the week.
CYCLE = 28

_STATED = re.compile(
    r"(?P<before>\bthese rules are (?:current|effective) as of\s+[a-z]+ ?\d{1,2},? )(?P<year>\d{4})",
    re.IGNORECASE,
)
# Only the head of the edition of 1999-04-23 states its date, with a two-digit year.
_HEAD_DATE = re.compile(r"\b04/23/99\b")
_HEAD_YEAR = 1999


def write_editions(files: Sequence[Path], folder: Path, count: int) -> list[Path]:
    """Write invented editions into a folder: the given ones again and again, 28, 56, … years later.

    Whatever their number, the last one has the words of the last given edition, so that a question
    always has the same answer.

    Args:
        files: Editions in the order of their dates.
        folder: The folder to write into; existing files stay.
        count: How many editions to write.

    Returns:
        The paths in the order of their dates.
    """
    folder.mkdir(parents=True, exist_ok=True)
    cycles = -(-count // len(files))
    places = range(cycles * len(files) - count, cycles * len(files))
    paths: list[Path] = []
    for cycle, file in [(place // len(files) + 1, files[place % len(files)]) for place in places]:
        path = folder / f"{cycle:02}-{file.name}"
        if not path.exists():
            path.write_bytes(dated_on(file.read_bytes(), CYCLE * cycle))
        paths.append(path)
    return paths


def dated_on(data: bytes, years: int) -> bytes:
    """Return an edition with its effective date some years later and nothing else changed."""
    encoding = "utf-16" if b"\x00" in data[:200] else "latin-1"

    def later(stated: re.Match[str]) -> str:
        return f"{stated['before']}{int(stated['year']) + years}"

    text, count = _STATED.subn(later, data.decode(encoding))
    if not count:
        head = f"These rules are effective as of April 23, {_HEAD_YEAR + years}."
        text = _HEAD_DATE.sub(head, text, count=1)
    return text.encode(encoding)
