"""Check whether a knowledge base is what its documents give."""

import contextlib
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.lint.finder import find_findings
from variorum_kb.build.base_version import STALE, current_meta, is_newer
from variorum_kb.build.check_results import (
    CheckedPart,
    CheckScope,
    Examined,
    Finding,
    Problem,
    Remedy,
)
from variorum_kb.build.issues_and_copies import attestation_of
from variorum_kb.build.workers import Rows, read_rows
from variorum_kb.documents.archive import MANIFEST, Archive
from variorum_kb.documents.find import Document
from variorum_kb.errors import (
    ArchiveError,
    BaseError,
    BaseVersionError,
    DamagedBaseError,
    DocumentError,
    NewerBaseError,
    NoBaseError,
    NotReadableError,
    NotWritableError,
)
from variorum_kb.facts.editions import issues_of, known_editions
from variorum_kb.store.consistency import (
    Contents,
    find_changed,
    find_damage,
    find_in_edition,
    find_in_tables,
    load_contents,
)
from variorum_kb.store.findings import load_findings
from variorum_kb.store.link_check import find_in_links
from variorum_kb.store.reader import Reader
from variorum_kb.store.witness_check import find_in_witnesses
from variorum_kb.store.writer import draft_of
from variorum_kb.stored_rows import ONE_SOURCE
from variorum_kb.system.atomic_files import beside_of
from variorum_kb.system.default_folders import DOCUMENTS, FILE
from variorum_kb.system.lock import locked

# The columns that depend on facts and other editions, not on the document alone.
_NOT_OF_DOCUMENT = {"issue", "set_code", "set_name", "attested", "doubts"}

_LEFT = "left by a run that was killed"


def verify(folder: Path, *, deep: bool = False, jobs: int = 1) -> Iterator[Finding]:
    """Check everything in a knowledge base; yield the parts checked and their problems.

    Args:
        folder: The folder of the knowledge base; nothing in it is changed.
        deep: Recompute everything in the file, read every document again, and compare. Otherwise,
            the tables are recomputed only if the file is not as it was written.
        jobs: How many processes read at once.

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
        is_whole = reader is not None and _is_whole(reader)
        is_quick = is_whole and not deep
        contents = None
        if reader is not None:
            contents = _open_contents(reader, problems, is_whole=is_whole, is_quick=is_quick)
        yield CheckScope(_steps(archive, contents, deep=deep))
        yield from problems
        halves = [beside_of(folder / FILE), beside_of(draft_of(folder / FILE))]
        for half in filter(Path.exists, halves):
            yield Problem(CheckedPart.BASE, half.name, _LEFT, Remedy.TIDY)
        if archive is not None:
            yield from _verify_archive(folder, archive)
        if reader is not None and contents is not None:
            yield from _verify_base(reader, contents, archive, is_quick=is_quick)
            if archive is not None:
                witnesses = {sha256 for (sha256,) in reader.query("SELECT sha256 FROM witness")}
                yield from _verify_match(archive, contents, witnesses)
                if deep and reader.facts()["reader"] == current_meta()["reader"]:
                    yield from _verify_findings(reader) if is_whole else ()
                    yield from _verify_readings(archive, contents, jobs)


def _steps(archive: Archive | None, contents: Contents | None, *, deep: bool) -> int:
    documents = 0 if archive is None else len(archive)
    editions = 0 if contents is None else len(contents.editions)
    is_read = deep and archive is not None and contents is not None
    return documents + editions + (contents is not None) + is_read * editions


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


def _is_whole(reader: Reader) -> bool:
    """Return whether a file is as it was written."""
    try:
        reader.verify()
    except BaseError:
        return False
    return True


def _open_contents(
    reader: Reader, problems: list[Problem], *, is_whole: bool, is_quick: bool
) -> Contents | None:
    damage: list[str] = []
    contents: Contents | None = None
    try:
        damage += [] if is_whole else find_damage(reader)
        if not damage:
            contents = load_contents(reader, with_states=not is_quick)
            damage += [] if is_whole else find_changed(reader)
    except BaseError as error:
        damage.append(error.reason if isinstance(error, DamagedBaseError) else str(error))
    problems += [
        Problem(CheckedPart.BASE, FILE, f"damaged: {fault}", Remedy.BUILD_ANEW) for fault in damage
    ]
    return contents


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
    reader: Reader, contents: Contents, archive: Archive | None, *, is_quick: bool
) -> Iterator[Finding]:
    meta, ours = reader.facts(), current_meta()
    for name, value in meta.items():
        if value != ours[name]:
            trouble = STALE[name].format(value, ours[name])
            is_to_upgrade = name == "program" and is_newer(value, ours[name])
            remedy = Remedy.UPGRADE if is_to_upgrade else Remedy.BUILD
            yield Problem(CheckedPart.BASE, FILE, trouble, remedy, is_damage=False)
    if not is_quick:
        is_same_finder = meta["finder"] == ours["finder"]
        for trouble in find_in_tables(reader, contents, with_citations=is_same_finder):
            yield Problem(CheckedPart.BASE, FILE, trouble, Remedy.BUILD_ANEW)
    yield Examined(CheckedPart.BASE, FILE)
    contradictions = {} if is_quick else _contradictions(reader, contents)
    for place, edition in enumerate(contents.editions):
        troubles = contradictions.get(place, [])
        if meta["facts"] == ours["facts"]:
            troubles += _facts_differ(contents, edition)
            troubles += () if archive is None else _decisions_differ(archive, edition)
        for trouble in troubles:
            yield _of_edition(edition, trouble, Remedy.BUILD_ANEW)
        yield Examined(CheckedPart.EDITION, str(edition["label"]))
    for sha256, trouble in () if is_quick else find_in_witnesses(reader, contents):
        yield Problem(CheckedPart.WITNESS, f"{FILE}: witness {sha256}", trouble, Remedy.BUILD_ANEW)


def _verify_findings(reader: Reader) -> Iterator[Problem]:
    """Find the errors of the editions again; yield where the file has others.

    The findings of another version of the program are not checked.
    """
    if reader.facts() != current_meta():
        return
    anew = find_findings(KnowledgeBase(reader))
    pairs = zip(reader.editions(with_long=False), load_findings(reader), anew, strict=True)
    for edition, known, expected in pairs:
        if known != expected:
            yield _of_edition(edition, "other findings of lint than it gives", Remedy.BUILD_ANEW)


def _contradictions(reader: Reader, contents: Contents) -> dict[int, list[str]]:
    """Return the contradictions in editions, by their places."""
    packed = reader.query("SELECT states FROM edition ORDER BY id")
    by_place = {
        place: list(find_in_edition(contents, place, states))
        for place, (states,) in enumerate(packed)
    }
    for place, trouble in find_in_links(reader, contents):
        by_place[place].append(trouble)
    return by_place


def _of_edition(edition: dict[str, Any], trouble: str, remedy: Remedy) -> Problem:
    return Problem(CheckedPart.EDITION, f"{FILE}: edition {edition['label']}", trouble, remedy)


def _facts_differ(contents: Contents, edition: dict[str, Any]) -> Iterator[str]:
    """Yield where an edition differs from the table of facts."""
    same = [
        candidate["sha256"]
        for candidate in contents.editions
        if candidate["effective"] == edition["effective"]
    ]
    try:
        effective = date.fromisoformat(edition["effective"])
    except ValueError:
        yield f"its date is {edition['effective']!r}"
        return
    facts = known_editions().get(effective)
    known = {
        "issue": issues_of(effective, same)[edition["sha256"]],
        "set_code": facts.set_code if facts else "",
        "set_name": facts.set_name if facts else "",
    }
    for name, value in known.items():
        if edition[name] != value:
            yield f"its {name} is {edition[name]!r}, by the table of facts {value!r}"


def _decisions_differ(archive: Archive, edition: dict[str, Any]) -> Iterator[str]:
    """Yield where an edition's attestation differs from the facts and decisions."""
    try:
        attested = attestation_of(archive, edition["effective"], edition["sha256"])
    except ValueError:
        return  # its date is reported already
    if edition["attested"] != attested:
        stored = edition["attested"] or "nothing"
        yield f"it says that {stored} attests it, by facts and decisions {attested or 'nothing'} does"
    if (ONE_SOURCE in edition["doubts"].split("\n")) is bool(attested):
        yield f"its doubts are {edition['doubts']!r}"


