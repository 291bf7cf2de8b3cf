"""`cr audit`: stale citations of rules in files, told in several formats, and rewritten."""

import difflib
import json
import os
import re
import stat
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from os.path import samestat
from pathlib import Path
from types import SimpleNamespace

import click

from variorum.audit import baseline, sarif
from variorum.audit.files import files_below, text_file_of, write_text_file
from variorum.audit.findings import LEVELS, MarkedFinding, Report, cited_of, message_of
from variorum.audit.run import Auditor, audit_files
from variorum.audit.settings import Settings, find_settings, load_settings
from variorum.cli import command as opts
from variorum.cli.layout import diffed, marked, print_note
from variorum.errors import FINDINGS, INPUT_OUTPUT, FileError, NotFoundError, WrongUsageError
from variorum.files import LARGEST_AUDITED, read_standard_input
from variorum.git import repository_around
from variorum.records.answer import json_text
from variorum.records.audit import CURRENT, DOUBTFUL, STATUSES, Audit, AuditSummary, Finding
from variorum.terminal import RETURN, TAB
from variorum.text import counted
from variorum.versions import PROGRAM

_SURE, _ALL, _PIPED = "sure", "all", "-"
# The options that are settings, which a file may also have.
_CHOSEN = (
    "as_of to blame changed_since since prefixes bare exclude all_files ignore fix_strings baseline"
)
# A finding takes at most two lines of a terminal, and names at most so many further lines; the words of a
# change are set in below it.
_TWO_LINES, _SHOWN_LINES, _SET_IN = 160, 3, 6

# A finding, and whether the baseline has it.
_Told = tuple[MarkedFinding, bool]


class _AuditCommand(click.Command):
    """A command with an option `--fix` whose value is optional."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; a bare `--fix` means `--fix=sure`."""
        end = args.index("--") if "--" in args else len(args)
        bare = [f"--fix={_SURE}" if argument == "--fix" else argument for argument in args[:end]]
        return super().parse_args(ctx, bare + args[end:])


