"""Killing a sync at any moment does no harm."""

import random
import shutil
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from tests.crawler.mirror import Mirror
from tests.crawler.sync.sync_and_die import NOW
from tests.crawler.syncing import (
    NAMES,
    SAMPLE,
    built,
    do_nothing,
    good,
    serve,
    source,
    write_sources,
)
from variorum_crawler.fetch.fetcher import Fetcher
from variorum_crawler.fetch.settings import FetchSettings
from variorum_crawler.places.source_file import load_sources
from variorum_crawler.sync.sync import Sync
from variorum_crawler.trust.held_editions import load_held
from variorum_kb.build.check import verify
from variorum_kb.build.check_results import Problem
from variorum_kb.documents.archive import Archive
from variorum_kb.errors import NoBaseError

DRIVER = Path(__file__).with_name("sync_and_die.py")
KILLS = 12
COUNT = 3

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="processes cannot be forked there"),
]


class Driver:
    """A process that starts syncs in other processes."""

    def __init__(self) -> None:
        command = [sys.executable, "-P", str(DRIVER)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )

    def sync(self, moment: int, folder: Path, sources: Path) -> int:
        """Sync until a moment; return how many moments there were, 0 if it died."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{moment}\t{folder}\t{sources}\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


@contextmanager
def driving() -> Generator[Driver]:
    driver = Driver()
    try:
        yield driver
    finally:
        driver.close()


def offer(mirror: Mirror, folder: Path) -> Path:
    """Offer editions, one of them on a page, and a document for the quarantine."""
    serve(mirror, NAMES[1:COUNT])
    mirror.serve("/error.txt", good(b"<html>Sorry</html>"))
    mirror.serve("/rules", good(b'<a href="/CompRules.txt">TXT</a>'))
    mirror.serve("/CompRules.txt", good(SAMPLE[NAMES[0]]))
    names = [*NAMES[1:COUNT], "error.txt"]
    addresses = "\n".join(
        f'[[source.document]]\naddresses = ["{mirror.url(f"/{name}")}"]' for name in names
    )
    page = source("page", "page", address=mirror.url("/rules"))
    return write_sources(folder, page, f"{source('known', 'addresses')}\n{addresses}")


def complete(folder: Path, sources: Path) -> list[str]:
    """Sync undisturbed; return the new editions."""
    every = load_sources(sources)
    hosts = frozenset({"127.0.0.1"})
    with Fetcher(FetchSettings(pause=0, timeout=5, retries=0, private_hosts=hosts)) as fetcher:
        run = Sync(folder, fetcher, NOW, jobs=1)
        for _ in run.run(every):
            pass
    return run.report.new


def harm(folder: Path, labels: list[list[str]]) -> str:
    """Return the problems of a base whose sync was killed."""
    try:
        labels_held = [held.label for held in load_held(folder)]
    except NoBaseError:
        labels_held = []
    if labels_held not in labels:
        return f"the base holds {labels_held}"
    archive = Archive(folder / "documents")
    for sha256 in archive:
        archive.load(sha256)
    return ""


class Stage:
    """The start of every killed sync, and the result of the sync after it.

    Attributes:
        mirror: The server of the sources.
        folder: The working folder.
        sources: The file of sources.
        expected: The bytes of the base after an undisturbed sync.
        labels: The editions that a base may have, before or after.
    """

    def __init__(self, mirror: Mirror, folder: Path) -> None:
        """Serve editions, and build the expected base."""
        self.mirror, self.folder = mirror, folder
        self.sources = offer(mirror, folder)
        self.expected = built(folder, {name: SAMPLE[name] for name in NAMES[:COUNT]})
        self.labels = [[], [name.removesuffix(".txt") for name in NAMES[:COUNT]]]

    def kill_all(self, driver: Driver, kills: int) -> list[tuple[int, str]]:
        """Kill a sync at a random moment of each part of a run; return the problems by moment."""
        chance = random.Random(50)
        moments = driver.sync(0, self.folder / "undisturbed", self.sources)
        starts = [1 + part * moments / kills for part in range(kills + 1)]
        points = [
            chance.randrange(int(start), max(int(start) + 1, int(end)))
            for start, end in pairwise(starts)
        ]
        wrong = [(point, problem) for point in points for problem in self._kill(driver, point)]
        if (self.folder / "undisturbed" / "kb.sqlite").read_bytes() != self.expected:
            wrong.append((0, "the undisturbed run comes to another result"))
        return wrong

    def _kill(self, driver: Driver, point: int) -> Iterator[str]:
        """Kill a sync and let another follow; yield the problems."""
        folder = self.folder / "killed"
        shutil.rmtree(folder, ignore_errors=True)
        if driver.sync(point, folder, self.sources) != 0:
            yield "it was not killed"
        if problem := harm(folder, self.labels):
            yield problem
        if (new := complete(folder, self.sources)) != self.labels[1]:
            yield f"new is {new}"
        if (folder / "kb.sqlite").read_bytes() != self.expected:
            yield "the next run comes to another result"
        yield from (str(item) for item in verify(folder) if isinstance(item, Problem))
        yield from (str(item) for item in (folder / "crawl").glob("incoming/*"))


def test_killed_syncs_do_no_harm(
    tmp_path: Path, mirror: Mirror, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a kill at a random point of a run's parts, the archive is sound and the next run completes."""
    # Without fsync, written data survives the death of its process, but not a crash of the machine.
    monkeypatch.setattr("os.fsync", do_nothing)

    with driving() as driver:
        wrong = Stage(mirror, tmp_path).kill_all(driver, KILLS)

    assert wrong == []
