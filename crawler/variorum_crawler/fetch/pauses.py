"""Space out requests to a host: pauses between them, and waits that the host asks for."""

from collections import defaultdict
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from email.utils import parsedate_to_datetime

# With longer pauses than this, we would fetch for hours.
LONGEST_PAUSE = 30.0
# If a host asks us to wait longer than this, we leave it for the next run.
LONGEST_WAIT = 120.0


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
        """Raise the pause between requests to a host, up to a limit."""
        longer = max(self._pause[host], min(pause, LONGEST_PAUSE))
        self._free_at[host] += longer - self._pause[host]
        self._pause[host] = longer


def read_wait(headers: Mapping[str, str]) -> float:
    """Return how many seconds an answer asks us to wait; 0 if none.

    A date counts from the date of the answer, not from our clock.

    >>> read_wait({"retry-after": "7"})
    7.0
    """
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:12])
    try:
        wait = parsedate_to_datetime(text) - parsedate_to_datetime(headers.get("date", ""))
        return max(wait.total_seconds(), 0.0)
    except (TypeError, ValueError, OverflowError):
        return 0.0
