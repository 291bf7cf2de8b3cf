"""Keep requests to a host apart, with a pause before the next."""

from collections import defaultdict
from collections.abc import Callable, Generator
from contextlib import contextmanager

PAUSE = 1.0
"""Seconds between two requests to a host, unless the user or the host asks for more."""
# A host that asks for a longer pause would have us fetch for hours.
LONGEST_PAUSE = 30.0


class Pauses:
    """The pauses between requests to each host."""

    def __init__(
        self, pause: float, *, sleep: Callable[[float], None], now: Callable[[], float]
    ) -> None:
        self._sleep, self._now = sleep, now
        self._pause = defaultdict[str, float](lambda: pause)
        self._free_at = defaultdict[str, float](lambda: float("-inf"))

    @contextmanager
    def turn(self, host: str) -> Generator[None]:
        """Wait until a request to a host may start; its pause begins when the request ends."""
        wait = self._free_at[host] - self._now()
        if wait > 0:
            self._sleep(wait)
        try:
            yield
        finally:
            self._free_at[host] = self._now() + self._pause[host]

    def postpone(self, host: str, seconds: float) -> None:
        """Make the next request to a host wait some seconds from now."""
        self._free_at[host] = max(self._free_at[host], self._now() + seconds)

    def slow_down(self, host: str, pause: float) -> None:
        """Let at least this many seconds pass between requests to a host, up to a limit."""
        longer = max(self._pause[host], min(pause, LONGEST_PAUSE))
        self._free_at[host] += longer - self._pause[host]
        self._pause[host] = longer
