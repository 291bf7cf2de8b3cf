"""`cr lint`: known errors of an edition."""

from pathlib import Path

import click
from msgspec import structs

from variorum.answers.lint import KINDS, lint_editions
from variorum.cli.completions import complete_edition
from variorum.cli.options import (
    exit_code_option,
    limited,
    list_options,
    open_asked,
    refuse_together,
)
from variorum.cli.pages.lint import set_lint, set_table
from variorum.cli.pages.provisions import edition_line
from variorum.cli.printing import print_json, print_page
from variorum.errors import FINDINGS
from variorum.records.lint import LintKind, LintReport
from variorum.terminal import page_width


@click.command()
@click.argument("edition", metavar="[EDITION]", nargs=-1, shell_complete=complete_edition)
@click.option(
    "--kind",
    "kinds",
    type=click.Choice(KINDS),
    multiple=True,
    metavar="KIND",
    help=f"Only findings of this kind: {', '.join(KINDS)}. May be repeated.",
)
@click.option("--all", "is_all", is_flag=True, help="Count the findings of every edition.")
@exit_code_option
@list_options
def lint(
    edition: tuple[str, ...],
    *,
    kinds: tuple[LintKind, ...],
    is_all: bool,
    limit: int | None,
    exit_code: bool,
    as_json: bool,
    kb: Path | None,
) -> None:
    """Show the known errors of an edition.

    These are citations that lead nowhere, give another rule's title, or were not updated when
    their target moved; gaps and duplicates in the numbers; and misprints. See docs/lint.md.

    \b
    cr lint                       the current edition
    cr lint M10 --kind stale      citations that were not updated
    cr lint --all                 counts for every edition
    """  # noqa: D301 - click reads \b
    if edition and is_all:
        raise click.UsageError("name an edition or give --all, not both")
    refuse_together(("--all", is_all), ("--limit", limit is not None))
    with open_asked(kb) as base:
        chosen = base.editions if is_all else (base.edition(" ".join(edition) or "current"),)
        answers = [_only(answer, kinds, limit) for answer in lint_editions(base, chosen)]
    wanted: list[LintKind] = [kind for kind in KINDS if kind in (kinds or KINDS)]
    if as_json:
        print_json(answers if is_all else answers[0], answers if is_all else answers[0].findings)
    elif is_all:
        print_page(set_table(answers, wanted))
    else:
        entry = chosen[0]
        line = edition_line(entry)
        page = set_lint(answers[0], wanted, line, width=page_width())
        print_page(page)
    if exit_code and any(answer.findings for answer in answers):
        raise click.exceptions.Exit(FINDINGS)


def _only(answer: LintReport, kinds: tuple[LintKind, ...], limit: int | None) -> LintReport:
    """Return an answer with only the findings of some kinds, and no more than the limit."""
    findings = [finding for finding in answer.findings if not kinds or finding.kind in kinds]
    return structs.replace(answer, findings=list(limited(findings, limit)))
