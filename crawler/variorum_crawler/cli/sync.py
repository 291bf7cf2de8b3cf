"""`cr sync`: bring the knowledge base up to date with what is published."""

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import click

from variorum.answers.diff import find_changes
from variorum.cli import command as opts
from variorum.cli.changes import head
from variorum.cli.wording import print_note
from variorum.errors import FINDINGS, INTERRUPTED, NEW_EDITION
from variorum.files import base_folder, locked
from variorum.records.upkeep import SyncResult
from variorum.terminal import REDRAW, is_terminal
from variorum.text import counted, listed
from variorum_crawler.fetch import PAUSE, RETRIES, TIMEOUT, Fetcher, parse_address
from variorum_crawler.places import load_places
from variorum_crawler.seen import CRAWL, SeenTable
from variorum_crawler.sync import Sync


@opts.command(
    only={"multiple": True},
    pause={"type": click.FloatRange(0, 3600), "default": PAUSE, "show_default": True},
    timeout={"type": click.FloatRange(0.001, 3600), "default": TIMEOUT, "show_default": True},
    retries={"type": click.IntRange(0, 20), "default": RETRIES, "show_default": True},
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
    --json --kb
    """
    folder = base_folder(o.kb)
    places = load_places(o.sources, o.only)
    try:
        hook = shlex.split(o.hook or "", posix=sys.platform != "win32")
    except ValueError as error:
        raise click.UsageError(f"--hook {o.hook}: not a command: {error}") from None
    # Only hosts of a user's own file may be private.
    hosts = frozenset((parse_address(place.address).host or "") for place in places if o.sources)
    fetcher = Fetcher(o.pause, o.timeout, o.retries, hosts)
    with locked(folder / CRAWL), closing(fetcher):
        try:
            run = Sync(
                folder=folder,
                fetcher=fetcher,
                seen=SeenTable(folder),
                now=opts.now_words(),
                jobs=o.jobs or os.cpu_count() or 1,
                show=_show,
                tell=_tell,
            )
            run.run(places)
            _show("")
            run.finish()
        except KeyboardInterrupt:
            _tell("interrupted; the next cr sync fetches what is missing")
            raise click.exceptions.Exit(INTERRUPTED) from None
    report = run.report
    if hook and report.new:
        report.hook = _run_hook(hook, folder, report.new)
    is_well = not (report.quarantined or report.failed_sources) and report.hook in {"", "done"}
    code = 0 if is_well else FINDINGS
    if o.exit_code and report.new and report.hook in {"", "done"}:
        code = NEW_EDITION
    return opts.Answer(report, [_line(report), *_changed(folder, report)], code=code)


def _line(report: SyncResult) -> str:
    new = report.new
    words = [f"{len(new)} new ({listed(new[::-1], 3)})" if new else "nothing new"]
    if report.quarantined:
        words.append(f"{len(report.quarantined)} put in quarantine")
    if report.failed_sources:
        words.append(f"failed: {', '.join(report.failed_sources)}")
    words.append(counted(report.editions, "edition"))
    requests = f"{counted(report.requests, 'request')}, {report.unchanged} unchanged"
    return f"{report.base}: {', '.join(words)}; {requests}"


def _changed(folder: Path, report: SyncResult) -> Iterator[str]:
    """Yield what the newest edition changed, unless it is known or all editions are new."""
    if not report.new or len(report.new) == report.editions:
        return
    with opts.open_base(folder) as base:
        newest = base.edition("latest")
        before = base.before(newest)
        if before and newest.label == report.new[-1]:
            yield from head(base, find_changes(base, before, newest))
            yield f"  cr changes {newest.label} lists them"


def _show(doing: str) -> None:
    if is_terminal(sys.stderr):
        sys.stderr.write(f"{REDRAW}{doing}")
        sys.stderr.flush()


def _tell(problem: str) -> None:
    _show("")
    print_note(problem)


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
