"""`cr check`: whether the knowledge base is sound."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from variorum_kb.build.check import verify
from variorum_kb.build.check_results import (
    CheckedPart,
    CheckScope,
    Examined,
    Finding,
    Problem,
    Remedy,
)
from variorum_kb.cli.options import kb_option, lines_option
from variorum_kb.cli.printing import print_json
from variorum_kb.exit_codes import FINDINGS
from variorum_kb.forms.upkeep import CheckJson, ProblemJson
from variorum_kb.system.default_folders import FILE, base_folder
from variorum_kb.system.default_jobs import default_jobs
from variorum_kb.system.terminal import has_bar, unescaped
from variorum_kb.text.counts import counted


@click.command()
@click.option(
    "--deep", is_flag=True, help="Also build a second base from the documents, and compare."
)
@lines_option
@kb_option
def check(*, deep: bool, kb: Path | None, as_json: bool) -> None:
    """Check that the knowledge base is sound.

    Every document is compared with its hash, and kb.sqlite with its own digest. Nothing is changed.
    Each problem is one line that says what to do, and the exit code is 1. A base made by another
    version of the program is noted, but is not a problem.

    \b
    cr check                  takes about a second
    cr check --deep           build again from the documents, and compare with kb.sqlite
    """  # noqa: D301 - click reads \b
    folder = Path(base_folder(kb))
    counts: Counter[CheckedPart] = Counter()
    findings = verify(folder, deep=deep, jobs=default_jobs())
    seen = list(_watch(findings, counts))
    problems = [finding for finding in seen if finding.is_damage]
    notes = [finding for finding in seen if not finding.is_damage]
    editions, documents = counts[CheckedPart.EDITION], counts[CheckedPart.DOCUMENT]
    if as_json:
        shown = [_json(problem) for problem in problems]
        answer: CheckJson = {
            "editions": editions,
            "documents": documents,
            "problems": shown,
            "notes": [_json(note) for note in notes],
        }
        print_json(answer, shown)
    else:
        if len(notes) > 1:
            made = f"{len(notes)} parts of it were made by other versions of this program"
            remedies = [note.remedy for note in notes]
            remedy = Remedy.UPGRADE if Remedy.UPGRADE in remedies else Remedy.BUILD
            click.echo(f"note: {FILE}: {made}; {remedy.value}")
        elif notes:
            click.echo(f"note: {notes[0]}")
        for problem in problems:
            click.echo(problem)
        verdict = counted(len(problems), "problem") if problems else "nothing wrong"
        looked_at = f"{counted(editions, 'edition')}, {counted(documents, 'document')}"
        click.echo(f"{looked_at}: {verdict}")
    if problems:
        raise click.exceptions.Exit(FINDINGS)


def _watch(findings: Iterable[Finding], counts: Counter[CheckedPart]) -> Iterator[Problem]:
    """Yield the problems and count the checks, with a progress bar on a terminal."""
    with click.progressbar(
        length=1, label="checking", file=unescaped(sys.stderr), hidden=not has_bar()
    ) as bar:
        for finding in findings:
            match finding:
                case CheckScope(steps):
                    bar.length = max(steps, 1)
                case Examined(part):
                    counts[part] += 1
                    bar.update(1)
                case Problem():
                    yield finding


def _json(problem: Problem) -> ProblemJson:
    return {
        "part": problem.part.value,
        "where": problem.where,
        "what": problem.what,
        "remedy": problem.remedy.value,
    }
