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
from itertools import groupby, islice
from operator import attrgetter
from pathlib import Path
from types import SimpleNamespace

import click
import msgspec

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
from variorum.records.audit import CURRENT, DOUBTFUL, STATUSES, AuditSummary, Finding
from variorum.terminal import RETURN, TAB
from variorum.text import counted
from variorum.versions import PROGRAM

_SURE, _ALL, _PIPED = "sure", "all", "-"
# The options that are settings, which a file may also have.
_CHOSEN = (
    "as_of to blame changed_since since prefixes bare exclude all_files ignore fix_strings baseline"
)
# Each call of print is slow. A finding takes at most two lines of a terminal, and names at most so many
# further lines; the words of a change are set in below it.
_AT_ONCE, _TWO_LINES, _SHOWN_LINES, _SET_IN = 100, 160, 3, 6

# A finding, its file as the baseline names it, and whether that has it.
_Told = tuple[str, MarkedFinding, bool]


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
        *[f"--write-baseline --{it}" for it in ("fix", "diff")],
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

    --as-of EDITION    The edition that the citations were written for.
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
    _check(settings, paths, o, is_page=form == "text")
    with opts.open_base(o.kb) as base:
        try:  # before anything is audited
            for designator in (settings.to, settings.as_of, settings.changed_since):
                base.edition(designator or "current")
        except NotFoundError as error:
            raise WrongUsageError(str(error)) from None
        auditor = Auditor(base, settings)
        reports = _reports(auditor, paths, o)
        if o.write_baseline and settings.baseline is not None:
            _record(settings, paths, settings.baseline, reports)
            return
        with_notes = o.notes or o.all or form != "text"
        tally = _Tally(base.edition(settings.to).label, _known(settings, paths), with_notes)
        if o.fix or o.diff:
            reports = _rewritten(auditor, reports, tally, is_all=o.fix == _ALL, is_trial=o.diff)
        lines = _lines(tally.told(reports), tally, "none" if o.diff else form)
        while page := "".join(islice(lines, _AT_ONCE)):
            click.echo(page, nl=False)
        if o.diff or form in {"text", "github"}:
            click.echo(tally.lines(is_trial=o.diff), err=o.diff or form != "text")
        if tally.numbers and not settings.blame:
            baseline.remember(settings, tally.numbers)
        tally.print_hints(is_bare=settings.bare)
    if (tally.count["failed"] or tally.count["unread"]) and not o.exit_zero:
        opts.end(INPUT_OUTPUT if tally.count["unread"] else FINDINGS)


def _reports(auditor: Auditor, paths: Sequence[Path], o: SimpleNamespace) -> Iterable[Report]:
    if _PIPED not in map(str, paths):
        settings = auditor.settings
        files = _not_our_own(files_below(paths, settings.exclude, settings.folder))
        return audit_files(auditor, files, jobs=o.jobs, with_current=o.all)
    text_file = text_file_of(read_standard_input(LARGEST_AUDITED))
    if text_file is None:
        raise FileError("standard input: not text")
    return [auditor.audit_text(text_file.text, Path(_PIPED), with_current=o.all)]


def _not_our_own(files: Iterator[Path]) -> Iterator[Path]:
    """Leave out the file that stdout is redirected to, if any."""
    with suppress(OSError, ValueError):  # replaced by a test, or closed
        own = os.fstat(sys.stdout.fileno())
        if stat.S_ISREG(own.st_mode):
            return (it for it in files if not (it.exists() and os.path.samestat(it.stat(), own)))
    return files


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
    told = _Tally("", known, with_notes=True).told(reports)
    entries = [
        baseline.entry_of(name, each) for name, each, _ in told if each.finding.status != CURRENT
    ]
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
            print_note(
                f"{settings.folder}: blame = true is ignored unless --config names the settings; "
                "give --blame"
            )
    # The command line's patterns are added to the settings' patterns; its other values replace
    # theirs.
    for name in ("prefixes", "exclude", "ignore"):
        chosen[name] = (*getattr(settings, name), *chosen[name])
    return settings.given(**chosen)


