"""`cr doctor`: find problems with a set-up, and say what to do about each; change nothing."""

import contextlib
import os
import platform
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import click

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.unapplied import unapplied_verdicts
from variorum.build.check import verify
from variorum.cli.command import NamedPath, kb_option, lines_option
from variorum.cli.layout import print_json
from variorum.documents.archive import Archive
from variorum.errors import (
    FINDINGS,
    ArchiveError,
    BaseBusyError,
    BaseError,
    DamagedBaseError,
    NewerBaseError,
    NoBaseError,
    NotReadableError,
)
from variorum.paths import DOCUMENTS, FILE, base_folder
from variorum.records.upkeep import CheckResult, Examination
from variorum.search.index import SearchIndexes
from variorum.stored_rows import ONE_SOURCE
from variorum.text import counted
from variorum.versions import current_meta
from variorum_crawler.errors import SourceError
from variorum_crawler.seen import FAILED, QUARANTINED, TRUSTED, WAITING, SeenTable
from variorum_crawler.sources import load_sources

# All editions with their indexes need about half of this; a build writes a second base before it
# removes the old one.
_ROOM, _LITTLE_ROOM = 2**30, 200 * 2**20
# Since 2009, no edition has stayed the newest for longer than this.
_LONG = timedelta(days=200)
# At most this many verdicts that cannot be applied are named; the others are counted.
_NAMED = 5
_PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@click.command()
@click.option(
    "--sources", type=NamedPath(), metavar="FILE", help="The file that you give to cr sync."
)
@click.option(
    "--deep",
    is_flag=True,
    help="Also check every part of the knowledge base, build a second base from the documents, and compare.",
)
@lines_option
@kb_option
def doctor(*, sources: Path | None, deep: bool, kb: Path | None, as_json: bool) -> None:
    """Find problems with this set-up, and say what to do about each.

    Looks at Python, the folder, the disk, the knowledge base and its indexes, the archive, the
    quarantine, sources, proxies and the last sync. Nothing is changed, and no network access is
    made. Each finding is one line. Exits 1 if there is a problem.

    \b
    cr doctor
    cr doctor --sources my.tsv    with your own sources
    cr doctor --deep               also build again from the documents, and compare
    """  # noqa: D301 - click reads \b
    counts, shown = Counter[str](), list[CheckResult]()
    for checked in _examine(base_folder(kb), sources, deep=deep):
        counts[checked.level] += 1
        shown.append(checked)
        if not as_json:
            remedy = f"; {checked.remedy}" if checked.remedy else ""
            click.echo(f"{checked.level:8} {checked.about}: {checked.what}{remedy}")
    problems, warnings = counts["problem"], counts["warning"]
    if as_json:
        print_json(Examination(checks=shown, problems=problems, warnings=warnings), shown)
    else:
        click.echo(f"{counted(problems, 'problem')}, {counted(warnings, 'warning')}")
    if problems:
        raise click.exceptions.Exit(FINDINGS)


def _ok(about: str, what: str) -> CheckResult:
    return CheckResult(level="ok", about=about, what=what, remedy="")


def _warning(about: str, what: str, remedy: str) -> CheckResult:
    return CheckResult(level="warning", about=about, what=what, remedy=remedy)


def _problem(about: str, what: str, remedy: str) -> CheckResult:
    return CheckResult(level="problem", about=about, what=what, remedy=remedy)


def _examine(folder: Path, sources: Path | None, *, deep: bool) -> Iterator[CheckResult]:
    """Yield the checks of everything that a sync depends on, in the order it needs them."""
    yield _ok("Python", platform.python_version())
    yield from _check_folder(folder)
    yield from _check_base(folder, date.today())  # noqa: DTZ011 - the user's own
    yield _check_archive(folder / DOCUMENTS)
    with contextlib.closing(SeenTable(folder, is_written=False)) as seen:
        yield _check_quarantine(seen)
        yield _check_sources(sources)
        yield _check_proxies()
        yield _check_last(seen)
    if deep:
        yield from _check_deeply(folder)


def _check_folder(folder: Path) -> Iterator[CheckResult]:
    nearest = folder.absolute()
    while not nearest.exists() and nearest != nearest.parent:
        nearest = nearest.parent
    other = "name another folder with --kb or VARIORUM_KB"
    if not nearest.is_dir():
        yield _problem("folder", f"{nearest} is a file", other)
    elif not os.access(nearest, os.W_OK | os.X_OK):
        yield _problem(
            "folder", f"{nearest} cannot be written", f"change its permissions, or {other}"
        )
    else:
        made = "" if nearest == folder.absolute() else ", which will be made"
        yield _ok("folder", f"{folder}{made}")
    free = shutil.disk_usage(nearest).free
    shown, room = f"{free / 2**30:.1f} GB free", "make room: all editions need half a gigabyte"
    if free >= _ROOM:
        yield _ok("disk", shown)
    else:
        yield (_warning if free >= _LITTLE_ROOM else _problem)("disk", shown, room)


