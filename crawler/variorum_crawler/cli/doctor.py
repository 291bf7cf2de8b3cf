"""`cr doctor`: find problems with a set-up, and say what to do about each; change nothing."""

import contextlib
import os
import platform
import re
import shutil
from collections import Counter
from collections.abc import Iterator
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
    NotReadableError,
)
from variorum.paths import DOCUMENTS, FILE, base_folder
from variorum.records.upkeep import CheckResult, Examination
from variorum.rows import ONE_SOURCE
from variorum.search.index import SearchIndexes
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
_PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
_OK, _WARNING, _PROBLEM = "ok", "warning", "problem"
# A level, what was checked, what was found, and what to do about it.
_Check = tuple[str, str, str, str]


@opts.command(is_alone=True)
def doctor(o: SimpleNamespace) -> opts.Answer:
    """Find problems with this set-up, and say what to do about each.

    Looks at Python, the folder, the disk, the knowledge base and its indexes, the archive, the
    quarantine, sources, proxies and the last sync. Nothing is changed, and no network access is
    made. Each finding is one line. Exits 1 if there is a problem.

    cr doctor
    cr doctor --sources my.tsv    with your own sources
    cr doctor --deep              also build again from the documents, and compare

    --sources FILE  The file that you give to cr sync.
    --deep          Also check every part of the knowledge base, build a second base from the
                    documents, and compare.
    --json --jsonl --kb
    """
    folder = base_folder(o.kb)
    found = [*_examined(folder, o.sources), *(_deeply_examined(folder) if o.deep else ())]
    levels = Counter(level for level, *_ in found)
    problems, warnings = levels[_PROBLEM], levels[_WARNING]
    checks = [CheckResult(*check) for check in found]
    return opts.Answer(
        Examination(checks, problems, warnings),
        lambda: [
            *(
                f"{level:8} {about}: {what}{remedy and f'; {remedy}'}"
                for level, about, what, remedy in found
            ),
            f"{counted(problems, 'problem')}, {counted(warnings, 'warning')}",
        ],
        checks,
        FINDINGS if problems else 0,
    )


def _examined(folder: Path, sources: Path | None) -> Iterator[_Check]:
    """Yield the checks of everything that a sync depends on, in the order it needs them."""
    yield _OK, "Python", platform.python_version(), ""
    yield from _of_folder(folder)
    yield from _of_base(folder)
    yield _of_archive(folder / DOCUMENTS)
    with contextlib.closing(SeenTable(folder, is_written=False)) as seen:
        yield _of_quarantine(seen)
        yield _of_sources(sources)
        # Without passwords; `cr sync` says what is wrong with them.
        proxies = [
            f"{name}={re.sub('[^/@]+@', '…@', value)}"
            for name, value in sorted(os.environ.items())
            if name.lower() in _PROXIES and value
        ]
        yield _OK, "proxies", ", ".join(proxies) or "none", ""
        yield _of_last_sync(seen)


def _of_folder(folder: Path) -> Iterator[_Check]:
    nearest = folder.absolute()
    while not nearest.exists() and nearest != nearest.parent:
        nearest = nearest.parent
    other = "name another folder with --kb or VARIORUM_KB"
    if not nearest.is_dir():
        yield _PROBLEM, "folder", f"{nearest} is a file", other
    elif not os.access(nearest, os.W_OK | os.X_OK):
        remedy = f"change its permissions, or {other}"
        yield _PROBLEM, "folder", f"{nearest} cannot be written", remedy
    else:
        made = "" if nearest == folder.absolute() else ", which will be made"
        yield _OK, "folder", f"{folder}{made}", ""
    free = shutil.disk_usage(nearest).free
    level = _OK if free >= _ROOM else _WARNING if free >= _LITTLE_ROOM else _PROBLEM
    remedy = "" if level == _OK else "make room: all editions need half a gigabyte"
    yield level, "disk", f"{free / 2**30:.1f} GB free", remedy


