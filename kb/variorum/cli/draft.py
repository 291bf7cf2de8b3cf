"""`cr diff current FILE`: what a draft would change, and which citations it would break."""

import gc
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import click

from variorum.answers.diff import NONE
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.lint import said_of
from variorum.audit.findings import message_of
from variorum.build.draft import previewed
from variorum.cli.changes import ChangesPage, trimmed
from variorum.cli.command import is_given
from variorum.cli.layout import CONTEXT, para, print_json, print_page
from variorum.errors import FINDINGS
from variorum.records.audit import DraftChanges
from variorum.terminal import bold
from variorum.text import counted


def show_draft(base: KnowledgeBase, o: SimpleNamespace) -> None:
    """Print what a draft would change, and the citations that it would make wrong.

    Raises:
        click.UsageError: An option or an edition is given that says nothing about a draft.
    """
    ctx = click.get_current_context()
    for param in ctx.command.params:
        if is_given(ctx, param) and param.name not in {"words", "kb", "exit_code", "as_json"}:
            raise click.UsageError(f"{param.opts[0]} cannot be used with a FILE")
    start, draft, *tree = o.words
    if start != "current" or not all(o.words):
        raise click.UsageError(
            "a FILE is compared with the edition before it: cr diff current FILE"
        )
    gc.enable()  # other comparisons end before there is much garbage

    with previewed(base, Path(draft), [*map(Path, tree)]) as both:
        report, (before, after) = both.record, both.base.editions
        if o.as_json:
            print_json(report)
        else:
            page = ChangesPage(both.base, both.changes, (before, after))
            reworded = [change for change in both.changes.all if change.change != NONE]
            listed = [*page.head(), "", *page.sweeps(), *page.listed(reworded, CONTEXT)]
            print_page(trimmed([*listed, *_broken(report)]))
    if o.exit_code and (report.broken or report.findings):
        raise click.exceptions.Exit(FINDINGS)


def _broken(report: DraftChanges) -> Iterator[str]:
    """Yield the citations that a draft would make wrong, in the rules and in the user's files."""
    yield bold("Citations of the rules and the glossary that would break")
    yield from [] if report.broken else ["  none"]
    for finding in report.broken:
        yield from para(f"{finding.address}  {said_of(finding)}", 2)
    if report.citations:
        yield from ["", bold("Citations of your files that would be out of date")]
        for each in report.findings:
            place = f"{each.file}:{each.line}:{each.column}: {each.cited}"
            yield from para(f"{place}: {message_of(each)}", 2)
        yield f"  {len(report.findings):,} of {counted(report.citations, 'citation')}"
