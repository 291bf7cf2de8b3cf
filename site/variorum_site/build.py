"""Build the website: make every page anew, and write the files whose bytes changed.

The work is a list of tasks: an edition, some numbers, or a kind of file that there is once. Several
processes share it; the pages that show figures of all editions are made last, here.
"""

import gc
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from functools import cached_property
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import variorum
import variorum_site
from variorum.answers.diff import find_changes
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.errors import NoEditionError
from variorum.versions import digest_of_sources
from variorum.workers import interrupts_wait, stay_quiet
from variorum_site import urls
from variorum_site.data.compare import SectionStates, since_file
from variorum_site.data.feeds import REPORTED, feed_files, reported_of
from variorum_site.data.json_files import NumberFiles, catalogue_files
from variorum_site.data.script_files import offline_files, sitemap_files, static_files
from variorum_site.data.search_index import index_files
from variorum_site.output_folder import OutputFolder, digest_of, write
from variorum_site.page_index import PageIndex
from variorum_site.pages.changes import ChangesPage
from variorum_site.pages.dated_editions import Dated, ProvisionMarkup
from variorum_site.pages.front import EditionRow, Front, lint_pages, missing_page, search_pages
from variorum_site.pages.numbers import Numbers
from variorum_site.pages.witnesses import WitnessPages
from variorum_site.render import PageFile, render, stand_at

# With fewer tasks than this, one process is done before several processes have loaded the base.
_WORTH_A_POOL = 20
# Frequent garbage collection would take a quarter of the time. So garbage is collected after each
# task, among the objects created since the last one.
_COLLECT_SELDOM = (100_000, 50, 1000)


class SiteSettings(NamedTuple):
    """The address of a site, with a final slash, "" if unknown; and the day that it calls today."""

    base_url: str
    day: date


class Task(NamedTuple):
    """Something to make: the name of a method of `Site`, and the place where it begins."""

    kind: str
    first: int = 0


class Done(NamedTuple):
    """The digest of each file that a task made, how many of them changed, and an edition's figures."""

    digests: dict[str, str]
    written: int
    row: EditionRow | None


class Site:
    """Makes the files of a site."""

    def __init__(self, kb: Path | None, settings: SiteSettings) -> None:
        """Open a base.

        Raises:
            VariorumError: The base cannot be used, or holds no edition.
        """
        base = KnowledgeBase.open(kb, today=settings.day)
        if not base.editions:
            base.close()
            raise NoEditionError("the knowledge base holds no edition; cr build adds some")
        self._base_url = settings.base_url
        self.index = PageIndex(base)
        self.rows: dict[str, EditionRow] = {}
        stand_at(settings.base_url)

    @property
    def rests_on(self) -> str:
        """Return a digest of everything that the site depends on: the program, the base, the settings."""
        roots = [Path(str(package.__file__)).parent for package in (variorum, variorum_site)]
        program = [digest_of_sources([root], root, suffix="") for root in roots]
        base, current = self.index.base, self.index.current.label
        made_by = sorted(base.made_by().items())
        # The day matters only through the edition in force.
        return digest_of(repr((program, made_by, base.digest, self._base_url, current)).encode())

    def tasks(self) -> list[Task]:
        """Return all tasks; slow ones are first, so that no process is busy with one at the end."""
        index = self.index
        return [
            *map(Task, ("compare", "once", "catalogue")),
            *[Task("edition", edition.place) for edition in index.editions],
            # The changes of the last edition have a page.
            *[Task("since", place) for place in range(index.current.place - 1)],
            *[Task("numbers", place) for place in range(len(self._sections))],
        ]

    def make(self, task: Task, out: Path) -> Done:
        """Do a task: write its files."""
        make: Callable[[int], Iterable[PageFile]] = getattr(self, f"_{task.kind}")
        digests, written = _write(out, make(task.first))
        is_edition = task.kind == "edition"
        return Done(
            digests, written, self.rows[self.index.labels[task.first]] if is_edition else None
        )

    def make_last(self, out: Path, digests: dict[str, str]) -> int:
        """Make the files that name all others, and add them to these; return how many changed."""
        index, base_url = self.index, self._base_url
        rows = [self.rows[label] for label in index.labels]
        late: tuple[Callable[[], Iterable[PageFile]], ...] = (
            Front(index, self.rows).page_files,
            lambda: feed_files([(it.edition, it.summary, it.reported) for it in rows], base_url),
            lambda: offline_files(index, digests, digest_of(repr(digests).encode())),
            lambda: sitemap_files(base_url, digests) if base_url else (),
        )
        written = 0
        for make in late:
            more, count = _write(out, make())
            digests |= more
            written += count
        return written

    # The tasks -----------------------------------------------------------------------------------

    @cached_property
    def _markup(self) -> ProvisionMarkup:
        return ProvisionMarkup(self.index)

    @cached_property
    def _pages(self) -> Numbers:
        return Numbers(self.index)

    @cached_property
    def _number_files(self) -> NumberFiles:
        return NumberFiles(self.index)

    @cached_property
    def _sections(self) -> list[list[urls.Page]]:
        """Return the pages of each section, and of the headwords with each initial."""
        return [list(pages) for _, pages in groupby(self.index.pages, key=urls.data_of)]

    def _edition(self, place: int) -> Iterator[PageFile]:
        """Yield the pages of an edition, also under its bare date if that means this issue."""
        index, edition = self.index, self.index.editions[place]
        changes, reported = None, []
        files: list[PageFile] = []
        if place:
            found = find_changes(index.base, index.editions[place - 1], edition)
            changes = ChangesPage(index, edition, found)
            reported = reported_of(found) if place >= len(index.editions) - REPORTED else []
            files.append(changes.page_file())
        summary = None if changes is None else changes.summary
        self.rows[edition.label] = EditionRow(edition, index.words(place), summary, reported)
        files += Dated(index, self._markup, edition, changes).page_files()
        yield from files
        label, day = edition.label, edition.effective.isoformat()
        if edition.is_chosen and label != day:
            for page in files:
                yield page._replace(file=page.file.replace(f"{label}/", f"{day}/"))

    def _numbers(self, place: int) -> Iterator[PageFile]:
        pages = self._sections[place]
        yield self._number_files.file(pages)
        for page in pages:
            yield from self._pages.page_files(page)

    def _since(self, place: int) -> Iterator[PageFile]:
        yield since_file(self.index, place)

    def _compare(self, _: int) -> Iterator[PageFile]:
        editions, current = self.index.editions, self.index.current
        before = editions[-2:][0]
        yield render("compare", urls.COMPARE, editions=editions, before=before, current=current)
        yield from SectionStates(self.index).files()

    def _once(self, _: int) -> Iterator[PageFile]:
        yield from search_pages(self.index)
        yield from index_files(self.index)
        yield from lint_pages(self.index)
        yield missing_page(self._base_url)
        yield from static_files(self.index, self._base_url)

    def _catalogue(self, _: int) -> Iterator[PageFile]:
        yield from WitnessPages(self.index).page_files()
        yield from catalogue_files(self.index)


