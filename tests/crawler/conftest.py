"""A server on loopback, and fetchers that may ask it and never really sleep."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawler.fetching import Clock, Make
from tests.crawler.mirror import Mirror
from tests.crawler.syncing import Place, do_nothing
from variorum_crawler.fetch.fetcher import Fetcher
from variorum_crawler.fetch.settings import FetchSettings
from variorum_kb.search.indexes.current_indexes import BaseIndexes


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ignore the proxies of this machine."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "REQUEST_METHOD"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture
def no_indexes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Build no search indexes, which would take most of a sync's time."""
    monkeypatch.setattr(BaseIndexes, "keep_in_step", do_nothing)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Return a machine without a base; modules may replace it."""
    return Place(tmp_path)


@pytest.fixture
def mirror() -> Iterator[Mirror]:
    """Return a server."""
    with Mirror() as running:
        yield running


@pytest.fixture
def clock() -> Clock:
    """Return a clock."""
    return Clock()


@pytest.fixture
def make(mirror: Mirror, clock: Clock) -> Iterator[Make]:
    """Return a function that makes fetchers, which may ask the server and never really sleep."""
    with contextlib.ExitStack() as stack:

        def make_one(**changes: object) -> Fetcher:
            fields = {
                "pause": 0,
                "timeout": 5.0,
                "retries": 2,
                "private_hosts": frozenset({mirror.host}),
                **changes,
            }
            settings = FetchSettings(**fields)  # type: ignore[arg-type]  # the fields are of many types
            return stack.enter_context(Fetcher(settings, sleep=clock.sleep, now=clock.now))

        yield make_one
