"""Score alignment, search, questions and the audit against what people decided; `make score` runs this.

Reads the editions in the folder VARIORUM_CORPUS, and the gold beside it. Prints a line for each
score, and exits 1 if one is worse than its level in `levels.tsv`.
"""

import argparse
import csv
import os
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # the checkout, for lab; the wheel is scored

from lab.gates import Program  # noqa: E402
from lab.score import alignment, corrections, searches  # noqa: E402
from lab.score.gold import Score  # noqa: E402

LEVELS = Path(__file__).with_name("levels.tsv")
PARTS: dict[str, Callable[[Program, Path], Iterator[Score]]] = {
    "search": searches.search_scores,
    "questions": searches.question_scores,
    "corrections": corrections.scores,
}


class Level(NamedTuple):
    """The least or the most that a score may be."""

    way: str
    value: float


def read_levels() -> dict[str, Level]:
    """Return the levels by the names of their scores."""
    with LEVELS.open(encoding="utf-8", newline="") as table:
        rows = csv.DictReader(table, delimiter="\t")
        return {row["score"]: Level(row["way"], float(row["level"])) for row in rows}


def line_of(score: Score, levels: Mapping[str, Level]) -> tuple[str, bool]:
    """Return a line with the score and its level, and whether the level is met."""
    shown, level = f"{score.name:60} {score.value:7g}", levels.get(score.name)
    if level is None:
        return f"{shown}  NO LEVEL", False
    is_most = level.way == "at most"
    is_met = score.value <= level.value if is_most else score.value >= level.value
    return f"{shown}  {level.way} {level.value:g}{'' if is_met else '  FALLEN'}", is_met


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the scores; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=["alignment", *PARTS], help="score one part")
    parser.add_argument("--details", action="store_true", help="also print what is wrong")
    parser.add_argument("--kb", type=Path, help="a base of all editions, instead of a new one")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes work at once")
    options = parser.parse_args(arguments)
    corpus = os.environ.get("VARIORUM_CORPUS")
    if not corpus:
        sys.stderr.write("VARIORUM_CORPUS must name the folder of the real editions\n")
        return 2
    levels, code = read_levels(), 0
    for score in _scores(options, Path(corpus)):
        line, is_met = line_of(score, levels)
        code = code if is_met else 1
        details = [f"    {detail}" for detail in score.details] if options.details else []
        sys.stdout.write("\n".join([line, *details, ""]))
        sys.stdout.flush()
    return code


def _scores(options: argparse.Namespace, corpus: Path) -> Iterator[Score]:
    if options.only in {None, "alignment"}:
        yield from alignment.scores(corpus, options.jobs)
    parts = [part for part in PARTS if options.only in {None, part}]
    if not parts:
        return
    cr = shutil.which("cr", path=sysconfig.get_path("scripts")) or "cr"
    with tempfile.TemporaryDirectory() as folder:
        program = Program(cr, options.kb or Path(folder))
        if not options.kb:
            program.run("build", corpus / "official")
        for part in parts:
            yield from PARTS[part](program, corpus)


if __name__ == "__main__":
    raise SystemExit(main())
