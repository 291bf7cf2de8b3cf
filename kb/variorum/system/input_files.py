"""Read the files that users name, and standard input: never beyond a limit, never a device or named pipe."""

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from variorum.errors import NotReadableError, TooLargeError

# A shell hands over streams, such as `<(git show HEAD:rules.txt)`, by these names.
_HANDED_OVER = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")


def read_file(path: Path, most: int) -> bytes:
    """Return the bytes of a file.

    Raises:
        NotReadableError: It cannot be opened, or is neither a file nor a stream of the shell's.
        TooLargeError: It has more than `most` bytes.
    """
    try:
        size = size_of_file(path)
        if size > most:
            raise too_large(path, most)
        with path.open("rb") as file:
            # Allocating room for the largest file takes longer than reading most files. A stream
            # says that it has no bytes.
            data = file.read() if size else file.read(most + 1)
    except NotReadableError:
        raise
    except OSError as error:
        raise NotReadableError(f"{path}: {error.strerror or error}") from error
    if len(data) > most:
        raise too_large(path, most)
    return data


def size_of_file(path: Path) -> int:
    """Return how many bytes a file has; 0 for a stream that the shell hands over.

    Raises:
        NotReadableError: It cannot be opened, or reading it might never end.
    """
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            os.scandir(path).close()  # says why it cannot be searched
            raise IsADirectoryError(None, "Is a directory")
    except OSError as error:
        raise NotReadableError(f"{path}: {error.strerror or error}") from error
    if not stat.S_ISREG(status.st_mode) and not str(path).startswith(_HANDED_OVER):
        raise NotReadableError(f"{path}: not a regular file but a device, pipe or socket")
    return status.st_size


def read_standard_input(most: int) -> bytes:
    """Return the bytes of standard input.

    Raises:
        TooLargeError: It has more than `most` bytes.
    """
    data = sys.stdin.buffer.read(most + 1)
    if len(data) > most:
        raise too_large("standard input", most)
    return data


def lines_of_standard_input(most: int) -> Iterator[str]:
    """Yield the lines of standard input as they arrive.

    Raises:
        TooLargeError: It has more than `most` characters.
    """
    while line := sys.stdin.readline(most + 1):
        most -= len(line)
        if most < 0:
            raise TooLargeError("standard input: too large for a list of questions")
        yield line


def too_large(name: object, most: int) -> TooLargeError:
    """Return the error of a file that is larger than a limit."""
    return TooLargeError(f"{name}: too large; at most {most // 1_000_000} MB are read")
