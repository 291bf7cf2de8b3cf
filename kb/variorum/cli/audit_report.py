"""What `cr audit` prints and rewrites: text, JSON, SARIF, GitHub annotations, and patches."""

import difflib
import json
import os
import re
import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby, islice
from operator import attrgetter
from pathlib import Path
from typing import Any

import click
import msgspec

from variorum.audit import sarif
from variorum.audit.baseline import Baseline, RewrittenNumber
from variorum.audit.files import write_text_file
from variorum.audit.findings import LEVELS, MarkedFinding, Report, cited_of, message_of, numbers_of
from variorum.audit.meanings import CitationVerdict, Heir, can_stand
from variorum.audit.run import Auditor
from variorum.cli.layout import diffed, print_note
from variorum.cli.layout import marked as with_marks
from variorum.errors import FileError
from variorum.records.answer import json_text
from variorum.records.audit import CURRENT, DOUBTFUL, STATUSES, AuditSummary, Finding
from variorum.terminal import RETURN, TAB
from variorum.text import counted
from variorum.versions import PROGRAM

_AT_ONCE = 100  # lines: each call of print is slow
# A finding takes at most two lines of a terminal.
_TWO_LINES = 160
# The most further lines that are named with a finding that occurs several times.
_SHOWN_LINES = 3
# How far the words of a change are set in below their finding.
_SET_IN = 6
FORMATS = ("text", "json", "sarif", "github")

# A finding, and whether the baseline has it.
Told = tuple[MarkedFinding, bool]


@dataclass(slots=True)
class Tally:
    """Counts over the findings of an audit.

    `failed` counts findings that are neither known nor notes, `bare` numbers without a word that makes
    them a citation, `in_doubt` findings that a date would settle.
    """

    to: str
    baseline: Baseline
    with_notes: bool = False
    files: int = 0
    with_citations: int = 0
    counts: Counter[str] = field(default_factory=Counter[str])
    sure: int = 0
    known: int = 0
    failed: int = 0
    notes: int = 0
    bare: int = 0
    in_doubt: int = 0
    fixed: int = 0
    fixed_files: int = 0
    unread: int = 0
    notices: list[str] = field(default_factory=list[str])

    def told(self, reports: Iterable[Report]) -> Iterator[Told]:
        """Count the findings of reports; yield each with whether it is known."""
        for report in reports:
            self.files += 1
            self.with_citations += bool(report.counts)
            self.counts += report.counts
            self.sure += report.sure
            self.bare += report.bare
            self.baseline.look_into(report.known_as)
            self.unread += bool(report.notice)
            if said := report.notice or report.left_alone:
                self.notices.append(said)
                print_note(said.encode("utf-8", "backslashreplace").decode())
            for marked in report.findings:
                finding, is_new = marked.finding, marked.finding.status != CURRENT
                is_known = is_new and self.baseline.knows(report.known_as, marked)
                is_new = is_new and not is_known
                self.known += is_known
                self.failed += is_new and LEVELS[finding.status] != "note"
                self.notes += is_new and finding.status == DOUBTFUL
                self.in_doubt += is_new and finding.as_of is None and bool(finding.meanings)
                yield marked, is_known

    @property
    def summary(self) -> AuditSummary:
        """Return the counts as JSON has them."""
        return AuditSummary(
            files=self.files,
            citations=self.counts.total(),
            statuses={status: self.counts[status] for status in STATUSES if self.counts[status]},
            sure=self.sure,
            fixed=self.fixed,
            known=self.known,
            to=self.to,
        )

    def lines(self, *, is_trial: bool = False) -> str:
        """Return a summary of at most five lines."""
        where = f"{self.with_citations} of {counted(self.files, 'file')}"
        head = f"{counted(self.counts.total(), 'citation')} in {where}"
        each = ", ".join([f"{count:,} {status}" for status, count in self.summary.statuses.items()])
        lines = [f"{head}, by the edition of {self.to}: {each}" if each else head]
        if self.notes and not self.with_notes and not is_trial:
            lines.append(f"{counted(self.notes, 'note')} not shown; --notes shows them")
        if self.known:
            lines.append(f"{self.known} of these are in the baseline")
        if left := self.baseline.left:
            lines.append(f"{left} of the baseline no longer found; --write-baseline removes them")
        if self.fixed:
            rewritten = "would be rewritten" if is_trial else "rewritten"
            where = counted(self.fixed_files, "file")
            lines.append(f"{counted(self.fixed, 'citation')} {rewritten} in {where}")
        elif self.sure:
            lines.append(f"{self.sure} can be rewritten with --fix; --diff shows how")
        return "\n".join(lines)

    def print_hints(self, *, is_bare: bool) -> None:
        """Print what would improve the next audit."""
        if self.in_doubt:
            in_doubt = counted(self.in_doubt, "finding")
            print_note(f"a date would settle {in_doubt}; give --blame, or --as-of EDITION")
        if self.bare and not is_bare:
            print_note(f"bare numbers such as 702.52a, not checked: {self.bare}; see --bare")


