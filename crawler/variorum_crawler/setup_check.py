"""Find problems with a set-up and their remedies; change nothing."""

import contextlib
import os
import platform
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum
from pathlib import Path
from urllib.parse import urlsplit

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.unapplied import unapplied_verdicts
from variorum.build.check import verify
from variorum.build.check_results import CheckedPart, Examined, Problem
from variorum.build.part_versions import current_meta
from variorum.documents.archive import Archive
from variorum.errors import (
    ArchiveError,
    BaseBusyError,
    BaseError,
    BaseVersionError,
    DamagedBaseError,
    NewerBaseError,
    NoBaseError,
    NotReadableError,
    NotWritableError,
)
from variorum.search.indexes.current_indexes import BaseIndexes
from variorum.store.reader import Reader
from variorum.stored_rows import ONE_SOURCE
from variorum.system.default_folders import DOCUMENTS, FILE
from variorum.system.default_jobs import default_jobs
from variorum.system.lock import locked
from variorum.text.counts import counted
from variorum_crawler.errors import SourceError
from variorum_crawler.places.sources import load_sources
from variorum_crawler.sync.crawl_state import CRAWL, CrawlState, Incoming
from variorum_crawler.trust.quarantine import QUARANTINE, Quarantine

# All editions with their indexes need about half of this; a build writes a second base before it
# removes the old one.
_ROOM, _LITTLE_ROOM = 2**30, 200 * 2**20
# Since 2009, no edition has stayed the newest for longer than this.
_LONG = timedelta(days=200)
# At most this many verdicts that cannot be applied are named; the others are counted.
_NAMED = 5
_PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


class Level(Enum):
    """How serious a result is; values are the words we show."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of one check.

    Attributes:
        about: The thing checked.
        what: Its state.
        remedy: What to do; "" if nothing.
    """

    level: Level
    about: str
    what: str
    remedy: str = ""

    def __str__(self) -> str:
        remedy = f"; {self.remedy}" if self.remedy else ""
        return f"{self.level.value:8} {self.about}: {self.what}{remedy}"


def examine(
    folder: Path,
    sources: Path | None,
    environment: Mapping[str, str],
    today: date,
    *,
    deep: bool = False,
) -> Iterator[Checked]:
    """Yield the checks of everything that a sync depends on, in the order it needs them.

    Args:
        folder: The folder of the knowledge base.
        sources: A file of sources; None for ours alone.
        environment: The variables of the process.
        today: The day from which the age of the newest edition is counted.
        deep: Also check every part of the base, and build it again to compare.
    """
    yield Checked(Level.OK, "Python", platform.python_version())
    yield _check_folder(folder)
    yield _check_room(folder)
    yield from _check_locks(folder)
    yield from _check_base(folder, today)
    yield _check_archive(folder)
    yield _check_quarantine(folder)
    yield _check_sources(sources)
    yield _check_proxies(environment)
    yield _check_last(folder)
    if deep:
        yield from _check_deeply(folder)


def _nearest(folder: Path) -> Path:
    """Return the folder, or its innermost parent that exists."""
    path = folder.absolute()
    while not path.exists() and path != path.parent:
        path = path.parent
    return path


def _check_folder(folder: Path) -> Checked:
    nearest, about = _nearest(folder), "folder"
    if not nearest.is_dir():
        return Checked(
            Level.PROBLEM, about, f"{nearest} is a file", "name a folder with --kb or VARIORUM_KB"
        )
    if not os.access(nearest, os.W_OK | os.X_OK):
        remedy = "change its permissions, or name another folder with --kb or VARIORUM_KB"
        return Checked(Level.PROBLEM, about, f"{nearest} cannot be written", remedy)
    made = "" if nearest == folder.absolute() else ", which will be made"
    return Checked(Level.OK, about, f"{folder}{made}")


def _check_room(folder: Path) -> Checked:
    try:
        free = shutil.disk_usage(_nearest(folder)).free
    except OSError as error:
        return Checked(Level.WARNING, "disk", f"cannot be looked at: {error.strerror or error}")
    shown = f"{free / 2**30:.1f} GB free"
    if free >= _ROOM:
        return Checked(Level.OK, "disk", shown)
    level = Level.WARNING if free >= _LITTLE_ROOM else Level.PROBLEM
    return Checked(level, "disk", shown, "make room: all editions need half a gigabyte")