def _write(out: Path, files: Iterable[PageFile]) -> tuple[dict[str, str], int]:
    """Write files; return the digest of each, and how many were new or changed."""
    digests: dict[str, str] = {}
    written = 0
    for name, data in files:
        written += write(out, name, data)
        digests[name] = digest_of(data)
    return digests, written


class Built(NamedTuple):
    """What a build came to: how many files the site has, how many were written, how many removed."""

    files: int
    written: int
    removed: int


def build(
    kb: Path | None,
    out: Path,
    settings: SiteSettings,
    watch: Callable[[Iterable[Done], int], Iterable[Done]],
) -> Built:
    """Build a site from the base in a folder, or bring it up to date.

    `watch` is given what tasks made, and how many tasks there are, to show how far they are.

    Raises:
        VariorumError: The base cannot be used; or the folder cannot be written, or contains files
            that we did not write.
    """
    site = Site(kb, settings)
    with site.index.base:
        output = OutputFolder(out)
        if output.is_current(site.rests_on):
            return Built(len(output.files), 0, 0)
        before, digests, written = output.files, dict[str, str](), 0
        tasks = site.tasks()
        output.save(before)
        try:
            for done in watch(_make_all(site, kb, out, settings, tasks), len(tasks)):
                digests |= done.digests
                written += done.written
                if done.row is not None:
                    site.rows[done.row.edition.label] = done.row
            written += site.make_last(out, digests)
            stale = sorted(before.keys() - digests.keys())
            output.remove(stale)
        except BaseException:
            output.save(before | digests)
            raise
        output.save(digests, site.rests_on)
        return Built(len(digests), written, len(stale))


def _make_all(
    site: Site, kb: Path | None, out: Path, settings: SiteSettings, tasks: Sequence[Task]
) -> Iterator[Done]:
    jobs = os.cpu_count() or 1
    if jobs == 1 or len(tasks) < _WORTH_A_POOL:
        yield from (site.make(task, out) for task in tasks)
        return
    pool = ProcessPoolExecutor(
        jobs,
        # A forked process would start with all the memory of this process.
        mp_context=get_context("spawn"),
        initializer=_begin,
        initargs=(kb, out, settings),
    )
    try:
        with interrupts_wait():
            futures = [pool.submit(_make, task) for task in tasks]
        for future in futures:
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


# In the processes of the pool -----------------------------------------------------------------------

_SITE: list[tuple[Site, Path]] = []


def _begin(kb: Path | None, out: Path, settings: SiteSettings) -> None:
    stay_quiet()
    gc.set_threshold(*_COLLECT_SELDOM)
    _SITE.append((Site(kb, settings), out))
    gc.collect()
    gc.freeze()


def _make(task: Task) -> Done:
    site, out = _SITE[0]
    done = site.make(task, out)
    gc.collect()
    gc.freeze()
    return done
