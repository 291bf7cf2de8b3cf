"""Audits many files, in several processes if that is faster."""

import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack
from datetime import date
from itertools import chain, islice
from pathlib import Path

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.audit.audited_files import files_below
from variorum.audit.dating.git_log import Histories, read_histories
from variorum.audit.dating.git_log_walk import Progress
from variorum.audit.reporting.report import Report
from variorum.audit.run import Auditor
from variorum.audit.settings import Settings
from variorum.workers import interrupts_wait, stay_quiet

# For fewer files, starting a second process takes longer than it saves.
_WORTH_A_POOL = 200
_FILES_AT_ONCE = 40


def audit_tree(
    base: KnowledgeBase,
    settings: Settings,
    paths: Sequence[Path],
    *,
    jobs: int = 0,
    with_current: bool = False,
) -> Iterator[Report]:
    """Yield the report on each file of a tree, in sorted order; see `audit_files`."""
    files = files_below(paths, settings.exclude, settings.folder)
    return audit_files(base, settings, files, jobs=jobs, with_current=with_current)


def audit_files(  # noqa: PLR0913 - each has a name
    base: KnowledgeBase,
    settings: Settings,
    files: Iterator[Path],
    *,
    jobs: int = 0,
    with_current: bool = False,
    progress: Progress | None = None,
) -> Iterator[Report]:
    """Yield the reports on files, in their order.

    Only a few files are in memory at once.

    Args:
        base: The base whose editions are compared.
        settings: How they are audited.
        files: Their paths.
        jobs: How many processes work at once; 0 for one on each core.
        with_current: Whether to list citations that are still correct.
        progress: Called with the number of commits read and the total, if many files are dated.

    Raises:
        NoEditionError: A designator of the settings names no edition.
        NotReadableError: Git cannot date the lines.
    """
    auditor = Auditor(base, settings)
    histories: Histories = {}
    if settings.blame:
        every = list(files)
        histories = read_histories(base, auditor.git, every, progress)
        auditor, files = Auditor(base, settings, None, histories), iter(every)
    first = list(islice(files, _WORTH_A_POOL))
    jobs = jobs or os.cpu_count() or 1
    if jobs < 2 or len(first) < _WORTH_A_POOL:  # noqa: PLR2004 - one is no pool
        for path in chain(first, files):
            yield auditor.audit(path, with_current=with_current)
        return
    with ExitStack() as stack:
        pool = ProcessPoolExecutor(
            jobs,
            initializer=_begin,
            initargs=(
                *(base.folder, base.today, settings, with_current),
                auditor.git.folder if settings.blame or settings.since else None,
                histories,
            ),
        )
        stack.callback(pool.shutdown, cancel_futures=True)
        begun: deque[Future[list[Report]]] = deque()
        all_files = chain(first, files)
        while batch := list(islice(all_files, _FILES_AT_ONCE)):
            with interrupts_wait():
                begun.append(pool.submit(_audit, batch))
            if len(begun) > 4 * jobs:
                yield from begun.popleft().result()
        for future in begun:
            yield from future.result()


# What a process of the pool works with.
_auditor: Auditor
_with_current: bool


def _begin(  # noqa: PLR0913, PLR0917 - a pool passes them so
    folder: Path,
    today: date | None,
    settings: Settings,
    with_current: bool,  # noqa: FBT001 - a pool passes it so
    for_git: Path | None,
    histories: Histories,
) -> None:
    global _auditor, _with_current
    stay_quiet()
    base = KnowledgeBase.open(folder, today=today)
    _auditor, _with_current = Auditor(base, settings, for_git, histories), with_current


def _audit(batch: Sequence[Path]) -> list[Report]:
    return [_auditor.audit(path, with_current=_with_current) for path in batch]
