"""Works on the draft of a base in a second process, while the build goes on."""

import contextlib
import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import date
from pathlib import Path
from shutil import copyfile
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.errors import BaseBusyError, NotWritableError
from variorum.store.findings import EditionFindings
from variorum.store.reader import Reader
from variorum.stored_rows import StaleRow
from variorum.system.processes import interrupts_wait, stay_quiet
from variorum.system.timing import timed

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

Done = TypeVar("Done")

# A base with fewer states is written before a second process has started.
_WORTH_A_PROCESS = 5_000
# Comparing this many witnesses takes longer than finding errors.
_MANY_WITNESSES = 4


class SecondProcess:
    """Runs work of a build in a second process if that saves time; for a `with` statement."""

    def __init__(self, jobs: int, states: int, witnesses: int) -> None:
        """Prepare for a build.

        Args:
            jobs: How many processes may work at once.
            states: How many states the build writes.
            witnesses: How many documents it compares.
        """
        self._is_worth_it = jobs > 1 and states >= _WORTH_A_PROCESS
        self._has_many = witnesses >= _MANY_WITNESSES
        self._pool: ProcessPoolExecutor | None = None
        self._copy: Path | None = None

    def __enter__(self) -> Self:
        """Begin; the process starts when it gets work."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Wait for the process to end."""
        del kind, error, traceback
        if self._pool is not None:
            self._pool.shutdown()
        if self._copy is not None:
            self._copy.unlink(missing_ok=True)

    def find_errors(
        self, draft: Path, first: int, stale: Sequence[StaleRow]
    ) -> Iterator[EditionFindings]:
        """Return the errors of each edition of a draft, from `first` on.

        With many witnesses, the second process starts at once; otherwise this process finds the
        errors when the caller reads the result.

        Args:
            draft: A file with all editions.
            first: The place of the first edition to check.
            stale: The stale citations of the edition before.
        """
        if not (self._is_worth_it and self._has_many):
            return _found(lambda: _find_errors(draft, first, stale))
        return _found(self._begin(_find_errors, draft, first, stale).result)

    def index_texts(self, draft: Path, base: Path, today: date | None) -> None:
        """Begin to index a draft's texts, so that search need not wait long for its index.

        Args:
            draft: A file with all editions; it may change as soon as this returns.
            base: The folder of the base.
            today: The day that decides which edition is in force.
        """
        if not self._is_worth_it:
            return
        from variorum.search.indexes.cache import open_cache  # noqa: PLC0415 - imported on first use

        with contextlib.suppress(NotWritableError):
            folder = open_cache(base)
            self._copy = Path(copyfile(draft, folder / draft.name))
            self._begin(_index_texts, self._copy, folder, today)

    def _begin(self, work: Callable[..., Done], *arguments: object) -> "Future[Done]":
        if self._pool is None:
            from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - imported on first use

            self._pool = ProcessPoolExecutor(1, initializer=_start)
        with interrupts_wait():
            return self._pool.submit(work, *arguments)


def _start() -> None:
    stay_quiet()
    gc.freeze()  # the collector skips the objects of the build


def _found(find: Callable[[], list[EditionFindings]]) -> Iterator[EditionFindings]:
    with timed("finding errors"):
        yield from find()


def _find_errors(draft: Path, first: int, stale: Sequence[StaleRow]) -> list[EditionFindings]:
    from variorum.answers.lint.finder import find_findings  # noqa: PLC0415 - imported on first use

    with closing(Reader(draft, is_trusted=True)) as reader:
        return list(find_findings(KnowledgeBase(reader), first, stale))


def _index_texts(draft: Path, folder: Path, today: date | None) -> None:
    """Index the texts of a draft; if that fails, they are indexed when the base is finished."""
    from variorum.search.indexes.index_builder import Maker  # noqa: PLC0415 - imported on first use

    with (
        contextlib.suppress(BaseBusyError, NotWritableError),
        closing(Reader(draft, is_trusted=True)) as reader,
    ):
        Maker(KnowledgeBase(reader, today), folder).make_parts()
