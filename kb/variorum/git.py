"""Run git on an untrusted repository.

Git works in a private, bare repository with our own settings and reads the untrusted repository's
objects, nothing else: no settings, hooks, attributes, grafts, references, index or working tree. This
module looks up references and gives git the hashes of commits.
"""

import os
import re
import shutil
import subprocess
import weakref
from collections.abc import Iterator
from io import DEFAULT_BUFFER_SIZE
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

from variorum.errors import NoGitError, NotReadableError
from variorum.files import writable

_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
# The user's own attributes would convert files, or compare them in another way.
_ATTRIBUTES = "* !filter !diff !merge !text !eol !crlf !ident !working-tree-encoding\n"
_HASH = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_REVISION = re.compile(r"[^~^@]+")
_SHA256 = 64
# A reference may name another reference; we follow one name fewer than this.
_MOST_NAMES = 5


class Repository(NamedTuple):
    """The folder of one working tree's HEAD, and that of what all working trees share."""

    own: Path
    common: Path

    @property
    def is_shallow(self) -> bool:
        """Return whether this is a clone with a part of the history only."""
        return (self.common / "shallow").exists()

    @property
    def head(self) -> str:
        """Return the commit that is checked out; "" before the first one."""
        return _resolved(_text(self.own / "HEAD"), self)

    def named(self, revision: str) -> str:
        """Return a revision such as "main~2" with its branch or tag replaced by the hash."""
        base = _REVISION.match(revision)
        name = base[0] if base else revision
        if name == "HEAD":
            return revision
        for place in ("refs/heads/", "refs/remotes/", "refs/tags/", ""):
            if commit := _resolved(f"ref: {place}{name}".encode(), self):
                return commit + revision[len(name) :]
        return revision


def repository_at(folder: Path) -> Repository | None:
    """Return the repository in a folder's `.git`, or the folder itself if it is a repository."""
    for place in (folder / ".git", folder):
        # A `.git` is a file in submodules and additional working trees.
        linked = os.fsdecode(_text(place).removeprefix(b"gitdir:").strip())
        own = folder / linked if linked else place
        common = _text(own / "commondir")
        repository = Repository(own, own / os.fsdecode(common) if common else own)
        if (own / "HEAD").is_file() and (repository.common / "objects").is_dir():
            return repository
    return None


def repository_around(path: Path) -> tuple[Path, Repository] | None:
    """Return the root of the working tree that a file is in, and its repository.

    A repository without a working tree is treated as an ordinary folder.
    """
    for folder in path.parents:
        if os.path.lexists(folder / ".git"):
            repository = repository_at(folder)
            if repository is not None and repository.own != folder:
                return folder, repository
    return None


def _resolved(head: bytes, repository: Repository) -> str:
    """Return the hash that a reference leads to; "" if there is none."""
    for _ in range(_MOST_NAMES):
        name = head.removeprefix(b"ref:").strip()
        if name == head:
            return head.decode() if _HASH.fullmatch(head) else ""
        if not name.startswith(b"refs/") or b".." in name:
            return ""
        loose = _text(repository.common / os.fsdecode(name))
        head = loose or _packed(repository).get(name, b"")
    return ""


def _packed(repository: Repository) -> dict[bytes, bytes]:
    """Return the hashes in the file `packed-refs`, by the names of references."""
    if (repository.common / "reftable").exists():
        raise NotReadableError(f"{repository.common}: references kept as reftable are not read")
    file = repository.common / "packed-refs"
    lines = file.read_bytes().splitlines() if file.is_file() else []
    parts = (line.partition(b" ") for line in lines)
    return {name.strip(): commit for commit, _, name in parts}


def _text(file: Path) -> bytes:
    """Return the first bytes of a file; b"" if it cannot be read or is not a regular file."""
    try:
        if not file.is_file():  # reading a pipe could wait for ever
            return b""
        with file.open("rb") as opened:
            return opened.read(DEFAULT_BUFFER_SIZE).strip()  # references are shorter
    except OSError:
        return b""


class Git:
    """Runs git in private folders within a folder, which are removed with this object."""

    def __init__(self, within: Path | None = None) -> None:
        """Prepare to run git, within a folder that the caller removes if this process is killed."""
        with writable(Path("a private folder for git")):
            self.folder = Path(mkdtemp(prefix="variorum-git-", dir=within))
        if within is None:
            weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        self._made: dict[tuple[Repository, str], Path] = {}

    def run(self, repository: Repository, *arguments: str, given: bytes = b"") -> bytes:
        """Return what git prints; `given` is its standard input. No reference but HEAD exists there.

        Raises:
            NoGitError: Git is not installed.
            NotReadableError: Git fails.
            NotWritableError: The private folder cannot be written.
        """
        command, place, environment = self._command(repository, arguments)
        done = subprocess.run(  # noqa: S603 - our own arguments, and no shell
            command, input=given, capture_output=True, check=False, cwd=place, env=environment
        )
        if done.returncode:
            message = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
            raise NotReadableError(f"git {arguments[0]}: {message}")
        return done.stdout

    def lines(self, repository: Repository, *arguments: str) -> Iterator[bytes]:
        """Run git as `run` does; yield each line that it prints at once, without the line end."""
        command, place, environment = self._command(repository, arguments)
        with subprocess.Popen(  # noqa: S603 - likewise
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=place,
            env=environment,
        ) as started:
            for line in started.stdout or ():
                yield line.removesuffix(b"\n")
        if started.returncode:
            raise NotReadableError(f"git {arguments[0]} ended with exit code {started.returncode}")

    def _command(
        self, repository: Repository, arguments: tuple[str, ...]
    ) -> tuple[list[str], Path, dict[str, str]]:
        """Return a command, the folder in which it runs, and its environment."""
        head = repository.head
        place = self._made.get((repository, head))
        if place is None:
            with writable(Path("a private folder for git")):
                place = self.folder / str(len(self._made))
                form = "1\n[extensions]\n objectFormat = sha256" if len(head) == _SHA256 else "0"
                for name in ("refs", "info"):
                    (place / name).mkdir(parents=True)
                (place / "config").write_text(
                    f"[core]\n bare = true\n quotePath = false\n repositoryFormatVersion = {form}\n"
                )
                (place / "info" / "attributes").write_text(_ATTRIBUTES)
                (place / "HEAD").write_text(f"{head or 'ref: refs/heads/none'}\n")
            self._made[repository, head] = place
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        environment = {
            **kept,
            **_ENVIRONMENT,
            "GIT_DIR": str(place),
            "GIT_OBJECT_DIRECTORY": str((repository.common / "objects").resolve()),
        }
        return [_program(), "--no-pager", *arguments], place, environment


def _program() -> str:
    """Return the path of git; the current folder is untrusted and is not searched."""
    for folder in os.get_exec_path():
        program = shutil.which(os.path.join(folder, "git")) if os.path.isabs(folder) else None  # noqa: PTH117, PTH118
        if program:
            return program
    raise NoGitError("git is not installed")
