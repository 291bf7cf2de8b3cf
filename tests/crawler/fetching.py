"""Shared parts of the tests of fetching: a clock, words to fetch, and messages of failures."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from variorum_crawler.errors import FetchError
from variorum_crawler.fetch.fetcher import Fetcher

WORDS = b"".join(b"%03d. The invented game goes on.\n" % n for n in range(100, 130))
SHORT = b"100. General\n"

# Makes a fetcher that may ask the server on loopback, with settings changed by name.
Make = Callable[..., Fetcher]


@dataclass(slots=True)
class Clock:
    """Time that passes only during a sleep and, if there is a pace, whenever somebody looks."""

    time: float = 1000.0
    pace: float = 0.0
    waits: list[float] = field(default_factory=list[float])

    def now(self) -> float:
        self.time += self.pace
        return self.time

    def sleep(self, seconds: float) -> None:
        self.waits.append(round(seconds, 6))
        self.time += seconds


def refusal(fetcher: Fetcher, url: str) -> tuple[str, bool]:
    """Return the message of a failure, without the address, and whether it is passing."""
    with pytest.raises(FetchError) as caught:
        fetcher.fetch(url)
    assert str(caught.value).startswith(f"{url}: ")
    assert "\n" not in str(caught.value)
    return caught.value.reason, caught.value.is_passing