def show_audit(reports: Iterable[Report], tally: Tally, form: str) -> None:
    """Print findings as they arrive, and a summary, in a form of FORMATS.

    The form "jsonl" is a finding a line, "none" only the summary.
    """
    told = tally.told(reports)
    new = (marked.finding for marked, is_known in told if not is_known)
    match form:
        case "json":
            _print_list('{"findings": [', new)
            tail = {"notices": tally.notices, "summary": tally.summary}
            click.echo(f"], {_json(tail)[1:]}")
        case "sarif":
            _print_list(_sarif_head(), _results(told))
            click.echo("]}]}")
        case "jsonl":
            _print_lines(map(_json, new))
        case "text":
            _print_lines(_text_lines(new, with_notes=tally.with_notes))
        case "github":
            _print_lines(map(_github_line, new))
        case _:
            deque(new, maxlen=0)
    if form in {"text", "github", "none"}:
        click.echo(tally.lines(is_trial=form == "none"), err=form != "text")


def _print_lines(lines: Iterable[str]) -> None:
    waiting = iter(lines)
    while page := list(islice(waiting, _AT_ONCE)):
        click.echo("\n".join(page))


def _print_list(begin: str, values: Iterable[object]) -> None:
    """Print the beginning of a list, then each value as it arrives."""
    click.echo(begin, nl=False)
    waiting, sign = map(_json, values), "\n"
    while page := list(islice(waiting, _AT_ONCE)):
        click.echo(sign + ",\n".join(page), nl=False)
        sign = ",\n"
    click.echo()


def _json(value: object) -> str:
    """Return JSON, in ASCII if it contains lone surrogates."""
    text = json_text(value)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(value))
    return text


def _text_lines(findings: Iterable[Finding], *, with_notes: bool) -> Iterator[str]:
    """Yield the findings of each file under its name, those that say the same as one line."""
    shown = (each for each in findings if with_notes or each.status != DOUBTFUL)
    for file, of_file in groupby(shown, key=attrgetter("file")):
        yield str(file)
        same: dict[tuple[str, str | None, str], list[Finding]] = {}
        for finding in of_file:
            key = finding.number, finding.last, message_of(finding)
            same.setdefault(key, []).append(finding)
        for (_, _, whole), (first, *others) in same.items():
            head = f"  {first.line}:{first.column}: {cited_of(first)}: "
            lines = list(dict.fromkeys([f"{finding.line}" for finding in others]))
            more = f" (also line{'s' * (len(lines) > 1)} {', '.join(lines)})"
            if len(lines) > _SHOWN_LINES:
                more = f" ({len(others) + 1:,} places)"
            more = more if lines else ""
            room = max(1, _TWO_LINES - len(head) - len(more))
            yield f"{head}{whole if len(whole) <= room else message_of(first, room)}{more}"
            for words in _changed(first):
                yield from diffed(words, _SET_IN)


def _changed(finding: Finding) -> list[str]:
    """Return the changed words of each change under a citation."""
    return [
        f"{' → '.join(dict.fromkeys(filter(None, (change.old, change.new))))}: {with_marks(change.words)}"
        for change in finding.changes
    ]


def _whole(finding: Finding) -> str:
    """Return all that a finding says, as one line for code hosts."""
    return "; ".join([message_of(finding), *_changed(finding)])


