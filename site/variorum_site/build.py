"""Build the website: make every page anew, and write the files whose bytes changed.

The work is a list of tasks: an edition, some numbers, or a kind of file that there is once. Several
processes share it; the pages that show figures of all editions are made last, here.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from functools import cached_property, partial
from itertools import groupby, takewhile
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import variorum
import variorum_site
from variorum.answers.diff import find_changes
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.errors import NoEditionError
from variorum.files import digest_of_sources
from variorum.rows import EditionRow
from variorum.workers import stay_quiet
from variorum_site import urls
from variorum_site.data import programs
from variorum_site.data.script_data import SectionStates, index_files, since_file
from variorum_site.data.script_files import offline_files, static_files
from variorum_site.output_folder import OutputFolder, digest_of, write
from variorum_site.page_index import LinksOf, PageIndex
from variorum_site.pages.changes import ChangesGroup, ChangesPage
from variorum_site.pages.dated_editions import edition_pages
from variorum_site.pages.front import (
    leading_pages,
    lint_page,
    missing_page,
    pages_of_today,
    search_pages,
)
from variorum_site.pages.numbers import number_pages
from variorum_site.pages.story import Stories
from variorum_site.pages.witnesses import witness_pages
from variorum_site.render import PageFile, render, stand_at

# With fewer tasks than this, one process is done before several processes have loaded the base.
_WORTH_A_POOL = 20


class SiteSettings(NamedTuple):
    """The address of a site, with a final slash, "" if unknown; and the day that it calls today."""

    base_url: str
    day: date


class Done(NamedTuple):
    """The digest of each file that a task made, how many of them changed, and an edition's figures."""

    digests: dict[str, str]
    written: int
    row: programs.EditionFigures | None = None


class Site:
    """Makes the files of a site."""

    def __init__(self, kb: Path | None, settings: SiteSettings) -> None:
        base = KnowledgeBase.open(kb, today=settings.day)
        if not base.editions:
            base.close()
            raise NoEditionError("the knowledge base holds no edition; cr build adds some")
        self._base_url = settings.base_url
        self.index = PageIndex(base)
        self._feed = LinksOf(self.index, programs.FEEDS, self._base_url)
        self._rows: dict[str, programs.EditionFigures] = {}
        stand_at(settings.base_url)

    @property
    def rests_on(self) -> str:
        """Return a digest of everything that the site depends on: the program, the base, the settings."""
        roots = [Path(str(package.__file__)).parent for package in (variorum, variorum_site)]
        program = digest_of_sources(*roots)
        base, current = self.index.base, self.index.current.label
        made_by = sorted(base.reader.facts().items())
        # The day matters only through the edition in force.
        return digest_of(repr((program, made_by, base.digest, self._base_url, current)).encode())

    @cached_property
    def tasks(self) -> dict[str, Callable[[], Iterable[PageFile]]]:
        """Return what makes the files, by name.

        Slow tasks are first, so that no process is busy with one at the end.
        """
        index = self.index
        stories = Stories(index)
        # The pages of each section, and of the headwords with each initial.
        sections = [(file, list(pages)) for file, pages in groupby(index.pages, key=urls.data_of)]
        return {
            "compare": SectionStates(index).files,
            "numbers": partial(programs.number_files, index),
            "once": self._once,
            **{each.label: partial(self._edition, each) for each in index.editions},
            # The changes of the last edition have a page.
            **{
                f"since {index.labels[place]}": partial(since_file, index, place)
                for place in range(index.current.place - 1)
            },
            **{file: partial(number_pages, stories, pages) for file, pages in sections},
        }

    def make(self, task: str, out: Path, is_over: Callable[[], bool] = lambda: False) -> Done:
        """Do a task: write its files, until nobody waits for them."""
        files, digests = takewhile(lambda _: not is_over(), self.tasks[task]()), dict[str, str]()
        written = _write(out, files, digests)
        return Done(digests, written, self._rows.get(task))

    def make_last(
        self, out: Path, digests: dict[str, str], rows: Sequence[programs.EditionFigures]
    ) -> int:
        """Make the files that name all others, and add them to these; return how many changed."""
        written = _write(out, leading_pages(self.index, rows), digests)
        written += _write(out, [programs.feed_file(rows, self._feed, self._base_url)], digests)
        inputs = digest_of(repr(sorted(digests.items())).encode())
        written += _write(out, offline_files(self.index, [*digests], inputs), digests)
        if self._base_url:
            written += _write(out, programs.sitemap_files(self._base_url, [*digests]), digests)
        return written

    def _edition(self, edition: EditionRow) -> Iterator[PageFile]:
        """Yield the pages of an edition, also under its bare date if that means this issue."""
        index, place, label = self.index, edition.place, edition.label
        found = find_changes(index.base, index.editions[max(place - 1, 0)], edition)
        changes = ChangesPage(index, edition, found)
        reported: list[ChangesGroup] = []
        if place >= len(index.editions) - programs.REPORTED:
            reported += changes.groups(self._feed)
        self._rows[label] = programs.EditionFigures(
            edition, index.words(place), changes.summary if place else None, reported
        )
        files = [*([changes.page_file()] if place else []), *edition_pages(index, changes)]
        day = edition.effective
        yield from files
        if edition.is_chosen and label != day:
            for page in files:
                yield page._replace(file=page.file.replace(f"{label}/", f"{day}/"))

    def _once(self) -> Iterator[PageFile]:
        index, editions = self.index, self.index.editions
        ends = {"before": editions[-2:][0], "current": index.current}
        yield render("compare", urls.COMPARE, "", editions=editions, **ends)
        yield lint_page(index)
        yield missing_page(self._base_url)
        yield from search_pages(index)
        yield from pages_of_today(index)
        yield from index_files(index)
        yield from witness_pages(index)
        yield from programs.catalogue_files(index)
        yield from static_files(index, self._base_url)


