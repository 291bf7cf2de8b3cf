"""Build the website from a knowledge base; only groups whose inputs changed are made again."""

import gc
import json
import os
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, islice
from multiprocessing import get_context
from pathlib import Path

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.errors import NoEditionError
from variorum.files import Closing
from variorum.versions import digest_of_sources
from variorum.workers import interrupts_wait, stay_quiet
from variorum_site.group_inputs import Group, Inputs
from variorum_site.group_results import GroupResults
from variorum_site.output_folder import GroupJson, OutputFolder, digest_of, write
from variorum_site.page_index import PageIndex
from variorum_site.page_kinds import KINDS, Work
from variorum_site.render import stand_at
from variorum_site.settings import SiteSettings

# With fewer groups than this, one process is done before several processes have loaded the base.
_WORTH_A_POOL = 600
# How many groups of a kind a process takes at once: neighbouring editions share most of their markup.
_AT_ONCE = {"edition": 5}
_MANY = 100
# The manifest is saved after this many files, so that an interrupted build can continue.
_SAVE_EVERY = 2000
_PLAIN = SiteSettings()


@dataclass(frozen=True, slots=True)
class Made:
    """A group of pages was made, or was up to date.

    Attributes:
        name: The name of the group.
        files: How many files it has.
        written: How many of them were new or changed.
        is_new: Whether it was made by this build.
    """

    name: str
    files: int
    written: int
    is_new: bool


@dataclass(frozen=True, slots=True)
class Removed:
    """Files of an earlier build that the site no longer has."""

    files: int


Event = Made | Removed


class SiteBuilder(Closing):
    """Builds a site. Use it in a `with` statement, or close it."""

    def __init__(
        self,
        kb: Path | None,
        out: Path,
        jobs: int | None = None,
        settings: SiteSettings = _PLAIN,
    ) -> None:
        """Prepare a build.

        Args:
            kb: The folder of the base; by default, the user's own.
            out: The folder of the site.
            jobs: How many processes make pages; by default, one per processor.
            settings: The other settings.
        """
        self._kb = kb
        self._out = out
        self._jobs = jobs or os.cpu_count() or 1
        self._settings = settings
        self._names: set[str] = set()

    def close(self) -> None:
        """Close the base."""
        if "_index" in vars(self):
            self._index.base.close()

    @cached_property
    def _index(self) -> PageIndex:
        """Return the base's page index, which all groups made in this process share."""
        base = KnowledgeBase.open(self._kb, today=self._settings.day)
        if not base.editions:
            base.close()
            raise NoEditionError("the knowledge base holds no edition; cr build adds some")
        return PageIndex(base)

    @cached_property
    def _inputs(self) -> Inputs:
        return Inputs(self._index, _program(), self._settings)

    def files_if_current(self) -> int | None:
        """Return how many files the site has if it is whole and up to date; otherwise None.

        Raises:
            VariorumError: The base cannot be used, or the folder has files that we did not write.
        """
        rests_on = self._inputs.whole_site
        output = OutputFolder.open(self._out)
        return len(output.files()) if output.is_current(rests_on) else None

    def groups(self) -> list[Group]:
        """Return all groups of pages; groups that depend on others are last.

        Raises:
            VariorumError: The base cannot be used.
        """
        groups = [group for kind in KINDS for group in kind.groups(self._inputs)]
        self._names = {group.name for group in groups}
        return groups

    def build(self, groups: Sequence[Group]) -> Iterator[Event]:
        """Make the groups that are not up to date; yield each group when it is done.

        Raises:
            NotWritableError: The folder cannot be written, or contains files that we did not write.
        """
        output = OutputFolder.open(self._out)
        before = output.files()
        known = dict(output.groups)
        done: dict[str, GroupJson] = {}
        rests_on = ""
        try:
            if not known:
                output.save(known)
            early = [group for group in groups if not group.is_last]
            unsaved = 0
            for name, made, event in self._make_all(output, early, {}, done):
                done[name] = known[name] = made
                yield event
                unsaved += event.written
                if unsaved >= _SAVE_EVERY:
                    output.save(known)
                    unsaved = 0
            results = {name: group["results"] for name, group in done.items()}
            results_digest = digest_of(json.dumps(results, sort_keys=True).encode())
            # The last groups also depend on the results of those before them.
            late = [
                replace(group, inputs=f"{group.inputs}-{results_digest}")
                for group in groups
                if group.is_last
            ]
            for name, made, event in self._make_all(output, late, results, done):
                done[name] = known[name] = made
                yield event
            kept = [file for group in done.values() for file in group["files"]]
            stale = output.remove_stale(before, kept)
            known = done
            if done.keys() == self._names:
                rests_on = self._inputs.whole_site
            if stale:
                yield Removed(stale)
        finally:
            output.save(known, rests_on)

    def _make_all(
        self,
        output: OutputFolder,
        groups: Sequence[Group],
        results: dict[str, GroupResults],
        done: Mapping[str, GroupJson],
    ) -> Iterator[tuple[str, GroupJson, Made]]:
        waiting: list[Group] = []
        for group in groups:
            if output.is_fresh(group.name, group.inputs):
                known = output.groups[group.name]
                yield group.name, known, Made(group.name, len(known["files"]), 0, is_new=False)
            else:
                waiting.append(replace(group, earlier=output.earlier(group.name)))
        # The groups that depend on all others are few and need their results, so this process makes
        # them.
        if self._jobs > 1 and not results and len(waiting) >= _WORTH_A_POOL:
            yield from self._make_together(waiting, results)
        elif waiting:
            yield from self._make_alone(waiting, results, done)

    def _make_alone(
        self,
        waiting: Sequence[Group],
        results: dict[str, GroupResults],
        done: Mapping[str, GroupJson],
    ) -> Generator[tuple[str, GroupJson, Made]]:
        work = Work(self._index, results, self._settings, done)
        gc.freeze()
        try:
            for batch in _batches(waiting):
                for group in batch:
                    yield _make(work, self._out, group)
                _collect_garbage()
        finally:
            gc.unfreeze()

    def _make_together(
        self, waiting: Sequence[Group], results: dict[str, GroupResults]
    ) -> Generator[tuple[str, GroupJson, Made]]:
        with ExitStack() as stack:
            pool = ProcessPoolExecutor(
                self._jobs,
                # A forked process would start with all the memory of this process.
                mp_context=get_context("spawn"),
                initializer=_begin,
                initargs=(self._kb, self._out, results, self._settings),
            )
            stack.callback(pool.shutdown, cancel_futures=True)
            futures: list[Future[list[tuple[str, GroupJson, Made]]]] = []
            with interrupts_wait():
                futures = [pool.submit(_make_batch, batch) for batch in _batches(waiting)]
            for future in futures:
                yield from future.result()


