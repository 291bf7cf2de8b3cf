"""Check whether a knowledge base is what its documents give."""

import contextlib
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from variorum.build.build import Builder
from variorum.documents.archive import MANIFEST, Archive
from variorum.errors import (
    ArchiveError,
    BaseError,
    BaseVersionError,
    DamagedBaseError,
    NewerBaseError,
    NoBaseError,
    NotReadableError,
    NotWritableError,
)
from variorum.files import beside_of, locked
from variorum.paths import DOCUMENTS, FILE
from variorum.store.reader import Reader
from variorum.versions import current_meta

_BUILD = "cr build brings it up to date"
_ANEW = "cr build builds it anew from the documents kept"
_UPGRADE = "upgrade Variorum"
_GIVE_AGAIN = "cr build FILE puts it back, given a file with this document"
_TIDY = "the next cr build tidies it up"
_REMOVE = "remove it, or add it with cr build FILE"
_NO_MANIFEST = (
    "remove it and run cr build, which writes it anew, without the places that documents came from"
)
_LEFT = "left by a run that was killed"


class Problem(NamedTuple):
    """What is wrong with a file of the base or an edition in it, and what to do about it.

    It is no damage if another version of the program made a base that still gives answers.
    """

    where: str
    what: str
    remedy: str
    is_damage: bool = True


def verify(folder: Path, *, jobs: int = 1) -> Iterator[Problem]:
    """Check everything in a knowledge base; yield what is wrong.

    If nothing is, also build a second base from the documents, and compare.

    Args:
        folder: The folder of the knowledge base; nothing in it is changed.
        jobs: How many processes build at once.

    Raises:
        NoBaseError: There is none.
        NotReadableError: The folder cannot be searched.
        BaseBusyError: Another process is writing it.
    """
    try:
        is_there = (folder / FILE).exists() or (folder / DOCUMENTS).exists()
    except OSError as error:
        raise NotReadableError(f"{folder}: {error.strerror or error}") from error
    if not is_there:
        raise NoBaseError(folder / FILE)
    with contextlib.ExitStack() as stack:
        # If we may not write the folder, assume that no other process writes it either.
        with contextlib.suppress(NotWritableError):
            stack.enter_context(locked(folder))
        problems = list(_problems(folder))
        yield from problems or _differences(folder, jobs)


def _problems(folder: Path) -> Iterator[Problem]:
    archive: Archive | None = None
    try:
        archive = Archive(folder / DOCUMENTS)
    except ArchiveError as error:
        yield Problem(f"{DOCUMENTS}/{MANIFEST}", error.reason, _NO_MANIFEST)
    reader = _opened(folder / FILE)
    if isinstance(reader, Problem):
        yield reader
    half = beside_of(folder / FILE)
    if half.exists():
        yield Problem(half.name, _LEFT, _TIDY)
    if archive is not None:
        yield from _of_archive(folder, archive)
    if isinstance(reader, Reader):
        with contextlib.closing(reader):
            yield from _of_base(reader, archive)


def _opened(path: Path) -> Reader | Problem:
    """Return a base, or why it cannot be opened."""
    try:
        reader = Reader(path)
        reader.editions()
    except NoBaseError:
        return Problem(FILE, "missing", _BUILD)
    except NewerBaseError:
        return Problem(FILE, "written by a newer program", _UPGRADE)
    except BaseVersionError:
        return Problem(FILE, "written by an older program", _BUILD)
    except DamagedBaseError as error:
        return Problem(FILE, f"damaged: {error.reason}", _ANEW)
    except BaseError as error:
        return Problem(FILE, str(error).removeprefix(f"{path}: "), _BUILD)
    return reader


def _of_archive(folder: Path, archive: Archive) -> Iterator[Problem]:
    for error in archive.find_damage():
        path, what, remedy = error.path, error.reason, _REMOVE
        if archive.is_left_by_a_run(path):
            what, remedy = _LEFT, _TIDY
        elif path.name in archive:
            remedy = _GIVE_AGAIN
        elif path.name == MANIFEST:
            remedy = _BUILD
        yield Problem(path.relative_to(folder).as_posix(), what, remedy)


def _of_base(reader: Reader, archive: Archive | None) -> Iterator[Problem]:
    if reader.facts() != current_meta():
        what = "made by another version of the program"
        yield Problem(FILE, what, _BUILD, is_damage=False)
    if archive is None:
        return
    held = {edition["sha256"]: f"edition {edition['label']}" for edition in reader.editions()}
    witnesses = reader.query("SELECT sha256 FROM witness ORDER BY sha256")
    held |= {sha256: "a witness" for (sha256,) in witnesses}
    for sha256, name in held.items():
        if sha256 not in archive:
            what = f"its document {sha256} is not in the manifest"
            yield Problem(f"{FILE}: {name}", what, _GIVE_AGAIN)
    for sha256 in archive:
        if sha256 not in held:
            yield Problem(f"{DOCUMENTS}/{sha256[:2]}/{sha256}", f"not in {FILE}", _BUILD)


def _differences(folder: Path, jobs: int) -> Iterator[Problem]:
    """Build a second base from the documents; yield how the tables of the first differ from it."""
    with TemporaryDirectory() as temporary:
        anew = Path(temporary)
        try:
            shutil.copytree(folder / DOCUMENTS, anew / DOCUMENTS)
        except OSError as error:
            raise NotWritableError(f"{anew}: {error.strerror or error}") from error
        list(Builder(anew, "", jobs).build([]))
        with (
            contextlib.closing(Reader(folder / FILE)) as reader,
            contextlib.closing(Reader(anew / FILE)) as expected,
        ):
            tables = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
            for (table,) in expected.query(tables):
                rows = f"SELECT * FROM {table}"  # noqa: S608 - a name of ours
                if Counter(reader.query(rows)) != Counter(expected.query(rows)):
                    what = f"the table {table} differs from one built anew from the documents"
                    yield Problem(FILE, what, _ANEW)
