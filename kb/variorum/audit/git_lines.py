"""Asks git when each line of a file was written, and which lines were added since a revision.

One `git log` follows the first parents of the checked-out commit, so a line of a merged branch has
the day of the merge. Renamed files are followed.
"""

import codecs
import difflib
import hashlib
import re
import sys
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from io import BytesIO
from itertools import chain
from pathlib import Path

from variorum.errors import FileError
from variorum.files import LARGEST_AUDITED, read_file
from variorum.git import Git, Repository, repository_around

# Every file that cites rules matches this, in any encoding.
_CITES = re.compile(rb"[1-9]\d\d\.[1-9]|(?:CR|[Rr]ule)s?\W{0,4}[1-9]\d\d|#R\d|\d\0\d\0\d\0")
_COMMIT, _DIFF = b"\x01", b"diff --git "
_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_FIRST_PARENTS = ("log", "--first-parent", "-m", "-M")
_CHANGES = (
    *("-p", "-U0", "-w", "--no-ext-diff", "--no-textconv", "--no-color", "--date=short"),
    *("--src-prefix=a/", "--dst-prefix=b/", "--format=%x01%ad"),
)
_EVERY_LINE = range(sys.maxsize)
# Of each file of the commit that a repository has checked out, its content's digest and its lines' days.
Histories = Mapping[Path, Mapping[str, tuple[str, list[str]]]]


def read_histories(git: Git, files: Iterable[Path]) -> Histories:
    """Return the days of the lines of files that may cite rules, by the root of their repository."""
    names: dict[tuple[Path, Repository], list[str]] = {}
    for path in files:
        resolved = path.resolve()
        around = repository_around(resolved)
        if around is not None and _may_cite(path):
            names.setdefault(around, []).append(resolved.relative_to(around[0]).as_posix())
    histories: dict[Path, Mapping[str, tuple[str, list[str]]]] = {}
    for (root, repository), each in names.items():
        if repository.is_shallow:
            raise FileError(
                f"{root}: a shallow clone does not say when lines were written; fetch all of its "
                "history (git fetch --unshallow; fetch-depth: 0), or give --as-of without --blame"
            )
        wanted = sorted({name for name in each if "\n" not in name})
        histories[root] = _days(git, repository, wanted) if git.head(repository) else {}
    return histories


def _may_cite(path: Path) -> bool:
    try:
        return _CITES.search(read_file(path, LARGEST_AUDITED)) is not None
    except FileError:
        return False


def line_days(git: Git, histories: Histories, path: Path, data: bytes) -> list[str] | None:
    """Return the day of each line of a file, "" if it is not committed; None if git knows no file.

    As in git, only a line feed ends a line.
    """
    path = path.resolve()
    around = repository_around(path)
    if around is None:
        return None
    root, repository = around
    name = path.relative_to(root).as_posix()
    known = (
        (histories if root in histories else read_histories(git, [path])).get(root, {}).get(name)
    )
    if known is None:
        return None
    digest, days = known
    if _digest(data) == digest:
        return days
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        # Git may store a file that is UTF-16 in the working tree as UTF-8.
        data = data.decode("utf-16", "replace").encode()
    try:
        old = git.run(repository, "cat-file", "blob", f"HEAD:{name}")
    except FileError:
        return None
    before, after = ([b"".join(line.split()) for line in text.split(b"\n")] for text in (old, data))
    now = [""] * len(after)
    for was, place, size in _kept_lines(before, after):
        now[place : place + size] = (days + [""] * size)[was : was + size]
    return now


def _kept_lines(before: Sequence[bytes], after: Sequence[bytes]) -> list[difflib.Match]:
    return difflib.SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def _days(
    git: Git, repository: Repository, names: Sequence[str]
) -> dict[str, tuple[str, list[str]]]:
    """Return the days of the lines of files; of a file that git cannot read, none."""
    committed = dict(_committed(git, repository, names))
    try:
        return _walked(git, repository, committed) if committed else {}
    except FileError:
        if len(committed) == 1:
            return {}
        alone = [_days(git, repository, [name]) for name in committed]
        return {name: history for days in alone for name, history in days.items()}


def _committed(
    git: Git, repository: Repository, names: Sequence[str]
) -> Iterator[tuple[str, bytes]]:
    """Yield the named files that the commit has, with their content."""
    asked = "".join([f"HEAD:{name}\n" for name in names])
    given = asked.encode("utf-8", "surrogateescape")
    printed = BytesIO(git.run(repository, "cat-file", "--batch", given=given))
    for name in names:
        match printed.readline().split():
            case [_, kind, size] if kind != b"missing" and size != b"missing":
                data = printed.read(int(size))
                printed.readline()
                if kind == b"blob":
                    yield name, data
            case _:
                pass