def _write(out: Path, files: Iterable[PageFile], digests: dict[str, str]) -> int:
    written = 0
    for name, data in files:
        written += write(out, name, data)
        digests[name] = digest_of(data)
    return written


def build(
    kb: Path | None,
    out: Path,
    settings: SiteSettings,
    watch: Callable[[Iterable[Done], int], Iterable[Done]],
) -> tuple[int, int, int]:
    """Build a site from the base in a folder, or bring it up to date.

    Return how many files it has, how many were written, and how many removed. `watch` is given what
    tasks made, and how many tasks there are, to show how far they are.
    """
    site = Site(kb, settings)
    with site.index.base:
        output = OutputFolder(out)
        if output.is_current(site.rests_on):
            return len(output.files), 0, 0
        before, digests, written = output.files, dict[str, str](), 0
        rows: list[programs.EditionFigures] = []
        output.save(before)
        try:
            for done in watch(_make_all(site, kb, out, settings), len(site.tasks)):
                digests |= done.digests
                written += done.written
                rows += [] if done.row is None else [done.row]
            written += site.make_last(out, digests, sorted(rows, key=lambda it: it.edition.place))
            stale = sorted(before.keys() - digests.keys())
            output.remove(stale)
        except BaseException:
            output.save(before | digests)
            raise
        output.save(digests, site.rests_on)
        return len(digests), written, len(stale)


def _make_all(site: Site, kb: Path | None, out: Path, settings: SiteSettings) -> Iterator[Done]:
    """Do all tasks: other processes the first ones that are left, this one the last.

    Tasks of a kind need much the same, so a process should do tasks that follow each other.
    """
    others = (os.cpu_count() or 1) - 1 if len(site.tasks) >= _WORTH_A_POOL else 0
    if not others:
        yield from (site.make(task, out) for task in site.tasks)
        return
    # A forked process would start with all the memory of this process.
    is_over = (context := get_context("spawn")).Event()
    pool = ProcessPoolExecutor(others, context, _begin, (kb, out, settings, is_over.is_set))
    try:
        heard = signal.signal(signal.SIGINT, signal.SIG_IGN)  # also in processes while they start
        left = deque((task, pool.submit(_make, task)) for task in site.tasks)
        signal.signal(signal.SIGINT, heard)
        while left:
            if not left[0][1].done() and left[-1][1].cancel():
                yield site.make(left.pop()[0], out)
            else:
                yield left.popleft()[1].result()
    finally:
        is_over.set()  # after an interrupt, nobody waits for the tasks that have begun
        pool.shutdown(cancel_futures=True)


# In the processes of the pool -----------------------------------------------------------------------

_MAKE: list[Callable[[str], Done]] = []


def _begin(kb: Path | None, out: Path, settings: SiteSettings, is_over: Callable[[], bool]) -> None:
    stay_quiet()
    _MAKE.append(partial(Site(kb, settings).make, out=out, is_over=is_over))


def _make(task: str) -> Done:
    return _MAKE[0](task)
