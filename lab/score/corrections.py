"""How well `cr audit` judges citations that people corrected, and citations that they kept.

The gold set has lines of one project, with the number before and after the correction. Trees beside
the corpus (`trees/`) have present-day citations, of which nearly all are right.
"""

import json
import tempfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import variorum
from lab.gates import Program
from lab.score.gold import TREES, Score, read_corrections, unpacked


def scores(program: Program, corpus: Path) -> Iterator[Score]:
    """Yield shares of corrected numbers that are reported and mended, and of right ones reported."""
    with variorum.open(program.base) as base:
        yield from _of_lines(base, corpus)
    for file, day in TREES:
        yield _of_tree(program, corpus / "trees" / file, day)


def _of_lines(base: variorum.Base, corpus: Path) -> Iterator[Score]:
    rows = read_corrections(corpus.parent / "gold" / "corrected-citations.tsv")
    for is_dated, how in ((True, "with a date"), (False, "without")):
        told, named, blamed = list[str](), list[str](), list[str]()
        for day, of_day in groupby(sorted(rows), key=lambda row: row.day):
            as_of = day if is_dated else ""
            for row in of_day:
                name = f"{row.day} {row.wrong} {row.right}"
                wrong = _found(base, row.line, row.wrong, as_of, day)
                told += [name] * bool(wrong)
                named += [name] * any(
                    heir[0] == heir[-1] == row.right for finding in wrong for heir in finding.heirs
                )
                blamed += [name] * bool(_found(base, row.corrected, row.right, as_of, day))
        for words, some in (
            ("wrong number reported", told),
            ("right number named", named),
            ("corrected line reported", blamed),
        ):
            yield Score(f"corrections {how}: {words}, %", round(100 * len(some) / len(rows), 2))


def _found(
    base: variorum.Base, line: str, number: str, as_of: str, day: str
) -> list[variorum.Finding]:
    findings = base.audit(f"{line}\n", as_of, to=day, name="line.rs").findings
    return [finding for finding in findings if finding.number == number]


def _of_tree(program: Program, file: Path, day: str) -> Score:
    """Return the share of a tree's citations that are reported by the edition of its day."""
    with tempfile.TemporaryDirectory() as folder:
        tree = unpacked(file, Path(folder))
        asked = ("audit", tree, "--as-of", day, "--to", day, "--json", "--exit-zero")
        summary = json.loads(program.run(*asked))["summary"]
    reported = summary["citations"] - summary["statuses"].get("current", 0)
    share = 100 * reported / summary["citations"]
    return Score(f"citations of {file.name} reported, %", round(share, 2))
