"""`cr doctor`: find problems with a set-up."""

import os
from collections import Counter
from datetime import date
from pathlib import Path

import click

from variorum.cli.arguments import NamedPath
from variorum.cli.options import kb_option, lines_option
from variorum.cli.printing import print_json
from variorum.exit_codes import FINDINGS
from variorum.records.upkeep import CheckResult, Examination
from variorum.system.default_folders import base_folder
from variorum.text.counts import counted


@click.command()
@click.option(
    "--sources", type=NamedPath(), metavar="FILE", help="The file that you give to cr sync."
)
@click.option(
    "--deep",
    is_flag=True,
    help="Also check every part of the knowledge base, build a second base from the documents, and compare.",
)
@lines_option
@kb_option
def doctor(*, sources: Path | None, deep: bool, kb: Path | None, as_json: bool) -> None:
    """Find problems with this set-up, and say what to do about each.

    Looks at Python, the folder, the disk, locks, the knowledge base and its indexes, the archive,
    the quarantine, sources, proxies and the last sync. Nothing is changed, and no network access is
    made. Each finding is one line. Exits 1 if there is a problem.

    \b
    cr doctor
    cr doctor --sources my.toml    with your own sources
    cr doctor --deep               also build again from the documents, and compare
    """  # noqa: D301 - click reads \b
    from variorum_crawler.setup_check import Level, examine

    folder = Path(base_folder(kb))
    counts: Counter[Level] = Counter()
    shown: list[CheckResult] = []
    for checked in examine(folder, sources, os.environ, date.today(), deep=deep):  # noqa: DTZ011 - the user's own
        counts[checked.level] += 1
        if as_json:
            level, about = checked.level.value, checked.about
            shown.append(
                CheckResult(level=level, about=about, what=checked.what, remedy=checked.remedy)
            )
        else:
            click.echo(str(checked))
    problems, warnings = counts[Level.PROBLEM], counts[Level.WARNING]
    if as_json:
        answer: Examination = Examination(checks=shown, problems=problems, warnings=warnings)
        print_json(answer, shown)
    else:
        click.echo(f"{counted(problems, 'problem')}, {counted(warnings, 'warning')}")
    if problems:
        raise click.exceptions.Exit(FINDINGS)