def _of_base(folder: Path) -> Iterator[_Check]:
    about, file = "knowledge base", folder / FILE
    try:
        with KnowledgeBase.open(folder, today=opts.today()) as base:
            count, newest = counted(len(base.editions), "edition"), base.edition("latest")
            if base.made_by().items() >= current_meta().items():
                yield _OK, about, f"{count}, the newest of {newest.label}", ""
            else:
                what = f"{count}, built by another version of Variorum"
                yield _WARNING, about, what, "cr build brings it up to date"
            yield from _of_editions(base)
            age = opts.today() - newest.effective
            if age <= _LONG:
                yield _OK, "newest edition", str(newest.effective), ""
            else:
                what = f"{newest.effective}, {age.days} days ago"
                yield _WARNING, "newest edition", what, "is cr sync run regularly?"
            if missing := SearchIndexes(base).missing():
                what = f"not made yet: {', '.join(missing)}"
                yield _WARNING, "search", what, "cr sync or the first search makes it"
            else:
                yield _OK, "search", "indexes are there", ""
    except NoBaseError:
        yield _PROBLEM, about, f"{file}: there is none", "cr sync makes one"
    except NewerBaseError as error:
        yield _PROBLEM, about, f"{file}: {error.reason}", "upgrade Variorum"
    except BaseError as error:
        reason = getattr(error, "reason", "")
        damaged = "damaged: " if isinstance(error, DamagedBaseError) else ""
        what = f"{file}: {damaged}{reason}" if reason else str(error)
        yield _PROBLEM, about, what, "cr build makes it anew from its documents"


def _of_editions(base: KnowledgeBase) -> Iterator[_Check]:
    """Check what answers warn about."""
    alone = [edition for edition in base.editions if edition.doubts == (ONE_SOURCE,)]
    doubted = [edition for edition in base.editions if edition.doubts not in {(), (ONE_SOURCE,)}]
    if not (alone or doubted):
        yield _OK, "editions", "all attested, sound and whole", ""
    if alone:
        shown = f"{alone[-1].label} and {len(alone) - 1} more" if alone[1:] else alone[-1].label
        remedy = "cr sync looks for a second source; cr kb accept HASH says that you trust it"
        yield _WARNING, "editions", f"of one source: {shown}", remedy
    for edition in doubted:
        what = f"{edition.label}: {', '.join(edition.doubts)}"
        yield _WARNING, "editions", what, "look for a better text of this date"


def _of_archive(documents: Path) -> _Check:
    if not documents.is_dir():
        return _OK, "archive", "empty", ""
    try:
        archive = Archive(documents)
        problems = [f"{path}: {what}" for path, what, _ in archive.problems()]
    except ArchiveError as error:
        anew = "which writes it anew, without the places that documents came from"
        return _PROBLEM, "archive", str(error), f"remove it and run cr build, {anew}"
    if problems:
        more = f", and {len(problems) - 1} more" if problems[1:] else ""
        again = "cr sync fetches them again where they are still published"
        return _PROBLEM, "archive", f"{problems[0]}{more}", f"cr doctor --deep lists them; {again}"
    return _OK, "archive", f"{counted(len(archive), 'document')}, all as they came", ""


def _of_quarantine(seen: SeenTable) -> _Check:
    rows = [row for row in seen if row.state == QUARANTINED]
    if not rows:
        return _OK, "quarantine", "empty", ""
    newest = max(rows, key=lambda row: (row.since, row.sha256))
    count = counted(len({row.sha256 for row in rows}), "document")
    what = f"{count}, the newest since {newest.since}: {newest.reason}"
    remedy = f"look at {seen.folder}; cr kb accept HASH adds a document that is good after all"
    return _WARNING, "quarantine", what, remedy


def _of_sources(path: Path | None) -> _Check:
    try:
        return _OK, "sources", ", ".join(source.name for source in load_sources(path)), ""
    except (NotReadableError, SourceError) as error:
        return _PROBLEM, "sources", str(error), "mend the file; docs/edition.md says how"


def _of_last_sync(seen: SeenTable) -> _Check:
    about, rows = "last sync", list(seen)
    failed = [row for row in rows if row.state == FAILED]
    if any(row.state in {WAITING, TRUSTED} for row in rows):
        return _WARNING, about, "was cut short", "cr sync goes on with it"
    if failed:
        what = f"failed since {failed[0].since}: {', '.join(row.address for row in failed)}"
        return _WARNING, about, what, "cr sync --only NAME says why"
    if not rows:
        return _OK, about, "none yet", ""
    newest = max(row.since for row in rows)
    return _OK, about, f"no source failed; the newest document came {newest}", ""


def _deeply_examined(folder: Path) -> Iterator[_Check]:
    """Check every part of the base, and whether its documents give the same base again."""
    about, is_sound = "every part", True
    try:
        for problem in verify(folder, jobs=os.cpu_count() or 1):
            is_sound = False
            yield _PROBLEM, problem.where, problem.what, problem.remedy
    except BaseBusyError as error:
        yield _PROBLEM, about, str(error), ""
        return
    except (ArchiveError, BaseError):
        return  # reported before
    if is_sound:
        with KnowledgeBase.open(folder) as base:
            editions = counted(len(base.editions), "edition")
        kept = counted(len(Archive(folder / DOCUMENTS)), "document")
        yield _OK, about, f"{editions}, {kept}; building again gives the same", ""
