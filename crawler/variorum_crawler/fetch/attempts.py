"""One address, several attempts: waits, conditions, limits and what is left of a broken body."""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from variorum_crawler.fetch.addresses import Address
from variorum_crawler.fetch.body import Download, begin, seconds_between
from variorum_crawler.fetch.connections import Reply, Wire, overdue
from variorum_crawler.fetch.failures import AttemptError, RefusalError, name_status
from variorum_crawler.fetch.fetched import Validators
from variorum_crawler.fetch.pauses import Pauses

# A host that asks for more is left for the next run.
LONGEST_WAIT = 120.0
_LONGEST_BACKOFF = 60.0
# An edition has half a megabyte and more: at less than this many bytes a second, seen after this
# part of our patience, it is in vain to wait for the rest.
_LEAST_SPEED, _GRACE = 1000, 0.1
_WORTH_RETRYING = {408, 425, 429, 500, 502, 503, 504}
_REDIRECTS = {301, 302, 303, 307, 308}
_OK, _PARTIAL, _UNMODIFIED, _NO_SUCH_RANGE = 200, 206, 304, 416
_ANOTHER_RANGE = "answered another range than was asked for"


@dataclass(frozen=True, slots=True)
class Redirected:
    """The answer is elsewhere.

    Attributes:
        location: As the server wrote it.
    """

    location: str


@dataclass(frozen=True, slots=True)
class Unmodified:
    """What we hold is still so."""

    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Arrived:
    """A whole body, unpacked."""

    headers: Mapping[str, str]
    body: bytes


Destination = Unmodified | Arrived
Outcome = Redirected | Destination


@dataclass(slots=True)
class Errand:
    """What is wanted, and how far we are.

    Attributes:
        limit: In bytes, unpacked.
        is_clipped: Whether what is longer is cut off rather than refused.
        spent: Seconds that requests have taken, without our own waits.
        download: What has arrived and can be continued.
    """

    validators: Validators
    limit: int
    is_clipped: bool = False
    spent: float = 0.0
    download: Download | None = None

    def headers(self) -> dict[str, str]:
        """Return the header fields that say which part is wanted, and on which condition."""
        if self.download is not None:
            return self.download.range_headers()
        wanted = {
            "If-None-Match": self.validators.etag,
            "If-Modified-Since": self.validators.last_modified,
        }
        # What cannot stand in a header did not come from one.
        return {k: v for k, v in wanted.items() if v and v.isascii() and v.isprintable()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """Fetches one address at a time, trying again where that merits it.

    Attributes:
        headers: Sent with each request.
        patience: Seconds for all attempts at one document together, without our own waits.
        retries: Further attempts after the first.
        backoff: Seconds before the second attempt; doubles with each.
        jitter: Gives a number from 0 to 1.
    """

    wire: Wire
    pauses: Pauses
    headers: Mapping[str, str]
    patience: float
    retries: int
    backoff: float
    now: Callable[[], float]
    jitter: Callable[[], float]

    def get(self, address: Address, errand: Errand) -> Outcome:
        """Fetch an address, without following where it leads.

        Raises:
            RefusalError: It could not be had.
        """
        tried = 0
        while True:
            tried += 1
            try:
                with self.pauses.turn(address.host):
                    return self._attempt(address, errand)
            except AttemptError as error:
                if error.wait > LONGEST_WAIT:
                    wish = f"; asks us to wait for {error.wait:,.0f} seconds"
                    raise give_up(error, wish) from error
                if tried > self.retries:
                    raise give_up(error, f" (tried {tried} times)" if tried > 1 else "") from error
                self.pauses.postpone(address.host, max(error.wait, self._back_off(tried)))

    def _back_off(self, tried: int) -> float:
        longest = min(self.backoff * 2.0 ** min(tried - 1, 30), _LONGEST_BACKOFF)
        return longest * (0.5 + self.jitter() / 2)

    def _attempt(self, address: Address, errand: Errand) -> Outcome:
        with self._watch(errand) as check, self.wire.get(address, self._ask(errand)) as reply:
            check()
            if reply.status in _REDIRECTS and "location" in reply.headers:
                errand.download = None
                return Redirected(reply.headers["location"])
            if reply.status == _UNMODIFIED and errand.download is None and errand.headers():
                # The connection is free for the next request once the body, which is none, was read.
                next(reply.chunks, b"")
                return Unmodified(reply.headers)
            errand.download = download = self._begin(reply, errand)
            began, before = self.now(), download.received
            try:
                for chunk in reply.chunks:
                    check()
                    download.feed(chunk)
                    self._refuse_a_drip(download.received - before, self.now() - began)
                    if download.unpacker.is_full:
                        break
                return Arrived(download.headers, download.finish())
            except AttemptError:
                errand.download = None
                raise
            finally:
                if not (download.received and download.validator):
                    errand.download = None

    def _refuse_a_drip(self, received: int, seconds: float) -> None:
        """Give up early on a body that would never be whole in time.

        Raises:
            RefusalError: It would not.
        """
        if seconds > self.patience * _GRACE and received < _LEAST_SPEED * seconds:
            reason = f"comes too slowly ({received:,} bytes in {seconds:.0f} seconds)"
            raise RefusalError(reason, is_passing=True)

    def _ask(self, errand: Errand) -> dict[str, str]:
        return {**self.headers, **errand.headers()}

    @contextmanager
    def _watch(self, errand: Errand) -> Generator[Callable[[], None]]:
        """Count what the attempt takes, and give what raises once that is too much."""
        began, before = self.now(), errand.spent

        def check() -> None:
            errand.spent = before + self.now() - began
            if errand.spent > self.patience:
                raise overdue(self.patience)

        check()
        try:
            yield check
        except AttemptError:
            check()
            raise

    def _begin(self, reply: Reply, errand: Errand) -> Download:
        """Return what the body of an answer goes into.

        Raises:
            AttemptError, RefusalError: The answer is not what was asked for.
        """
        download, errand.download = errand.download, None
        if reply.status == _OK:
            return begin(reply.headers, errand.limit, is_clipped=errand.is_clipped)
        if download is not None:
            if reply.status == _PARTIAL and download.is_continued_by(reply.headers):
                return download
            if reply.status in {_PARTIAL, _NO_SUCH_RANGE, _UNMODIFIED}:
                raise AttemptError(_ANOTHER_RANGE)
        if reply.status in _WORTH_RETRYING:
            # A server in trouble may still have the rest of what we have.
            errand.download = download
            raise AttemptError(
                name_status(reply.status), wait=read_wait(reply.headers), status=reply.status
            )
        raise RefusalError(name_status(reply.status), status=reply.status)


def give_up(error: AttemptError, remark: str) -> RefusalError:
    """Return the error that ends the attempts at a document, for now."""
    return RefusalError(
        f"{error.reason}{remark}",
        is_passing=True,
        status=error.status,
        is_of_host=error.is_of_host,
    )


def read_wait(headers: Mapping[str, str]) -> float:
    """Return for how many seconds an answer asks us to wait; 0 where it does not.

    A date counts from the date of the answer, whatever our clock says.

    >>> read_wait({"retry-after": "7"})
    7.0
    """
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:12])
    return max(seconds_between(headers.get("date", ""), text) or 0.0, 0.0)