def _check_locks(folder: Path) -> Iterator[Checked]:
    for place, who in ((folder, "build or check"), (folder / CRAWL, "sync")):
        about = f"lock of {who}"
        checked = Checked(Level.OK, about, "free")
        # Without a file to lock, there is no lock.
        if (place / "lock").exists():
            try:
                with locked(place):
                    pass
            except BaseBusyError:
                remedy = "wait until it is done; the lock ends with its process"
                checked = Checked(Level.WARNING, about, f"in use: a {who} is running", remedy)
            except NotWritableError as error:
                checked = Checked(Level.PROBLEM, about, str(error), "change its permissions")
        yield checked


def _check_base(folder: Path, today: date) -> Iterator[Checked]:
    """Check the base and, if there is one, its age and its indexes."""
    about, build = "knowledge base", "cr build brings it up to date"
    anew = "cr build makes it anew from its documents"
    try:
        with contextlib.closing(Reader(folder / FILE, is_trusted=True)) as reader:
            reader.verify()
            stale = reader.facts() != current_meta()
        with KnowledgeBase.open(folder, today=today) as base:
            count = counted(len(base.editions), "edition")
            newest = base.edition("latest")
            if stale:
                yield Checked(
                    Level.WARNING, about, f"{count}, built by another version of Variorum", build
                )
            else:
                yield Checked(Level.OK, about, f"{count}, the newest of {newest.label}")
            yield from _check_doubts(base)
            yield _check_verdicts(base)
            yield _check_age(date.fromisoformat(str(newest.effective)), today)
            yield _check_index(base)
    except NoBaseError:
        yield Checked(Level.PROBLEM, about, f"{folder / FILE}: there is none", "cr sync makes one")
    except NewerBaseError as error:
        yield Checked(Level.PROBLEM, about, f"{folder / FILE}: {error.reason}", "upgrade Variorum")
    except BaseVersionError as error:
        yield Checked(Level.PROBLEM, about, f"{folder / FILE}: {error.reason}", anew)
    except DamagedBaseError as error:
        yield Checked(Level.PROBLEM, about, f"{folder / FILE}: damaged: {error.reason}", anew)
    except BaseError as error:
        yield Checked(Level.PROBLEM, about, str(error), anew)


def _check_doubts(base: KnowledgeBase) -> Iterator[Checked]:
    """Yield the editions that answers warn about: from one source, lossy or incomplete."""
    about = "editions"
    doubted = [edition for edition in base.editions if edition.doubts]
    if not doubted:
        yield Checked(Level.OK, about, "all attested, sound and whole")
    alone = [edition for edition in doubted if edition.doubts == (ONE_SOURCE,)]
    if alone:
        shown = f"{alone[-1].label} and {len(alone) - 1} more" if alone[1:] else alone[-1].label
        remedy = "cr sync looks for a second source; cr kb accept HASH says that you trust it"
        yield Checked(Level.WARNING, about, f"of one source: {shown}", remedy)
    for edition in doubted:
        if edition.doubts != (ONE_SOURCE,):
            doubts = f"{edition.label}: {', '.join(edition.doubts)}"
            yield Checked(Level.WARNING, about, doubts, "look for a better text of this date")


def _check_verdicts(base: KnowledgeBase) -> Checked:
    """Check the verdicts: some cannot be applied if the base lacks editions with their words."""
    about, unapplied = "verdicts", unapplied_verdicts(base)
    if not unapplied:
        return Checked(Level.OK, about, "all that concern these editions can be applied")
    shown = ", ".join(verdict.about for verdict in unapplied[:_NAMED])
    more = f" and {len(unapplied) - _NAMED} more" if unapplied[_NAMED:] else ""
    problem = f"{counted(len(unapplied), 'verdict')} cannot be applied: {shown}{more}"
    remedy = "cr lint --all --kind verdict counts them by edition; more editions bring them back"
    return Checked(Level.WARNING, about, problem, remedy)


def _check_age(newest: date, today: date) -> Checked:
    if today - newest <= _LONG:
        return Checked(Level.OK, "newest edition", str(newest))
    age = f"{newest}, {(today - newest).days} days ago"
    return Checked(Level.WARNING, "newest edition", age, "is cr sync run regularly?")


def _check_index(base: KnowledgeBase) -> Checked:
    missing = [index.about for index in BaseIndexes(base).missing()]
    if missing:
        problem = f"not made yet: {', '.join(missing)}"
        return Checked(Level.WARNING, "search", problem, "cr sync or the first search makes it")
    return Checked(Level.OK, "search", "indexes are there")