def _check(settings: Settings, paths: Sequence[Path], o: SimpleNamespace, *, is_page: bool) -> None:
    """Refuse options that contradict the settings or standard input, and paths that are not there."""
    is_piped = _PIPED in map(str, paths)
    for path in () if is_piped else paths:
        try:
            path.stat()
        except OSError as error:
            raise FileError(f"{path}: {error.strerror}") from None
        if (settings.blame or settings.since) and not repository_around(path.resolve() / "it"):
            print_note(f"{path}: in no git repository, so git tells nothing about its files")
    is_rewrite = o.fix or o.diff
    refused = {
        "--write-baseline needs --baseline FILE, or one in the settings": (
            o.write_baseline and settings.baseline is None
        ),
        "--changed-since cannot be combined with --fix, --diff or --write-baseline": (
            settings.changed_since and (o.write_baseline or is_rewrite)
        ),
        "--diff prints a patch; leave out --json or --format": o.diff and not is_page,
        "- is standard input and cannot be combined with other paths": is_piped and len(paths) > 1,
        (
            "standard input cannot be rewritten or dated by git; leave out --fix, --diff, --blame "
            "and --since"
        ): is_piped and (is_rewrite or settings.blame or settings.since),
    }
    for message, is_wrong in refused.items():
        if is_wrong:
            raise click.UsageError(message)


# Reports ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Tally:
    """Counts over the findings of an audit: by status, and of all else by name.

    "failed" are findings that are neither known nor notes, "bare" numbers without a word that makes them a
    citation, "in doubt" findings that a date would settle. `numbers` were rewritten.
    """

    to: str
    known: baseline.Baseline
    with_notes: bool
    statuses: Counter[str] = field(default_factory=Counter[str])
    count: Counter[str] = field(default_factory=Counter[str])
    notices: list[str] = field(default_factory=list[str])
    numbers: list[baseline.RewrittenNumber] = field(default_factory=list[baseline.RewrittenNumber])

    def told(self, reports: Iterable[Report]) -> Iterator[_Told]:
        """Count the findings of reports; yield each with whether it is known."""
        for report in reports:
            self.statuses += report.counts
            self.count["files"] += 1
            self.count["with citations"] += bool(report.counts)
            self.count["sure"] += report.sure
            self.count["bare"] += report.bare
            self.count["unread"] += bool(report.notice)
            self.known.look_into(report.known_as)
            if said := report.notice or report.left_alone:
                self.notices.append(said)
                print_note(said.encode("utf-8", "backslashreplace").decode())
            for each in report.findings:
                finding = each.finding
                is_known = finding.status != CURRENT and self.known.knows(report.known_as, each)
                self.count["known"] += is_known
                if finding.status != CURRENT and not is_known:
                    self.count["failed"] += LEVELS[finding.status] != "note"
                    self.count["notes"] += finding.status == DOUBTFUL
                    self.count["in doubt"] += finding.as_of is None and bool(finding.meanings)
                yield report.known_as, each, is_known

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

    def lines(self, *, is_trial: bool) -> str:
        """Return a summary of at most five lines."""
        count = self.count
        where = f"{count['with citations']} of {counted(count['files'], 'file')}"
        head = f"{counted(self.statuses.total(), 'citation')} in {where}"
        each = ", ".join([f"{many:,} {status}" for status, many in self.summary.statuses.items()])
        rewritten = f"{'would be ' * is_trial}rewritten in {counted(count['fixed files'], 'file')}"
        lines = {
            f"{head}, by the edition of {self.to}: {each}" if each else head: 1,
            f"{counted(count['notes'], 'note')} not shown; --notes shows them": (
                count["notes"] and not self.with_notes and not is_trial
            ),
            f"{count['known']} of these are in the baseline": count["known"],
            f"{self.known.left} of the baseline no longer found; --write-baseline removes them": (
                self.known.left
            ),
            f"{counted(count['fixed'], 'citation')} {rewritten}": count["fixed"],
            f"{count['sure']} can be rewritten with --fix; --diff shows how": (
                count["sure"] and not count["fixed"]
            ),
        }
        return "\n".join([line for line, is_said in lines.items() if is_said])

    def print_hints(self, *, is_bare: bool) -> None:
        """Print what would improve the next audit."""
        if in_doubt := self.count["in doubt"]:
            settled = counted(in_doubt, "finding")
            print_note(f"a date would settle {settled}; give --blame, or --as-of EDITION")
        if (bare := self.count["bare"]) and not is_bare:
            print_note(f"bare numbers such as 702.52a, not checked: {bare}; see --bare")


