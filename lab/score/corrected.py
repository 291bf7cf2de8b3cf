"""Citations that people corrected, and the projects beside the corpus that contain them."""

import csv
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

_GIT = shutil.which("git") or ""
_NUMBER = re.compile(r"\b[1-9]\d\d(?:\.\d+[a-z]{0,2})?\b")
TREES = (("phase.bundle", "2026-05-05"), ("commander-sim.tar.xz", "2026-06-15"))


class Correction(NamedTuple):
    """A line in which people corrected a number.

    Attributes:
        wrong: The number before the correction.
        right: The number after it.
        line: The line before the correction.
    """

    day: str
    wrong: str
    right: str
    line: str

    @property
    def corrected(self) -> str:
        """Return the line after the correction."""
        return self.line.replace(self.wrong, self.right)


@dataclass(slots=True)
class Counts:
    """The result of auditing corrections.

    Attributes:
        told: How many wrong numbers were reported.
        named: For how many of these the right number was suggested.
        blamed: How many right numbers were reported.
    """

    told: int = 0
    named: int = 0
    blamed: int = 0


def read_corrections(file: Path) -> list[Correction]:
    """Return the lines of a gold set."""
    with file.open(encoding="utf-8", newline="") as opened:
        rows = csv.DictReader(opened, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [
            Correction(row["date"], row["wrong"], row["right"], row["line_before"]) for row in rows
        ]


def unpacked(file: Path, folder: Path) -> Path:
    """Unpack a project beside the corpus; return its folder."""
    tree = folder / "tree"
    if file.suffix == ".bundle":
        subprocess.run([_GIT, "clone", "--quiet", "--branch", "main", file, tree], check=True)
    else:
        with tarfile.open(file) as opened:
            opened.extractall(tree, filter="data")
    return tree


def history_of(tree: Path) -> Iterator[Correction]:
    """Yield the lines of a project's history in which people changed only one number."""
    log = ("log", "--reverse", "-p", "-U0", "--no-merges", "--format=COMMIT %ad", "--date=short")
    done = subprocess.run([_GIT, "-C", tree, *log], check=True, capture_output=True)
    return mined(done.stdout.decode("utf-8", "replace"))


def mined(history: str) -> Iterator[Correction]:
    """Parse `git log -p -U0` for lines in which only one number was changed."""
    day, before, after = "", list[str](), list[str]()
    for line in [*history.splitlines(), "@@"]:
        if line.startswith(("@@", "COMMIT ")):
            if len(before) == len(after):
                for old, new in zip(before, after, strict=True):
                    yield from _corrected(day, old, new)
            before, after = [], []
            day = line.removeprefix("COMMIT ") if line.startswith("COMMIT ") else day
        elif line.startswith("-") and not line.startswith("---"):
            before.append(line[1:])
        elif line.startswith("+") and not line.startswith("+++"):
            after.append(line[1:])


def _corrected(day: str, old: str, new: str) -> Iterator[Correction]:
    numbers = list(zip(_NUMBER.findall(old), _NUMBER.findall(new), strict=False))
    changed = [pair for pair in numbers if pair[0] != pair[1]]
    if len(changed) == 1 and "CR" in old and _NUMBER.sub("#", old) == _NUMBER.sub("#", new):
        ((wrong, right),) = changed
        yield Correction(day, wrong, right, old.strip())
