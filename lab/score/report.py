"""Scores, and the levels that they may not fall under."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

LEVELS = Path(__file__).with_name("levels.tsv")


@dataclass(frozen=True, slots=True)
class Score:
    """A score; the details name what is wrong."""

    name: str
    value: float
    details: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True)
class Level:
    """The least or the most that a score may be."""

    way: str
    value: float

    def is_met(self, value: float) -> bool:
        """Return whether a score is good enough."""
        return value <= self.value if self.way == "at most" else value >= self.value


def read_levels(path: Path = LEVELS) -> dict[str, Level]:
    """Return the levels by the names of their scores."""
    with path.open(encoding="utf-8", newline="") as table:
        return {
            row["score"]: Level(row["way"], float(row["level"]))
            for row in csv.DictReader(table, delimiter="\t")
        }


def line_of(score: Score, levels: Mapping[str, Level]) -> tuple[str, bool]:
    """Return a line with the score and its level, and whether the level is met."""
    level = levels.get(score.name)
    if level is None:
        return f"{score.name:60} {score.value:7g}  NO LEVEL", False
    is_met = level.is_met(score.value)
    fallen = "" if is_met else "  FALLEN"
    return f"{score.name:60} {score.value:7g}  {level.way} {level.value:g}{fallen}", is_met


def share(part: float, whole: float) -> str:
    """Return a share in percent, or "-" if the whole is 0."""
    return f"{100 * part / whole:.2f} %" if whole else "-"
