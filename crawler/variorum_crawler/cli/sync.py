"""`cr sync`: bring the knowledge base up to date with what is published."""

import contextlib
import logging
import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from variorum.build.outcomes import AlreadyKnown, Heard, Refused, Taken
from variorum.cli.arguments import NamedPath
from variorum.cli.failures import explained
from variorum.cli.options import json_option, kb_option, open_base, timing_option
from variorum.cli.pages.watch import set_report
from variorum.cli.printing import print_json
from variorum.errors import BaseBusyError, NoBaseError, NotWritableError, SettingsError
from variorum.exit_codes import FINDINGS, INTERRUPTED, NEW_EDITION
from variorum.records.watch import WatchReportJson
from variorum.search.indexes.current_indexes import BaseIndexes
from variorum.system.default_folders import base_folder
from variorum.system.default_jobs import default_jobs
from variorum.system.lock import locked
from variorum.system.terminal import has_bar, page_width, unescaped
from variorum.watch.watch_list import brought_up_to, load_watched, save_watched
from variorum_crawler.errors import SourceError
from variorum_crawler.fetch.fetcher import PAUSE, RETRIES, TIMEOUT, Fetcher, FetchSettings
from variorum_crawler.places.sources import Source, choose, load_sources, named_hosts
from variorum_crawler.sync.crawl_state import CRAWL
from variorum_crawler.sync.hook import HookError, run_hook, split_command
from variorum_crawler.sync.progress import (
    Event,
    Failed,
    Further,
    Got,
    Looking,
    Next,
    Quarantined,
    Read,
    Spared,
)
from variorum_crawler.sync.report import Report
from variorum_crawler.sync.sync import Sync

log = logging.getLogger(__name__)


class _Command(click.ParamType[str]):
    """A command of the user's to run."""

    name = "command"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the command; fail if it cannot be split into words."""
        try:
            split_command(value)
        except HookError as error:
            self.fail(str(error), param, ctx)
        return value


# Options that are gone, with what takes their place.
_GONE = {
    "dry_run": "cr sync fetches only what is new or changed; --only NAME asks one source",
    "offline": "cr build PATH adds documents on this computer",
}


def _refuse(ctx: click.Context, param: click.Parameter, value: object) -> None:
    """Refuse an option that is gone."""
    del ctx
    if value:
        name = str(param.name)
        raise SettingsError(f"--{name.replace('_', '-')} is gone; {_GONE[name]}")


@click.command()
@click.option(
    "--sources",
    type=NamedPath(),
    metavar="FILE",
    help="A file that replaces or adds to the built-in sources.",
)
@click.option(
    "--only", multiple=True, metavar="NAME", help="Ask only this source. May be repeated."
)
@click.option("--offline", is_flag=True, hidden=True, expose_value=False, callback=_refuse)
@click.option("--dry-run", is_flag=True, hidden=True, expose_value=False, callback=_refuse)
@click.option("--exit-code", is_flag=True, help="Exit 10 if there is a new edition.")
@click.option(
    "--hook", type=_Command(), metavar="COMMAND", help="Run this command if there is a new edition."
)
@click.option(
    "--pause",
    type=click.FloatRange(0, 3600),
    default=PAUSE,
    metavar="SECONDS",
    show_default=True,
    help="Seconds between two requests to the same host.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, 3600, min_open=True),
    default=TIMEOUT,
    metavar="SECONDS",
    show_default=True,
    help="Seconds to wait for a response.",
)
@click.option(
    "--retries",
    type=click.IntRange(0, 20),
    metavar="N",
    default=RETRIES,
    show_default=True,
    help="How many times to retry temporary failures.",
)
@click.option(
    "--jobs", type=click.IntRange(1), metavar="N", help="Number of processes that read documents."
)
@json_option
@timing_option
@kb_option
def sync(
    *,
    sources: Path | None,
    only: tuple[str, ...],
    exit_code: bool,
    hook: str | None,
    pause: float,
    timeout: float,
    retries: int,
    jobs: int | None,
    as_json: bool,
    kb: Path | None,
) -> None:
    """Bring the knowledge base up to date with what is published.

    Finds editions where they are published, fetches new ones and builds them in. For documents it
    has, it only asks whether they changed. Documents that cannot be trusted go to quarantine, with
    the reason, and the base stays as it was. It is safe to interrupt.

    Exits 0 if all is well, whether or not there is a new edition. Exits 1 if a source failed
    entirely, a document went to quarantine or the command of --hook failed.

    \b
    cr sync                              every known edition, and the next one
    cr sync --exit-code                  exit 10 if there is a new edition
    cr sync --sources my.toml            from other places, too
    """  # noqa: D301 - click reads \b
    folder = Path(base_folder(kb))
    every = load_sources(sources)
    try:
        chosen = choose(every, only)
    except SourceError as error:
        raise click.UsageError(str(error)) from None
    settings = FetchSettings(
        pause=pause, timeout=timeout, retries=retries, private_hosts=named_hosts(every)
    )
    with _interruptible(), Fetcher(settings) as fetcher, _only_one(folder):
        report = _run(folder, fetcher, chosen, jobs)
        report.watched = _report_on_watched(folder)
    if hook and report.new:
        _hook(hook, folder, report)
    if as_json:
        print_json(report.json())
    else:
        click.echo(report.line())
        if report.watched is not None:
            page = set_report(report.watched, width=page_width())
            click.echo(page, nl=False)
    code = NEW_EDITION if exit_code and report.new else 0
    is_hooked = report.hook in {"", "done"}
    if not report.is_well and not (code and is_hooked):
        code = FINDINGS
    if code:
        raise click.exceptions.Exit(code)


@contextlib.contextmanager
def _interruptible() -> Generator[None]:
    """Turn Ctrl-C into one line and the exit code that shells expect."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo("cr: interrupted; the next cr sync fetches what is missing", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None