@opts.command(
    click.Argument(["paths"], nargs=-1, metavar="[PATH]...", type=opts.named_path),
    click.Option(
        ["--blame/--no-blame"],
        default=None,
        help="Date each line by git. Lines unknown to git are dated by --as-of.",
    ),
    prefix={"name": "prefixes"},
    fix={"type": click.Choice((_SURE, _ALL)), "metavar": "[=all]"},
    format={"default": "text"},
    bare={"default": None},
    all_files={"default": None},
    fix_strings={"default": None},
    jobs={"type": click.IntRange(0), "default": 0},
    cls=_AuditCommand,
    apart=(
        *[f"--edition --{it}" for it in ("as-of", "to", "blame")],
        *[
            f"{it} --{each}"
            for it in ("--write-baseline", "--changed-since")
            for each in ("fix", "diff")
        ],
        "--changed-since --write-baseline",
        "--diff --json --format",
    ),
    is_alone=True,
)
def audit(o: SimpleNamespace) -> None:
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
    --fix SURE         Rewrite citations whose new number is certain. With =all, also rewrite other
                       findings, except uncertain ones; if there are several new numbers, take the first.
    --fix-strings      With --fix, also rewrite string literals of programs, and data files such as JSON.
    --diff             Show what --fix would rewrite, and change nothing.
    --format FORM      Output format: text, json, sarif, github.
    --baseline FILE    Ignore findings recorded in FILE.
    --write-baseline   Record the present findings in the baseline file.
    --config FILE      Settings file. Default: the nearest variorum.toml or pyproject.toml.
    --jobs N           Number of processes. Default: one for each core.
    --exit-zero        Always exit 0, even if there are findings.
    --json --jsonl --kb
    """
    paths: Sequence[Path] = o.paths or (Path(),)
    settings = _settings_for(o, paths)
    form = "jsonl" if o.as_lines else "json" if o.as_json else o.format
    _check(settings, paths, o)
    with opts.open_base(o.kb) as base:
        try:  # before anything is audited
            for designator in (settings.to, settings.as_of, settings.changed_since):
                base.edition(designator or "current")
        except NotFoundError as error:
            raise WrongUsageError(str(error)) from None
        auditor = Auditor(base, settings, o.fix or (_SURE if o.diff else ""))
        reports = _reports(auditor, paths, o)
        if o.write_baseline and settings.baseline is not None:
            _record(settings, paths, settings.baseline, reports)
            return
        with_notes, known = o.notes or o.all or form != "text", _known(settings, paths)
        tally = _Tally(base.edition(settings.to).label, known, with_notes, is_trial=o.diff)
        _print(tally, tally.told(reports), "none" if o.diff else form)
        if o.diff or form in {"text", "github"}:
            click.echo(tally.lines(), err=o.diff or form != "text")
        if tally.numbers and not settings.blame:
            baseline.remember(settings, tally.numbers)
        if (in_doubt := tally.count["in doubt"]) > 0:
            settled = counted(in_doubt, "finding")
            print_note(f"a date would settle {settled}; give --blame, or --as-of EDITION")
        if (bare := tally.count["bare"]) and not settings.bare:
            print_note(f"bare numbers such as 702.52a, not checked: {bare}; see --bare")
    if (tally.count["failed"] or tally.count["unread"]) and not o.exit_zero:
        raise click.exceptions.Exit(INPUT_OUTPUT if tally.count["unread"] else FINDINGS)


def _reports(auditor: Auditor, paths: Sequence[Path], o: SimpleNamespace) -> Iterable[Report]:
    if _PIPED not in map(str, paths):
        settings = auditor.settings
        files = files_below(paths, settings.exclude, settings.folder)
        with suppress(OSError, ValueError):  # stdout was replaced by a test, or closed
            own = os.fstat(sys.stdout.fileno())
            if stat.S_ISREG(own.st_mode):  # the report itself is none of the files
                files = (it for it in files if not (it.exists() and samestat(it.stat(), own)))
        return audit_files(auditor, files, jobs=o.jobs, with_current=o.all)
    text_file = text_file_of(read_standard_input(LARGEST_AUDITED))
    if text_file is None:
        raise FileError("standard input: not text")
    return [auditor.audit_text(text_file.text, Path(_PIPED), with_current=o.all)]


def _known(settings: Settings, paths: Sequence[Path]) -> baseline.Baseline:
    known = baseline.load_baseline(settings.baseline) if settings.baseline else baseline.Baseline()
    known.look_for(paths, settings.baseline.parent if settings.baseline else Path())
    return known


def _record(
    settings: Settings, paths: Sequence[Path], file: Path, reports: Iterable[Report]
) -> None:
    """Record findings in the baseline, keeping its records of other files."""
    is_there = file.exists() and file.stat().st_size > 0
    known = _known(settings, paths) if is_there else baseline.Baseline()
    tally, entries = _Tally("", known, with_notes=True), list[baseline.Entry]()
    for report in reports:
        found = [it for it, _ in tally.told([report]) if it.finding.status != CURRENT]
        entries += [baseline.entry_of(report.known_as, it) for it in found]
    written = [*known.rewritten, *baseline.remembered_below(paths)]
    count = baseline.write_baseline(file, [*known.others, *entries], written)
    print_note(f"{file}: {counted(count, 'finding')} recorded")


# Settings and checks ------------------------------------------------------------------------------


def _settings_for(o: SimpleNamespace, paths: Sequence[Path]) -> Settings:
    """Combine the settings of a file with the options given."""
    chosen = {name: getattr(o, name) for name in _CHOSEN.split()}
    if o.edition is not None:
        chosen |= {"as_of": o.edition, "to": o.edition, "blame": False}
    if chosen["changed_since"] and not (chosen["as_of"] or chosen["blame"]):
        chosen["as_of"] = chosen["changed_since"]
    start = paths[0] if paths[0].is_dir() else paths[0].absolute().parent
    settings = load_settings(o.config) if o.config else find_settings(start)
    if settings.blame and not o.config:
        # The settings may come from a stranger's repository.
        settings = settings.given(blame=False)
        if chosen["blame"] is None:
            said = "blame = true is ignored unless --config names the settings; give --blame"
            print_note(f"{settings.folder}: {said}")
    # Patterns are added to those of the settings; other values replace theirs.
    for name in ("prefixes", "exclude", "ignore"):
        chosen[name] = (*getattr(settings, name), *chosen[name])
    return settings.given(**chosen)


def _check(settings: Settings, paths: Sequence[Path], o: SimpleNamespace) -> None:
    """Refuse options that contradict the settings or standard input, and paths that are not there."""
    is_piped = _PIPED in map(str, paths)
    for path in () if is_piped else paths:
        path.stat()
        if (settings.blame or settings.since) and not repository_around(path.resolve() / "it"):
            print_note(f"{path}: in no git repository, so git tells nothing about its files")
    if o.write_baseline and settings.baseline is None:
        raise click.UsageError("--write-baseline needs --baseline FILE, or one in the settings")
    if is_piped and len(paths) > 1:
        raise click.UsageError("- is standard input and cannot be combined with other paths")
    if is_piped and (o.fix or o.diff or settings.blame or settings.since):
        left_out = "leave out --fix, --diff, --blame and --since"
        raise click.UsageError(f"standard input cannot be rewritten or dated by git; {left_out}")


# Reports ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Tally:
    """Counts over the findings of an audit: by status, and of all else by name.

    "failed" are findings that are neither known nor notes, "bare" numbers without a word that makes them a
    citation, "in doubt" findings that a date would settle. `numbers` were rewritten; of a trial, the
    changes are only printed.
    """

    to: str
    known: baseline.Baseline
    with_notes: bool
    is_trial: bool = False
    statuses: Counter[str] = field(default_factory=Counter[str])
    count: Counter[str] = field(default_factory=Counter[str])
    notices: list[str] = field(default_factory=list[str])
    numbers: list[baseline.RewrittenNumber] = field(default_factory=list[baseline.RewrittenNumber])

    def told(self, reports: Iterable[Report]) -> Iterator[_Told]:
        """Rewrite files and count the findings that are left; yield each with whether it is known."""
        count = self.count
        for report in reports:
            self._rewrite(report)
            self.statuses += report.counts
            count["files"] += 1
            count["with citations"] += bool(report.counts)
            count["sure"] += report.sure
            count["bare"] += report.bare
            count["unread"] += bool(report.notice)
            self.known.look_into(report.known_as)
            if said := report.notice or report.left_alone:
                self.notices.append(said)
                print_note(said.encode("utf-8", "backslashreplace").decode())
            for each in report.findings:
                finding = each.finding
                is_known = finding.status != CURRENT and self.known.knows(report.known_as, each)
                count["known"] += is_known
                if finding.status != CURRENT and not is_known:
                    count["failed"] += LEVELS[finding.status] != "note"
                    count["notes"] += finding.status == DOUBTFUL
                    count["in doubt"] += finding.as_of is None and bool(finding.meanings)
                yield each, is_known

    def _rewrite(self, report: Report) -> None:
        """Write the new text of a file, or print the change; what was rewritten is no finding any more."""
        made = report.rewritten
        if made is None or not made.places:
            return
        try:
            if self.is_trial:
                _print_diff(_unified_diff(report.file, made.before, made.after))
            else:
                write_text_file(Path(report.file), made.after)
        except FileError as error:  # the other files can still be written
            report.notice = str(error)
            return
        self.count["fixed"] += len(made.places)
        self.count["fixed files"] += 1
        if not self.is_trial:
            self.numbers += made.numbers
            report.findings = [
                it
                for it in report.findings
                if (it.finding.line, it.finding.column) not in made.places
            ]

    @property
    def summary(self) -> AuditSummary:
        return AuditSummary(
            files=self.count["files"],
            citations=self.statuses.total(),
            statuses={it: self.statuses[it] for it in STATUSES if self.statuses[it]},
            sure=self.count["sure"],
            fixed=self.count["fixed"],
            known=self.count["known"],
            to=self.to,
        )

    def lines(self) -> str:
        """Return a summary of at most five lines."""
        count, left = self.count, self.known.left
        where = f"{count['with citations']} of {counted(count['files'], 'file')}"
        head = f"{counted(self.statuses.total(), 'citation')} in {where}"
        each = ", ".join([f"{many:,} {status}" for status, many in self.summary.statuses.items()])
        would = "would be " * self.is_trial
        fixed = f"{would}rewritten in {counted(count['fixed files'], 'file')}"
        notes = 0 if self.with_notes or self.is_trial else count["notes"]
        lines = (
            (1, f"{head}, by the edition of {self.to}: {each}" if each else head),
            (notes, f"{counted(notes, 'note')} not shown; --notes shows them"),
            (count["known"], f"{count['known']} of these are in the baseline"),
            (left, f"{left} of the baseline no longer found; --write-baseline removes them"),
            (count["fixed"], f"{counted(count['fixed'], 'citation')} {fixed}"),
            (
                count["sure"] and not count["fixed"],
                f"{count['sure']} can be rewritten with --fix; --diff shows how",
            ),
        )
        return "\n".join([line for is_said, line in lines if is_said])


def _print(tally: _Tally, told: Iterator[_Told], form: str) -> None:
    """Print findings in a format: a page and lines as they arrive; "none" is nothing."""
    if form == "sarif":
        pairs = [(it, is_known) for it, is_known in told if it.finding.status != CURRENT]
        results = [
            sarif.result(it.finding, it.mark, _whole(it.finding), is_known=is_known)
            for it, is_known in pairs
        ]
        click.echo(json_text(sarif.log(PROGRAM, results), indent=1))
        return
    new = (it.finding for it, is_known in told if not is_known)
    if form == "json":
        findings = [*new]
        click.echo(json_text(Audit(findings, tally.notices, tally.summary), indent=1))
    elif form == "text":
        shown = (it for it in new if tally.with_notes or it.status != DOUBTFUL)
        for file, of_file in groupby(shown, key=attrgetter("file")):
            click.echo("\n".join([file, *_of_file(of_file)]))
    else:
        for finding in new:
            if form != "none":
                click.echo(_github_line(finding) if form == "github" else json_text(finding))


def _of_file(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield the findings of a file, those that say the same as one line."""
    same: dict[tuple[str, str | None, str], list[Finding]] = {}
    for finding in findings:
        same.setdefault((finding.number, finding.last, message_of(finding)), []).append(finding)
    for (_, _, whole), (first, *others) in same.items():
        head = f"  {first.line}:{first.column}: {cited_of(first)}: "
        lines = list(dict.fromkeys([f"{finding.line}" for finding in others]))
        more = f" (also line{'s' * (len(lines) > 1)} {', '.join(lines)})" if lines else ""
        more = f" ({len(others) + 1:,} places)" if len(lines) > _SHOWN_LINES else more
        room = max(1, _TWO_LINES - len(head) - len(more))
        yield f"{head}{whole if len(whole) <= room else message_of(first, room)}{more}"
        for words in _changed(first):
            yield from diffed(words, _SET_IN)


