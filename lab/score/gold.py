"""What people decided: judged questions, corrected citations, and the projects that have these."""

import csv
import re
import shutil
import subprocess
import tarfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

_RULE = re.compile(r"\d+\.\d+")
_NUMBER = re.compile(r"\b[1-9]\d\d(?:\.\d+[a-z]{0,2})?\b")
# Projects beside the corpus, each with the day of its rules.
TREES = (("phase.bundle", "2026-05-05"), ("commander-sim.tar.xz", "2026-06-15"))


@dataclass(frozen=True, slots=True)
class Score:
    """A score; the details name what is wrong."""

    name: str
    value: float
    details: list[str] = field(default_factory=list[str])


def rows_of(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table with tabs, in which a quotation mark is a character like any other."""
    with path.open(encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))


# Questions ----------------------------------------------------------------------------------------


class Judged(NamedTuple):
    """A question that a judge answered, and the numbers that the answer cites."""

    text: str
    cited: frozenset[str]

    @property
    def rules(self) -> frozenset[str]:
        """Return the cited rules; for subrules, the rules above them."""
        return frozenset([rule_of(number) for number in self.cited])

    def is_hit(self, named: Collection[str]) -> bool:
        """Return whether numbers name a cited rule or the rule above it."""
        return not (self.cited | self.rules).isdisjoint(named)


def rule_of(number: str) -> str:
    """Return the number of a rule, or of the rule above a subrule.

    >>> rule_of("608.2h"), rule_of("702.9")
    ('608.2', '702.9')
    """
    match = _RULE.match(number)
    return match[0] if match else number


def read_judged(path: Path) -> list[Judged]:
    """Return the questions of a table."""
    with path.open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t"))
    return [Judged(row["question"], frozenset(row["cited_rules"].split())) for row in rows]


# Corrections --------------------------------------------------------------------------------------


class Correction(NamedTuple):
    """A line, as it was, in which people corrected a wrong number to the right one."""

    day: str
    wrong: str
    right: str
    line: str

    @property
    def corrected(self) -> str:
        """Return the line after the correction."""
        return self.line.replace(self.wrong, self.right)


def read_corrections(path: Path) -> list[Correction]:
    """Return the lines of the gold set."""
    columns = ("date", "wrong", "right", "line_before")
    return [Correction(*[row[column] for column in columns]) for row in rows_of(path)]


def unpacked(file: Path, folder: Path) -> Path:
    """Unpack a project beside the corpus; return its folder."""
    tree = folder / "tree"
    if file.suffix == ".bundle":
        git = shutil.which("git") or ""
        subprocess.run([git, "clone", "--quiet", "--branch", "main", file, tree], check=True)
    else:
        with tarfile.open(file) as opened:
            opened.extractall(tree, filter="data")
    return tree


def mined(history: str) -> Iterator[Correction]:
    """Find lines in `git log -p -U0 --format="COMMIT %ad"` of which only one number changed."""
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
