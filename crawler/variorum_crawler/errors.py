"""Errors of fetching and of sources."""

from variorum_kb.errors import VariorumError
from variorum_kb.exit_codes import INPUT_OUTPUT, WRONG_USAGE


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


class SourceError(VariorumError, ValueError):
    """A source cannot be understood: its settings, or the page that lists its editions."""

    kind = "wrong usage"
    exit_code = WRONG_USAGE
