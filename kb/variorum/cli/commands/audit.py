"""`cr audit`: stale citations of rules in files."""

import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from variorum.answers.cited_heirs import CURRENT, STATUSES
from variorum.audit.baseline import (
    Baseline,
    RewrittenNumber,
    entry_of,
    load_baseline,
    relative_to_baseline,
    remember,
    remembered,
    still_there,
)
from variorum.audit.baseline import write_baseline as write_baseline_file
from variorum.audit.dates import best_fit
from variorum.audit.files import files_below, text_file_of
from variorum.audit.findings import Report
from variorum.audit.git_lines import REPORTED_EVERY
from variorum.audit.run import Auditor, audit_files
from variorum.audit.settings import Settings
from variorum.cli.audit_options import (
    STANDARD_INPUT,
    check_editions,
    check_options,
    check_piped,
    look_for,
    refuse_twice,
    settings_for,
)
from variorum.cli.command import NamedPath, edition_option, kb_option, open_base
from variorum.cli.layout import print_note
from variorum.cli.pages.audit import FORMATS, Tally, show_audit
from variorum.cli.pages.audit_fixes import Fixer
from variorum.errors import FINDINGS, INPUT_OUTPUT, NotReadableError
from variorum.files import LARGEST_AUDITED, read_standard_input
from variorum.paths import cache_folder
from variorum.terminal import RETURN, has_bar
from variorum.text import counted

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase

_SURE, _ALL = "sure", "all"
# The most lines named that were not rewritten.
_SHOWN_LINES = 5


class _AuditCommand(click.Command):
    """A command with an option `--fix` whose value is optional."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; a bare `--fix` means `--fix=sure`."""
        end = args.index("--") if "--" in args else len(args)
        bare = [f"--fix={_SURE}" if argument == "--fix" else argument for argument in args[:end]]
        return super().parse_args(ctx, bare + args[end:])


