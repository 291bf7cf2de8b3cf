"""Rewrites what an audit found: after asking on a terminal, without asking, or as a patch."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from variorum.audit.files import write_text_file
from variorum.audit.findings import Report, message_of, numbers_of
from variorum.audit.run import Auditor, can_stand, take_main
from variorum.cli.pages.audit import Tally, unified_diff
from variorum.errors import NotWritableError
from variorum.records.audit import Finding
from variorum.terminal import RETURN, TAB

if TYPE_CHECKING:
    from variorum.audit.baseline import RewrittenNumber
    from variorum.audit.heirs import CitationVerdict


class Fixer:
    """Rewrites citations, or shows what it would rewrite."""

    def __init__(
        self,
        auditor: Auditor,
        tally: Tally,
        ignored: Sequence[str],
        *,
        is_all: bool,
        is_trial: bool,
    ) -> None:
        self._auditor = auditor
        self._ignored = ignored
        self._tally = tally
        self._is_all = is_all
        self._is_trial = is_trial
        self.numbers: list[RewrittenNumber] = []
        self._asks = is_all and not is_trial and sys.stdin.isatty() and sys.stderr.isatty()

    def fix(self, reports: Iterable[Report]) -> Iterator[Report]:
        """Rewrite citations; yield the reports without those."""
        for report in reports:
            if report.sure or (self._is_all and report.findings):
                self._fix(report)
            yield report

    def _fix(self, report: Report) -> None:
        path = Path(report.file)
        rewritten = self._auditor.rewrite(path, self._choose)
        self._tally.waiting += [
            f"{report.file}:{line}" for line in (rewritten.waiting if rewritten else ())
        ]
        if rewritten is None or not rewritten.places:
            return
        text_file, text = rewritten.text_file, rewritten.text
        if self._is_trial:
            old, new = text_file.encode(text_file.text), text_file.encode(text)
            _print_diff(unified_diff(report.file, old, new))
        else:
            try:
                write_text_file(path, text_file.encode(text))
            except NotWritableError as error:  # the other files can still be written
                report.notice = str(error)
                return
            report.findings = [
                marked
                for marked in report.findings
                if (marked.finding.line, marked.finding.column) not in rewritten.places
            ]
            self.numbers += rewritten.numbers
        self._tally.fixed += len(rewritten.places)
        self._tally.fixed_files += 1

    def _choose(self, verdict: "CitationVerdict", finding: Finding) -> tuple[str, str] | None:
        if verdict.status in self._ignored:
            return None
        sure = verdict.certain
        if sure is not None or not self._is_all:
            return sure
        heir = take_main(verdict)
        if heir is None or not self._asks:
            return heir
        where = f"{finding.file}:{finding.line}:{finding.column}"
        click.echo(f"{where}: {finding.cited}: {message_of(finding)}", err=True)
        named = zip(numbers_of(finding), verdict.heirs, strict=True)
        heirs = {name: heir for name, heir in named if can_stand(heir)}
        choice = click.Choice([*heirs, "leave"])
        return heirs.get(click.prompt("  cite", type=choice, default="leave", err=True))


def _print_diff(diff: bytes) -> None:
    """Print a diff: escaped text on a terminal, else bytes that `patch` can apply."""
    if not sys.stdout.isatty():
        click.echo(diff, nl=False)
        return
    text = diff.decode("utf-8", "backslashreplace")
    click.echo(text.replace("\r\n", f"{RETURN}\n").replace("\t", TAB), nl=False)
