"""Fetch documents politely: obey robots.txt, pauses and limits, and follow redirects.

We do not trust servers with our time, our memory or their redirects. `trust` judges whether their
bytes are a document.
"""

import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Self

from variorum_crawler.errors import FetchError
from variorum_crawler.fetch.addresses import Address, follow, parse_address, show
from variorum_crawler.fetch.connections import Answer, Connections
from variorum_crawler.fetch.failures import AttemptError, RefusalError, status_error
from variorum_crawler.fetch.fetched import Fetched, Validators
from variorum_crawler.fetch.headers import SENT, keep_headers
from variorum_crawler.fetch.pauses import LONGEST_WAIT, Pauses, read_wait
from variorum_crawler.fetch.robots import MOST_REDIRECTS, Rules, judge_refusal, parse_robots
from variorum_crawler.fetch.settings import FetchSettings

_LONGEST_WAY = 10
_LONGEST_BACKOFF = 60.0
_NOTHING_HELD = Validators()


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
    ) -> None:
        self._retries = settings.retries
        self._connections = Connections(settings, now)
        self._pauses = Pauses(settings.pause, sleep=sleep, now=now)
        self._robots: dict[str, Rules | RefusalError] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connections.close()

    def fetch(self, url: str, validators: Validators = _NOTHING_HELD) -> Fetched:
        """Fetch the document of an address if it differs from the stored one.

        Args:
            url: An address with http or https.
            validators: The validators of the stored document; redirects keep them.

        Raises:
            FetchError: The document cannot or must not be fetched.
        """
        try:
            address, answer = self._travel(parse_address(url), validators)
        except RefusalError as error:
            raise FetchError(show(url), error.reason, is_passing=error.is_passing) from error
        return Fetched(
            url=url,
            final_url=address.url,
            is_modified=answer.status == HTTPStatus.OK,
            headers=keep_headers(answer.headers),
            body=answer.body,
        )

    def _travel(self, address: Address, validators: Validators) -> tuple[Address, Answer]:
        """Return the address where redirects end, and its answer.

        Raises:
            RefusalError: The redirects do not end, or the address where they end gives no document.
        """
        way = [address.url]
        while True:
            try:
                self._check_robots(address)
                answer = self._ask(address, validators)
                if not answer.is_redirect:
                    return address, answer
                address = follow(address, answer.headers["location"])
            except RefusalError as error:
                detour = f"redirects to {show(way[-1])}: " if len(way) > 1 else ""
                raise error.with_reason(f"{detour}{error.reason}") from error
            if address.url in way:
                raise RefusalError(f"redirects in a circle ({show(address.url)})")
            way.append(address.url)
            if len(way) > _LONGEST_WAY + 1:
                raise RefusalError(f"redirects more than {_LONGEST_WAY} times")

    def _check_robots(self, address: Address) -> None:
        """Refuse an address that the host's robots.txt forbids; fetch a robots.txt only once.

        Raises:
            RefusalError: The address is forbidden, or it is unknown whether it is.
        """
        origin = address.origin
        if origin not in self._robots:
            self._robots[origin] = robots = self._fetch_robots(origin)
            if isinstance(robots, Rules):
                self._pauses.slow_down(address.host, robots.pause)
        robots = self._robots[origin]
        if isinstance(robots, RefusalError):
            raise robots
        robots.check(address.url)

    def _fetch_robots(self, origin: str) -> Rules | RefusalError:
        address = parse_address(f"{origin}/robots.txt")
        for followed in range(MOST_REDIRECTS + 1):
            try:
                answer = self._ask(address, _NOTHING_HELD)
                if not answer.is_redirect:
                    return parse_robots(answer.body)
                address = follow(address, answer.headers["location"])
            except RefusalError as error:
                return judge_refusal(error, is_redirected=followed > 0)
        # After this many redirects, the standard lets us treat robots.txt as missing.
        return parse_robots(b"")

    def _ask(self, address: Address, validators: Validators) -> Answer:
        """Return an answer that is a document, "not modified" or a redirect; retry if need be.

        Raises:
            RefusalError: No attempt succeeds, or the server refuses.
        """
        tried = 0
        while True:
            tried += 1
            try:
                with self._pauses.turn(address.host):
                    return self._attempt(address, validators.conditions())
            except AttemptError as error:
                if error.wait > LONGEST_WAIT:
                    remark = f"; asks us to wait for {error.wait:,.0f} seconds"
                elif tried > self._retries:
                    remark = f" (tried {tried} times)" if tried > 1 else ""
                else:
                    backoff = min(2.0 ** (tried - 1), _LONGEST_BACKOFF)
                    self._pauses.postpone(address.host, max(error.wait, backoff))
                    continue
                raise error.with_reason(error.reason + remark) from error

    def _attempt(self, address: Address, conditions: Mapping[str, str]) -> Answer:
        answer = self._connections.get(address, {**SENT, **conditions})
        status = answer.status
        is_unmodified = status == HTTPStatus.NOT_MODIFIED and conditions
        if status == HTTPStatus.OK or answer.is_redirect or is_unmodified:
            return answer
        raise status_error(status, wait=read_wait(answer.headers))
