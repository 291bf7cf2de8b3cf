"""Let go of files at the end of a `with` statement; imports nothing."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self


class Closing:
    """What holds files open until it is closed, as a `with` statement does in the end."""

    def close(self) -> None:
        """Let go of the files."""
        raise NotImplementedError

    def __enter__(self) -> "Self":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: "TracebackType | None",
    ) -> None:
        self.close()
