"""Asks git which lines of a file were added since a revision."""

import difflib
import hashlib
import sys
from collections.abc import Container
from pathlib import Path

from variorum.audit.dating.git_output import output_of
from variorum.errors import NotReadableError
from variorum.git import Git, Repository, repository_around

_BLOB = b"blob"
# A repository names its objects by one of these.
_DIGESTS = {hashlib.sha1, hashlib.sha256}
_EVERY_LINE = range(sys.maxsize)


class AddedLines:
    """Compares files with the last commit that a revision and the checkout share."""

    def __init__(self, git: Git, revision: str) -> None:
        self._git = git
        self._revision = revision
        self._blobs: dict[Repository, dict[bytes, str]] = {}

    def of(self, path: Path, data: bytes) -> Container[int]:
        """Return the numbers, from 1, of the lines that were added since the revision.

        Args:
            path: The file. If git does not know it, all its lines count as added.
            data: Its content.

        Raises:
            NotReadableError: The revision is unknown, or its file cannot be read.
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
        if blob in {digest(stored).hexdigest() for digest in _DIGESTS}:
            return frozenset[int]()
        return _added(output_of(self._git, repository, "cat-file", "blob", blob), data)

    def _listed(self, repository: Repository) -> dict[bytes, str]:
        """Return the hash of each file of the commit."""
        commit = self._commit(repository)
        if not commit:
            return {}
        arguments = ("ls-tree", "-r", "-z", "--full-tree", commit)
        listed = output_of(self._git, repository, *arguments)
        kinds: dict[bytes, str] = {}
        for entry in listed.split(b"\0"):
            about, _, name = entry.partition(b"\t")
            kind = about.split()[1:]
            if kind[:1] == [_BLOB]:
                kinds[name] = kind[1].decode()
        return kinds

    def _commit(self, repository: Repository) -> str:
        """Return the last commit that the revision and the checkout share.

        Return "" if the repository has no commit.
        """
        named = repository.named(self._revision)
        wanted = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{named}^{{commit}}")
        done = self._git.run(repository, *wanted)
        if done.returncode and self._revision == "HEAD":
            return ""
        if done.returncode:
            hint = "a shallow clone has only some (fetch-depth: 0)" if repository.is_shallow else ""
            reason = f"{self._revision}: no such revision" + (f"; {hint}" if hint else "")
            raise NotReadableError(reason)
        commit = done.stdout.decode().strip()
        parted = self._git.run(repository, "merge-base", commit, "HEAD")
        return parted.stdout.decode().strip() or commit


def _added(old: bytes, new: bytes) -> frozenset[int]:
    before, after = old.split(b"\n"), new.split(b"\n")
    blocks = difflib.SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    kept = {line for block in blocks for line in range(block.b, block.b + block.size)}
    return frozenset(line + 1 for line in range(len(after)) if line not in kept)