def _check_archive(folder: Path) -> Checked:
    about, documents = "archive", folder / DOCUMENTS
    if not documents.is_dir():
        return Checked(Level.OK, about, "empty")
    try:
        archive = Archive(documents)
        damage = archive.find_damage(is_cut_short=Incoming(folder).is_there)
        problems = [problem for problem in damage if problem is not None]
    except ArchiveError as error:
        remedy = "remove it and run cr build, which writes it anew, without the places that documents came from"
        return Checked(Level.PROBLEM, about, str(error), remedy)
    if problems:
        more = f", and {len(problems) - 1} more" if len(problems) > 1 else ""
        remedy = "cr kb documents verify lists them; cr sync fetches them again where they are still published"
        return Checked(Level.PROBLEM, about, f"{problems[0]}{more}", remedy)
    return Checked(Level.OK, about, f"{counted(len(archive), 'document')}, all as they came")


def _check_quarantine(folder: Path) -> Checked:
    entries = list(Quarantine(CrawlState(folder)))
    if not entries:
        return Checked(Level.OK, "quarantine", "empty")
    newest = max(entries, key=lambda entry: (entry.since, entry.sha256))
    contents = (
        f"{counted(len(entries), 'document')}, the newest since {newest.since}: {newest.reason}"
    )
    remedy = f"look at {folder / QUARANTINE}; cr build FILE adds a document that is good after all"
    return Checked(Level.WARNING, "quarantine", contents, remedy)


def _check_sources(path: Path | None) -> Checked:
    try:
        sources = load_sources(path)
    except (NotReadableError, SourceError) as error:
        return Checked(
            Level.PROBLEM, "sources", str(error), "mend the file; docs/crawler.md says how"
        )
    return Checked(
        Level.OK, "sources", ", ".join(source.name for source in sources if source.is_enabled)
    )


def _check_proxies(environment: Mapping[str, str]) -> Checked:
    proxies = {
        name: value
        for name, value in sorted(environment.items())
        if name.lower() in _PROXIES and value
    }
    if not proxies:
        return Checked(Level.OK, "proxies", "none")
    for name, value in proxies.items():
        if name.lower() != "no_proxy" and not _is_proxy(value):
            problem = f"{name} is no address such as http://proxy:3128"
            return Checked(Level.PROBLEM, "proxies", problem, f"set {name} anew, or unset it")
    return Checked(Level.OK, "proxies", ", ".join(f"{k}={_masked(v)}" for k, v in proxies.items()))


def _is_proxy(value: str) -> bool:
    try:
        parts = urlsplit(value if "://" in value else f"http://{value}")
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _masked(value: str) -> str:
    """Hide a user name and a password."""
    before, at, host = value.rpartition("@")
    scheme, slashes, _ = before.partition("://")
    return f"{scheme if slashes else ''}{slashes}…@{host}" if at else value


def _check_last(folder: Path) -> Checked:
    about = "last sync"
    last = CrawlState(folder).last()
    if Incoming(folder).is_there:
        remedy = "cr sync fetches what is missing"
        return Checked(Level.WARNING, about, "was cut short", remedy)
    if last is None:
        return Checked(Level.OK, about, "none yet")
    if last["failed_sources"]:
        problem = f"failed since {last['since']}: {', '.join(last['failed_sources'])}"
        return Checked(Level.WARNING, about, problem, "cr sync --only NAME says why")
    return Checked(
        Level.OK, about, f"succeeded; the last one that found anything new ended {last['since']}"
    )


def _check_deeply(folder: Path) -> Iterator[Checked]:
    """Check every part of the base, and whether its documents give the same base again."""
    about, examined, is_sound = "every part", Counter[CheckedPart](), True
    try:
        for finding in verify(folder, deep=True, jobs=default_jobs()):
            if isinstance(finding, Examined):
                examined[finding.part] += 1
            elif isinstance(finding, Problem):
                is_sound = False
                level = Level.PROBLEM if finding.is_damage else Level.WARNING
                yield Checked(level, finding.where, finding.what, finding.remedy.value)
    except NoBaseError:
        return  # reported before
    except BaseBusyError as error:
        yield Checked(Level.PROBLEM, about, str(error))
        return
    if is_sound:
        counts = (examined[CheckedPart.EDITION], examined[CheckedPart.DOCUMENT])
        shown = f"{counted(counts[0], 'edition')}, {counted(counts[1], 'document')}"
        yield Checked(Level.OK, about, f"{shown}; building again gives the same")
