"""Build the website: make every page anew, and write the files whose bytes changed.

The work is a list of tasks: an edition, some numbers, or a kind of file that there is once. Several
processes share it; the pages that show figures of all editions are made last, here.
"""

import gc
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, partial
from importlib import resources
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import variorum
import variorum_site
from variorum.answers.diff import find_changes
from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.errors import NoEditionError
from variorum.versions import digest_of_sources
from variorum.workers import interrupts_wait, stay_quiet
from variorum_site import urls
from variorum_site.data import json_files
from variorum_site.data.feeds import REPORTED, ReportedChange, feed_files, reported_of
from variorum_site.data.offline import offline_files
from variorum_site.data.script_files import scripts
from variorum_site.data.search_index import OPENSEARCH, index_files, opensearch
from variorum_site.data.section_states import SectionStates
from variorum_site.data.since import since_file
from variorum_site.data.sitemap import sitemap_files
from variorum_site.output_folder import OutputFolder, digest_of, write
from variorum_site.page_index import PageIndex
from variorum_site.pages import lint, missing, search
from variorum_site.pages.changes import ChangesPage
from variorum_site.pages.dated_editions import Dated, ProvisionMarkup
from variorum_site.pages.front import EditionRow, Front
from variorum_site.pages.numbers import Numbers
from variorum_site.pages.witnesses import WitnessPages
from variorum_site.render import PageFile, render, stand_at

# With fewer tasks than this, one process is done before several processes have loaded the base.
_WORTH_A_POOL = 20
# Frequent garbage collection would take a quarter of the time. So garbage is collected after each
# task, among the objects created since the last one.
_COLLECT_SELDOM = (100_000, 50, 1000)

