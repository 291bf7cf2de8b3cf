"""`cr diff current FILE`: what a draft would change, and which citations it would break."""

import gc
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from variorum.answers.diff import NONE
from variorum.answers.lint import said_of
from variorum.audit.reporting.message import message_of
from variorum.build.preview import Preview, previewed
from variorum.cli.clock import now_words
from variorum.cli.commands.diff import section_headings
from variorum.cli.options import open_base
from variorum.cli.pages.changes import ChangesPrinter
from variorum.cli.pages.diff import paragraph
from variorum.cli.printing import print_json, print_page
from variorum.errors import FINDINGS
from variorum.terminal import bold, page_width
from variorum.text import counted
from variorum.watch.preview import draft_report

if TYPE_CHECKING:
    from variorum.answers.diff import Changes
    from variorum.records.audit import Finding
    from variorum.records.lint import LintFinding


def show_draft(
    draft: Path, tree: Sequence[Path], kb: Path | None, *, exit_code: bool, as_json: bool
) -> None:
    """Print what a draft would change, and the citations that it would make wrong.

    Args:
        draft: The file of an edition that is not in force yet.
        tree: Files and folders with citations.
        kb: The folder of the knowledge base; None for the usual one.
        exit_code: Exit with the code of findings if citations would break.
        as_json: Print JSON.
    """
    gc.enable()  # other comparisons end before there is much garbage
    with open_base(kb) as base, previewed(base, draft, now_words()) as both:
        report = draft_report(both, tree)
        if as_json:
            print_json(report.record())
        else:
            lines = [
                *_changes(both, report.changes),
                *_citations(report.broken),
                *_tree(report.findings, report.citations),
            ]
            print_page("\n".join(lines).rstrip() + "\n")
    if exit_code and (report.broken or report.findings):
        raise click.exceptions.Exit(FINDINGS)


def _changes(both: Preview, changes: "Changes") -> Iterator[str]:
    headings = section_headings(both.base, both.before, both.draft)
    page = ChangesPrinter(changes, headings, page_width())
    yield page.title()
    yield from page.counts()
    yield ""
    yield from page.listed([change for change in changes.all if change.change != NONE])


def _citations(broken: "Sequence[LintFinding]") -> Iterator[str]:
    yield bold("Citations of the rules and the glossary that would break")
    if not broken:
        yield "  none"
    for finding in broken:
        line = f"{finding.address}  {said_of(finding)}"
        yield from paragraph(line, 2, page_width())
    yield ""


def _tree(findings: "Sequence[Finding]", citations: int) -> Iterator[str]:
    if not citations:
        return
    yield bold("Citations of your files that would be out of date")
    for finding in findings:
        line = f"{finding.file}:{finding.line}:{finding.column}: {finding.cited}: {message_of(finding)}"
        yield from paragraph(line, 2, page_width())
    yield f"  {len(findings):,} of {counted(citations, 'citation')}"
