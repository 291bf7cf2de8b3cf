"""Asks git when each line of a file was written, and which lines were added since a revision.

A repository is untrusted. Git works in a private one with our own settings and no files, which has a copy of
the untrusted one's references and reads its objects, nothing else: no settings, hooks, attributes, grafts,
index or working tree.
"""

import codecs
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from difflib import SequenceMatcher
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

from variorum.errors import FileError
from variorum.files import writable

EVERY_LINE = range(sys.maxsize)
_SETTINGS = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
}
_LONG_HASHES = re.compile(rb"^\s*objectformat\s*=\s*sha256", re.IGNORECASE | re.MULTILINE)
_FOR_LONG_HASHES = b"[core]\n repositoryFormatVersion = 1\n[extensions]\n objectFormat = sha256\n"


class Repository(NamedTuple):
    """The root of a working tree, the folder of its HEAD, and that of what all working trees share."""

    root: Path
    own: Path
    common: Path


def repository_around(path: Path) -> Repository | None:
    """Return the repository of a file; one without a working tree is treated as an ordinary folder."""
    for root in path.parents:
        place = root / ".git"  # a file in submodules and additional working trees
        linked = os.fsdecode(_content(place).removeprefix(b"gitdir:").strip())
        own = root / linked if linked else place
        common = own / os.fsdecode(_content(own / "commondir").strip())
        if (own / "HEAD").is_file() and (common / "objects").is_dir() and own != root:
            return Repository(root, own, common)
    return None


def _content(file: Path) -> bytes:
    with suppress(OSError):
        return file.read_bytes() if file.is_file() else b""  # not a pipe, which could wait for ever
    return b""


