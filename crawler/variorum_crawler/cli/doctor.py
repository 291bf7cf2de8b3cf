"""`cr doctor`: find problems with a set-up, and say what to do about each; change nothing."""

import os
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from types import SimpleNamespace

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.build.build import archive_of, verify
from variorum.cli import command as opts
from variorum.errors import FINDINGS, BaseBusyError, BaseError, NoBaseError
from variorum.files import FILE, base_folder, current_meta
from variorum.records.upkeep import CheckResult, Examination
from variorum.rows import ONE_SOURCE
from variorum.text import counted, listed
from variorum_crawler.seen import INCOMING, QUARANTINED, TRUSTED, SeenTable

# Days; since 2009, no edition has stayed the newest for longer.
_LONG = 200
_OK, _WARNING, _PROBLEM = "ok", "warning", "problem"
# A level, what was found, and what to do about it.
_Finding = tuple[str, str, str]


@opts.command(is_alone=True)
def doctor(o: SimpleNamespace) -> opts.Answer:
    """Find problems with this set-up, and say what to do about each.

    Looks at the folder, the knowledge base, the archive, and the last sync with its quarantine.
    Nothing is changed, and no network access is made. Each finding is one line. Exits 1 if there is
    a problem.

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
    problems, warnings = ([it.level for it in checks].count(it) for it in (_PROBLEM, _WARNING))
    lines = [f"{it.level:8} {it.about}: {it.what}{it.remedy and f'; {it.remedy}'}" for it in checks]
    summary = f"{counted(problems, 'problem')}, {counted(warnings, 'warning')}"
    return opts.Answer(
        Examination(checks, problems, warnings),
        [*lines, summary],
        checks,
        FINDINGS if problems else 0,
    )


def _of_folder(folder: Path) -> Iterator[_Finding]:
    above = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    if above.is_dir() and os.access(above, os.W_OK | os.X_OK):
        yield _OK, f"{folder}{'' if folder.exists() else ', which will be made'}", ""
    else:
        yield _PROBLEM, f"{above} cannot be written", "name another with --kb or VARIORUM_KB"


def _of_base(folder: Path) -> Iterator[_Finding]:
    try:
        with KnowledgeBase.open(folder, today=opts.today()) as base:
            editions, newest = base.editions, base.edition("latest")
            is_old = not base.reader.facts().items() >= current_meta().items()
    except NoBaseError:
        yield _PROBLEM, f"{folder / FILE}: there is none", "cr sync makes one"
        return
    except BaseError as error:
        yield _PROBLEM, error.what, error.remedy
        return
    count, since = counted(len(editions), "edition"), date.fromisoformat(newest.effective)
    if is_old:
        what = f"{count}, built by another version of Variorum"
        yield _WARNING, what, "cr build brings it up to date"
    else:
        what, age = f"{count}, the newest of {newest.label}", (opts.today() - since).days
        late = _WARNING, f"{what}, {age} days ago", "is cr sync run regularly?"
        yield late if age > _LONG else (_OK, what, "")
    if alone := [edition.label for edition in editions if edition.doubts == ONE_SOURCE]:
        remedy = "cr sync looks for a second source; cr kb accept HASH says that you trust it"
        yield _WARNING, f"of one source: {listed(alone[::-1], 1)}", remedy
    for edition in editions:
        if edition.doubts not in {"", ONE_SOURCE}:
            doubts = ", ".join(edition.doubts.splitlines())
            yield _WARNING, f"{edition.label}: {doubts}", "look for a better text of this date"


def _of_archive(folder: Path) -> Iterator[_Finding]:
    try:
        archive = archive_of(folder)
        problems = [it.what for it in archive.problems()]
    except BaseError as error:
        yield _PROBLEM, error.what, error.remedy
        return
    if problems:
        more = f", and {len(problems) - 1} more" if problems[1:] else ""
        again = "cr sync fetches them again where they are still published"
        yield _PROBLEM, f"{problems[0]}{more}", f"cr doctor --deep lists them; {again}"
    else:
        yield _OK, f"{counted(len(archive.sources), 'document')}, all as they came", ""


def _of_last_sync(folder: Path) -> Iterator[_Finding]:
    rows = sorted(seen := SeenTable(folder), key=lambda row: (row.since, row.sha256))
    if any(row.state in {INCOMING, TRUSTED} for row in rows):
        yield _WARNING, "was cut short", "cr sync goes on with it"
    else:
        yield _OK, f"the newest document came {rows[-1].since}" if rows else "none yet", ""
    if waiting := [row for row in rows if row.state == QUARANTINED]:
        count = counted(len({row.sha256 for row in waiting}), "document")
        newest = f"the newest since {waiting[-1].since}: {waiting[-1].reason}"
        remedy = f"look at {seen.folder}; cr kb accept HASH adds a document that is good after all"
        yield _WARNING, f"{count} in quarantine, {newest}", remedy


def _of_every_part(folder: Path) -> Iterator[_Finding]:
    outcome = [(_OK, "building again from the documents gives the same", "")]
    try:
        for problem in verify(folder, jobs=os.cpu_count() or 1):
            outcome = []
            yield _PROBLEM, problem.what, problem.remedy
    except BaseError as error:  # others are reported before
        is_busy = isinstance(error, BaseBusyError)
        outcome = [(_PROBLEM, error.what, error.remedy)] if is_busy else []
    yield from outcome


_CHECKS: dict[str, Callable[[Path], Iterator[_Finding]]] = {
    "folder": _of_folder,
    "knowledge base": _of_base,
    "archive": _of_archive,
    "last sync": _of_last_sync,
    "every part": _of_every_part,
}