Files = Iterable[PageFile | tuple[str, bytes]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSettings:
    """Settings of a site.

    Attributes:
        base_url: The address of the site, with a final slash; "" if unknown.
        day: The day that the site calls "today"; None for the day of the newest edition.
    """

    base_url: str = ""
    day: date | None = None


class Task(NamedTuple):
    """Something to make: the name of a method of `Site`, and the place where it begins."""

    kind: str
    first: int = 0


class Done(NamedTuple):
    """What a task made.

    Attributes:
        digests: The digest of each file.
        written: How many of the files were new or changed.
        row: The figures of an edition.
        reported: Its changes, if the feed lists them.
    """

    digests: dict[str, str]
    written: int
    row: EditionRow | None
    reported: Sequence[ReportedChange]


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
        self.settings = settings
        self.index = PageIndex(base)
        self.rows: dict[str, EditionRow] = {}
        self.reported: dict[str, Sequence[ReportedChange]] = {}
        stand_at(settings.base_url)

    @cached_property
    def rests_on(self) -> str:
        """Return a digest of everything that the site depends on: the program, the base, the settings."""
        roots = [Path(str(package.__file__)).parent for package in (variorum, variorum_site)]
        program = [digest_of_sources([root], root, suffix="") for root in roots]
        # The day matters only through the edition in force.
        settings = replace(self.settings, day=None), self.index.current.label
        made_by = sorted(self.index.base.made_by().items())
        return digest_of(repr((program, made_by, self.index.base.digest, settings)).encode())

    def tasks(self) -> list[Task]:
        """Return all tasks; slow ones are first, so that no process is busy with one at the end."""
        return [
            *map(Task, ("compare", "search", "lint", "assets", "witnesses", "catalogue")),
            *[Task("edition", edition.place) for edition in self.index.editions],
            # The changes of the last edition have a page.
            *[Task("since", place) for place in range(self.index.current.place - 1)],
            *[Task("numbers", place) for place in range(len(self._sections))],
        ]

    def make(self, task: Task, out: Path) -> Done:
        """Do a task: write its files."""
        make: Callable[[int], Files] = getattr(self, f"_{task.kind}")
        digests, written = _write(out, make(task.first))
        label = self.index.labels[task.first] if task.kind == "edition" else ""
        return Done(digests, written, self.rows.get(label), self.reported.get(label, ()))

    def make_last(self, out: Path, digests: dict[str, str]) -> int:
        """Make the files that name all others, and add them to these; return how many changed."""
        index, base_url = self.index, self.settings.base_url
        late: tuple[Callable[[], Files], ...] = (
            Front(index, self.rows).page_files,
            partial(feed_files, index, self.rows, self.reported, base_url),
            lambda: offline_files(index, digests, digest_of(repr(digests).encode())),
            lambda: sitemap_files(base_url, list(digests)) if base_url else (),
        )
        written = 0
        for make in late:
            more, count = _write(out, make())
            digests |= more
            written += count
        return written

    # Editions ------------------------------------------------------------------------------------

    @cached_property
    def _markup(self) -> ProvisionMarkup:
        return ProvisionMarkup(self.index)

    def _edition(self, place: int) -> Files:
        index, edition = self.index, self.index.editions[place]
        changes = None
        if place:
            found = find_changes(index.base, index.editions[place - 1], edition)
            changes = ChangesPage(index, edition, found)
            if place >= len(index.editions) - REPORTED:
                self.reported[edition.label] = reported_of(found)
            yield from _with_day(edition, changes.page_file())
        summary = None if changes is None else changes.summary
        self.rows[edition.label] = EditionRow(edition, index.words(place), summary)
        for page_file in Dated(index, self._markup, edition, changes).page_files():
            yield from _with_day(edition, page_file)

    # Numbers and headwords -----------------------------------------------------------------------

    @cached_property
    def _pages(self) -> Numbers:
        return Numbers(self.index)

    @cached_property
    def _number_files(self) -> json_files.NumberFiles:
        return json_files.NumberFiles(self.index)

    @cached_property
    def _sections(self) -> list[list[urls.Page]]:
        """Return the pages of each section, and of the headwords with each initial."""
        return [list(pages) for _, pages in groupby(self.index.pages, key=urls.data_of)]

    def _numbers(self, place: int) -> Files:
        pages = self._sections[place]
        yield from self._number_files.file(pages)
        for page in pages:
            yield from self._pages.page_files(page)

    # What there is once --------------------------------------------------------------------------

    def _lint(self, _: int) -> Files:
        return lint.page_files(self.index)

    def _witnesses(self, _: int) -> Files:
        yield from WitnessPages(self.index).page_files()
        yield from json_files.witness_files(self.index)

    def _catalogue(self, _: int) -> Files:
        yield from json_files.editions_file(self.index)
        yield from json_files.current_file(self.index)

    def _assets(self, _: int) -> Files:
        package = resources.files("variorum_site")
        for file in (urls.STYLE, urls.ICON, urls.PHONE_ICON, urls.LARGE_ICON):
            yield file, (package / "assets" / Path(file).name).read_bytes()
        yield from scripts(self.index, self.settings.base_url)
        yield missing.page_file(self.settings.base_url)

    def _search(self, _: int) -> Files:
        yield from search.page_files(self.index)
        yield from index_files(self.index)
        if self.settings.base_url:
            yield OPENSEARCH, opensearch(self.settings.base_url).encode()

    def _compare(self, _: int) -> Files:
        editions = self.index.editions
        yield render(
            "compare",
            urls.COMPARE,
            editions=editions,
            first=editions[0],
            before=editions[-2:][0],
            current=self.index.current,
        )
        yield from SectionStates(self.index).files()

    def _since(self, place: int) -> Files:
        yield since_file(self.index, place)


def _write(out: Path, files: Files) -> tuple[dict[str, str], int]:
    """Write files; return the digest of each, and how many were new or changed."""
    digests: dict[str, str] = {}
    written = 0
    for file in files:
        name, data = (file.file, file.text.encode()) if isinstance(file, PageFile) else file
        written += write(out, name, data)
        digests[name] = digest_of(data)
    return digests, written


def _with_day(edition: EditionEntry, page_file: PageFile) -> Files:
    """Yield a page of an edition, also under its bare date if that means this issue."""
    yield page_file
    day = edition.effective.isoformat()
    if edition.is_chosen and edition.label != day:
        yield replace(page_file, file=page_file.file.replace(f"{edition.label}/", f"{day}/"))


class Built(NamedTuple):
    """What a build came to: how many files the site has, how many were written, how many removed."""

    files: int
    written: int
    removed: int


def build(
    kb: Path | None,
    out: Path,
    settings: SiteSettings,
    jobs: int | None = None,
    watch: Callable[[Iterable[Done], int], Iterable[Done]] | None = None,
) -> Built:
    """Build a site, or bring it up to date.

    Args:
        kb: The folder of the base; by default, the user's own.
        out: The folder of the site.
        settings: The settings.
        jobs: How many processes make pages; by default, one per processor.
        watch: Is given what tasks made, and how many tasks there are, to show how far they are.

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
            made: Iterable[Done] = _make_all(site, kb, out, tasks, jobs or os.cpu_count() or 1)
            if watch is not None:
                made = watch(made, len(tasks))
            for done in made:
                digests |= done.digests
                written += done.written
                if done.row is not None:
                    label = done.row.edition.label
                    site.rows[label], site.reported[label] = done.row, done.reported
            written += site.make_last(out, digests)
            stale = sorted(before.keys() - digests.keys())
            output.remove(stale)
        except BaseException:
            output.save(before | digests)
            raise
        output.save(digests, site.rests_on)
        return Built(len(digests), written, len(stale))


def _make_all(
    site: Site, kb: Path | None, out: Path, tasks: Sequence[Task], jobs: int
) -> Iterator[Done]:
    if jobs == 1 or len(tasks) < _WORTH_A_POOL:
        yield from (site.make(task, out) for task in tasks)
        return
    pool = ProcessPoolExecutor(
        jobs,
        # A forked process would start with all the memory of this process.
        mp_context=get_context("spawn"),
        initializer=_begin,
        initargs=(kb, out, site.settings),
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
