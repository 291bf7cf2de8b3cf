"""Errors of fetching and of sources."""

from variorum.errors import INPUT_OUTPUT, WRONG_USAGE, VariorumError


class RefusalError(VariorumError):
    """An address gives no document.

    Attributes:
        reason: What went wrong, in our words.
        wait: If another attempt now may succeed, the least seconds until then; else None.
        is_passing: Whether a later run may succeed.
        is_missing: Whether the server says that the document is not there, or not for us.
        is_of_host: Whether every request to this host would fail the same way.
    """

    def __init__(
        self,
        reason: str,
        *,
        wait: float | None = None,
        is_passing: bool = False,
        is_missing: bool = False,
        is_of_host: bool = False,
    ) -> None:
        self.reason, self.wait, self.is_passing = reason, wait, is_passing or wait is not None
        self.is_missing, self.is_of_host = is_missing, is_of_host
        super().__init__(reason)


class FetchError(VariorumError, OSError):
    """An address could not be fetched; see `RefusalError`."""

    kind = "input or output"
    exit_code = INPUT_OUTPUT

    def __init__(
        self, url: str, reason: str, *, is_passing: bool = False, is_of_host: bool = False
    ) -> None:
        self.reason, self.is_passing, self.is_of_host = reason, is_passing, is_of_host
        super().__init__(f"{url}: {reason}")


class SourceError(VariorumError, ValueError):
    """A source cannot be understood: its settings, or the page that lists its editions."""

    kind = "wrong usage"
    exit_code = WRONG_USAGE