def _batches(groups: Sequence[Group]) -> Iterator[list[Group]]:
    """Yield batches of groups of one kind, each for one process."""
    for kind, same in groupby(groups, key=lambda group: group.kind):
        while batch := list(islice(same, _AT_ONCE.get(kind, _MANY))):
            yield batch


def _make(work: Work, out: Path, group: Group) -> tuple[str, GroupJson, Made]:
    files: dict[str, str] = {}
    results: GroupResults = {}
    written = 0
    kind = next(page_kind for page_kind in KINDS if page_kind.name == group.kind)
    stand_at(work.settings.base_url)
    for file, data in kind.make(work, group, results):
        written += write(out, {file: data})
        files[file] = digest_of(data)
    made: GroupJson = {"inputs": group.inputs, "results": results, "files": files}
    return group.name, made, Made(group.name, len(files), written, is_new=True)


def _collect_garbage() -> None:
    """Free the garbage of finished pages; never examine the remaining objects again."""
    gc.collect()
    gc.freeze()


# In the processes of the pool -----------------------------------------------------------------------

_WORK: list[tuple[Work, Path]] = []


# Frequent garbage collection would take a quarter of the time. So garbage is collected after each
# batch, among the objects created since the last one.
_COLLECT_SELDOM = (100_000, 50, 1000)


def _begin(
    kb: Path | None, out: Path, results: dict[str, GroupResults], settings: SiteSettings
) -> None:
    stay_quiet()
    gc.set_threshold(*_COLLECT_SELDOM)
    index = PageIndex(KnowledgeBase.open(kb, today=settings.day))
    _WORK.append((Work(index, results, settings), out))
    _collect_garbage()


def _make_batch(groups: list[Group]) -> list[tuple[str, GroupJson, Made]]:
    work, out = _WORK[0]
    made = [_make(work, out, group) for group in groups]
    _collect_garbage()
    return made


def _program() -> str:
    """Return a digest of all files of the program, since any of them may change a page."""
    import variorum  # noqa: PLC0415 - only its place is wanted
    import variorum_site  # noqa: PLC0415 - likewise

    roots = [Path(str(package.__file__)).parent for package in (variorum, variorum_site)]
    return "".join([digest_of_sources([root], root, suffix="") for root in roots])
