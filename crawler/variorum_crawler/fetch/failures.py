"""What goes wrong within one attempt to fetch; `fetch.py` makes a `FetchError` of it."""

from http import HTTPStatus

from variorum_kb.errors import VariorumError


class AttemptError(VariorumError):
    """An attempt failed in a way that merits another.

    Attributes:
        reason: What went wrong, in our words.
        wait: Seconds that the server asks us to wait.
        status: Of the answer; 0 without one.
        is_of_host: Whether it holds for whatever we may ask the host for.
    """

    def __init__(
        self, reason: str, *, wait: float = 0, status: int = 0, is_of_host: bool = False
    ) -> None:
        self.reason, self.wait, self.status, self.is_of_host = reason, wait, status, is_of_host
        super().__init__(reason)


class RefusalError(VariorumError):
    """Another attempt now would not help, or is not ours to make.

    Attributes:
        reason: What went wrong, in our words.
        is_passing: Whether it may be over the next time.
        status: Of the answer; 0 without one.
        is_of_host: Whether it holds for whatever we may ask the host for.
    """

    def __init__(
        self,
        reason: str,
        *,
        is_passing: bool = False,
        status: int = 0,
        is_of_host: bool = False,
    ) -> None:
        self.reason, self.is_passing = reason, is_passing
        self.status, self.is_of_host = status, is_of_host
        super().__init__(reason)


def name_status(status: int) -> str:
    """Return a status as the standard calls it; what a server calls it is never printed.

    >>> name_status(404), name_status(799)
    ('404 Not Found', '799')
    """
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)