def _changed(finding: Finding) -> list[str]:
    """Return the changed words of each change under a citation."""
    return [
        f"{' → '.join(dict.fromkeys(filter(None, (it.old, it.new))))}: {marked(it.words)}"
        for it in finding.changes
    ]


def _whole(finding: Finding) -> str:
    """Return all that a finding says, as one line for code hosts."""
    return "; ".join([message_of(finding), *_changed(finding)])


def _github_line(finding: Finding) -> str:
    level = LEVELS[finding.status].replace("note", "notice")
    place = {"file": finding.file, "line": finding.line, "endLine": finding.end_line}
    if finding.line == finding.end_line:  # GitHub expects both columns on one line
        place |= {"col": finding.column, "endColumn": finding.end_column}
    place["title"] = f"{cited_of(finding)}: {finding.status}"
    properties = ",".join([f"{name}={_escaped(value, ':,')}" for name, value in place.items()])
    return f"::{level} {properties}::{_escaped(_whole(finding))}"


def _escaped(value: object, more: str = "") -> str:
    signs = f"%\r\n{more}"
    return "".join([f"%{ord(sign):02X}" if sign in signs else sign for sign in str(value)])


# Changes of files ---------------------------------------------------------------------------------


def _print_diff(diff: bytes) -> None:
    """Print a diff: escaped text on a terminal, else bytes that `patch` can apply."""
    text = diff.decode("utf-8", "backslashreplace").replace("\r\n", f"{RETURN}\n")
    click.echo(text.replace("\t", TAB) if sys.stdout.isatty() else diff, nl=False)


def _unified_diff(file: str, old: bytes, new: bytes) -> bytes:
    """Return the change of a file as a patch for `patch` and `git apply`.

    The patch contains the bytes of the file, whatever their encoding. These programs refuse names
    outside their folder, so a file elsewhere is named from the root, for `patch -p1 -d /`.
    """
    if Path(file).is_absolute():
        inside = os.path.relpath(file)
        file = inside if not inside.startswith(os.pardir) else os.path.splitdrive(file)[1][1:]
    # Lines end at line feeds only, as for `patch`.
    before, after = [[line for line in re.split(rb"(?<=\n)", data) if line] for data in (old, new)]
    # As in git, a name with special characters is quoted.
    is_odd = re.search(r'[\x00-\x1f"\\\x7f]', file)
    names = [f"{side}/{file}" for side in "ab"]
    names = [json.dumps(name, ensure_ascii=False) for name in names] if is_odd else names
    old_name, new_name = map(os.fsencode, names)
    lines = difflib.diff_bytes(difflib.unified_diff, before, after, old_name, new_name)
    missing = b"\n\\ No newline at end of file\n"
    return b"".join([line if line.endswith(b"\n") else line + missing for line in lines])