def _verify_match(archive: Archive, contents: Contents, witnesses: set[str]) -> Iterator[Finding]:
    """Yield editions and witnesses without their documents, and documents that are neither."""
    held = {edition["sha256"] for edition in contents.editions} | witnesses
    for sha256 in sorted(witnesses):
        if sha256 not in archive:
            where = f"{FILE}: witness {sha256}"
            yield Problem(
                CheckedPart.WITNESS, where, "its document is not in the manifest", Remedy.GIVE_AGAIN
            )
    for edition in contents.editions:
        if edition["sha256"] not in archive:
            trouble = f"its document {edition['sha256']} is not in the manifest"
            yield _of_edition(edition, trouble, Remedy.GIVE_AGAIN)
    for sha256 in archive:
        if sha256 not in held:
            where = f"{DOCUMENTS}/{sha256[:2]}/{sha256}"
            yield Problem(CheckedPart.DOCUMENT, where, f"not in {FILE}", Remedy.BUILD)


def _verify_readings(archive: Archive, contents: Contents, jobs: int) -> Iterator[Finding]:
    places = {edition["sha256"]: place for place, edition in enumerate(contents.editions)}
    for document, outcome in read_rows(_documents(archive, places), jobs):
        edition = contents.editions[places[document.name]]
        if isinstance(outcome, DocumentError):
            yield _of_edition(edition, outcome.message, Remedy.BUILD_ANEW)
        else:
            for trouble in _readings_differ(contents, places[document.name], outcome):
                yield _of_edition(edition, trouble, Remedy.BUILD_ANEW)
        yield Examined(CheckedPart.READING, str(edition["label"]))


def _documents(archive: Archive, wanted: Iterable[str]) -> Iterator[Document]:
    for sha256 in wanted:
        # Lost or damaged documents have been reported already.
        with contextlib.suppress(ArchiveError):
            yield Document(sha256, "", archive.load(sha256), is_named=True)


def _readings_differ(contents: Contents, place: int, rows: Rows) -> Iterator[str]:
    columns, states = rows
    edition = contents.editions[place]
    for name, value in columns.named().items():
        if name not in _NOT_OF_DOCUMENT and edition[name] != value:
            yield f"its {name} is not what its document gives"
    held = [contents.states[number] for number in contents.held[place]]
    differing = [
        new.address or old.address for old, new in zip(held, states, strict=False) if old != new
    ]
    if differing:
        others = len(differing) - 1
        verb = f"and {others} more differ" if others else "differs"
        yield f"{differing[0]} {verb} from what its document gives"
    elif len(held) != len(states):
        yield f"it holds {len(held)} provisions, its document gives {len(states)}"
