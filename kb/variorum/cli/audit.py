"""`cr audit`: stale citations of rules in files."""

import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import click

from variorum.audit.baseline import Baseline, entry_of, load_baseline, remember, remembered_below
from variorum.audit.baseline import write_baseline as write_baseline_file
from variorum.audit.files import files_below, text_file_of
from variorum.audit.findings import Report
from variorum.audit.run import Auditor, audit_files
from variorum.audit.settings import Settings, find_settings, load_settings
from variorum.cli import command as opts
from variorum.cli.audit_report import FORMATS, Fixer, Tally, show_audit
from variorum.cli.layout import print_note
from variorum.errors import FINDINGS, INPUT_OUTPUT, FileError, NotFoundError, WrongUsageError
from variorum.files import LARGEST_AUDITED, read_standard_input
from variorum.records.audit import CURRENT, STATUSES
from variorum.text import counted

_SURE, _ALL, _PIPED = "sure", "all", "-"
# The options that are settings, which a file may also have.
_CHOSEN = (
    "as_of to blame changed_since since prefixes bare exclude all_files ignore fix_strings baseline"
)


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
    prefix={"name": "prefixes", "multiple": True},
    bare={"default": None},
    exclude={"multiple": True},
    all_files={"default": None},
    ignore={"type": click.Choice(STATUSES[1:]), "multiple": True},
    all={"name": "with_current"},
    fix={"type": click.Choice((_SURE, _ALL)), "metavar": "[=all]"},
    fix_strings={"default": None},
    diff={"name": "as_diff"},
    format={"name": "form", "type": click.Choice(FORMATS), "default": "text"},
    json={"name": "as_json"},
    jsonl={"name": "as_lines"},
    jobs={"type": click.IntRange(0), "default": 0},
    cls=_AuditCommand,
    apart=(
        "--edition --as-of",
        "--edition --to",
        "--edition --blame",
        "--write-baseline --fix",
        "--write-baseline --diff",
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
                       findings, except uncertain ones. On a terminal, --fix=all asks about each. In a
                       script, it does not ask; if there are several new numbers, it takes the first.
    --fix-strings      With --fix, also rewrite string literals of programs, and data files such as JSON.
    --diff             Show what --fix would rewrite, and change nothing.
    --format FORM      Output format: text, json, sarif, github.
    --json             Same as --format json (docs/json.md).
    --jsonl            Print JSON lines, one for each finding.
    --baseline FILE    Ignore findings recorded in FILE.
    --write-baseline   Record the present findings in the baseline file.
    --config FILE      Settings file. Default: the nearest variorum.toml or pyproject.toml.
    --jobs N           Number of processes. Default: one for each core.
    --exit-zero        Always exit 0, even if there are findings.
    --kb
    """
    paths: Sequence[Path] = o.paths or (Path(),)
    is_piped = _PIPED in map(str, paths)
    for path in () if is_piped else paths:
        try:
            path.stat()
        except OSError as error:
            raise FileError(f"{path}: {error.strerror}") from None
    settings = _settings_for(o, paths)
    form = "jsonl" if o.as_lines else "json" if o.as_json else o.form
    _check_options(settings, paths, o, is_page=form == "text")
    with opts.open_base(o.kb) as base:
        try:  # before anything is audited
            for designator in (settings.to, settings.as_of, settings.changed_since):
                base.edition(designator or "current")
        except NotFoundError as error:
            raise WrongUsageError(str(error)) from None
        auditor = Auditor(base, settings)
        if is_piped:
            reports: Iterable[Report] = [_piped(auditor, with_current=o.with_current)]
        else:
            files = _not_our_own(files_below(paths, settings.exclude, settings.folder))
            reports = audit_files(auditor, files, jobs=o.jobs, with_current=o.with_current)
        if o.write_baseline and settings.baseline is not None:
            _write_baseline(settings, paths, settings.baseline, reports)
            return
        with_notes = o.notes or o.with_current or form != "text"
        tally = Tally(base.edition(settings.to).label, _known(settings, paths), with_notes)
        fixer = Fixer(auditor, tally, is_all=o.fix == _ALL, is_trial=o.as_diff)
        if o.fix or o.as_diff:
            reports = fixer.fix(reports)
        show_audit(reports, tally, "none" if o.as_diff else form)
        if fixer.numbers and not settings.blame:
            remember(settings, fixer.numbers)
        tally.print_hints(is_bare=settings.bare)
    if (tally.failed or tally.unread) and not o.exit_zero:
        opts.end(INPUT_OUTPUT if tally.unread else FINDINGS)


def _piped(auditor: Auditor, *, with_current: bool) -> Report:
    text_file = text_file_of(read_standard_input(LARGEST_AUDITED))
    if text_file is None:
        raise FileError("standard input: not text")
    return auditor.audit_text(text_file.text, Path(_PIPED), with_current=with_current)


def _not_our_own(files: Iterator[Path]) -> Iterator[Path]:
    """Leave out the file that stdout is redirected to, if any."""
    with suppress(OSError, ValueError):  # replaced by a test, or closed
        own = os.fstat(sys.stdout.fileno())
        if stat.S_ISREG(own.st_mode):
            return (it for it in files if not (it.exists() and os.path.samestat(it.stat(), own)))
    return files


def _known(settings: Settings, paths: Sequence[Path]) -> Baseline:
    known = load_baseline(settings.baseline) if settings.baseline else Baseline()
    known.look_for(paths, settings.baseline.parent if settings.baseline else Path())
    return known


def _write_baseline(
    settings: Settings, paths: Sequence[Path], file: Path, reports: Iterable[Report]
) -> None:
    """Record findings in the baseline, keeping its records of other files."""
    is_there = file.exists() and file.stat().st_size > 0
    known = _known(settings, paths) if is_there else Baseline()
    entries: list[Mapping[str, str]] = []
    for report in reports:
        known.look_into(report.known_as)
        findings = [marked for marked in report.findings if marked.finding.status != CURRENT]
        entries += [entry_of(report.known_as, each) for each in findings]
        if report.notice or report.left_alone:
            print_note(report.notice or report.left_alone)
    written = [*known.rewritten, *remembered_below(paths)]
    count = write_baseline_file(file, [*known.others, *entries], written)
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


def _check_options(
    settings: Settings, paths: Sequence[Path], o: SimpleNamespace, *, is_page: bool
) -> None:
    """Refuse options that contradict the settings or standard input."""
    is_piped = _PIPED in map(str, paths)
    is_rewrite = o.fix or o.as_diff
    refused = {
        "--write-baseline needs --baseline FILE, or one in the settings": (
            o.write_baseline and settings.baseline is None
        ),
        "--changed-since cannot be combined with --fix, --diff or --write-baseline": (
            settings.changed_since and (o.write_baseline or is_rewrite)
        ),
        "--diff prints a patch; leave out --json or --format": o.as_diff and not is_page,
        "- is standard input and cannot be combined with other paths": is_piped and len(paths) > 1,
        (
            "standard input cannot be rewritten or dated by git; leave out --fix, --diff, --blame "
            "and --since"
        ): is_piped and (is_rewrite or settings.blame or settings.since),
    }
    for message, is_wrong in refused.items():
        if is_wrong:
            raise click.UsageError(message)
