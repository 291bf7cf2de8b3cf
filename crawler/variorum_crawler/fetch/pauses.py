"""Whose turn it is: one request to a host at a time, with a pause before the next."""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

# Who asks for more than this between two requests would have us fetch for hours.
LONGEST_PAUSE = 30.0


@dataclass(slots=True)
class _Host:
    """What is known of a host's time.

    Attributes:
        pause: Seconds from an answer to the next request.
        free_at: When the next request may start.
    """

    pause: float
    free_at: float = float("-inf")
    lock: threading.Lock = field(default_factory=threading.Lock)


class Pauses:
    """Keeps requests to one host apart, across threads."""

    def __init__(
        self, pause: float, *, sleep: Callable[[float], None], now: Callable[[], float]
    ) -> None:
        self._pause, self._sleep, self._now = pause, sleep, now
        self._hosts: dict[str, _Host] = {}
        self._lock = threading.Lock()

    @contextmanager
    def turn(self, host: str) -> Generator[None]:
        """Wait until a request to a host may start, and keep all others from it until it ends."""
        place = self._of(host)
        with place.lock:
            wait = place.free_at - self._now()
            if wait > 0:
                self._sleep(wait)
            try:
                yield
            finally:
                place.free_at = self._now() + place.pause

    def postpone(self, host: str, seconds: float) -> None:
        """Keep everybody from a host for some time from now."""
        place = self._of(host)
        place.free_at = max(place.free_at, self._now() + seconds)

    def slow_down(self, host: str, pause: float) -> None:
        """Let at least this many seconds pass between requests to a host, within reason."""
        place = self._of(host)
        longer = max(place.pause, min(pause, LONGEST_PAUSE))
        place.free_at += longer - place.pause
        place.pause = longer

    def _of(self, host: str) -> _Host:
        with self._lock:
            return self._hosts.setdefault(host, _Host(self._pause))
