"""Offer every file of a folder or a ZIP on this computer."""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

from variorum_crawler.errors import SourceError
from variorum_crawler.places.offer import Offer
from variorum_kb.documents.find import Unreadable, find


def find_offers(source: str, path: Path, files: Sequence[str]) -> Iterator[Offer]:
    """Yield the documents of a folder or a ZIP in the order of their paths, with their bytes.

    Args:
        source: The name of the source.
        path: The path of the folder, the ZIP or a single file.
        files: Patterns of the wanted file names, as in a shell; without any, all files are wanted.

    Raises:
        SourceError: The path cannot be opened, or has no wanted file. If only some files cannot be
            opened, all others are offered first.
    """
    is_empty = True
    closed: list[str] = []
    for file in find([path]):
        if isinstance(file, Unreadable):
            closed.append(str(file.error))
        elif not files or any(fnmatch(file.name, pattern) for pattern in files):
            is_empty = False
            yield Offer(source=source, name=file.name, addresses=(file.address,), body=file.data)
    if closed:
        more = f"; and {len(closed) - 1} more" if len(closed) > 1 else ""
        raise SourceError(f"{source}: {closed[0]}{more}")
    if is_empty:
        raise SourceError(f"{source}: {path}: no file here that is wanted")
