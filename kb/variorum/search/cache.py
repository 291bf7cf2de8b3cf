"""The user's cache of search indexes: private folders, each whole or absent.

An index is never read from a base, because Whoosh reads pickles and a base may come from anybody. The
name of a folder is a digest of everything that its content rests on.
"""

import os
import re
import shutil
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

from variorum.errors import NotWritableError
from variorum.files import writable
from variorum.paths import cache_folder

_NAME, _UNFINISHED = re.compile(r"[0-9a-f]{32}").fullmatch, "new-"
# Indexes that were not used for longest are removed if there are more.
_MOST = 48


def cached_folder(name: str) -> Path:
    """Return the folder of the cache with a name."""
    return cache_folder().absolute() / "search" / name


def is_whole(folder: Path) -> bool:
    """Return whether a folder was finished, and no other user may write in it."""
    return _is_private(folder.parent) and _is_private(folder)


def make_folder(folder: Path, fill: Callable[[Path], None]) -> None:
    """Make a folder of the cache.

    Raises:
        NotWritableError: It cannot be written, or other users may write in the cache.
    """
    with writable(folder):
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_private(folder.parent):
            raise NotWritableError(f"{folder.parent}: other users may write there")
        # Of two processes that make it at once, the later one replaces the equal work of the other.
        new = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=folder.parent))
        try:
            fill(new)
            shutil.rmtree(folder, ignore_errors=True)
            new.rename(folder)
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)
            if not is_whole(folder):
                raise
    paths = [path for path in folder.parent.iterdir() if not path.name.startswith(_UNFINISHED)]
    finished = [path for path in paths if _NAME(path.name)]
    latest = sorted(finished, key=lambda path: path.stat().st_mtime)[-_MOST:]
    for path in {*paths} - {*latest}:
        shutil.rmtree(path, ignore_errors=True)


def _is_private(folder: Path) -> bool:
    try:
        status = folder.lstat()
    except OSError:
        return False
    if not hasattr(os, "geteuid"):
        return stat.S_ISDIR(status.st_mode)
    is_own = status.st_uid == os.geteuid() and stat.S_ISDIR(status.st_mode)
    return is_own and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
