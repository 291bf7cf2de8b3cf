"""Releases files at the end of a `with` statement; imports nothing."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self


class Closing:
    """An object that holds files open until it is closed, for example by a `with` statement."""

    def close(self) -> None:
        """Release the files."""
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