def _check_base(folder: Path, today: date) -> Iterator[CheckResult]:
    """Check the base and, if there is one, its age and its indexes."""
    about, file = "knowledge base", folder / FILE
    try:
        with KnowledgeBase.open(folder, today=today) as base:
            is_current = base.made_by() == current_meta()
            count, newest = counted(len(base.editions), "edition"), base.edition("latest")
            if is_current:
                yield _ok(about, f"{count}, the newest of {newest.label}")
            else:
                what = f"{count}, built by another version of Variorum"
                yield _warning(about, what, "cr build brings it up to date")
            yield from _check_editions(base)
            about, age = "newest edition", (today - newest.effective).days
            if age <= _LONG.days:
                yield _ok(about, str(newest.effective))
            else:
                what = f"{newest.effective}, {age} days ago"
                yield _warning(about, what, "is cr sync run regularly?")
            if missing := SearchIndexes(base).missing():
                what = f"not made yet: {', '.join(missing)}"
                yield _warning("search", what, "cr sync or the first search makes it")
            else:
                yield _ok("search", "indexes are there")
    except NoBaseError:
        yield _problem(about, f"{file}: there is none", "cr sync makes one")
    except NewerBaseError as error:
        yield _problem(about, f"{file}: {error.reason}", "upgrade Variorum")
    except BaseError as error:
        reason = getattr(error, "reason", "")
        damaged = "damaged: " if isinstance(error, DamagedBaseError) else ""
        what = f"{file}: {damaged}{reason}" if reason else str(error)
        yield _problem(about, what, "cr build makes it anew from its documents")


def _check_editions(base: KnowledgeBase) -> Iterator[CheckResult]:
    """Check what answers warn about; and the verdicts, which need the words that were read."""
    alone = [edition for edition in base.editions if edition.doubts == (ONE_SOURCE,)]
    doubted = [edition for edition in base.editions if edition.doubts not in {(), (ONE_SOURCE,)}]
    if not (alone or doubted):
        yield _ok("editions", "all attested, sound and whole")
    if alone:
        shown = f"{alone[-1].label} and {len(alone) - 1} more" if alone[1:] else alone[-1].label
        remedy = "cr sync looks for a second source; cr kb accept HASH says that you trust it"
        yield _warning("editions", f"of one source: {shown}", remedy)
    for edition in doubted:
        doubts = f"{edition.label}: {', '.join(edition.doubts)}"
        yield _warning("editions", doubts, "look for a better text of this date")
    unapplied = unapplied_verdicts(base)
    if not unapplied:
        yield _ok("verdicts", "all that concern these editions can be applied")
        return
    shown = ", ".join(verdict.about for verdict in unapplied[:_NAMED])
    more = f" and {len(unapplied) - _NAMED} more" if unapplied[_NAMED:] else ""
    problem = f"{counted(len(unapplied), 'verdict')} cannot be applied: {shown}{more}"
    remedy = "cr lint --all --kind verdict counts them by edition; more editions bring them back"
    yield _warning("verdicts", problem, remedy)


def _check_archive(documents: Path) -> CheckResult:
    if not documents.is_dir():
        return _ok("archive", "empty")
    try:
        archive = Archive(documents)
        problems = [*archive.find_damage()]
    except ArchiveError as error:
        remedy = "remove it and run cr build, which writes it anew, without the places that documents came from"
        return _problem("archive", str(error), remedy)
    if problems:
        more = f", and {len(problems) - 1} more" if len(problems) > 1 else ""
        remedy = "cr kb documents verify lists them; cr sync fetches them again where they are still published"
        return _problem("archive", f"{problems[0]}{more}", remedy)
    return _ok("archive", f"{counted(len(archive), 'document')}, all as they came")


def _check_quarantine(seen: SeenTable) -> CheckResult:
    rows = [row for row in seen if row.state == QUARANTINED]
    if not rows:
        return _ok("quarantine", "empty")
    newest = max(rows, key=lambda row: (row.since, row.sha256))
    count = counted(len({row.sha256 for row in rows}), "document")
    what = f"{count}, the newest since {newest.since}: {newest.reason}"
    remedy = f"look at {seen.folder}; cr kb accept HASH adds a document that is good after all"
    return _warning("quarantine", what, remedy)


def _check_sources(path: Path | None) -> CheckResult:
    try:
        names = [source.name for source in load_sources(path)]
    except (NotReadableError, SourceError) as error:
        return _problem("sources", str(error), "mend the file; docs/crawler.md says how")
    return _ok("sources", ", ".join(names))


def _check_proxies() -> CheckResult:
    """Name the proxies, without their passwords; `cr sync` says what is wrong with them."""
    proxies = [
        f"{name}={re.sub('[^/@]+@', '…@', value)}"
        for name, value in sorted(os.environ.items())
        if name.lower() in _PROXIES and value
    ]
    return _ok("proxies", ", ".join(proxies) or "none")


def _check_last(seen: SeenTable) -> CheckResult:
    rows = list(seen)
    failed = [row for row in rows if row.state == FAILED]
    if any(row.state in {WAITING, TRUSTED} for row in rows):
        return _warning("last sync", "was cut short", "cr sync goes on with it")
    if failed:
        what = f"failed since {failed[0].since}: {', '.join(row.address for row in failed)}"
        return _warning("last sync", what, "cr sync --only NAME says why")
    if not rows:
        return _ok("last sync", "none yet")
    return _ok(
        "last sync", f"no source failed; the newest document came {max(r.since for r in rows)}"
    )


def _check_deeply(folder: Path) -> Iterator[CheckResult]:
    """Check every part of the base, and whether its documents give the same base again."""
    about, is_sound = "every part", True
    try:
        for problem in verify(folder, jobs=os.cpu_count() or 1):
            is_sound = False
            told = _problem if problem.is_damage else _warning
            yield told(problem.where, problem.what, problem.remedy)
    except NoBaseError:
        return  # reported before
    except BaseBusyError as error:
        yield _problem(about, str(error), "")
        return
    if is_sound:
        with KnowledgeBase.open(folder) as base:
            editions = counted(len(base.editions), "edition")
        kept = counted(len(Archive(folder / DOCUMENTS)), "document")
        yield _ok(about, f"{editions}, {kept}; building again gives the same")
