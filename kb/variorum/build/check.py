"""Check whether a knowledge base is what its documents give."""

import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, nullcontext, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from variorum.build.build import Builder
from variorum.documents.archive import Archive
from variorum.errors import NotWritableError
from variorum.files import locked, writable
from variorum.paths import DOCUMENTS, FILE
from variorum.store.reader import TABLES, Reader


class Problem(NamedTuple):
    """What is wrong with a file of the base, and what to do about it."""

    where: str
    what: str
    remedy: str


def verify(folder: Path, *, jobs: int = 1) -> Iterator[Problem]:
    """Compare documents with their hashes; if all are there, a second base built from them with the first.

    Nothing in its folder is changed.

    Raises:
        ArchiveError: The manifest is damaged.
        BaseBusyError: Another process is writing it.
        BaseError: It cannot be opened.
    """
    with ExitStack() as stack:
        # If we may not write the folder, assume that no other process writes it either.
        with suppress(NotWritableError):
            stack.enter_context(locked(folder) if folder.exists() else nullcontext())
        archive, is_whole = Archive(folder / DOCUMENTS), True
        for path, what, remedy in archive.problems():
            is_whole = False
            where = path.relative_to(archive.folder).as_posix()
            yield Problem(f"{DOCUMENTS}/{where}", what, remedy)
        reader = stack.enter_context(closing(Reader(folder / FILE)))
        if not is_whole:
            return
        anew = Path(stack.enter_context(TemporaryDirectory()))
        with writable(anew):
            shutil.copytree(archive.folder, anew / DOCUMENTS)
        list(Builder(anew, "", jobs).build([]))
        expected = stack.enter_context(closing(Reader(anew / FILE)))
        for (table,) in expected.query(TABLES):
            rows = f"SELECT * FROM {table}"  # noqa: S608 - a name of ours
            if Counter(reader.query(rows)) != Counter(expected.query(rows)):
                what = f"the table {table} differs from one built anew from the documents"
                yield Problem(FILE, what, "cr build builds it anew")
