"""`cr audit`: stale citations of rules in files, told in several formats, and rewritten."""

import difflib
import json
import os
import re
import stat
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from os.path import samestat
from pathlib import Path
from types import SimpleNamespace

import click

from variorum.audit import baseline, sarif
from variorum.audit.files import files_below, text_file_of, write_text_file
from variorum.audit.findings import LEVELS, MarkedFinding, Report, cited_of, message_of
from variorum.audit.git import repository_around
from variorum.audit.run import Auditor, audit_files
from variorum.audit.settings import Settings, find_settings
from variorum.cli import command as opts
from variorum.cli.wording import diffed, fitted, marked, print_note
from variorum.errors import FINDINGS, INPUT_OUTPUT, FileError, NotFoundError, WrongUsageError
from variorum.files import LARGEST_OTHER, PROGRAM, read_whole
from variorum.records.audit import CURRENT, DOUBTFUL, STATUSES, Audit, AuditSummary, Finding
from variorum.terminal import RETURN, TAB, page_width
from variorum.text import counted, doubted

# Options that are settings of an audit; those of lists are added to what a file of settings says.
_CHOSEN = "as_of to blame changed_since since all all_files fix_strings baseline"
_PIPED = Path("-")
# What a summary counts besides statuses.
_COUNTED = {
    "hidden": "notes not shown: {:,}; --notes shows them",
    "in doubt": "a date would settle {:,}; give --blame, or --as-of EDITION",
    "known": "{:,} of these are in the baseline",
    "left": "{:,} of the baseline no longer found; --write-baseline removes them",
    "fixed": "{:,} {}rewritten",
    "sure": "{:,} can be rewritten with --fix; --diff shows how",
    "strings": "in strings or data, which only --fix-strings rewrites: {:,}",
    "bare": "bare numbers such as 702.52a, not checked: {:,}; see --bare",
}
# A finding takes at most two lines of a terminal, and names at most so many further lines; the words of a
# change are set in below it.
_TWO_LINES, _SHOWN_LINES, _SET_IN = 160, 3, 6


@opts.command(
    "[PATHS]...",
    format={"default": "text"},
    apart=(
        *[f"--edition --{it}" for it in ("as-of", "to", "blame")],
        *[f"--write-baseline --changed-since --{it}" for it in ("fix", "diff")],
        "--diff --json --format",
    ),
    is_alone=True,
)
def audit(o: SimpleNamespace) -> opts.Answer | None:
    """Find citations of rules in files, and report those that have gone stale.

    Files may be any text: programs, Markdown, CSV, JSON. Files that git ignores are left out.

    cr audit src --as-of M10          everything was written for the rules of M10
    cr audit src --blame              date each line by git
    cr audit src --blame --diff       show what --fix would rewrite
    cr audit src --blame --fix        rewrite what is certain
    cr audit src --changed-since M10  list citations whose rule changed since
    cr audit src --since HEAD         check only lines added since a commit
    cr audit - --edition current      check standard input
    cr audit --format github          in a workflow (docs/audit.md)

    --on, --as-of EDITION  The edition that the citations were written for.
    --blame            Date each line by git. Lines unknown to git are dated by --as-of.
    --to EDITION       The edition whose numbers the citations should have. Default: the current one.
    --edition EDITION  Check every citation against this edition: its number must exist there, and the
                       line must be about that rule.
    --changed-since EDITION  List only citations whose rule was reworded, split, merged or removed
                       since this edition, with the words.
    --since REV        Look only at lines added since this revision of git.
    --prefix WORD      Also treat numbers after this word or sign as citations. May be repeated.
    --bare             Also treat bare numbers such as 702.52a as citations.
    --exclude PATTERN  Leave out these files, as in .gitignore. May be repeated.
    --all-files        Also read generated and minified files, logs, snapshots and the rules themselves.
    --ignore STATUS    Don't report this status: reworded, renumbered, another provision, split,
                       merged, gone, uncertain, says something else, never existed. May be
                       repeated.
    --all              Also list citations that are still correct.
    --notes            Also list notes: citations in doubt.
    --summary          Only count.
    --fix              Rewrite citations whose new number is certain.
    --fix-strings      With --fix, also rewrite string literals of programs, and data files such as JSON.
    --dry-run, --diff  Show what --fix would rewrite, and change nothing.
    --format FORM      Output format: text, json, sarif, github.
    --baseline FILE    Ignore findings recorded in FILE.
    --write-baseline   Record the present findings in the baseline file.
    --jobs N           Number of processes. Default: one for each core.
    --exit-zero        Always exit 0, even if there are findings.
    --json --jsonl --kb
    """
    paths: Sequence[Path] = o.words or (Path(),)
    settings = _settings(o, paths)
    base = click.get_current_context().with_resource(opts.open_asked(o.kb))
    try:  # before anything is audited
        for designator in (settings.to, settings.as_of, settings.changed_since):
            base.edition(designator or "current")
    except NotFoundError as error:
        raise WrongUsageError(str(error)) from None
    known = baseline.load_baseline(settings.baseline, paths, is_made=o.write_baseline)
    tally, o.as_json = _Tally(known, is_trial=o.diff), o.as_json or o.format in {"json", "sarif"}
    for report in _reports(Auditor(base, settings), paths, o):
        tally.add(report)
        if not (o.as_json or o.diff or o.write_baseline):
            _print_found(tally, o)
    if o.write_baseline and (file := settings.baseline):
        print_note(f"{file}: {counted(known.record(file, tally.told), 'finding')} recorded")
        return None
    if tally.numbers and not settings.blame:
        baseline.remember(settings, tally.numbers)
    count, to = tally.count, base.edition(settings.to).label
    statuses = {it: count[it] for it in STATUSES if count[it]}
    about = sum(statuses.values()), statuses, count["sure"], count["fixed"], count["known"], to
    summary = AuditSummary(count["files"], *about)
    count["left"], count["sure"] = known.left, count["sure"] * (not count["fixed"])
    count["bare"] *= not settings.bare
    lines = [*_counted(summary, count, is_trial=o.diff)]
    if o.diff or o.format == "github":
        click.echo("\n".join(lines), err=True)
        lines = []
    new = [it.finding for _, it, is_known in tally.told if not is_known]
    record: object = Audit(new, tally.notices, summary)
    if o.format == "sarif":
        wrong = [(it, is_known) for _, it, is_known in tally.told if it.finding.status != CURRENT]
        results = [sarif.result(it, _whole(it.finding), is_known=known) for it, known in wrong]
        record = sarif.log(PROGRAM, results)
    code = INPUT_OUTPUT if count["unread"] else FINDINGS if count["failed"] else 0
    return opts.Answer(record, lines, new, 0 if o.exit_zero else code)