def _github_line(finding: Finding) -> str:
    level = LEVELS[finding.status].replace("note", "notice")
    place: dict[str, object] = {
        "file": finding.file,
        "line": finding.line,
        "endLine": finding.end_line,
        "col": finding.column,
        "endColumn": finding.end_column,
        "title": f"{cited_of(finding)}: {finding.status}",
    }
    if finding.line != finding.end_line:  # GitHub expects both columns on one line
        del place["col"], place["endColumn"]
    values = {name: _escaped(str(value), ":,") for name, value in place.items()}
    properties = ",".join([f"{name}={value}" for name, value in values.items()])
    return f"::{level} {properties}::{_escaped(_whole(finding))}"


def _escaped(value: str, more: str = "") -> str:
    return "".join([f"%{ord(sign):02X}" if sign in f"%\r\n{more}" else sign for sign in value])


def _sarif_head() -> str:
    head = {"$schema": sarif.SCHEMA, "version": sarif.VERSION}
    run = {"tool": sarif.tool(PROGRAM), "columnKind": "unicodeCodePoints"}
    return f'{json.dumps(head)[:-1]}, "runs": [{json.dumps(run)[:-1]}, "results": ['


def _results(told: Iterable[Told]) -> Iterator[Mapping[str, Any]]:
    for marked, is_known in told:
        if marked.finding.status != CURRENT:
            message = _whole(marked.finding)
            yield sarif.result(marked.finding, marked.mark, message, is_known=is_known)


# Rewriting ----------------------------------------------------------------------------------------


class Fixer:
    """Rewrites citations, or shows what it would rewrite."""

    def __init__(self, auditor: Auditor, tally: Tally, *, is_all: bool, is_trial: bool) -> None:
        self._auditor, self._tally = auditor, tally
        self._is_all, self._is_trial = is_all, is_trial
        self._asks = is_all and not is_trial and sys.stdin.isatty() and sys.stderr.isatty()
        self.numbers: list[RewrittenNumber] = []

    def fix(self, reports: Iterable[Report]) -> Iterator[Report]:
        """Rewrite citations; yield the reports without those."""
        for report in reports:
            if report.sure or (self._is_all and report.findings):
                self._fix(report)
            yield report

    def _fix(self, report: Report) -> None:
        path = Path(report.file)
        rewritten = self._auditor.rewrite(path, self._choose)
        if rewritten is None or not rewritten.places:
            return
        text_file = rewritten.text_file
        new = text_file.encode(rewritten.text)
        if self._is_trial:
            _print_diff(unified_diff(report.file, text_file.encode(text_file.text), new))
        else:
            try:
                write_text_file(path, new)
            except FileError as error:  # the other files can still be written
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

    def _choose(self, verdict: CitationVerdict, finding: Finding) -> Heir | None:
        if verdict.status in self._auditor.settings.ignore:
            return None
        if verdict.certain or not self._is_all:
            return verdict.certain
        if verdict.main is None or not self._asks:
            return verdict.main
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


def unified_diff(file: str, old: bytes, new: bytes) -> bytes:
    """Return the change of a file as a patch for `patch` and `git apply`.

    The patch contains the bytes of the file, whatever their encoding. These programs refuse names
    outside their folder, so a file elsewhere is named from the root, for `patch -p1 -d /`.
    """
    if Path(file).is_absolute():
        inside = os.path.relpath(file)
        file = inside if not inside.startswith(os.pardir) else os.path.splitdrive(file)[1][1:]
    # Lines end at line feeds only, as for `patch`.
    before, after = [[line for line in re.split(rb"(?<=\n)", data) if line] for data in (old, new)]
    names = [_quoted(f"{side}/{file}") for side in "ab"]
    lines = difflib.diff_bytes(difflib.unified_diff, before, after, names[0], names[1])
    missing = b"\n\\ No newline at end of file\n"
    return b"".join([line if line.endswith(b"\n") else line + missing for line in lines])


def _quoted(name: str) -> bytes:
    """Return a file's name as git writes it: quoted if it has special characters."""
    data = os.fsencode(name)
    if not re.search(rb'[\x00-\x1f"\\\x7f]', data):
        return data
    escaped = re.sub(rb'["\\]', rb"\\\g<0>", data)
    return b'"' + re.sub(rb"[\x00-\x1f\x7f]", lambda sign: b"\\%03o" % sign[0][0], escaped) + b'"'
