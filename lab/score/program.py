"""Score alignment, search, questions and the audit against what people decided.

Reads the editions in the folder VARIORUM_CORPUS, and the gold beside it. Prints a line for each
score, and exits 1 if one is worse than its level in `levels.tsv`.
"""

import argparse
import os
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from lab.gates import Program
from lab.score import alignment, asking, corrections, doubt_fit, fit
from lab.score.editions import load_editions
from lab.score.report import Score, line_of, read_levels

_OF_BASE: dict[str, Callable[[Program, Path], Iterator[Score]]] = {
    "search": asking.search_scores,
    "questions": asking.question_scores,
    "corrections": corrections.scores,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the scores; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=["alignment", *_OF_BASE], help="score one part")
    parser.add_argument("--details", action="store_true", help="also print what is wrong")
    parser.add_argument("--kb", type=Path, help="a base of all editions, instead of a new one")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes work at once")
    for name, module in (
        ("fit", "history/confidence/fitted_chances"),
        ("fit-doubt", "audit/judging/fitted_doubt"),
    ):
        words = f"print variorum_kb/{module}.py anew, score nothing"
        parser.add_argument(f"--{name}", action="store_true", help=words)
    options = parser.parse_args(arguments)
    named = os.environ.get("VARIORUM_CORPUS")
    if not named:
        sys.stderr.write("VARIORUM_CORPUS must name the folder of the real editions\n")
        return 2
    corpus = Path(named)
    if options.fit:
        editions = load_editions(corpus / "official", options.jobs)
        sys.stdout.write(fit.chances_module(editions, options.jobs))
        return 0
    if options.fit_doubt:
        sys.stdout.write(doubt_fit.fitted_module(corpus))
        return 0
    levels, code = read_levels(), 0
    for score in _scores(options, corpus):
        line, is_met = line_of(score, levels)
        code = code if is_met else 1
        details = [f"    {detail}" for detail in score.details] if options.details else []
        sys.stdout.write("\n".join([line, *details, ""]))
        sys.stdout.flush()
    return code


def _scores(options: argparse.Namespace, corpus: Path) -> Iterator[Score]:
    if options.only in {None, "alignment"}:
        yield from alignment.scores(corpus, options.jobs)
    parts = [part for part in _OF_BASE if options.only in {None, part}]
    if not parts:
        return
    cr = shutil.which("cr", path=sysconfig.get_path("scripts")) or "cr"
    with tempfile.TemporaryDirectory() as folder:
        program = Program(cr, options.kb or Path(folder))
        if not options.kb:
            program.run("build", corpus / "official")
        for part in parts:
            yield from _OF_BASE[part](program, corpus)