def _settings(o: SimpleNamespace, paths: Sequence[Path]) -> Settings:
    known = find_settings(paths[0] if paths[0].is_dir() else paths[0].absolute().parent)
    if o.edition or (o.changed_since and not (o.as_of or o.blame)):
        o.as_of, o.to = o.edition or o.changed_since, o.edition or o.to
    settings = known.given(
        **{name: getattr(o, name) for name in _CHOSEN.split()},
        fix=o.fix or o.diff,
        bare=o.bare or None,
        prefixes=(*known.prefixes, *o.prefix),
        exclude=(*known.exclude, *o.exclude),
        ignore=(*known.ignore, *o.ignore),
    )
    if o.write_baseline and settings.baseline is None:
        raise click.UsageError("--write-baseline needs --baseline FILE, or one in the settings")
    if _PIPED in paths and (paths[1:] or o.fix or o.diff or o.blame or o.since):
        alone = "other paths, --fix, --diff, --blame and --since"
        raise click.UsageError(f"- is standard input, which is audited without {alone}")
    return settings


def _reports(auditor: Auditor, paths: Sequence[Path], o: SimpleNamespace) -> Iterable[Report]:
    if _PIPED in paths:
        text_file = text_file_of(read_whole(most=LARGEST_OTHER))
        if text_file is None:
            raise FileError("standard input: not text")
        return [auditor.audit_text(text_file.text, _PIPED)]
    for path in paths:
        path.stat()
        if (o.blame or o.since) and not repository_around(path.resolve() / "it"):
            print_note(f"{path}: in no git repository, so git tells nothing about its files")
    files = files_below(paths, auditor.settings.exclude, auditor.settings.folder)
    with suppress(OSError, ValueError):  # stdout was replaced by a test, or closed
        own = os.fstat(sys.stdout.fileno())
        if stat.S_ISREG(own.st_mode):  # the report itself is none of the files
            files = (it for it in files if not (it.exists() and samestat(it.stat(), own)))
    return audit_files(auditor, files, o.jobs or 0)


@dataclass
class _Tally:
    """What an audit finds: findings, each with its file for the baseline and whether that has it; and counts.

    "failed" are findings that are neither known nor notes, "bare" numbers without a word that makes them a
    citation, "in doubt" findings that a date would settle. `numbers` were rewritten.
    """

    known: baseline.Baseline
    is_trial: bool
    told: list[tuple[str, MarkedFinding, bool]] = field(default_factory=list)
    count: Counter[str] = field(default_factory=Counter)
    notices: list[str] = field(default_factory=list)
    numbers: list[baseline.RewrittenNumber] = field(default_factory=list)

    def add(self, report: Report) -> None:
        """Rewrite a file, or print the change; count and keep what is left to be told of it."""
        count, is_written = self.count, False
        if (made := report.rewritten) and made.numbers:
            try:
                if self.is_trial:
                    _print_patch(report.file, made.before, made.after)
                else:
                    write_text_file(Path(report.file), made.after)
                    self.numbers += made.numbers
                    is_written = True
                count["fixed"] += len(made.numbers)
            except FileError as error:  # the other files can still be written
                report.notice = str(error)
        count.update(report.counts)
        self.known.look_into(report.known_as)
        count["files"] += 1
        count["with citations"] += bool(report.counts)
        count["sure"] += report.sure
        count["bare"] += report.bare
        count["unread"] += bool(report.notice)
        if said := report.notice or report.left_alone:
            self.notices.append(said)
            print_note(said.encode("utf-8", "backslashreplace").decode())
        for each in report.findings:
            finding, is_wrong = each.finding, each.finding.status != CURRENT
            if is_written and finding.sure and finding.rewrite is not None:
                continue
            is_known = is_wrong and self.known.knows(report.known_as, each)
            self.told.append((report.known_as, each, is_known))
            count["strings"] += "--fix-strings" in finding.why
            count["known"] += is_known
            if is_wrong and not is_known:
                count["failed"] += LEVELS[finding.status] != "note"
                count["in doubt"] += finding.as_of is None and bool(finding.meanings)


