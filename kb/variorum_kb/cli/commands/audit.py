"""`cr audit`: stale citations of rules in files."""

import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from variorum_kb.answers.heirs import CURRENT, STATUSES
from variorum_kb.audit.baseline import Baseline, entry_of, load_baseline
from variorum_kb.audit.baseline import write_baseline as write_baseline_file
from variorum_kb.audit.citation_days import relative_to_baseline
from variorum_kb.audit.dating import best_fit
from variorum_kb.audit.finding import take_sure
from variorum_kb.audit.many_files import audit_files
from variorum_kb.audit.message import message_of, numbers_of
from variorum_kb.audit.rewritten_lines import RewrittenNumber
from variorum_kb.audit.run import Auditor, Report, can_stand, take_main
from variorum_kb.audit.second_run import remember, remembered, still_there
from variorum_kb.audit.settings import Settings, find_settings, load_settings
from variorum_kb.audit.text_file import write_text_file
from variorum_kb.audit.tree import files_below
from variorum_kb.cli.arguments import NamedPath
from variorum_kb.cli.failures import FINDINGS, INPUT_OUTPUT
from variorum_kb.cli.options import edition_option, kb_option, open_base
from variorum_kb.cli.pages.audit import FORMATS, Tally, show_audit, unified_diff
from variorum_kb.errors import NoEditionError, NotReadableError, NotWritableError, SettingsError
from variorum_kb.forms.audit import AuditFindingJson
from variorum_kb.system.default_folders import cache_folder
from variorum_kb.system.terminal import RETURN, TAB, has_bar
from variorum_kb.text.counts import counted

if TYPE_CHECKING:
    from variorum_kb.answers.knowledge_base import KnowledgeBase
    from variorum_kb.audit.verdict import CitationVerdict

