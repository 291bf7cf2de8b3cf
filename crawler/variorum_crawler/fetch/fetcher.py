"""Fetch documents politely: obey robots.txt, pauses and limits, and follow redirects.

We do not trust servers with our time, our memory or their redirects. `trust` judges whether their
bytes are a document.
"""

import random
import time
from collections.abc import Callable, Mapping
from typing import Self

from variorum_crawler.errors import FetchError
from variorum_crawler.fetch.addresses import Address, follow, parse_address, show
from variorum_crawler.fetch.attempts import Attempts, Wish, is_document, is_redirect
from variorum_crawler.fetch.connections import Answer, Connections
from variorum_crawler.fetch.failures import RefusalError
from variorum_crawler.fetch.fetched import Fetched, Validators
from variorum_crawler.fetch.pauses import Pauses
from variorum_crawler.fetch.robots import (
    LONGEST,
    MOST_REDIRECTS,
    Rules,
    Unreachable,
    judge_refusal,
    parse_robots,
)
from variorum_crawler.fetch.settings import FetchSettings

LONGEST_WAY = 10
_NOTHING_HELD = Validators()
_KEPT = (
    "content-disposition",
    "content-length",
    "content-type",
    "date",
    "etag",
    "last-modified",
    # In these headers, the Wayback Machine says when it saw a page, and when the page last changed.
    "memento-datetime",
    "x-archive-orig-last-modified",
)


class Fetcher:
    """Fetches documents, one request at a time.

    Proxies are read from the environment when the fetcher is created.
    """

    def __init__(
        self,
        settings: FetchSettings,
        *,
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], float] = time.monotonic,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._settings = settings
        self._connections = Connections(
            timeout=settings.timeout,
            time_limit=settings.time_limit,
            private_hosts=settings.private_hosts,
            now=now,
        )
        self._pauses = Pauses(settings.pause, sleep=sleep, now=now)
        self._attempts = Attempts(
            connections=self._connections,
            pauses=self._pauses,
            headers={
                "User-Agent": settings.user_agent,
                "Accept": "*/*",
                "Accept-Encoding": "gzip",
            },
            retries=settings.retries,
            backoff=settings.backoff,
            jitter=jitter,
        )
        self._robots: dict[str, Rules | Unreachable] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close every connection."""
        self._connections.close()

    def fetch(
        self, url: str, validators: Validators = _NOTHING_HELD, largest: int | None = None
    ) -> Fetched:
        """Fetch the document of an address if it differs from the stored one.

        Args:
            url: An address with http or https.
            validators: The validators of the stored document; redirects keep them.
            largest: The longest document, in bytes, unpacked; None for the limit of the settings.

        Raises:
            FetchError: The document cannot or must not be fetched.
        """
        limit = self._settings.largest if largest is None else largest
        try:
            address, answer = self._travel(parse_address(url), Wish(validators, limit))
        except RefusalError as error:
            raise FetchError(show(url), error.reason, is_passing=error.is_passing) from error
        return Fetched(
            url=url,
            final_url=address.url,
            is_modified=is_document(answer),
            headers=keep_headers(answer.headers),
            body=answer.body,
        )

    def _travel(self, address: Address, wish: Wish) -> tuple[Address, Answer]:
        """Return the address where redirects end, and its answer.

        Raises:
            RefusalError: The redirects do not end, or the address where they end gives no document.
        """
        way = [address.url]
        while True:
            try:
                self._robots_of(address).check(address.url)
                answer = self._attempts.get(address, wish)
                if not is_redirect(answer):
                    return address, answer
                address = follow(address, answer.headers["location"])
            except RefusalError as error:
                raise name_detour(error, way) from error
            if address.url in way:
                raise RefusalError(f"redirects in a circle ({show(address.url)})")
            way.append(address.url)
            if len(way) > LONGEST_WAY + 1:
                raise RefusalError(f"redirects more than {LONGEST_WAY} times")

    def _robots_of(self, address: Address) -> Rules | Unreachable:
        """Return the rules of a host's robots.txt, which is fetched once."""
        origin = address.origin
        if origin not in self._robots:
            self._robots[origin] = robots = self._fetch_robots(origin)
            if isinstance(robots, Rules):
                self._pauses.slow_down(address.host, robots.pause)
        return self._robots[origin]

    def _fetch_robots(self, origin: str) -> Rules | Unreachable:
        """Return the rules of a robots.txt, or the rules for a missing one."""
        address = parse_address(f"{origin}/robots.txt")
        wish = Wish(_NOTHING_HELD, LONGEST, is_clipped=True)
        for followed in range(MOST_REDIRECTS + 1):
            try:
                answer = self._attempts.get(address, wish)
            except RefusalError as error:
                return judge_refusal(error, is_redirected=followed > 0)
            if not is_redirect(answer):
                return parse_robots(answer.body)
            try:
                address = follow(address, answer.headers["location"])
            except RefusalError as error:
                return judge_refusal(error)
        # After this many redirects, the standard lets us treat robots.txt as missing.
        return parse_robots(b"")


def name_detour(refusal: RefusalError, way: list[str]) -> RefusalError:
    """Add to a refusal the address that redirects led to, if there were any."""
    if len(way) == 1:
        return refusal
    reason = f"redirects to {show(way[-1])}: {refusal.reason}"
    return RefusalError(reason, is_passing=refusal.is_passing, status=refusal.status)


def keep_headers(headers: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the header fields worth keeping, each on one line, sorted by name."""
    return tuple((name, " ".join(headers[name].split())) for name in _KEPT if name in headers)
