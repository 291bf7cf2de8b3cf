"""What `cr audit` prints and rewrites: text, JSON, SARIF, GitHub annotations, and patches."""

import difflib
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from operator import attrgetter
from pathlib import Path

import click
import msgspec

from variorum.answers.cited_heirs import CURRENT, DOUBTFUL, STATUSES
from variorum.audit import sarif
from variorum.audit.baseline import Baseline, RewrittenNumber
from variorum.audit.files import write_text_file
from variorum.audit.findings import (
    LEVELS,
    MarkedFinding,
    Report,
    cited_of,
    fails,
    message_of,
    numbers_of,
)
from variorum.audit.heirs import CitationVerdict
from variorum.audit.run import Auditor, can_stand, take_main
from variorum.cli.layout import diffed, print_note
from variorum.cli.layout import marked as with_marks
from variorum.errors import NotWritableError
from variorum.records.answer import json_text
from variorum.records.audit import AuditSummary, Finding
from variorum.terminal import RETURN, TAB
from variorum.text import counted
from variorum.versions import PROGRAM

_AT_ONCE = 100
# A finding takes at most two lines of a terminal.
_TWO_LINES = 160
# The most further lines that are named with a finding that occurs several times.
_SHOWN_LINES = 3
# How far the words of a change are set in below their finding.
_SET_IN = 6
FORMATS = ("text", "json", "sarif", "github")


@dataclass(slots=True)
class Tally:
    """Counts over the findings of an audit.

    `failed` counts findings that are neither known nor notes, `late` citations of a number that is
    younger than they are, `bare` numbers without a word that makes them a citation, `in_doubt`
    findings that a date would settle. `waiting` are lines left alone, since a rewritten line gets
    a new date from git.
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
    late: int = 0
    bare: int = 0
    undated: Counter[str] = field(default_factory=Counter[str])
    in_doubt: int = 0
    fixed: int = 0
    fixed_files: int = 0
    waiting: list[str] = field(default_factory=list[str])
    unread: int = 0
    notices: list[str] = field(default_factory=list[str])

    def passing(self, reports: Iterable[Report]) -> Iterator[tuple[MarkedFinding, bool]]:
        """Count the findings of reports; yield each with whether it is known."""
        for report in reports:
            self.files += 1
            self.with_citations += bool(report.counts)
            self.counts += report.counts
            self.sure += report.sure
            self.late += report.late
            self.bare += report.bare
            self.undated += report.undated
            self.baseline.look_into(report.known_as)
            self.unread += bool(report.notice)
            if said := report.notice or report.left_alone:
                self.notices.append(said)
                print_note(said.encode("utf-8", "backslashreplace").decode())
            for marked in report.findings:
                yield marked, self._is_known(marked)

    def _is_known(self, marked: MarkedFinding) -> bool:
        finding = marked.finding
        if finding.status == CURRENT:
            return False
        if self.baseline.knows(marked.known_as, marked.mark):
            self.known += 1
            return True
        self.failed += fails(finding.status)
        self.notes += finding.status == DOUBTFUL
        self.in_doubt += finding.as_of is None and bool(finding.meanings)
        return False

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


def show_audit(reports: Iterable[Report], tally: Tally, form: str) -> None:
    """Print findings as they arrive, and a summary.

    Args:
        reports: The reports of all files.
        tally: Counts the findings.
        form: One of FORMATS, or "none" to print only the summary.
    """
    passing = tally.passing(reports)
    if form == "json":
        _print_json(passing, tally)
    elif form == "sarif":
        _print_sarif(passing)
    elif form == "text":
        _print_lines(_text_lines(passing, with_notes=tally.with_notes))
        click.echo(_summary(tally))
    else:
        shows = {"github": _github_line, "jsonl": _json_line}
        show = shows.get(form)
        _print_lines(show(marked) for marked, is_known in passing if show and not is_known)
    if form in {"none", "github"}:
        click.echo(_summary(tally, is_trial=form == "none"), err=True)


def _print_lines(lines: Iterable[str]) -> None:
    """Print lines in batches, since each call of print is slow."""
    for page in _pages(lines):
        click.echo("\n".join(page))


def _json_line(marked: MarkedFinding) -> str:
    return _json(marked.finding)


def _pages(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yield lines in batches, since each call of print is slow."""
    waiting = iter(lines)
    while page := list(islice(waiting, _AT_ONCE)):
        yield page


def _json(value: object) -> str:
    """Return JSON, in ASCII if it contains lone surrogates."""
    text = json_text(value)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(value))
    return text


def unified_diff(file: str, old: bytes, new: bytes) -> bytes:
    """Return the change of a file as a patch for `patch` and `git apply`.

    The patch contains the bytes of the file, whatever their encoding. These programs refuse names
    outside their folder, so a file elsewhere is named from the root, for `patch -p1 -d /`.
    """
    if Path(file).is_absolute():
        inside = os.path.relpath(file)
        file = inside if not inside.startswith(os.pardir) else os.path.splitdrive(file)[1][1:]
    names = [_quoted(f"{side}/{file}") for side in "ab"]
    lines = difflib.diff_bytes(difflib.unified_diff, _lines(old), _lines(new), names[0], names[1])
    return b"".join(
        [
            line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n"
            for line in lines
        ]
    )


