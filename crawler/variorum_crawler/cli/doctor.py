"""`cr doctor`: find problems with a set-up, and say what to do about each; change nothing."""

import contextlib
import os
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.build.check import verify
from variorum.cli import command as opts
from variorum.documents.archive import Archive
from variorum.errors import (
    FINDINGS,
    ArchiveError,
    BaseBusyError,
    BaseError,
    DamagedBaseError,
    NewerBaseError,
    NoBaseError,
)
from variorum.paths import DOCUMENTS, FILE, base_folder
from variorum.records.upkeep import CheckResult, Examination
from variorum.rows import ONE_SOURCE
from variorum.text import counted
from variorum.versions import current_meta
from variorum_crawler.seen import INCOMING, QUARANTINED, TRUSTED, SeenTable

# Since 2009, no edition has stayed the newest for longer than this.
_LONG = timedelta(days=200)
_OK, _WARNING, _PROBLEM = "ok", "warning", "problem"
# A level, what was found, and what to do about it.
_Finding = tuple[str, str, str]


@opts.command(is_alone=True)
def doctor(o: SimpleNamespace) -> opts.Answer:
    """Find problems with this set-up, and say what to do about each.

    Looks at the folder, the knowledge base, its editions, the archive, the quarantine and the last
    sync. Nothing is changed, and no network access is made. Each finding is one line. Exits 1 if
    there is a problem.

    cr doctor
    cr doctor --deep    also build again from the documents, and compare

    --deep  Also check every part of the knowledge base, build a second base from the documents,
            and compare.
    --json --jsonl --kb
    """
    folder = base_folder(o.kb)
    checks = [
        CheckResult(level, about, what, remedy)
        for about, examine in _CHECKS.items()
        if o.deep or examine is not _of_every_part
        for level, what, remedy in examine(folder)
    ]
    levels = Counter(check.level for check in checks)
    problems, warnings = levels[_PROBLEM], levels[_WARNING]
    lines = [f"{it.level:8} {it.about}: {it.what}{it.remedy and f'; {it.remedy}'}" for it in checks]
    summary = f"{counted(problems, 'problem')}, {counted(warnings, 'warning')}"
    return opts.Answer(
        Examination(checks, problems, warnings),
        [*lines, summary],
        checks,
        FINDINGS if problems else 0,
    )


def _of_folder(folder: Path) -> Iterator[_Finding]:
    nearest = folder.absolute()
    while not nearest.exists() and nearest != nearest.parent:
        nearest = nearest.parent
    other = "name another folder with --kb or VARIORUM_KB"
    if not nearest.is_dir():
        yield _PROBLEM, f"{nearest} is a file", other
    elif not os.access(nearest, os.W_OK | os.X_OK):
        yield _PROBLEM, f"{nearest} cannot be written", f"change its permissions, or {other}"
    else:
        yield _OK, f"{folder}{'' if folder.exists() else ', which will be made'}", ""


def _of_base(folder: Path) -> Iterator[_Finding]:
    try:
        with KnowledgeBase.open(folder, today=opts.today()) as base:
            count = counted(len(base.editions), "edition")
            newest = f"the newest of {base.edition('latest').label}"
            age = opts.today() - base.edition("latest").effective
            if base.reader.facts().items() < current_meta().items():
                what = f"{count}, built by another version of Variorum"
                yield _WARNING, what, "cr build brings it up to date"
            elif age > _LONG:
                what = f"{count}, {newest}, {age.days} days ago"
                yield _WARNING, what, "is cr sync run regularly?"
            else:
                yield _OK, f"{count}, {newest}", ""
    except NoBaseError:
        yield _PROBLEM, f"{folder / FILE}: there is none", "cr sync makes one"
    except BaseError as error:
        is_said = isinstance(error, DamagedBaseError | NewerBaseError)
        yield _PROBLEM, str(error), "" if is_said else "cr build makes it anew from its documents"


def _of_editions(folder: Path) -> Iterator[_Finding]:
    """Check what answers warn about."""
    try:
        with KnowledgeBase.open(folder, today=opts.today()) as base:
            editions = base.editions
    except BaseError:
        return
    alone = [edition.label for edition in editions if edition.doubts == (ONE_SOURCE,)]
    if alone:
        shown = f"{alone[-1]} and {len(alone) - 1} more" if alone[1:] else alone[-1]
        remedy = "cr sync looks for a second source; cr kb accept HASH says that you trust it"
        yield _WARNING, f"of one source: {shown}", remedy
    doubted = [edition for edition in editions if edition.doubts not in {(), (ONE_SOURCE,)}]
    for edition in doubted:
        what = f"{edition.label}: {', '.join(edition.doubts)}"
        yield _WARNING, what, "look for a better text of this date"
    if not alone and not doubted:
        yield _OK, "all attested, sound and whole", ""


def _of_archive(folder: Path) -> Iterator[_Finding]:
    try:
        archive = Archive(folder / DOCUMENTS)
        problems = [f"{path}: {what}" for path, what, _ in archive.problems()]
    except ArchiveError as error:
        anew = "which writes it anew, without the places that documents came from"
        yield _PROBLEM, str(error), f"remove it and run cr build, {anew}"
        return
    if problems:
        more = f", and {len(problems) - 1} more" if problems[1:] else ""
        again = "cr sync fetches them again where they are still published"
        yield _PROBLEM, f"{problems[0]}{more}", f"cr doctor --deep lists them; {again}"
    else:
        yield _OK, f"{counted(len(archive), 'document')}, all as they came", ""


def _of_quarantine(folder: Path) -> Iterator[_Finding]:
    with contextlib.closing(SeenTable(folder, is_written=False)) as seen:
        rows = [row for row in seen if row.state == QUARANTINED]
    if rows:
        newest = max(rows, key=lambda row: (row.since, row.sha256))
        count = counted(len({row.sha256 for row in rows}), "document")
        what = f"{count}, the newest since {newest.since}: {newest.reason}"
        remedy = f"look at {seen.folder}; cr kb accept HASH adds a document that is good after all"
        yield _WARNING, what, remedy
    else:
        yield _OK, "empty", ""


def _of_last_sync(folder: Path) -> Iterator[_Finding]:
    with contextlib.closing(SeenTable(folder, is_written=False)) as seen:
        rows = [*seen]
    if any(row.state in {INCOMING, TRUSTED} for row in rows):
        yield _WARNING, "was cut short", "cr sync goes on with it"
    elif rows:
        yield _OK, f"the newest document came {max(row.since for row in rows)}", ""
    else:
        yield _OK, "none yet", ""


def _of_every_part(folder: Path) -> Iterator[_Finding]:
    """Check every part of the base, and whether its documents give the same base again."""
    is_sound = True
    try:
        for problem in verify(folder, jobs=os.cpu_count() or 1):
            is_sound = False
            yield _PROBLEM, f"{problem.where}: {problem.what}", problem.remedy
    except BaseBusyError as error:
        yield _PROBLEM, str(error), ""
    except (ArchiveError, BaseError):
        pass  # reported before
    else:
        if is_sound:
            yield _OK, "building again from the documents gives the same", ""


_CHECKS: dict[str, Callable[[Path], Iterator[_Finding]]] = {
    "folder": _of_folder,
    "knowledge base": _of_base,
    "editions": _of_editions,
    "archive": _of_archive,
    "quarantine": _of_quarantine,
    "last sync": _of_last_sync,
    "every part": _of_every_part,
}
