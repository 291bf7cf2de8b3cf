"""`cr preview`: what an edition that is not in force yet would change, and which citations it would break."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from variorum_kb.answers.between_editions.changes import NONE
from variorum_kb.answers.lint.kinds import said_of
from variorum_kb.audit.reporting.message import message_of
from variorum_kb.build.preview import Preview, previewed
from variorum_kb.cli.arguments import NamedPath
from variorum_kb.cli.clock import now_words
from variorum_kb.cli.commands.diff import section_headings
from variorum_kb.cli.options import exit_code_option, json_option, kb_option, open_base
from variorum_kb.cli.pages.changes import ChangesPrinter
from variorum_kb.cli.pages.diff import paragraph
from variorum_kb.cli.printing import print_json, print_page
from variorum_kb.exit_codes import FINDINGS
from variorum_kb.system.terminal import bold, page_width
from variorum_kb.text.counts import counted
from variorum_kb.watch.preview import draft_report

if TYPE_CHECKING:
    from variorum_kb.answers.between_editions.changes import Changes
    from variorum_kb.forms.audit import AuditFindingJson
    from variorum_kb.forms.lint import LintFindingJson


@click.command()
@click.argument("draft", metavar="FILE", type=NamedPath())
@click.argument("tree", metavar="[PATH]...", nargs=-1, type=NamedPath())
@exit_code_option
@json_option
@kb_option
def preview(
    draft: Path, tree: tuple[Path, ...], *, exit_code: bool, as_json: bool, kb: Path | None
) -> None:
    """Show what an edition that is not in force yet, or a draft, would change.

    FILE is compared with the newest edition before it. Citations that it would make wrong are listed:
    those in its own rules and glossary, and those in PATHS, your files and folders. The knowledge
    base stays as it is.

    \b
    cr preview new-rules.txt
    cr preview new-rules.txt src/     also citations in your files
    """  # noqa: D301 - click reads \b
    with open_base(kb) as base, previewed(base, draft, now_words()) as both:
        report = draft_report(both, tree)
        if as_json:
            print_json(report.as_json())
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


def _citations(broken: "Sequence[LintFindingJson]") -> Iterator[str]:
    yield bold("Citations of the rules and the glossary that would break")
    if not broken:
        yield "  none"
    for finding in broken:
        line = f"{finding['address']}  {said_of(finding)}"
        yield from paragraph(line, 2, page_width())
    yield ""


def _tree(findings: "Sequence[AuditFindingJson]", citations: int) -> Iterator[str]:
    if not citations:
        return
    yield bold("Citations of your files that would be out of date")
    for finding in findings:
        line = f"{finding['file']}:{finding['line']}:{finding['column']}: {finding['cited']}: {message_of(finding)}"
        yield from paragraph(line, 2, page_width())
    yield f"  {len(findings):,} of {counted(citations, 'citation')}"