def _lines(data: bytes) -> list[bytes]:
    """Split bytes at line feeds only, as `patch` does."""
    return [line for line in re.split(rb"(?<=\n)", data) if line]


def _quoted(name: str) -> bytes:
    """Return a file's name as git writes it: quoted if it has special characters."""
    data = os.fsencode(name)
    if not re.search(rb'[\x00-\x1f"\\\x7f]', data):
        return data
    escaped = re.sub(rb'["\\]', rb"\\\g<0>", data)
    return b'"' + re.sub(rb"[\x00-\x1f\x7f]", lambda sign: b"\\%03o" % sign[0][0], escaped) + b'"'


def _text_lines(
    passing: Iterable[tuple[MarkedFinding, bool]], *, with_notes: bool
) -> Iterator[str]:
    """Yield the findings of each file under its name, those that say the same as one line."""
    shown = (
        marked.finding
        for marked, is_known in passing
        if not is_known and (with_notes or marked.finding.status != DOUBTFUL)
    )
    for file, findings in groupby(shown, key=attrgetter("file")):
        yield str(file)
        same: dict[tuple[str, str | None, str], list[Finding]] = {}
        for finding in findings:
            key = finding.number, finding.last, message_of(finding)
            same.setdefault(key, []).append(finding)
        for first, *others in same.values():
            head = f"  {first.line}:{first.column}: {cited_of(first)}: "
            more = _more_places(others)
            yield f"{head}{message_of(first, max(1, _TWO_LINES - len(head) - len(more)))}{more}"
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


def _more_places(others: Sequence[Finding]) -> str:
    lines = list(dict.fromkeys([f"{finding.line}" for finding in others]))
    if len(lines) > _SHOWN_LINES:
        return f" ({len(others) + 1:,} places)"
    *head, last = lines or [""]
    listed = f"{', '.join(head)} and {last}" if head else last
    return f" (also line{'s' * bool(head)} {listed})" if last else ""


def _github_line(marked: MarkedFinding) -> str:
    finding = marked.finding
    level = LEVELS[finding.status].replace("note", "notice")
    place = {
        "file": finding.file,
        "line": finding.line,
        "endLine": finding.end_line,
        "col": finding.column,
        "endColumn": finding.end_column,
        "title": f"{cited_of(finding)}: {finding.status}",
    }
    if finding.line != finding.end_line:  # GitHub expects both columns on one line
        del place["col"], place["endColumn"]
    properties = ",".join([f"{name}={_escaped(str(value))}" for name, value in place.items()])
    message = _whole(finding).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return f"::{level} {properties}::{message}"


def _escaped(value: str) -> str:
    for sign, code in (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"), (":", "%3A"), (",", "%2C")):
        value = value.replace(sign, code)
    return value


def _print_json(passing: Iterable[tuple[MarkedFinding, bool]], tally: Tally) -> None:
    findings = (marked.finding for marked, is_known in passing if not is_known)
    _print_list('{"findings": [', findings)
    tail = {"notices": tally.notices, "summary": tally.summary}
    click.echo(f"], {_json(tail)[1:]}")


def _print_sarif(passing: Iterable[tuple[MarkedFinding, bool]]) -> None:
    head = {"$schema": sarif.SCHEMA, "version": sarif.VERSION}
    run = {"tool": sarif.tool(PROGRAM), "columnKind": "unicodeCodePoints"}
    begin = f'{json.dumps(head)[:-1]}, "runs": [{json.dumps(run)[:-1]}, "results": ['
    results = (
        sarif.result(marked.finding, marked.mark, _whole(marked.finding), is_known=is_known)
        for marked, is_known in passing
        if marked.finding.status != CURRENT
    )
    _print_list(begin, results)
    click.echo("]}]}")


def _print_list(begin: str, values: Iterable[object]) -> None:
    """Print the beginning of a list, then each value as it arrives."""
    click.echo(begin, nl=False)
    sign = "\n"
    for page in _pages(map(_json, values)):
        click.echo(sign + ",\n".join(page), nl=False)
        sign = ",\n"
    click.echo()


def _summary(tally: Tally, *, is_trial: bool = False) -> str:
    """Return at most five lines."""
    citations = tally.counts.total()
    head = f"{counted(citations, 'citation')} in {tally.with_citations} of {counted(tally.files, 'file')}"
    each = ", ".join(
        [f"{tally.counts[status]:,} {status}" for status in STATUSES if tally.counts[status]]
    )
    lines = [f"{head}, by the edition of {tally.to}: {each}" if each else head]
    if tally.notes and not tally.with_notes and not is_trial:
        lines.append(f"{counted(tally.notes, 'note')} not shown; --notes shows them")
    if tally.known:
        lines.append(f"{tally.known} of these are in the baseline")
    if tally.baseline.left:
        lines.append(
            f"{tally.baseline.left} of the baseline no longer found; --write-baseline removes them"
        )
    if tally.fixed:
        rewritten = "would be rewritten" if is_trial else "rewritten"
        where = counted(tally.fixed_files, "file")
        lines.append(f"{counted(tally.fixed, 'citation')} {rewritten} in {where}")
    elif tally.sure:
        lines.append(f"{tally.sure} can be rewritten with --fix; --diff shows how")
    return "\n".join(lines)


# Rewriting ----------------------------------------------------------------------------------------


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

    def _choose(self, verdict: CitationVerdict, finding: Finding) -> tuple[str, str] | None:
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
