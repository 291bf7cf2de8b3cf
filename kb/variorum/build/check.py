"""Check whether a knowledge base is what its documents give."""

import contextlib
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from variorum.build.build import Builder
from variorum.build.check_results import CheckedPart, CheckScope, Examined, Finding, Problem, Remedy
from variorum.build.issues_and_copies import attestation_of
from variorum.build.part_versions import STALE, current_meta, is_newer
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
from variorum.store.reader import Reader
from variorum.store.writer import draft_of
from variorum.stored_rows import ONE_SOURCE
from variorum.system.atomic_files import beside_of
from variorum.system.default_folders import DOCUMENTS, FILE
from variorum.system.lock import locked

_LEFT = "left by a run that was killed"


def verify(folder: Path, *, deep: bool = False, jobs: int = 1) -> Iterator[Finding]:
    """Check everything in a knowledge base; yield the parts checked and their problems.

    Args:
        folder: The folder of the knowledge base; nothing in it is changed.
        deep: If nothing is wrong, also build a second base from the documents, and compare.
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
        problems: list[Problem] = []
        archive = _open_archive(folder, problems)
        reader = _open_base(folder, problems)
        if reader is not None:
            stack.callback(reader.close)
        editions = None if reader is None else _open_editions(reader, problems)
        yield CheckScope((len(archive or ()) + len(editions or ())) + (editions is not None) + deep)
        is_sound = True
        for finding in _findings(folder, archive, reader, editions, problems):
            is_sound = is_sound and not isinstance(finding, Problem)
            yield finding
        if deep and is_sound and reader is not None:
            yield from _verify_by_building(folder, reader, jobs)


def _findings(
    folder: Path,
    archive: Archive | None,
    reader: Reader | None,
    editions: list[dict[str, Any]] | None,
    problems: list[Problem],
) -> Iterator[Finding]:
    yield from problems
    for half in filter(Path.exists, [beside_of(folder / FILE), beside_of(draft_of(folder / FILE))]):
        yield Problem(CheckedPart.BASE, half.name, _LEFT, Remedy.TIDY)
    if archive is not None:
        yield from _verify_archive(folder, archive)
    if reader is not None and editions is not None:
        yield from _verify_base(reader, editions, archive)
        if archive is not None:
            witnesses = {sha256 for (sha256,) in reader.query("SELECT sha256 FROM witness")}
            yield from _verify_match(archive, editions, witnesses)


def _open_archive(folder: Path, problems: list[Problem]) -> Archive | None:
    where = f"{DOCUMENTS}/{MANIFEST}"
    try:
        archive = Archive(folder / DOCUMENTS)
    except ArchiveError as error:
        problems.append(Problem(CheckedPart.DOCUMENT, where, error.reason, Remedy.REMOVE_MANIFEST))
        return None
    if len(archive) and not (folder / DOCUMENTS / MANIFEST).exists():
        problems.append(Problem(CheckedPart.DOCUMENT, where, "missing", Remedy.BUILD))
    return archive


def _open_base(folder: Path, problems: list[Problem]) -> Reader | None:
    path = folder / FILE
    try:
        return Reader(path, is_trusted=True)
    except NoBaseError:
        trouble, remedy = "missing", Remedy.BUILD
    except NewerBaseError:
        trouble, remedy = "written by a newer program", Remedy.UPGRADE
    except BaseVersionError:
        trouble, remedy = "written by an older program", Remedy.BUILD
    except BaseError as error:
        trouble, remedy = str(error).removeprefix(f"{path}: "), Remedy.BUILD
    problems.append(Problem(CheckedPart.BASE, FILE, trouble, remedy))
    return None


def _open_editions(reader: Reader, problems: list[Problem]) -> list[dict[str, Any]] | None:
    """Return the editions of a file; None if it cannot be used."""
    try:
        reader.verify()
        return reader.editions()
    except BaseError as error:
        reason = error.reason if isinstance(error, DamagedBaseError) else str(error)
    problems.append(Problem(CheckedPart.BASE, FILE, f"damaged: {reason}", Remedy.BUILD_ANEW))
    return None


def _verify_archive(folder: Path, archive: Archive) -> Iterator[Finding]:
    for sha256 in archive:
        try:
            archive.load(sha256)
        except ArchiveError as error:
            where = _relative(archive.path(sha256), folder)
            yield Problem(CheckedPart.DOCUMENT, where, error.reason, Remedy.GIVE_AGAIN)
        yield Examined(CheckedPart.DOCUMENT, sha256)
    known = {archive.path(sha256) for sha256 in archive} | {archive.folder / MANIFEST}
    for path in archive.files():
        if path not in known:
            is_ours = archive.is_left_by_a_run(path)
            trouble = _LEFT if is_ours else "not in the manifest"
            remedy = Remedy.TIDY if is_ours else Remedy.REMOVE
            yield Problem(CheckedPart.DOCUMENT, _relative(path, folder), trouble, remedy)


def _relative(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()


def _verify_base(
    reader: Reader, editions: list[dict[str, Any]], archive: Archive | None
) -> Iterator[Finding]:
    meta, ours = reader.facts(), current_meta()
    for name, value in meta.items():
        if value != ours[name]:
            trouble = STALE[name].format(value, ours[name])
            is_to_upgrade = name == "program" and is_newer(value, ours[name])
            remedy = Remedy.UPGRADE if is_to_upgrade else Remedy.BUILD
            yield Problem(CheckedPart.BASE, FILE, trouble, remedy, is_damage=False)
    yield Examined(CheckedPart.BASE, FILE)
    for edition in editions:
        if archive is not None and meta["facts"] == ours["facts"]:
            for trouble in _decisions_differ(archive, edition):
                yield _of_edition(edition, trouble, Remedy.BUILD_ANEW)
        yield Examined(CheckedPart.EDITION, str(edition["label"]))


def _of_edition(edition: dict[str, Any], trouble: str, remedy: Remedy) -> Problem:
    return Problem(CheckedPart.EDITION, f"{FILE}: edition {edition['label']}", trouble, remedy)


def _decisions_differ(archive: Archive, edition: dict[str, Any]) -> Iterator[str]:
    """Yield where an edition's attestation differs from the facts and decisions."""
    try:
        attested = attestation_of(archive, edition["effective"], edition["sha256"])
    except ValueError:
        return  # the date is damaged; `cr doctor --deep` reports it
    if edition["attested"] != attested:
        stored = edition["attested"] or "nothing"
        expected = attested or "nothing"
        yield f"stored as attested by {stored}; by the known hashes and decisions it should be {expected}"
    if (ONE_SOURCE in edition["doubts"].split("\n")) is bool(attested):
        yield f"wrong warnings are stored for it: {edition['doubts']!r}"


