"""Ask one address, and retry temporary failures."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from variorum_crawler.fetch.addresses import Address
from variorum_crawler.fetch.connections import Answer, Connections
from variorum_crawler.fetch.failures import AttemptError, RefusalError, name_status
from variorum_crawler.fetch.fetched import Validators
from variorum_crawler.fetch.pauses import LONGEST_WAIT, Pauses, read_wait

_LONGEST_BACKOFF = 60.0
_WORTH_RETRYING = {408, 425, 429, 500, 502, 503, 504}
_REDIRECTS = {301, 302, 303, 307, 308}
_OK, _UNMODIFIED = 200, 304


@dataclass(frozen=True, slots=True)
class Wish:
    """A request for a document.

    Attributes:
        validators: The validators of the stored document; the server answers with the document only
            if it changed.
        limit: The longest body, in bytes, unpacked.
        is_clipped: Whether a longer body is cut off rather than refused.
    """

    validators: Validators
    limit: int
    is_clipped: bool = False

    def headers(self) -> dict[str, str]:
        """Return the header fields that make the request conditional."""
        fields = {
            "If-None-Match": self.validators.etag,
            "If-Modified-Since": self.validators.last_modified,
        }
        # Leave out a damaged value, which no header can contain.
        return {k: v for k, v in fields.items() if v and v.isascii() and v.isprintable()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """Asks one address at a time, and retries temporary failures.

    Attributes:
        headers: The header fields of each request.
        retries: Further attempts after the first.
        backoff: Seconds before the second attempt; doubles with each.
        jitter: Gives a number from 0 to 1.
    """

    connections: Connections
    pauses: Pauses
    headers: Mapping[str, str]
    retries: int
    backoff: float
    jitter: Callable[[], float]

    def get(self, address: Address, wish: Wish) -> Answer:
        """Return an answer that is a document, "not modified" or a redirect.

        Raises:
            RefusalError: No attempt succeeds, or the server refuses.
        """
        tried = 0
        while True:
            tried += 1
            try:
                with self.pauses.turn(address.host):
                    return self._attempt(address, wish)
            except AttemptError as error:
                if error.wait > LONGEST_WAIT:
                    wait = f"; asks us to wait for {error.wait:,.0f} seconds"
                    raise give_up(error, wait) from error
                if tried > self.retries:
                    raise give_up(error, f" (tried {tried} times)" if tried > 1 else "") from error
                self.pauses.postpone(address.host, max(error.wait, self._back_off(tried)))

    def _back_off(self, tried: int) -> float:
        longest = min(self.backoff * 2.0 ** min(tried - 1, 30), _LONGEST_BACKOFF)
        return longest * (0.5 + self.jitter() / 2)

    def _attempt(self, address: Address, wish: Wish) -> Answer:
        conditions = wish.headers()
        answer = self.connections.get(
            address, {**self.headers, **conditions}, wish.limit, is_clipped=wish.is_clipped
        )
        status, headers = answer.status, answer.headers
        if status == _OK or is_redirect(answer) or (status == _UNMODIFIED and conditions):
            return answer
        if status in _WORTH_RETRYING:
            raise AttemptError(name_status(status), wait=read_wait(headers), status=status)
        raise RefusalError(name_status(status), status=status)


def is_redirect(answer: Answer) -> bool:
    """Return whether an answer redirects to another address."""
    return answer.status in _REDIRECTS and "location" in answer.headers


def is_document(answer: Answer) -> bool:
    """Return whether an answer holds a document."""
    return answer.status == _OK


def give_up(error: AttemptError, remark: str) -> RefusalError:
    """Return the error that ends the attempts, for now."""
    return RefusalError(
        f"{error.reason}{remark}",
        is_passing=True,
        status=error.status,
        is_of_host=error.is_of_host,
    )
