"""Errors of one attempt to fetch, in our words; `fetcher.py` turns them into a `FetchError`."""

import re
import ssl
from collections.abc import Generator
from contextlib import contextmanager
from http import HTTPStatus
from http.client import IncompleteRead, RemoteDisconnected

from urllib3 import exceptions as u3

from variorum_kb.errors import VariorumError

# http.client's message if a proxy refuses CONNECT.
_TUNNEL = re.compile(r"Tunnel connection failed: (\d{3})\b")
# After these statuses, another attempt may succeed.
_WORTH_RETRYING = {408, 425, 429, 500, 502, 503, 504}
# From the narrowest class to the widest.
_WORDS: tuple[tuple[type[Exception], str], ...] = (
    (IncompleteRead, "the body broke off"),
    (ConnectionRefusedError, "connection refused"),
    (RemoteDisconnected, "the connection was closed without an answer"),
    (ConnectionError, "the connection was reset"),
    (u3.NewConnectionError, "no connection"),
    (u3.TimeoutError, "no answer in time"),
    (TimeoutError, "no answer in time"),
)


class RefusalError(VariorumError):
    """An address gives no document; another attempt now would not help or is forbidden.

    Attributes:
        reason: What went wrong.
        is_passing: Whether a later attempt may succeed.
        is_missing: Whether the server says that the document is not there, or not for us.
        is_of_host: Whether every request to this host would fail the same way.
    """

    def __init__(
        self,
        reason: str,
        *,
        is_passing: bool = False,
        is_missing: bool = False,
        is_of_host: bool = False,
    ) -> None:
        self.reason, self.is_passing = reason, is_passing
        self.is_missing, self.is_of_host = is_missing, is_of_host
        super().__init__(reason)

    def with_reason(self, reason: str) -> "RefusalError":
        """Return the same failure with another reason; it ends the attempts."""
        return RefusalError(
            reason,
            is_passing=self.is_passing,
            is_missing=self.is_missing,
            is_of_host=self.is_of_host,
        )


class AttemptError(RefusalError):
    """An attempt failed, and another one now may succeed.

    Attributes:
        wait: Seconds that the server asks us to wait.
    """

    def __init__(self, reason: str, *, wait: float = 0.0, is_of_host: bool = False) -> None:
        super().__init__(reason, is_passing=True, is_of_host=is_of_host)
        self.wait = wait


def name_status(status: int) -> str:
    """Return a status with the standard's name for it; the server's own words are not printed.

    >>> name_status(404), name_status(799)
    ('404 Not Found', '799')
    """
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def status_error(status: int, *, wait: float) -> RefusalError:
    """Return the error for the status of an answer that has no document.

    Args:
        status: The status.
        wait: Seconds that the server asks us to wait.
    """
    if status in _WORTH_RETRYING:
        return AttemptError(name_status(status), wait=wait)
    is_missing = 400 <= status < 500  # noqa: PLR2004 - by the standard
    return RefusalError(name_status(status), is_missing=is_missing)


@contextmanager
def translate_errors(timeout: float) -> Generator[None]:
    """Turn the errors of urllib3 into ours.

    Raises:
        AttemptError: Another attempt may succeed.
        RefusalError: The certificate cannot be trusted.
    """
    try:
        yield
    except (u3.ReadTimeoutError, u3.ConnectTimeoutError) as error:
        if isinstance(error, u3.NewConnectionError):
            raise AttemptError("the host cannot be reached", is_of_host=True) from error
        raise AttemptError(f"no answer for {timeout:g} seconds") from error
    except u3.ProxyError as error:
        reason = f"the proxy does not let us through ({describe(error.original_error)})"
        raise AttemptError(reason, is_of_host=True) from error
    except u3.SSLError as error:
        cause = error.args[0] if error.args else None
        if isinstance(cause, ssl.SSLCertVerificationError):
            reason = f"its certificate cannot be trusted ({cause.verify_message})"
            raise RefusalError(reason, is_of_host=True) from error
        raise AttemptError("the secure connection failed", is_of_host=True) from error
    except u3.ProtocolError as error:
        cause = error.args[1] if len(error.args) > 1 else None
        raise AttemptError(describe(cause)) from error
    except u3.HTTPError as error:
        raise AttemptError("the answer cannot be understood") from error


def describe(failure: object) -> str:
    """Return why a connection failed, in a few words."""
    for kind, words in _WORDS:
        if isinstance(failure, kind):
            return words
    if not isinstance(failure, OSError):
        return "the connection broke off"
    if tunnel := _TUNNEL.match(str(failure)):
        return name_status(int(tunnel[1]))
    return (failure.strerror or "the connection failed").lower()
