"""Errors of fetching and of sources."""

from variorum.errors import INPUT_OUTPUT, WRONG_USAGE, VariorumError


class FetchError(VariorumError):
    """An address gives no document; the reason is in our words.

    `wait` is the least seconds until another attempt may succeed, None if none may in this run; a later
    run may if `is_passing`. `is_missing` if the server says that the document is not there, or not for
    us; `is_of_host` if every request to the host would fail the same way. No OSError, which urllib3 would
    take for a failure of the network.
    """

    kind = "input or output"
    exit_code = INPUT_OUTPUT

    def __init__(  # noqa: PLR0913 - each is a fact about the failure
        self,
        reason: str,
        url: str = "",
        *,
        wait: float | None = None,
        is_passing: bool = False,
        is_missing: bool = False,
        is_of_host: bool = False,
    ) -> None:
        self.reason, self.url = reason, url
        self.wait, self.is_passing = wait, is_passing or wait is not None
        self.is_missing, self.is_of_host = is_missing, is_of_host
        super().__init__(reason)

    def __str__(self) -> str:
        return f"{self.url}: {self.reason}" if self.url else self.reason

    def anew(self) -> "FetchError":
        """Return the same error, to be raised for another address."""
        return FetchError(self.reason, is_passing=self.is_passing, is_of_host=self.is_of_host)


class SourceError(VariorumError, ValueError):
    """A source cannot be understood: its settings, or the page that lists its editions."""

    kind = "wrong usage"
    exit_code = WRONG_USAGE