class Git:
    """Asks git about files; makes private repositories in `folder`, which the caller removes."""

    def __init__(self) -> None:
        self.folder: str | None = None
        self._made: dict[Repository, Path] = {}
        self._blobs: dict[tuple[Repository, str], Mapping[bytes, str]] = {}

    def line_days(self, path: Path, data: bytes) -> list[str] | None:
        """Return the day of each line of a file, "" if it is not committed; None if git cannot tell.

        The first parents of the checked-out commit count, so a line of a merged branch has the day of the
        merge. Renamed files are followed. As in git, only a line feed ends a line.
        """
        repository = repository_around(path := path.resolve())
        if repository is None:
            return None
        if (repository.common / "shallow").exists():
            raise FileError(
                f"{repository.root}: a shallow clone does not say when lines were written; fetch all of its "
                "history (git fetch --unshallow; fetch-depth: 0), or give --as-of without --blame"
            )
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            # Git may store a file that is UTF-16 in the working tree as UTF-8.
            data = data.decode("utf-16", "replace").encode()
        asked = "blame", "--porcelain", "--first-parent", "-w", "--contents", "-", "--"
        name = path.relative_to(repository.root).as_posix()
        try:
            return _days(self._run(repository, *asked, name, data=data))
        # A commit may give any number as its time.
        except (subprocess.CalledProcessError, ValueError, OverflowError):
            return None

    def lines_added(self, path: Path, data: bytes, since: str) -> Collection[int]:
        """Return the numbers, from 1, of the lines that the last commit shared with a revision lacks.

        If git does not know a file, or cannot read it, all its lines count as added.
        """
        repository = repository_around(path := path.resolve())
        if repository is None:
            return EVERY_LINE
        if (repository, since) not in self._blobs:
            self._blobs[repository, since] = self._listed(repository, since)
        name = os.fsencode(path.relative_to(repository.root).as_posix())
        blob = self._blobs[repository, since].get(name)
        if blob is None:
            return EVERY_LINE
        stored = b"blob %d\0" % len(data) + data
        if blob in {hashlib.sha1(stored).hexdigest(), hashlib.sha256(stored).hexdigest()}:  # noqa: S324 - git's
            return frozenset[int]()
        try:
            old = self._run(repository, "cat-file", "blob", blob)
        except subprocess.CalledProcessError:
            return EVERY_LINE
        # Git may have changed the line ends of the working tree.
        before, after = (text.replace(b"\r\n", b"\n").split(b"\n") for text in (old, data))
        parts = SequenceMatcher(None, before, after).get_opcodes()
        added = [range(start, end) for tag, _, _, start, end in parts if tag != "equal"]
        return {line + 1 for lines in added for line in lines}

    def _listed(self, repository: Repository, revision: str) -> Mapping[bytes, str]:
        """Return the hash of each file of the last commit shared with a revision; none if HEAD has none."""
        asked = "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
        try:
            commit = self._run(repository, *asked).decode().strip()
            with suppress(subprocess.CalledProcessError):  # they may share none
                commit = self._run(repository, "merge-base", commit, "HEAD").decode().strip()
            listed = self._run(repository, "ls-tree", "-r", "-z", "--full-tree", commit)
        except subprocess.CalledProcessError as error:
            if revision == "HEAD":
                return {}
            is_shallow = (repository.common / "shallow").exists()
            hint = "; a shallow clone has only some (fetch-depth: 0)" * is_shallow
            raise FileError(f"{revision}: no such revision{hint}") from error
        entries = [entry.partition(b"\t") for entry in listed.split(b"\0")]
        return {name: about.split()[2].decode() for about, _, name in entries if b" blob " in about}

    def _run(self, repository: Repository, *arguments: str, data: bytes = b"") -> bytes:
        # The current folder is untrusted and is not searched.
        searched = filter(os.path.isabs, os.get_exec_path())
        program = shutil.which("git", path=os.pathsep.join(searched)) or ""
        if not Path(program).is_absolute():
            raise FileError("git is not installed")
        place, objects = self._private(repository), (repository.common / "objects").resolve()
        kept = {name: it for name, it in os.environ.items() if not name.startswith("GIT_")}
        places = {"GIT_DIR": str(place), "GIT_OBJECT_DIRECTORY": str(objects)}
        places["GIT_WORK_TREE"] = str(empty := place / "empty")
        return subprocess.run(  # noqa: S603 - our own arguments, and no shell
            [program, *arguments],
            input=data,
            capture_output=True,
            check=True,
            cwd=empty,
            env=kept | _SETTINGS | places,
        ).stdout

    def _private(self, repository: Repository) -> Path:
        """Return the private repository for another one, made on first use."""
        if repository in self._made:
            return self._made[repository]
        _, own, common = repository
        if (common / "reftable").exists():
            raise FileError(f"{common}: references kept as reftable are not read")
        is_long = _LONG_HASHES.search(_content(common / "config"))
        kept = filter(Path.is_file, (common / "packed-refs", *(common / "refs").rglob("*")))
        files = {str(file.relative_to(common)): _content(file) for file in kept}
        files |= {"HEAD": _content(own / "HEAD"), "config": _FOR_LONG_HASHES if is_long else b""}
        place = Path(mkdtemp(dir=self.folder))
        with writable(place):
            for folder in ("refs", "empty"):
                (place / folder).mkdir()
            for name, content in files.items():
                (place / name).parent.mkdir(parents=True, exist_ok=True)
                (place / name).write_bytes(content)
        self._made[repository] = place
        return place


def _days(printed: bytes) -> list[str]:
    """Return the day of each line, from what `git blame --porcelain` prints."""
    days, of_commit = list[str](), dict[bytes, str]()
    commit, seconds, is_head = b"", 0, True
    for line in printed.split(b"\n"):
        key, _, value = line.partition(b" ")
        if is_head:
            commit = key
        elif key == b"author-time":
            seconds = int(value)
        elif key == b"author-tz":
            seconds += 3600 * int(value[:-2]) + 60 * int(value[:1] + value[-2:])
            day = datetime.fromtimestamp(seconds, UTC).date().isoformat()
            of_commit[commit] = day if commit.strip(b"0") else ""  # not committed
        if is_head := line.startswith(b"\t"):  # the line itself, the end of an entry
            days.append(of_commit[commit])
    return days