def _verify_match(
    archive: Archive, editions: list[dict[str, Any]], witnesses: set[str]
) -> Iterator[Finding]:
    """Yield editions and witnesses without their documents, and documents that are neither."""
    held = {edition["sha256"] for edition in editions} | witnesses
    for sha256 in sorted(witnesses):
        if sha256 not in archive:
            where = f"{FILE}: witness {sha256}"
            yield Problem(
                CheckedPart.WITNESS, where, "its document is not in the manifest", Remedy.GIVE_AGAIN
            )
    for edition in editions:
        if edition["sha256"] not in archive:
            trouble = f"its document {edition['sha256']} is not in the manifest"
            yield _of_edition(edition, trouble, Remedy.GIVE_AGAIN)
    for sha256 in archive:
        if sha256 not in held:
            where = f"{DOCUMENTS}/{sha256[:2]}/{sha256}"
            yield Problem(CheckedPart.DOCUMENT, where, f"not in {FILE}", Remedy.BUILD)


def _verify_by_building(folder: Path, reader: Reader, jobs: int) -> Iterator[Finding]:
    """Build a second base from the documents; yield how the tables of the first differ from it."""
    with TemporaryDirectory() as temporary:
        anew = Path(temporary)
        try:
            shutil.copytree(folder / DOCUMENTS, anew / DOCUMENTS)
        except OSError as error:
            raise NotWritableError(f"{anew}: {error.strerror or error}") from error
        list(Builder(anew, "", jobs).build([]))
        with contextlib.closing(Reader(anew / FILE)) as expected:
            names = expected.query("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1")
            for (table,) in names:
                rows = f"SELECT * FROM {table}"  # noqa: S608 - a name of ours
                if Counter(reader.query(rows)) != Counter(expected.query(rows)):
                    trouble = f"the table {table} differs from one built anew from the documents"
                    yield Problem(CheckedPart.BASE, FILE, trouble, Remedy.BUILD_ANEW)
    yield Examined(CheckedPart.READING, FILE)
