"""Asks git when each line of a file was written, and which lines were added since a revision.

The first parents of the checked-out commit count, so a line of a merged branch has the day of the merge.
Renamed files are followed.
"""

import codecs
import difflib
import hashlib
import sys
from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from variorum.errors import FileError
from variorum.git import Git, Repository, repository_around

_BLAME = ("blame", "--incremental", "--first-parent", "-w", "HEAD", "--")
EVERY_LINE = range(sys.maxsize)


def line_days(git: Git, path: Path, data: bytes) -> list[str] | None:
    """Return the day of each line of a file, "" if it is not committed; None if git cannot tell.

    As in git, only a line feed ends a line.
    """
    repository = repository_around(path := path.resolve())
    if repository is None:
        return None
    if (repository.common / "shallow").exists():
        raise FileError(
            f"{repository.root}: a shallow clone does not say when lines were written; fetch all of its "
            "history (git fetch --unshallow; fetch-depth: 0), or give --as-of without --blame"
        )
    name = path.relative_to(repository.root).as_posix()
    git.private(repository)  # raises what concerns all of its files
    try:
        old = git.run(repository, "cat-file", "blob", f"HEAD:{name}")
        days = _days(git.run(repository, *_BLAME, name), old.count(b"\n") + 1)
    except (FileError, ValueError, OverflowError):  # a commit may give any number as its time
        return None
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        # Git may store a file that is UTF-16 in the working tree as UTF-8.
        data = data.decode("utf-16", "replace").encode()
    if data == old:
        return days
    before, after = ([b"".join(line.split()) for line in text.split(b"\n")] for text in (old, data))
    now = [""] * len(after)
    for was, place, size in _kept_lines(before, after):
        now[place : place + size] = days[was : was + size]
    return now


def _days(printed: bytes, count: int) -> list[str]:
    """Return the day of each of some lines, from what `git blame --incremental` prints of them."""
    days, of_commit = [""] * count, dict[str, str]()
    commit, first, many, seconds = "", 0, 0, 0
    for line in printed.decode("utf-8", "replace").split("\n"):
        key, _, value = line.partition(" ")
        if key == "author-time":
            seconds = int(value)
        elif key == "author-tz":
            hours, minutes = int(value[:-2]), int(value[0] + value[-2:])
            there = datetime.fromtimestamp(seconds, UTC) + timedelta(hours=hours, minutes=minutes)
            of_commit[commit] = there.date().isoformat()
        elif key == "filename":  # the last line of an entry
            days[first - 1 : first - 1 + many] = [of_commit[commit]] * many
        elif value.count(" ") == 2 and value.replace(" ", "").isdigit():  # noqa: PLR2004 - the head of an entry
            commit, (_, first, many) = key, map(int, value.split(" "))
    return days


def _kept_lines(before: Sequence[bytes], after: Sequence[bytes]) -> list[difflib.Match]:
    return difflib.SequenceMatcher(None, before, after).get_matching_blocks()


# Since a revision ----------------------------------------------------------------------------------


class AddedLines:
    """Compares files with the last commit that a revision and the checkout share."""

    def __init__(self, git: Git, revision: str) -> None:
        self._git, self._revision = git, revision
        self._blobs: dict[Repository, dict[bytes, str]] = {}

    def of(self, path: Path, data: bytes) -> Collection[int]:
        """Return the numbers, from 1, of the lines that were added since the revision.

        If git does not know a file, or cannot read it, all its lines count as added.
        """
        repository = repository_around(path := path.resolve())
        if repository is None:
            return EVERY_LINE
        if repository not in self._blobs:
            self._blobs[repository] = self._listed(repository)
        name = path.relative_to(repository.root).as_posix()
        blob = self._blobs[repository].get(name.encode())
        if blob is None:
            return EVERY_LINE
        stored = b"blob %d\0" % len(data) + data
        if blob in {hashlib.sha1(stored).hexdigest(), hashlib.sha256(stored).hexdigest()}:  # noqa: S324 - git's
            return frozenset[int]()
        try:
            before = self._git.run(repository, "cat-file", "blob", blob).split(b"\n")
        except FileError:
            return EVERY_LINE
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
            is_shallow = (repository.common / "shallow").exists()
            hint = "; a shallow clone has only some (fetch-depth: 0)" * is_shallow
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
