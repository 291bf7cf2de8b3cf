"""Score search, the audit of citations and the alignment against known answers.

Aligns the editions in the folder VARIORUM_CORPUS without verdicts, prints findings, and ends with a
table of requirements. Exits 1 if a requirement is missed.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lab.score import (
    announced,
    calibration,
    citations,
    corrections,
    doubt_fit,
    fit,
    gold,
    oracle,
    read,
    searches,
    trials,
    twins,
    uncertain,
)
from lab.score.editions import Editions, load_editions
from lab.score.pairs import Asked, align_pairs
from lab.score.report import Report

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of the score to run."""

    gold: bool
    oracle: bool
    read: bool
    others: bool
    trials: bool
    search: bool
    audit: bool
    corrections: bool


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the score; return the exit code."""
    options = _parser().parse_args(arguments)
    named = os.environ.get("VARIORUM_CORPUS")
    if not named:
        sys.stderr.write("VARIORUM_CORPUS must name the folder of the real editions\n")
        return 2
    corpus = Path(named)
    report = Report(sys.stdout.write)
    parts = _parts(options)
    if parts.search:
        searches.say(report, corpus)
    if parts.corrections:
        corrections.say(report, corpus)
    if parts.audit:
        citations.say(report, corpus, options.gold or corpus.parent / "gold" / "lineage.tsv")
    if options.search_only or options.audit_only or options.corrections_only:
        return report.end()
    if options.fit_doubt:
        sys.stdout.write(doubt_fit.fitted_module(corpus))
        return 0
    editions = load_editions(corpus / "official", options.jobs)
    if options.fit or options.fit_corrections:
        fitted = fit.chances_module if options.fit else _corrections_module
        sys.stdout.write(fitted(editions, options.jobs))
        return 0
    if parts.gold or parts.oracle or parts.read:
        rows = gold.read_gold(options.gold or corpus.parent / "gold" / "lineage.tsv")
        _score_pairs(report, editions, rows, parts, options.jobs)
    if parts.trials:
        results = trials.run_trials(editions, options.jobs)
        trials.say(report, results)
        calibration.say(report, results)
    return report.end()


def _corrections_module(editions: Editions, jobs: int) -> str:
    asked = Asked(with_steps=True, with_oracle=False)
    aligned = align_pairs(editions, editions.consecutive(), asked, jobs)
    claims = read.uncorrected({outcome.pair: outcome for outcome in aligned})
    return calibration.corrections_module(*claims)


def _parts(options: argparse.Namespace) -> Parts:
    chosen = (
        options.gold_only,
        options.oracle_only,
        options.read_only,
        options.synthetic_only,
        options.search_only,
        options.audit_only,
        options.corrections_only,
    )
    is_all = not (any(chosen) or options.fit or options.fit_corrections or options.fit_doubt)
    gold_too, oracle_too, read_too, *rest = [is_all or part for part in chosen]
    return Parts(gold_too, oracle_too, read_too, is_all, *rest)


def _score_pairs(
    report: Report, editions: Editions, rows: list[gold.Row], parts: Parts, jobs: int
) -> None:
    asked = Asked(with_steps=parts.gold or parts.read, with_oracle=parts.oracle)
    consecutive = editions.consecutive() if parts.oracle or parts.read else []
    pairs = [*dict.fromkeys([*consecutive, *(gold.pairs_of(rows) if parts.gold else ())])]
    every = {outcome.pair: outcome for outcome in align_pairs(editions, pairs, asked, jobs)}
    outcomes = {pair: every[pair] for pair in consecutive}
    if parts.gold:
        gold.say(report, editions, every, rows)
    if parts.read:
        read.say(report, editions, outcomes, rows, jobs)
    if parts.others:
        uncertain.say(report, outcomes)
        twins.say(report, outcomes)
    if parts.oracle:
        oracle.say(report, outcomes, HERE / "contradictions.tsv")
    if parts.others:
        announced.say(report, editions, outcomes, HERE / "moves.tsv")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gold", type=Path, help="where rules went, as people read it")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes work at once")
    part = parser.add_mutually_exclusive_group()
    part.add_argument("--gold-only", action="store_true", help="score the gold set alone")
    part.add_argument("--oracle-only", action="store_true", help="ask the citation oracle alone")
    part.add_argument("--read-only", action="store_true", help="score what was read alone")
    part.add_argument("--synthetic-only", action="store_true", help="try made-up editions alone")
    part.add_argument("--search-only", action="store_true", help="score search alone")
    part.add_argument("--audit-only", action="store_true", help="score `cr audit` alone")
    part.add_argument(
        "--corrections-only",
        action="store_true",
        help="score `cr audit` on citations that people corrected alone",
    )
    part.add_argument(
        "--fit-doubt",
        action="store_true",
        help="print variorum_kb/audit/judging/fitted_doubt.py anew, score nothing",
    )
    part.add_argument(
        "--fit",
        action="store_true",
        help="print variorum_kb/history/confidence/fitted_chances.py anew, score nothing",
    )
    part.add_argument(
        "--fit-corrections",
        action="store_true",
        help="print variorum_kb/history/confidence/fitted_corrections.py anew, score nothing",
    )
    return parser
