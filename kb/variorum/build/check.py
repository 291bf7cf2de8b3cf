"""Check whether a knowledge base is what its documents give."""

import contextlib
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from variorum.build.build import Builder
from variorum.documents.archive import Archive
from variorum.errors import NotWritableError
from variorum.files import locked, writable
from variorum.paths import DOCUMENTS, FILE
from variorum.store.reader import Reader
from variorum.versions import current_meta

_BUILD = "cr build brings it up to date"


class Problem(NamedTuple):
    """What is wrong with a file of the base, and what to do about it."""

    where: str
    what: str
    remedy: str


def verify(folder: Path, *, jobs: int = 1) -> Iterator[Problem]:
    """Compare a base with its documents, and if they are all there, with a second base built from them.

    Nothing in its folder is changed.

    Raises:
        ArchiveError: The manifest is damaged.
        BaseBusyError: Another process is writing it.
        BaseError: It cannot be opened.
    """
    with contextlib.ExitStack() as stack:
        # If we may not write the folder, assume that no other process writes it either.
        with contextlib.suppress(NotWritableError):
            stack.enter_context(locked(folder) if folder.exists() else contextlib.nullcontext())
        archive, is_whole = Archive(folder / DOCUMENTS), True
        for path, what, remedy in archive.problems():
            is_whole = False
            yield Problem(
                f"{DOCUMENTS}/{path.relative_to(archive.folder).as_posix()}", what, remedy
            )
        reader = stack.enter_context(contextlib.closing(Reader(folder / FILE)))
        problems = [*_of_documents(reader, archive)]
        yield from problems
        if is_whole and not problems:
            yield from _differences(folder, reader, jobs)


def _of_documents(reader: Reader, archive: Archive) -> Iterator[Problem]:
    if not reader.facts().items() >= current_meta().items():
        yield Problem(FILE, "made by another version of the program", _BUILD)
    held = {row.sha256: f"edition {row.label}" for row in reader.editions()}
    held |= dict.fromkeys([sha for (sha,) in reader.query("SELECT sha256 FROM witness")], "witness")
    for sha256, name in held.items():
        if sha256 not in archive:
            remedy = "cr build FILE puts it back, given a file with this document"
            yield Problem(f"{FILE}: {name}", f"its document {sha256} is not kept", remedy)
    for sha256 in archive:
        if sha256 not in held:
            where = f"{DOCUMENTS}/{sha256[:2]}/{sha256}"
            yield Problem(where, f"not in {FILE}", _BUILD)


def _differences(folder: Path, reader: Reader, jobs: int) -> Iterator[Problem]:
    """Build a second base from the documents; yield how the tables of the first differ from it."""
    with TemporaryDirectory() as temporary:
        anew = Path(temporary)
        with writable(anew):
            shutil.copytree(folder / DOCUMENTS, anew / DOCUMENTS)
        list(Builder(anew, "", jobs).build([]))
        with contextlib.closing(Reader(anew / FILE)) as expected:
            tables = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
            for (table,) in expected.query(tables):
                rows = f"SELECT * FROM {table}"  # noqa: S608 - a name of ours
                if Counter(reader.query(rows)) != Counter(expected.query(rows)):
                    what = f"the table {table} differs from one built anew from the documents"
                    yield Problem(FILE, what, "cr build builds it anew")