def _walked(
    git: Git, repository: Repository, committed: Mapping[str, bytes]
) -> dict[str, tuple[str, list[str]]]:
    """Follow the lines of files backwards until each has the day on which it was added."""
    # The lines of each file at a commit, by their places now; -1 for lines that are gone now.
    left: dict[str, list[tuple[str, int]]] = {}
    days: dict[str, list[str]] = {}
    for name, data in committed.items():
        count = data.count(b"\n") + (data[-1:] not in {b"", b"\n"})
        left[name], days[name] = [(name, place) for place in range(count)], [""] * count
    names = _with_former(git, repository, committed)
    for day, old, new, hunks in _changes(git, repository, names):
        lines = left.get(new)
        if lines is None:
            continue
        # From the last to the first, so that lines before a hunk keep their places.
        for removed, start, added in reversed(hunks):
            for name, place in lines[start : start + added]:
                if place >= 0:
                    days[name][place] = day
            lines[start : start + added] = [("", -1)] * removed
        if old not in {new, "/dev/null"}:
            left[old] = left.pop(new)
    return {name: (_digest(committed[name]), each) for name, each in days.items()}


def _with_former(git: Git, repository: Repository, names: Iterable[str]) -> list[str]:
    """Return names of files and the names that these files had before."""
    wanted = set(names)
    kinds = ("--diff-filter=R", "--name-status", "-z", "--format=", "HEAD")
    printed = git.run(repository, *_FIRST_PARENTS, *kinds)
    cells = [cell.decode("utf-8", "surrogateescape") for cell in printed.split(b"\0")]
    for kind, old, new in zip(cells, cells[1:], cells[2:], strict=False):
        if new in wanted and re.fullmatch(r"\s*R\d+", kind):
            wanted.add(old)
    return sorted(wanted)


def _changes(
    git: Git, repository: Repository, names: Sequence[str]
) -> Iterator[tuple[str, str, str, list[tuple[int, int, int]]]]:
    """Yield each change of a file, the latest first: its day, both names, and its hunks.

    A hunk is how many lines were removed, the place of the first added line, and how many were.
    """
    literal = [f":(literal){name}" for name in names]
    day = old = new = ""
    hunks: list[tuple[int, int, int]] = []
    printed = git.lines(repository, *_FIRST_PARENTS, *_CHANGES, "HEAD", "--", *literal)
    for line in chain(printed, (_COMMIT,)):
        if line.startswith((_COMMIT, _DIFF)) and new:
            yield day, old, new, hunks
            old, new, hunks = "", "", []
        if line.startswith(_COMMIT):
            day = line[1:].decode()
        elif hunk := _HUNK.match(line):
            removed = int(hunk[2]) if hunk[2] is not None else 1
            added = int(hunk[4]) if hunk[4] is not None else 1
            # A hunk that only removes lines names the line before it.
            hunks.append((removed, int(hunk[3]) - (added > 0), added))
        elif not hunks and (name := _name_in(line)):
            if line.startswith((b"--- ", b"rename from ")):
                old = name
            else:
                new = name


def _name_in(line: bytes) -> str:
    """Return the name in a line of the head of a change; "" if there is none."""
    for begin in (b"--- a/", b"+++ b/", b"rename from ", b"rename to ", b"--- "):
        if line.startswith(begin):
            return line[len(begin) :].rstrip(b"\t").decode("utf-8", "surrogateescape")
    return ""


# Since a revision ----------------------------------------------------------------------------------


class AddedLines:
    """Compares files with the last commit that a revision and the checkout share."""

    def __init__(self, git: Git, revision: str) -> None:
        self._git, self._revision = git, revision
        self._blobs: dict[Repository, dict[bytes, str]] = {}

    def of(self, path: Path, data: bytes) -> Container[int]:
        """Return the numbers, from 1, of the lines that were added since the revision.

        If git does not know a file, or cannot read it, all its lines count as added.
        """
        path = path.resolve()
        around = repository_around(path)
        if around is None:
            return _EVERY_LINE
        root, repository = around
        if repository not in self._blobs:
            self._blobs[repository] = self._listed(repository)
        blob = self._blobs[repository].get(path.relative_to(root).as_posix().encode())
        if blob is None:
            return _EVERY_LINE
        stored = b"blob %d\0" % len(data) + data
        if blob in {hashlib.sha1(stored).hexdigest(), hashlib.sha256(stored).hexdigest()}:  # noqa: S324 - git's
            return frozenset[int]()
        try:
            before = self._git.run(repository, "cat-file", "blob", blob).split(b"\n")
        except FileError:
            return _EVERY_LINE
        after = data.split(b"\n")
        kept = {line for _, b, size in _kept_lines(before, after) for line in range(b, b + size)}
        return frozenset(line + 1 for line in range(len(after)) if line not in kept)

    def _listed(self, repository: Repository) -> dict[bytes, str]:
        """Return the hash of each file of the shared commit; none if there is no commit."""
        named = f"{self._revision}^{{commit}}"
        wanted = ("rev-parse", "--verify", "--quiet", "--end-of-options", named)
        try:
            commit = self._git.run(repository, *wanted).decode().strip()
        except FileError as error:
            if self._revision == "HEAD":
                return {}
            hint = "; a shallow clone has only some (fetch-depth: 0)" * repository.is_shallow
            raise FileError(f"{self._revision}: no such revision{hint}") from error
        with suppress(FileError):  # they may share none
            commit = self._git.run(repository, "merge-base", commit, "HEAD").decode().strip()
        listed = self._git.run(repository, "ls-tree", "-r", "-z", "--full-tree", commit)
        entries = [entry.partition(b"\t") for entry in listed.split(b"\0")]
        return {
            name: about.split()[2].decode()
            for about, _, name in entries
            if about.split()[1:2] == [b"blob"]
        }