@contextlib.contextmanager
def _only_one(folder: Path) -> Generator[None]:
    """Hold the lock that prevents a second sync of this base.

    Raises:
        BaseBusyError: Another sync is running.
        NotWritableError: The folder cannot be written.
    """
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(locked(folder / CRAWL))
        except BaseBusyError:
            raise BaseBusyError(
                f"{folder}: another cr sync is running; wait until it is done"
            ) from None
        yield


def _run(
    folder: Path,
    fetcher: Fetcher,
    sources: Sequence[Source],
    jobs: int | None,
) -> Report:
    run = Sync(folder, fetcher, datetime.now(UTC), jobs or default_jobs())
    for problem in list(_watch(run.run(sources), len(sources))):
        click.echo(f"cr: {problem}", err=True)
    _index(folder)
    run.close()
    return run.report


def _watch(events: Iterable[Event], sources: int) -> Iterator[str]:
    """Consume the events, with a progress bar on a terminal; yield lines that a person should read."""
    label, questions, looked = "asking", 0, 0
    with click.progressbar(
        length=max(sources, 1), label=label, file=unescaped(sys.stderr), hidden=not has_bar()
    ) as bar:
        for event in events:
            match event:
                case Looking(source):
                    label, questions = f"asking {source}", 0
                    bar.update(min(looked, 1))
                    looked += 1
                case Got() | Spared():
                    questions += 1
                    bar.label = f"{label}: {questions}"
                    bar.render_progress()
                case Next(what, documents):
                    bar.label, bar.length, bar.pos = what, documents, 0
                    bar.render_progress()
                case Read() | Taken() | Heard() | AlreadyKnown():
                    bar.update(1)
                case _:
                    yield from _problem(event)


def _problem(event: Event) -> Iterator[str]:
    """Yield a line if an event is a problem."""
    match event:
        case Failed(source, address, reason):
            yield f"{source}: {address}: {reason}" if address else f"{source} failed: {reason}"
        case Quarantined(entry, address, True):
            yield f"quarantined {entry.sha256[:12]} of {address}: {entry.reason}"
        case Further(received, effective):
            yield (
                f"{effective} has another issue: {received.address} has other bytes than those known"
            )
        case Refused(error):
            yield explained(error)
        case _:
            pass


def _index(folder: Path) -> None:
    """Bring the search indexes up to date; the base is sound without them."""
    try:
        with open_base(folder) as base:
            BaseIndexes(base).keep_in_step()
    except NoBaseError:
        return
    except (BaseBusyError, NotWritableError) as error:
        click.echo(f"cr: the search index is not up to date: {error}", err=True)


def _report_on_watched(folder: Path) -> WatchReportJson | None:
    """Return what changed in everything watched since the last report; record the new report."""
    # It needs pathspec, which the building of man pages has not.
    from variorum.watch.report import report_on

    watched = load_watched(folder)
    if not watched:
        return None
    with open_base(folder) as base:
        latest = base.edition("latest")
        report, names = report_on(base, watched, latest)
    save_watched(folder, brought_up_to(watched, names, latest.label))
    return report


def _hook(command: str, folder: Path, report: Report) -> None:
    try:
        run_hook(command, folder, report.new)
    except HookError as error:
        report.hook = str(error)
        click.echo(f"cr: {error}; the knowledge base is up to date all the same", err=True)
    else:
        report.hook = "done"