@click.command(cls=_AuditCommand)
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=NamedPath())
@edition_option(
    "--as-of",
    words="The edition that the citations were written for: a day, a month, a year, a set, first, latest.",
)
@edition_option(
    "--to", words="The edition whose numbers the citations should have. Default: the current one."
)
@click.option(
    "--blame/--no-blame",
    default=None,
    help="Date each line by git. Lines unknown to git are dated by --as-of.",
)
@edition_option(
    "--edition",
    words="Check every citation against this edition: its number must exist there, and the line must be about that rule.",
)
@edition_option(
    "--changed-since",
    words="List only citations whose rule was reworded, split, merged or removed since this edition, with the words.",
)
@click.option(
    "--since",
    metavar="REV",
    help="Look only at lines added since this revision of git.",
)
@click.option(
    "--prefix",
    "prefixes",
    metavar="WORD",
    multiple=True,
    help="Also treat numbers after this word or sign as citations. May be repeated.",
)
@click.option(
    "--bare",
    is_flag=True,
    default=None,
    help="Also treat bare numbers such as 702.52a as citations.",
)
@click.option(
    "--exclude",
    metavar="PATTERN",
    multiple=True,
    help="Leave out these files, as in .gitignore. May be repeated.",
)
@click.option(
    "--all-files",
    is_flag=True,
    default=None,
    help="Also read generated and minified files, logs, snapshots and the rules themselves.",
)
@click.option(
    "--ignore",
    type=click.Choice(STATUSES[1:]),
    multiple=True,
    metavar="STATUS",
    help=f"Don't report this status: {', '.join(STATUSES[1:])}. May be repeated.",
)
@click.option(
    "--all", "with_current", is_flag=True, help="Also list citations that are still correct."
)
@click.option("--notes", is_flag=True, help="Also list notes: citations in doubt.")
@click.option(
    "--fix",
    type=click.Choice((_SURE, _ALL)),
    metavar="[=all]",
    help="Rewrite citations whose new number is certain. With =all, also rewrite other findings, "
    "except uncertain ones. On a terminal, --fix=all asks about each. In a script, it does not ask; if "
    "there are several new numbers, it takes the first.",
)
@click.option(
    "--fix-strings",
    is_flag=True,
    default=None,
    help="With --fix, also rewrite string literals of programs, and data files such as JSON.",
)
@click.option(
    "--diff", "as_diff", is_flag=True, help="Show what --fix would rewrite, and change nothing."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="Output format.",
)
@click.option("--json", "as_json", is_flag=True, help="Same as --format json (docs/json.md).")
@click.option("--jsonl", "as_lines", is_flag=True, help="Print JSON lines, one for each finding.")
@click.option(
    "--baseline", type=NamedPath(), metavar="FILE", help="Ignore findings recorded in FILE."
)
@click.option(
    "--write-baseline", is_flag=True, help="Record the present findings in the baseline file."
)
@click.option(
    "--config",
    type=NamedPath(),
    metavar="FILE",
    help="Settings file. Default: the nearest variorum.toml or pyproject.toml.",
)
@click.option(
    "--jobs",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Number of processes. Default: one for each core.",
)
@click.option("--exit-zero", is_flag=True, help="Always exit 0, even if there are findings.")
@kb_option
def audit(
    paths: tuple[Path, ...],
    *,
    fix: str | None,
    as_diff: bool,
    form: str,
    as_json: bool,
    as_lines: bool,
    write_baseline: bool,
    config: Path | None,
    with_current: bool,
    notes: bool,
    jobs: int,
    exit_zero: bool,
    edition: str | None,
    kb: Path | None,
    **chosen: object,
) -> None:
    """Find citations of rules in files, and report those that have gone stale.

    Files may be any text: programs, Markdown, CSV, JSON. Files that git ignores are left out.

    \b
    cr audit src --as-of M10          everything was written for the rules of M10
    cr audit src --blame              date each line by git
    cr audit src --blame --diff       show what --fix would rewrite
    cr audit src --blame --fix        rewrite what is certain
    cr audit src --changed-since M10  list citations whose rule changed since
    cr audit src --since HEAD         check only lines added since a commit
    cr audit - --edition current      check standard input
    cr audit --format github          in a workflow (docs/audit.md)
    """  # noqa: D301 - click reads \b
    paths = paths or (Path(),)
    look_for(paths)
    settings = settings_for(config, paths, chosen, edition)
    is_page = not (as_json or as_lines) and form == "text"
    check_options(
        settings, write_baseline=write_baseline, fix=fix, as_diff=as_diff, is_page=is_page
    )
    if STANDARD_INPUT in map(str, paths):
        check_piped(paths, settings, is_fixed=bool(fix or as_diff))
    with open_base(kb) as base:
        check_editions(base, settings)
        reports = _reports(base, settings, paths, jobs=jobs, with_current=with_current)
        if write_baseline and settings.baseline is not None:
            _write_baseline(settings, paths, reports)
            return
        known = _known(settings, paths)
        tally = Tally(
            base.edition(settings.to).label, known, with_notes=notes or with_current or not is_page
        )
        fixer: Fixer | None = None
        if fix and not as_diff and settings.as_of:
            refuse_twice(base, settings, paths, known)
        if fix or as_diff:
            auditor, ignored = Auditor(base, settings), settings.ignore
            fixer = Fixer(auditor, tally, ignored, is_all=fix == _ALL, is_trial=as_diff)
            reports = fixer.fix(reports)
        page = "none" if as_diff else "jsonl" if as_lines else "json" if as_json else form
        show_audit(reports, tally, page)
        if fixer is not None and not as_diff:
            _remember(settings, fixer.numbers)
        _advise(base, settings, tally, is_fixed=bool(fix) and not as_diff)
    if (tally.failed or tally.unread) and not exit_zero:
        raise click.exceptions.Exit(INPUT_OUTPUT if tally.unread else FINDINGS)


def _remember(settings: Settings, numbers: Sequence[RewrittenNumber]) -> None:
    """Record the rewritten numbers in the baseline or, without one, in the user's cache."""
    if not numbers or settings.blame:
        return
    if settings.baseline is not None:
        known = load_baseline(settings.baseline)
        write_baseline_file(settings.baseline, known.known, known.rewritten.add(numbers))
        return
    folder = settings.folder.absolute()
    there = [number._replace(file=os.path.normpath(folder / number.file)) for number in numbers]
    cache = cache_folder()
    remember(cache, remembered(cache).add(there))


def _reports(
    base: "KnowledgeBase",
    settings: Settings,
    paths: Sequence[Path],
    *,
    jobs: int,
    with_current: bool,
) -> Iterator[Report]:
    """Return the reports of files, or of standard input."""
    if str(paths[0]) == STANDARD_INPUT:
        return _piped(Auditor(base, settings), with_current=with_current)
    files = _not_our_own(files_below(paths, settings.exclude, settings.folder))
    return audit_files(
        base, settings, files, jobs=jobs, with_current=with_current, progress=_progress
    )


