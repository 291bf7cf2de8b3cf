"""How an audit is told: to people, to programs, to code hosts. Findings come as they are found."""

import difflib
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

import click

from variorum_kb.answers.heirs import CURRENT, DOUBTFUL, STATUSES
from variorum_kb.audit import sarif
from variorum_kb.audit.baseline import Baseline
from variorum_kb.audit.message import LEVELS, cited_of, message_of
from variorum_kb.audit.run import MarkedFinding, Report
from variorum_kb.forms.audit import AuditSummaryJson
from variorum_kb.text.counts import counted

_AT_ONCE = 100
# A finding takes two lines of a terminal at most.
_TWO_LINES = 160
FORMATS = ("text", "json", "sarif", "github")


@dataclass(slots=True)
class Tally:
    """What is counted while findings pass.

    Attributes:
        to: The edition that citations should be right in.
        baseline: What is known.
        files: All that were looked into.
        with_citations: Those of them that cite.
        counts: How many citations have each status.
        sure: How many can be rewritten without asking.
        known: How many findings the baseline has.
        failed: How many findings are neither known nor mere notes.
        late: How many citations name numbers younger than their date.
        bare: How many numbers stand without a word that makes them a citation.
        undated: How often each number is cited without a date.
        in_doubt: How many findings are in doubt for want of one.
        fixed: How many citations were rewritten.
        fixed_files: In how many files.
        waiting: How many must wait, since git would date anew what else is in their lines.
        unread: How many files could not be read, or written.
        notices: Why not.
    """

    to: str
    baseline: Baseline
    files: int = 0
    with_citations: int = 0
    counts: Counter[str] = field(default_factory=Counter[str])
    sure: int = 0
    known: int = 0
    failed: int = 0
    late: int = 0
    bare: int = 0
    undated: Counter[str] = field(default_factory=Counter[str])
    in_doubt: int = 0
    fixed: int = 0
    fixed_files: int = 0
    waiting: int = 0
    unread: int = 0
    notices: list[str] = field(default_factory=list[str])

    def passing(self, reports: Iterable[Report]) -> Iterator[tuple[MarkedFinding, bool]]:
        """Yield the findings of reports, and whether each is known, and count them."""
        for report in reports:
            self.files += 1
            self.with_citations += bool(report.counts)
            self.counts += report.counts
            self.sure += report.sure
            self.late += report.late
            self.bare += report.bare
            self.undated += report.undated
            self.baseline.look_into(report.known_as)
            if report.notice:
                self.unread += 1
                self.notices.append(report.notice)
                notice = report.notice.encode("utf-8", "backslashreplace").decode()
                click.echo(f"cr: {notice}", err=True)
            for found in report.found:
                yield found, self._is_known(found)

    def _is_known(self, found: MarkedFinding) -> bool:
        finding = found.finding
        if finding["status"] == CURRENT:
            return False
        if self.baseline.knows(found.known_as, found.mark):
            self.known += 1
            return True
        self.failed += LEVELS[finding["status"]] != "note"
        self.in_doubt += finding["status"] == DOUBTFUL and finding["as_of"] is None
        return False

    @property
    def summary(self) -> AuditSummaryJson:
        """Return the counts as JSON has them."""
        return {
            "files": self.files,
            "citations": self.counts.total(),
            "statuses": {one: self.counts[one] for one in STATUSES if self.counts[one]},
            "sure": self.sure,
            "fixed": self.fixed,
            "known": self.known,
            "to": self.to,
        }


def show_audit(reports: Iterable[Report], tally: Tally, form: str) -> None:
    """Print findings as they come, and what they add up to.

    Args:
        reports: Of all files.
        tally: Counts them.
        form: One of FORMATS, or "none" to count alone.
    """
    passing = tally.passing(reports)
    if form == "json":
        _print_json(passing, tally)
    elif form == "sarif":
        _print_sarif(passing)
    else:
        shows = {"text": _text_line, "github": _github_line, "jsonl": _json_line}
        show = shows.get(form)
        told = (show(found) for found, is_known in passing if show is not None and not is_known)
        for page in _pages(told):
            click.echo("\n".join(page))
    if form == "text":
        click.echo(_summary(tally))
    elif form == "none":
        click.echo(_summary(tally, is_trial=True), err=True)


def _json_line(found: MarkedFinding) -> str:
    return _json(found.finding)