_SURE, _ALL = "sure", "all"
# The fewest commits for which progress is shown.
_LAST = 100


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
@edition_option("--to", words="The edition that they should be right in. Default: the current one.")
@click.option(
    "--blame/--no-blame",
    default=None,
    help="Date each line by git. Lines unknown to git are dated by --as-of.",
)
@edition_option(
    "--edition", words="Require that each number is in this edition and says what its line says."
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
    "--ignore",
    type=click.Choice(STATUSES[1:]),
    multiple=True,
    metavar="STATUS",
    help=f"Don't report this status: {', '.join(STATUSES[1:])}. May be repeated.",
)
@click.option(
    "--all", "with_current", is_flag=True, help="Also list citations that are still correct."
)
@click.option(
    "--fix",
    type=click.Choice((_SURE, _ALL)),
    metavar="[=all]",
    help="Rewrite certain citations. With =all, also rewrite the rest: ask on a terminal, else take "
    "the main heir.",
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
    cr audit src --blame --fix        rewrite certain citations
    cr audit src --since HEAD         check only lines added since a commit
    cr audit --format github          in a workflow (docs/audit.md)
    """  # noqa: D301 - click reads \b
    paths = paths or (Path(),)
    _look_for(paths)
    settings = _settings(config, paths, chosen, edition)
    is_page = not (as_json or as_lines) and form == "text"
    _check_options(
        settings, write_baseline=write_baseline, fix=fix, as_diff=as_diff, is_page=is_page
    )
    with open_base(kb) as base:
        _check_editions(base, settings)
        files = _not_our_own(files_below(paths, settings.exclude, settings.folder))
        reports = audit_files(
            base, settings, files, jobs=jobs, with_current=with_current, progress=_progress
        )
        if write_baseline and settings.baseline is not None:
            _write_baseline(settings, paths, reports)
            return
        known = _known(settings, paths)
        tally = Tally(base.edition(settings.to).label, known)
        fixer: _Fixer | None = None
        if fix and not as_diff and settings.as_of:
            _refuse_twice(base, settings, paths, known)
        if fix or as_diff:
            auditor, ignored = Auditor(base, settings), settings.ignore
            fixer = _Fixer(auditor, tally, ignored, is_all=fix == _ALL, is_trial=as_diff)
            reports = fixer.fix(reports)
        page = "none" if as_diff else "jsonl" if as_lines else "json" if as_json else form
        show_audit(reports, tally, page)
        if fixer is not None and not as_diff:
            _remember(settings, fixer.numbers)
        _advise(base, settings, tally, is_fixed=bool(fix) and not as_diff)
    if (tally.failed or tally.unread) and not exit_zero:
        raise click.exceptions.Exit(INPUT_OUTPUT if tally.unread else FINDINGS)


def _refuse_twice(
    base: "KnowledgeBase", settings: Settings, paths: Sequence[Path], known: Baseline
) -> None:
    """Refuse to rewrite numbers that an earlier run has rewritten.

    Raises:
        UsageError: There are such numbers that the baseline does not record.
    """
    numbers = remembered(Path(cache_folder()))
    edition = base.edition(settings.as_of).label
    for number in still_there(numbers, paths, edition):
        file = relative_to_baseline(Path(number.file), settings)
        if known.rewritten.edition(file, number.mark, number.number):
            continue
        raise click.UsageError(
            f"{number.file} was rewritten before, and cites {number.number} by the edition of "
            f"{number.edition}; another --fix with --as-of {settings.as_of} would move it again. Record "
            "what was rewritten with --baseline FILE --write-baseline, or leave the file out"
        )


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
    cache = Path(cache_folder())
    remember(cache, remembered(cache).add(there))


def _check_options(
    settings: Settings, *, write_baseline: bool, fix: str | None, as_diff: bool, is_page: bool
) -> None:
    """Refuse options that contradict each other.

    Raises:
        UsageError: Some do.
    """
    if write_baseline and settings.baseline is None:
        raise click.UsageError("--write-baseline needs --baseline FILE, or one in the settings")
    if write_baseline and (fix or as_diff):
        raise click.UsageError("--write-baseline goes with neither --fix nor --diff")
    if as_diff and not is_page:
        raise click.UsageError("--diff prints a patch; leave out --json or --format")


def _settings(
    config: Path | None, paths: Sequence[Path], chosen: Mapping[str, object], edition: str | None
) -> Settings:
    if edition is not None:
        if chosen["as_of"] or chosen["to"] or chosen["blame"]:
            raise click.UsageError("--edition goes with none of --as-of, --to and --blame")
        chosen = {**chosen, "as_of": edition, "to": edition, "blame": False}
    start = paths[0] if paths[0].is_dir() else paths[0].absolute().parent
    settings = load_settings(config) if config else find_settings(start)
    if settings.blame and not config:
        # The settings may belong to a stranger's tree.
        settings = settings.given(blame=False)
        if chosen["blame"] is None:
            _note(
                f"{settings.folder}: blame = true counts only in settings that --config names; "
                "give --blame"
            )
    # Patterns of the command line are added to those of the settings; other values replace them.
    more: dict[str, object] = {}
    for name in ("prefixes", "exclude", "ignore"):
        more[name] = (*getattr(settings, name), *cast("tuple[str, ...]", chosen[name]))
    settings = settings.given(**{**chosen, **more})
    return settings if edition is None else replace(settings, dated=())


def _look_for(paths: Sequence[Path]) -> None:
    """Check that files and folders exist.

    Raises:
        NotReadableError: One does not, or cannot be read.
    """
    for path in paths:
        try:
            path.stat()
        except OSError as error:
            raise NotReadableError(f"{path}: {error.strerror}") from None


def _check_editions(base: "KnowledgeBase", settings: Settings) -> None:
    """Check the designators of editions before anything is audited.

    Raises:
        SettingsError: One names no edition.
    """
    followed = [edition for _, edition in settings.follows]
    for designator in (
        settings.to,
        settings.as_of,
        *[dated.as_of for dated in settings.dated],
        *followed,
    ):
        try:
            base.edition(designator or "current")
        except NoEditionError as error:
            raise SettingsError(str(error)) from None


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
        findings = [marked for marked in report.found if marked.finding["status"] != CURRENT]
        entries += [entry_of(each.finding, each.known_as, each.mark) for each in findings]
        if report.notice:
            _note(report.notice)
    written = [
        number._replace(file=relative_to_baseline(Path(number.file), settings))
        for number in still_there(remembered(Path(cache_folder())), paths)
    ]
    count = write_baseline_file(file, [*known.others, *entries], known.rewritten.add(written))
    _note(f"{file}: {counted(count, 'finding')} recorded")


def _advise(base: "KnowledgeBase", settings: Settings, tally: Tally, *, is_fixed: bool) -> None:
    """Print hints that would improve the next audit."""
    if tally.in_doubt:
        fit = best_fit(base, tally.undated)
        when = fit.first if fit.first == fit.last else f"{fit.first} to {fit.last}"
        _note(
            f"{counted(fit.total, 'citation')} without a date; give --blame, or --as-of EDITION: most of their "
            f"numbers ({fit.known}) are in the editions of {when}"
        )
    if tally.late:
        _note(
            f"{counted(tally.late, 'citation')} of numbers that came after the date of the citation; "
            "is the date right?"
        )
    if tally.bare and not settings.bare:
        _note(f"numbers such as 702.52a without a word before them: {tally.bare}; see --bare")
    if tally.waiting:
        _note(
            f"not rewritten, though certain: {counted(tally.waiting, 'citation')}; git would date all of their "
            "lines again, and something else there is in doubt; settle both by hand"
        )
    is_recorded = settings.blame or settings.baseline is not None
    is_moved = base.edition(settings.as_of or "current").label != tally.to
    if is_fixed and tally.fixed and is_moved and not is_recorded:
        _note(
            f"what was rewritten is right by {tally.to} now; another --fix with --as-of "
            f"{settings.as_of} would move it again"
        )


def _print_diff(diff: bytes) -> None:
    """Print a diff: escaped text on a terminal, else bytes that `patch` can apply."""
    if not sys.stdout.isatty():
        click.echo(diff, nl=False)
        return
    text = diff.decode("utf-8", "backslashreplace")
    click.echo(text.replace("\r\n", f"{RETURN}\n").replace("\t", TAB), nl=False)


def _progress(read: int, of: int) -> None:
    """Show on a terminal how much of the git history was read."""
    if has_bar():
        end = "\n" if read + _LAST > of else RETURN
        click.echo(f"cr: history: {read:,} of {of:,} commits{end}", err=True, nl=False)


def _note(text: str) -> None:
    click.echo(f"cr: {text}", err=True)


class _Fixer:
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
            if report.sure or (self._is_all and report.found):
                self._fix(report)
            yield report

    def _fix(self, report: Report) -> None:
        path = Path(report.file)
        rewritten = self._auditor.rewrite(path, self._choose)
        self._tally.waiting += rewritten.waiting if rewritten else 0
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
            report.found = [
                marked
                for marked in report.found
                if (marked.finding["line"], marked.finding["column"]) not in rewritten.places
            ]
            self.numbers += rewritten.numbers
        self._tally.fixed += len(rewritten.places)
        self._tally.fixed_files += 1

    def _choose(
        self, verdict: "CitationVerdict", finding: AuditFindingJson
    ) -> tuple[str, str] | None:
        if verdict.status in self._ignored:
            return None
        sure = take_sure(verdict)
        if sure is not None or not self._is_all:
            return sure
        heir = take_main(verdict)
        if heir is None or not self._asks:
            return heir
        where = f"{finding['file']}:{finding['line']}:{finding['column']}"
        click.echo(f"{where}: {finding['cited']}: {message_of(finding)}", err=True)
        named = zip(numbers_of(finding), verdict.heirs, strict=True)
        heirs = {name: heir for name, heir in named if can_stand(heir)}
        choice = click.Choice([*heirs, "leave"])
        return heirs.get(click.prompt("  cite", type=choice, default="leave", err=True))