def _lines(told: Iterator[_Told], tally: _Tally, form: str) -> Iterator[str]:
    """Yield what is printed of findings in a format, as they arrive: "none" is nothing."""
    new = (each.finding for _, each, is_known in told if not is_known)
    if form == "json":
        yield from _listed('{"findings": [', map(_json, new))
        tail = _json({"notices": tally.notices, "summary": tally.summary})
        yield f"], {tail[1:]}\n"
    elif form == "sarif":
        run = {"tool": sarif.tool(PROGRAM), "columnKind": "unicodeCodePoints"}
        head = json.dumps({"$schema": sarif.SCHEMA, "version": sarif.VERSION})
        results = (
            sarif.result(each.finding, each.mark, _whole(each.finding), is_known=is_known)
            for _, each, is_known in told
            if each.finding.status != CURRENT
        )
        begin = f'{head[:-1]}, "runs": [{json.dumps(run)[:-1]}, "results": ['
        yield from [*_listed(begin, map(_json, results)), "]}]}\n"]
    elif form == "text":
        shown = (it for it in new if tally.with_notes or it.status != DOUBTFUL)
        for file, of_file in groupby(shown, key=attrgetter("file")):
            yield f"{file}\n"
            yield from (f"{line}\n" for line in _of_file(of_file))
    else:
        line_of = {"jsonl": _json, "github": _github_line}.get(form, lambda _: None)
        yield from (f"{line}\n" for line in map(line_of, new) if line)


def _listed(begin: str, values: Iterable[str]) -> Iterator[str]:
    sign = f"{begin}\n"
    for value in values:
        yield sign + value
        sign = ",\n"
    yield "\n" if sign == ",\n" else sign


def _json(value: object) -> str:
    """Return JSON, in ASCII if it contains lone surrogates."""
    text = json_text(value)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(value))
    return text


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


# Rewriting ----------------------------------------------------------------------------------------


def _rewritten(
    auditor: Auditor, reports: Iterable[Report], tally: _Tally, *, is_all: bool, is_trial: bool
) -> Iterator[Report]:
    """Rewrite citations, or show what would be rewritten; yield the reports without those."""
    for report in reports:
        path, may_be = Path(report.file), report.sure or (is_all and report.findings)
        rewritten = auditor.rewrite(path, is_all=is_all) if may_be else None
        if rewritten and rewritten.places:
            text_file, places = rewritten.text_file, rewritten.places
            new = text_file.encode(rewritten.text)
            try:
                if is_trial:
                    _print_diff(_unified_diff(report.file, text_file.encode(text_file.text), new))
                else:
                    write_text_file(path, new)
            except FileError as error:  # the other files can still be written
                report.notice = str(error)
                yield report
                continue
            tally.count["fixed"] += len(places)
            tally.count["fixed files"] += 1
            if not is_trial:
                tally.numbers += rewritten.numbers
                found = [(it.finding.line, it.finding.column) for it in report.findings]
                pairs = zip(report.findings, found, strict=True)
                report.findings = [it for it, place in pairs if place not in places]
        yield report


def _print_diff(diff: bytes) -> None:
    """Print a diff: escaped text on a terminal, else bytes that `patch` can apply."""
    if sys.stdout.isatty():
        text = diff.decode("utf-8", "backslashreplace").replace("\r\n", f"{RETURN}\n")
        click.echo(text.replace("\t", TAB), nl=False)
    else:
        click.echo(diff, nl=False)


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