def _pages(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yield some lines at a time, since each printing takes its time."""
    waiting = iter(lines)
    while page := list(islice(waiting, _AT_ONCE)):
        yield page


def _json(value: object) -> str:
    """Return JSON; what is no text is escaped, and all else with it."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value)
    return text


def unified_diff(file: str, old: bytes, new: bytes) -> bytes:
    """Return what would change in a file, as `patch` and `git apply` read it.

    It holds the bytes of the file, whatever their encoding. Programs refuse names that leave the folder
    they are run in; so a file elsewhere is named from the root, for `patch -p1 -d /`.
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
    """Split bytes at line feeds alone, as `patch` does."""
    return [line for line in re.split(rb"(?<=\n)", data) if line]


def _quoted(name: str) -> bytes:
    """Return a file's name as git writes it: quoted where it holds odd signs."""
    data = os.fsencode(name)
    if not re.search(rb'[\x00-\x1f"\\\x7f]', data):
        return data
    escaped = re.sub(rb'["\\]', rb"\\\g<0>", data)
    return b'"' + re.sub(rb"[\x00-\x1f\x7f]", lambda one: b"\\%03o" % one[0][0], escaped) + b'"'


def _text_line(found: MarkedFinding) -> str:
    one = found.finding
    head = f"{one['file']}:{one['line']}:{one['column']}: {cited_of(one)}: "
    return head + message_of(one, max(1, _TWO_LINES - len(head)))


def _github_line(found: MarkedFinding) -> str:
    one = found.finding
    level = LEVELS[one["status"]].replace("note", "notice")
    place = {
        "file": one["file"],
        "line": one["line"],
        "endLine": one["end_line"],
        "col": one["column"],
        "endColumn": one["end_column"],
        "title": f"{cited_of(one)}: {one['status']}",
    }
    if one["line"] != one["end_line"]:  # columns are taken for those of one line
        del place["col"], place["endColumn"]
    said = ",".join([f"{name}={_escaped(str(value))}" for name, value in place.items()])
    message = message_of(one).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return f"::{level} {said}::{message}"


def _escaped(value: str) -> str:
    for sign, code in (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"), (":", "%3A"), (",", "%2C")):
        value = value.replace(sign, code)
    return value


def _print_json(passing: Iterable[tuple[MarkedFinding, bool]], tally: Tally) -> None:
    findings = (found.finding for found, is_known in passing if not is_known)
    _print_list('{"findings": [', findings)
    tail = {"notices": tally.notices, "summary": tally.summary}
    click.echo(f"], {_json(tail)[1:]}")


def _print_sarif(passing: Iterable[tuple[MarkedFinding, bool]]) -> None:
    head = {"$schema": sarif.SCHEMA, "version": sarif.VERSION}
    run = {"tool": sarif.tool(version("variorum")), "columnKind": "unicodeCodePoints"}
    begin = f'{json.dumps(head)[:-1]}, "runs": [{json.dumps(run)[:-1]}, "results": ['
    results = (
        sarif.result(found.finding, found.mark, is_known=is_known)
        for found, is_known in passing
        if found.finding["status"] != CURRENT
    )
    _print_list(begin, results)
    click.echo("]}]}")


def _print_list(begin: str, values: Iterable[Mapping[str, Any]]) -> None:
    """Print the beginning of a list and each value as it comes, so that none has to wait."""
    click.echo(begin, nl=False)
    sign = "\n"
    for page in _pages(map(_json, values)):
        click.echo(sign + ",\n".join(page), nl=False)
        sign = ",\n"
    click.echo()


def _summary(tally: Tally, *, is_trial: bool = False) -> str:
    citations = tally.counts.total()
    head = f"{counted(citations, 'citation')} in {tally.with_citations} of {counted(tally.files, 'file')}"
    each = ", ".join([f"{tally.counts[one]} {one}" for one in STATUSES if tally.counts[one]])
    lines = [f"{head}, by the edition of {tally.to}: {each}" if each else head]
    if tally.known:
        lines.append(f"{tally.known} of these are in the baseline")
    if tally.baseline.left:
        lines.append(f"{tally.baseline.left} of the baseline were not found: --write-baseline")
    if tally.fixed:
        rewritten = "would be rewritten" if is_trial else "rewritten"
        where = counted(tally.fixed_files, "file")
        lines.append(f"{counted(tally.fixed, 'citation')} {rewritten} in {where}")
    elif tally.sure:
        lines.append(
            f"{tally.sure} can be rewritten without asking: --fix; --diff shows them first"
        )
    return "\n".join(lines)
