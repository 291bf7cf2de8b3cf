"""`cr sync`: bring the knowledge base up to date with what is published."""

import contextlib
import os
import shlex
import subprocess
import sys
from collections.abc import Generator, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import click

from variorum.answers.diff import find_changes
from variorum.cli import command as opts
from variorum.cli.changes import head
from variorum.cli.layout import print_note
from variorum.errors import (
    FINDINGS,
    INTERRUPTED,
    NEW_EDITION,
    BaseBusyError,
    NoBaseError,
    NotWritableError,
)
from variorum.files import locked
from variorum.paths import base_folder
from variorum.records.upkeep import SyncResult
from variorum.search.index import SearchIndexes
from variorum.terminal import has_bar, unescaped
from variorum.text import visible
from variorum_crawler.errors import SourceError
from variorum_crawler.fetch import PAUSE, RETRIES, TIMEOUT, Fetcher, FetchSettings
from variorum_crawler.seen import CRAWL, SeenTable
from variorum_crawler.sources import choose, load_sources, named_hosts
from variorum_crawler.sync import Sync, is_well, report_line

_SECONDS = click.FloatRange(0, 3600)
_SOME_SECONDS = click.FloatRange(0, 3600, min_open=True)
_SHOWN = {"show_default": True}


class _Command(click.ParamType[list[str]]):
    """A command of the user's, quoted as in a shell; no shell runs it."""

    name = "command"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> list[str]:
        """Return the words of the command."""
        try:
            words = shlex.split(value, posix=sys.platform != "win32")
        except ValueError as error:
            self.fail(f"{value}: not a command: {error}", param, ctx)
        return words or self.fail("the hook is empty", param, ctx)


@opts.command(
    only={"multiple": True},
    hook={"type": _Command()},
    pause={"type": _SECONDS, "default": PAUSE, **_SHOWN},
    timeout={"type": _SOME_SECONDS, "default": TIMEOUT, **_SHOWN},
    retries={"type": click.IntRange(0, 20), "default": RETRIES, **_SHOWN},
    is_alone=True,
)
def sync(o: SimpleNamespace) -> opts.Answer:
    """Bring the knowledge base up to date with what is published.

    Finds editions where they are published, fetches new ones and builds them in. For documents it
    has, it only asks whether they changed. Documents that cannot be trusted go to quarantine, with
    the reason, and the base stays as it was. It is safe to interrupt.

    Exits 0 if all is well, whether or not there is a new edition. Exits 1 if a source failed
    entirely, a document went to quarantine or the command of --hook failed.

    cr sync                              every known edition, and the next one
    cr sync --exit-code                  exit 10 if there is a new edition
    cr sync --sources my.tsv             from other places

    --sources FILE     A table of addresses that replaces the built-in one.
    --only NAME        Ask only this source. May be repeated.
    --exit-code        Exit 10 if there is a new edition.
    --hook COMMAND     Run this command if there is a new edition.
    --pause SECONDS    Seconds between two requests to the same host.
    --timeout SECONDS  Seconds to wait for a response.
    --retries N        How many times to retry temporary failures.
    --jobs N           Number of processes that read documents.
    --json --verbose --kb
    """
    folder = base_folder(o.kb)
    every = load_sources(o.sources)
    try:
        chosen = choose(every, o.only)
    except SourceError as error:
        raise click.UsageError(str(error)) from None
    settings = FetchSettings(o.pause, o.timeout, o.retries, named_hosts(every))
    with (
        _alone(folder),
        Fetcher(settings) as fetcher,
        contextlib.closing(SeenTable(folder)) as seen,
    ):
        run = Sync(
            folder=folder,
            fetcher=fetcher,
            seen=seen,
            now=datetime.now(UTC),
            jobs=o.jobs or os.cpu_count() or 1,
            show=_show,
            tell=_tell,
        )
        run.run(chosen)
        report = run.report
        _index(folder)
        _show("")
        run.finish()
    if o.hook and report.new:
        report.hook = _run_hook(o.hook, folder, report.new)
    code = NEW_EDITION if o.exit_code and report.new else 0
    if not is_well(report) and not (code and report.hook in {"", "done"}):
        code = FINDINGS
    return opts.Answer(report, lambda: [report_line(report), *_changed(folder, report)], code=code)


def _changed(folder: Path, report: SyncResult) -> Iterator[str]:
    """Yield what the newest edition changed, unless it is known or all editions are new."""
    if not report.new or len(report.new) == report.editions:
        return
    with opts.open_base(folder) as base:
        newest = base.edition("latest")
        before = base.before(newest)
        if before and newest.label == report.new[-1]:
            ends = before, newest
            yield from head(base, find_changes(base, *ends), ends)
            yield f"  cr changes {newest.label} lists them"


def _show(doing: str) -> None:
    """Redraw the line that says what is being done, on a terminal."""
    if has_bar():
        unescaped(sys.stderr).write(f"\r\x1b[K{visible(doing)}")
        sys.stderr.flush()


def _tell(problem: str) -> None:
    _show("")
    print_note(problem)


@contextlib.contextmanager
def _alone(folder: Path) -> Generator[None]:
    """Hold the lock that prevents a second sync of this base; end in one line after Ctrl-C."""
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(locked(folder / CRAWL))
        except BaseBusyError:
            busy = f"{folder}: another cr sync is running; wait until it is done"
            raise BaseBusyError(busy) from None
        try:
            yield
        except KeyboardInterrupt:
            _tell("interrupted; the next cr sync fetches what is missing")
            opts.end(INTERRUPTED)


def _index(folder: Path) -> None:
    """Bring the search indexes up to date; the base is sound without them."""
    try:
        with opts.open_base(folder) as base:
            SearchIndexes(base).make_missing()
    except NoBaseError:
        return
    except (BaseBusyError, NotWritableError) as error:
        _tell(f"the search index is not up to date: {error}")


def _run_hook(words: Sequence[str], folder: Path, labels: Sequence[str]) -> str:
    """Run the user's command; its output goes to stderr. Return "done", or why it failed.

    The command finds the new editions, newest last, in VARIORUM_NEW, and the base's folder in
    VARIORUM_KB.
    """
    new = {"VARIORUM_NEW": " ".join(labels), "VARIORUM_KB": str(folder.absolute())}
    try:
        code = subprocess.run(  # noqa: S603 - the command is the user's own, and no shell reads it
            words, check=False, env={**os.environ, **new}, stdin=subprocess.DEVNULL, stdout=2
        ).returncode
        failure = f"exit code {code}" if code else ""
    except OSError as error:
        failure = error.strerror or str(error)
    if failure:
        failure = f"hook {shlex.join(words)}: {failure}"
        _tell(f"{failure}; the knowledge base is up to date all the same")
    return failure or "done"
