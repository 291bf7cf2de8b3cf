"""Errors of fetching and of sources."""

from copy import copy
from typing import Self

from variorum.errors import VariorumError
from variorum.exit_codes import INPUT_OUTPUT, WRONG_USAGE


class FetchError(VariorumError, OSError):
    """An address could not be fetched.

    Attributes:
        url: The address asked for.
        reason: What went wrong, in our words.
        is_passing: Whether a later attempt may succeed.
    """

    kind = "input or output"
    exit_code = INPUT_OUTPUT

    def __init__(self, url: str, reason: str, *, is_passing: bool = False) -> None:
        self.url, self.reason, self.is_passing = url, reason, is_passing
        super().__init__(f"{url}: {reason}")


class RefusalError(VariorumError):
    """An address gives no document; another attempt now would not help or is forbidden.

    Attributes:
        reason: What went wrong, in our words.
        is_passing: Whether a later run may succeed.
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

    def with_reason(self, reason: str) -> Self:
        """Return the same failure with another reason."""
        changed = copy(self)
        changed.reason = reason
        return changed


class AttemptError(RefusalError):
    """An attempt failed, and another one now may succeed; `wait` is the seconds that the server asks for."""

    def __init__(self, reason: str, *, wait: float = 0.0, is_of_host: bool = False) -> None:
        super().__init__(reason, is_passing=True, is_of_host=is_of_host)
        self.wait = wait


class SourceError(VariorumError, ValueError):
    """A source cannot be understood: its settings, or the page that lists its editions."""

    kind = "wrong usage"
    exit_code = WRONG_USAGE
