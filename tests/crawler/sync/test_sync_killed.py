"""A sync that is killed, at any moment, does no harm."""

import random
import subprocess
import sys
from collections.abc import Generator
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
from variorum_crawler.sync.incoming import Incoming
from variorum_crawler.sync.sync import Sync
from variorum_crawler.trust.held import load_held
from variorum_kb.build.check import Problem, verify
from variorum_kb.documents.archive import Archive
from variorum_kb.errors import NoBaseError

DRIVER = Path(__file__).with_name("sync_and_die.py")
KILLS = 24
COUNT = 3

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="processes cannot be forked there"),
]


class Driver:
    """A process that syncs in others."""

    def __init__(self) -> None:
        command = [sys.executable, "-P", str(DRIVER)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )

    def sync(self, moment: int, folder: Path, sources: Path) -> int:
        """Sync until a moment; return how many there were, 0 if it died."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{moment}\t{folder}\t{sources}\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def close(self) -> None:
        """End it."""
        self._process.communicate()


@contextmanager
def driving() -> Generator[Driver]:
    driver = Driver()
    try:
        yield driver
    finally:
        driver.close()


def offer(mirror: Mirror, folder: Path) -> Path:
    """Offer editions, one of them on a page, and a document that is put aside."""
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
    """Sync undisturbed; return what is new."""
    every = load_sources(sources)
    hosts = frozenset({"127.0.0.1"})
    with Fetcher(FetchSettings(pause=0, timeout=5, retries=0, private_hosts=hosts)) as fetcher:
        run = Sync(folder, fetcher, NOW, jobs=1)
        for _ in run.run(every):
            pass
    return run.report.new


def harm(folder: Path, labels: list[list[str]]) -> str:
    """Say what is wrong with a base whose sync was killed."""
    try:
        found = [one.label for one in load_held(folder)]
    except NoBaseError:
        found = []
    if found not in labels:
        return f"the base holds {found}"
    archive = Archive(folder / "documents")
    for sha256 in archive:
        archive.load(sha256)
    return ""


def test_killed_syncs_do_no_harm(
    tmp_path: Path, mirror: Mirror, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed at a random point of each part of a run, the archive is whole, and the next run completes.

    What the killed one had fetched is not asked for again.
    """
    # What a process wrote outlasts its death without that; only a crash of the machine matters.
    monkeypatch.setattr("os.fsync", do_nothing)
    sources = offer(mirror, tmp_path)
    expected = built(tmp_path, {name: SAMPLE[name] for name in NAMES[:COUNT]})
    labels = [[], [name.removesuffix(".txt") for name in NAMES[:COUNT]]]
    chance = random.Random(50)
    wrong: list[tuple[int, str]] = []

    with driving() as driver:
        moments = driver.sync(0, tmp_path / "undisturbed", sources)
        starts = [1 + part * moments // KILLS for part in range(KILLS + 1)]
        points = [chance.randrange(*part) for part in pairwise(starts)]
        for point in points:
            folder = tmp_path / str(point)
            assert driver.sync(point, folder, sources) == 0
            wrong.append((point, harm(folder, labels)))
            fetched = {one.address for one in Incoming(folder)}
            mirror.requests.clear()
            new = complete(folder, sources)
            if new != labels[1]:
                wrong.append((point, f"new is {new}"))
            wrong += [(point, one) for one in mirror.paths if mirror.url(one) in fetched]
            if (folder / "kb.sqlite").read_bytes() != expected:
                wrong.append((point, "the next run comes to another result"))
            wrong += [(point, str(one)) for one in verify(folder) if isinstance(one, Problem)]
            wrong += [(point, str(one)) for one in (folder / "crawl").glob("incoming/*")]

    assert (tmp_path / "undisturbed" / "kb.sqlite").read_bytes() == expected
    assert [one for one in wrong if one[1]] == []