# The report ---------------------------------------------------------------------------------------


def _counted(summary: AuditSummary, count: Mapping[str, int], *, is_trial: bool) -> Iterator[str]:
    head = f"{counted(summary.citations, 'citation')} in {count['with citations']} of "
    head += counted(summary.files, "file")
    each = ", ".join([f"{many:,} {status}" for status, many in summary.statuses.items()])
    yield f"{head}, by the edition of {summary.to}: {each}" if each else head
    for name, words in _COUNTED.items():
        if count[name]:
            yield words.format(count[name], "would be " * is_trial)


def _print_found(tally: _Tally, o: SimpleNamespace) -> None:
    new, is_text = [it.finding for _, it, known in tally.told if not known], o.format == "text"
    shown = [it for it in new if o.notes or o.all or not is_text or it.status != DOUBTFUL]
    tally.count["hidden"] += len(new) - len(shown)
    tally.told.clear()
    if shown and not o.summary:
        lines = _of_file(shown) if is_text else map(_github_line, shown)
        click.echo(fitted("\n".join(lines), page_width() * is_text))


def _of_file(findings: Sequence[Finding]) -> Iterator[str]:
    same: dict[tuple[str, str | None, str], list[Finding]] = {}
    for it in findings:
        same.setdefault((it.number, it.last, message_of(it)), []).append(it)
    yield findings[0].file
    for (_, _, whole), (first, *others) in same.items():
        head = f"  {first.line}:{first.column}: {cited_of(first)}: "
        lines = list(dict.fromkeys([f"{finding.line}" for finding in others]))
        more = f" (also line{'s' * (len(lines) > 1)} {', '.join(lines)})" if lines else ""
        more = f" ({len(others) + 1:,} places)" if len(lines) > _SHOWN_LINES else more
        room = max(1, _TWO_LINES - len(head) - len(more))
        yield f"{head}{whole if len(whole) <= room else message_of(first, room)}{more}"
        for words in _changed(first):
            yield from diffed(words, _SET_IN)


def _changed(finding: Finding) -> Iterator[str]:
    for it in finding.changes:
        names = " → ".join(dict.fromkeys(filter(None, (it.old, it.new))))
        became = doubted("gone" * (it.new is None), it.confidence)
        yield f"{', '.join(filter(None, (names, became)))}: {marked(it.words)}"


def _whole(finding: Finding) -> str:
    return "; ".join((message_of(finding), *_changed(finding)))


def _github_line(finding: Finding) -> str:
    level = LEVELS[finding.status].replace("note", "notice")
    place = {"file": finding.file, "line": finding.line, "endLine": finding.end_line}
    if finding.line == finding.end_line:  # GitHub expects both columns on one line
        place |= {"col": finding.column, "endColumn": finding.end_column}
    place["title"] = f"{cited_of(finding)}: {finding.status}"
    properties = ",".join([f"{name}={_escaped(value, ':,')}" for name, value in place.items()])
    return f"::{level} {properties}::{_escaped(_whole(finding))}"


def _escaped(value: object, more: str = "") -> str:
    return re.sub(rf"[%\r\n{more}]", lambda sign: f"%{ord(sign[0]):02X}", str(value))


def _print_patch(file: str, old: bytes, new: bytes) -> None:
    # Lines end at line feeds only, as for `patch`.
    before, after = [[line for line in re.split(rb"(?<=\n)", data) if line] for data in (old, new)]
    names = [f"{side}/{os.path.relpath(file)}" for side in "ab"]
    if re.search(r'[\x00-\x1f"\\\x7f]', file):  # quoted, as in git
        names = [json.dumps(name, ensure_ascii=False) for name in names]
    old_name, new_name = map(os.fsencode, names)
    lines = difflib.diff_bytes(difflib.unified_diff, before, after, old_name, new_name)
    missing = b"\n\\ No newline at end of file\n"
    patch = b"".join([line if line.endswith(b"\n") else line + missing for line in lines])
    text = patch.decode("utf-8", "backslashreplace").replace("\r\n", f"{RETURN}\n")
    click.echo(text.replace("\t", TAB) if sys.stdout.isatty() else patch, nl=False)  # for `patch`