def _piped(auditor: Auditor, *, with_current: bool) -> Iterator[Report]:
    """Yield the reports of standard input.

    Raises:
        NotReadableError: Standard input is not text.
    """
    text_file = text_file_of(read_standard_input(LARGEST_AUDITED))
    if text_file is None:
        raise NotReadableError("standard input: not text")
    yield auditor.audit_text(text_file.text, Path(STANDARD_INPUT), with_current=with_current)


def _not_our_own(files: Iterator[Path]) -> Iterator[Path]:
    """Leave out the file that stdout is redirected to, if any."""
    try:
        output = os.fstat(sys.stdout.fileno())
    except (OSError, ValueError):  # replaced by a test, or closed
        return files
    if not stat.S_ISREG(output.st_mode):
        return files
    return (path for path in files if not _is_same(path, output))


def _is_same(path: Path, output: os.stat_result) -> bool:
    try:
        return os.path.samestat(path.stat(), output)
    except OSError:
        return False


def _known(settings: Settings, paths: Sequence[Path]) -> Baseline:
    if settings.baseline is None:
        return Baseline()
    known = load_baseline(settings.baseline, settings.ignore)
    known.look_for(paths, settings.baseline.parent)
    return known


def _write_baseline(settings: Settings, paths: Sequence[Path], reports: Iterable[Report]) -> None:
    """Record findings in the baseline, keeping its records of other files."""
    file = cast("Path", settings.baseline)
    is_there = file.exists() and file.stat().st_size > 0
    known = _known(settings, paths) if is_there else Baseline()
    entries: list[Mapping[str, str]] = []
    for report in reports:
        known.look_into(report.known_as)
        findings = [marked for marked in report.findings if marked.finding.status != CURRENT]
        entries += [entry_of(each.finding, each.known_as, each.mark) for each in findings]
        if report.notice or report.left_alone:
            print_note(report.notice or report.left_alone)
    written = [
        number._replace(file=relative_to_baseline(Path(number.file), settings))
        for number in still_there(remembered(cache_folder()), paths)
    ]
    count = write_baseline_file(file, [*known.others, *entries], known.rewritten.add(written))
    print_note(f"{file}: {counted(count, 'finding')} recorded")


def _advise(base: "KnowledgeBase", settings: Settings, tally: Tally, *, is_fixed: bool) -> None:
    """Print hints that would improve the next audit."""
    if tally.in_doubt:
        fit = best_fit(base, tally.undated)
        when = (
            f"the edition of {fit.first}"
            if fit.first == fit.last
            else f"each edition of {fit.first} to {fit.last}"
        )
        print_note(
            f"{counted(fit.total, 'citation')} without a date; give --blame, or --as-of EDITION: {fit.known:,} of "
            f"them cite a number that {when} has"
        )
    if tally.late:
        print_note(
            f"{counted(tally.late, 'citation')} dated before the cited number existed; is the date right?"
        )
    if tally.bare and not settings.bare:
        print_note(f"bare numbers such as 702.52a, not checked: {tally.bare}; see --bare")
    if tally.waiting:
        print_note(
            f"not rewritten: {counted(len(tally.waiting), 'citation')} ({_places(tally.waiting)}); their "
            "lines also have citations that --fix leaves alone, and a rewrite would give the whole line a new "
            "date in git; correct the lines by hand"
        )
    is_recorded = settings.blame or settings.baseline is not None
    is_moved = base.edition(settings.as_of or "current").label != tally.to
    if is_fixed and tally.fixed and is_moved and not is_recorded:
        print_note(
            f"rewritten citations now have the numbers of {tally.to}; another --fix with --as-of "
            f"{settings.as_of} would change them again"
        )


def _places(waiting: Sequence[str]) -> str:
    """Name the first lines, and say how many more there are."""
    lines = list(dict.fromkeys(waiting))
    more = [f"{len(lines) - _SHOWN_LINES} more"] if len(lines) > _SHOWN_LINES else []
    return ", ".join([*lines[:_SHOWN_LINES], *more])


def _progress(read: int, of: int) -> None:
    """Show on a terminal how much of the git history was read."""
    if has_bar():
        end = "\n" if read + REPORTED_EVERY > of else RETURN
        click.echo(f"cr: history: {read:,} of {of:,} commits{end}", err=True, nl=False)
