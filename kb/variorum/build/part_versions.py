"""Versions of the program's parts that made a base, and whether another program made it."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from variorum.errors import NewerBaseError
from variorum.store.file import LAYOUT
from variorum.versions import PROGRAM, version_of

# The words of `cr doctor --deep` for a base made by another version of a part.
STALE = {
    "attest": "witnesses compared by version {0} of the comparison, this program has {1}",
    "aligner": "aligned by version {0} of the aligner, this program has {1}",
    "verdicts": "written with another table of verdicts",
    "facts": "written with another table of facts",
    "finder": "citations found by version {0} of the finder, this program has {1}",
    "program": "written by version {0} of the program, this is {1}",
    "reader": "read by version {0} of the reader, this program has {1}",
}


def current_meta() -> dict[str, str]:
    """Return the content of the table `meta` in a base written now."""
    return {
        "aligner": version_of("aligner"),
        "attest": version_of("attest"),
        "verdicts": version_of("verdicts"),
        "facts": version_of("facts"),
        "finder": version_of("finder"),
        "layout": str(LAYOUT),
        "program": PROGRAM,
        "reader": version_of("reader"),
    }


def refuse_newer(path: Path, meta: Mapping[str, str]) -> None:
    """Refuse a base that a newer program wrote.

    Raises:
        NewerBaseError: A newer program wrote it.
    """
    if is_newer(meta["program"], PROGRAM):
        by = f"written by a newer program (version {meta['program']}, this one is {PROGRAM})"
        raise NewerBaseError(path, by, "upgrade Variorum")


def is_newer(version_made: str, version_here: str) -> bool:
    """Return whether a program version, such as "0.10.0", is later than another."""
    mine, theirs = (
        tuple(map(int, re.findall(r"\d+", version))) for version in (version_made, version_here)
    )
    return mine > theirs


def is_made_by(meta: Mapping[str, str], parts: Iterable[str]) -> bool:
    """Return whether the current versions of some parts made a base."""
    return all(meta.get(name) == current_meta()[name] for name in parts)
