"""Run git on an untrusted repository.

Git works in a private folder with our own settings. It reads the repository's objects and, on
request, its index. It never reads the repository's settings, hooks, attributes, grafts, references
or working tree; this module looks up references and gives git the hashes of commits.
"""

import os
import re
import shutil
import subprocess
import weakref
from collections.abc import Iterator, Sequence
from io import DEFAULT_BUFFER_SIZE
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

from variorum.errors import NoGitError, NotReadableError
from variorum.files import writable

_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.attributesFile=/dev/null",
    "core.sshCommand=false",
    "core.gitProxy=false",
    "core.alternateRefsCommand=false",
    "core.pager=cat",
    "core.editor=false",
    "core.askPass=",
    "credential.helper=",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
    "log.showSignature=false",
    "gpg.program=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "submodule.recurse=false",
    "core.quotePath=false",
)
_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ASKPASS": "",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
    "SSH_ASKPASS": "",
}
# These override the attributes of every tree: git converts no file and compares all files alike.
_ATTRIBUTES = "* !filter !diff !merge !text !eol !crlf !ident !working-tree-encoding\n"
_HASH = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_REVISION = re.compile(r"[^~^@]+")
_SHA256 = 64
# A reference may name another reference; we follow one name fewer than this.
_MOST_NAMES = 5


class Repository(NamedTuple):
    """The folder of one working tree's HEAD and index, and that of what all working trees share."""

    own: Path
    common: Path

    @property
    def is_shallow(self) -> bool:
        """Return whether this is a clone with a part of the history only."""
        return (self.common / "shallow").exists()

    def heads(self) -> list[str]:
        """Return the commits that are checked out: several during a merge, none before the first."""
        head = _resolved(_text(self.own / "HEAD"), self)
        merged = _text(self.own / "MERGE_HEAD").split()
        return [commit.decode() for commit in (head, *merged) if _HASH.fullmatch(commit)]

    def named(self, revision: str) -> str:
        """Return a revision such as "main~2" with its branch or tag replaced by the hash."""
        base = _REVISION.match(revision)
        name = base[0] if base else revision
        if name == "HEAD":
            return revision
        for place in ("refs/heads/", "refs/remotes/", "refs/tags/", ""):
            commit = _resolved(f"ref: {place}{name}".encode(), self)
            if _HASH.fullmatch(commit):
                return commit.decode() + revision[len(name) :]
        return revision


def repository_at(folder: Path) -> Repository | None:
    """Return the repository in a folder's `.git`, or the folder itself if it is a repository."""
    for place in (folder / ".git", folder):
        repository = _followed(place)
        if (repository.own / "HEAD").is_file() and (repository.common / "objects").is_dir():
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


def _followed(place: Path) -> Repository:
    """Return the folders of a `.git`, which is a file in submodules and additional working trees."""
    own = place
    if place.is_file():
        named = _text(place)
        own = place.parent / os.fsdecode(named.removeprefix(b"gitdir:").strip())
    common = _text(own / "commondir")
    return Repository(own, own / os.fsdecode(common) if common else own)


def _resolved(head: bytes, repository: Repository) -> bytes:
    """Return the hash that a reference leads to; b"" if there is none."""
    for _ in range(_MOST_NAMES):
        name = head.removeprefix(b"ref:").strip()
        if name == head:
            return head
        if not name.startswith(b"refs/") or b".." in name:
            return b""
        loose = _text(repository.common / os.fsdecode(name))
        head = loose or _packed(repository).get(name, b"")
    return b""


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
        self._made: dict[tuple[Repository, tuple[str, ...]], Path] = {}

    def run(
        self, repository: Repository, *arguments: str, given: bytes = b"", with_index: bool = False
    ) -> "subprocess.CompletedProcess[bytes]":
        """Run git in an empty working tree; no reference but HEAD exists there.

        It reads the repository's objects, and if asked for its index; `given` is its standard input.

        Raises:
            NoGitError: Git is not installed.
            NotReadableError: The repository stores its references in an unsupported format.
            NotWritableError: The private folder cannot be written.
        """
        command, place, environment = self._command(repository, arguments, with_index=with_index)
        return subprocess.run(  # noqa: S603 - our own arguments, and no shell
            command, input=given, capture_output=True, check=False, cwd=place, env=environment
        )

    def lines(self, repository: Repository, *arguments: str) -> Iterator[bytes]:
        """Run git as `run` does; yield each line that it prints at once, without the line end."""
        command, place, environment = self._command(repository, arguments, with_index=False)
        with subprocess.Popen(  # noqa: S603 - our own arguments, and no shell
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=place,
            env=environment,
        ) as started:
            if started.stdout is not None:
                for line in started.stdout:
                    yield line.removesuffix(b"\n")
        if started.returncode:
            raise NotReadableError(f"git {arguments[0]} ended with exit code {started.returncode}")

    def _command(
        self, repository: Repository, arguments: Sequence[str], *, with_index: bool
    ) -> tuple[list[str], Path, dict[str, str]]:
        """Return a command, the folder in which it runs, and its environment."""
        place = self._furnished(repository)
        index = repository.own / "index"
        index = index.resolve() if with_index and index.is_file() else place / "git" / "index"
        settings = [word for setting in _SETTINGS for word in ("-c", setting)]
        environment = _clean() | {
            "GIT_DIR": str(place / "git"),
            "GIT_WORK_TREE": str(place / "tree"),
            "GIT_OBJECT_DIRECTORY": str((repository.common / "objects").resolve()),
            "GIT_INDEX_FILE": str(index),
        }
        return [_program(), "--no-pager", *settings, *arguments], place / "tree", environment

    def _furnished(self, repository: Repository) -> Path:
        """Return the folder with the private repository that replaces the untrusted repository."""
        heads = tuple(repository.heads())
        if (repository, heads) not in self._made:
            with writable(Path("a private folder for git")):
                place = self.folder / str(len(self._made))
                _furnish(place / "git", repository, heads)
                (place / "tree").mkdir()
            self._made[repository, heads] = place
        return self._made[repository, heads]


def _furnish(own: Path, repository: Repository, heads: Sequence[str]) -> None:
    """Make a repository with some commits checked out and nothing else."""
    for name in ("refs", "info"):
        (own / name).mkdir(parents=True)
    is_sha256 = any(len(head) == _SHA256 for head in heads)
    form = "1\n[extensions]\n objectFormat = sha256" if is_sha256 else "0"
    (own / "config").write_text(f"[core]\n bare = false\n repositoryFormatVersion = {form}\n")
    (own / "info" / "attributes").write_text(_ATTRIBUTES)
    (own / "HEAD").write_text(f"{heads[0] if heads else 'ref: refs/heads/none'}\n")
    if heads[1:]:
        (own / "MERGE_HEAD").write_text("".join([f"{head}\n" for head in heads[1:]]))
    for part in repository.own.glob("sharedindex.*"):
        if part.is_file():
            shutil.copyfile(part, own / part.name)


def _clean() -> dict[str, str]:
    """Return the environment with our own variables for git instead of the user's."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | _ENVIRONMENT


def _program() -> str:
    """Return the path of git; the current folder is untrusted and is not searched.

    Raises:
        NoGitError: Git is not installed.
    """
    for folder in os.get_exec_path():
        program = shutil.which(os.path.join(folder, "git")) if os.path.isabs(folder) else None  # noqa: PTH117, PTH118
        if program:
            return program
    raise NoGitError
