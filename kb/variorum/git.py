"""Run git on an untrusted repository.

Git works in a private, bare repository with our own settings, which has a copy of the untrusted one's
references and reads its objects, nothing else: no settings, hooks, attributes, grafts, index or working tree.
"""

import os
import re
import shutil
import subprocess
import weakref
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

from variorum.errors import FileError
from variorum.files import writable

_SETTINGS = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "LC_ALL": "C",
}
_CONFIG = b"[core]\n bare = true\n quotePath = false\n repositoryFormatVersion = %b\n"
_LONG_HASHES = re.compile(rb"^\s*objectformat\s*=\s*sha256", re.IGNORECASE | re.MULTILINE)


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
    """Runs git in private repositories within a folder, which is removed with this object unless it was given."""

    def __init__(self, folder: Path | None = None) -> None:
        # The current folder is untrusted and is not searched.
        searched = filter(os.path.isabs, os.get_exec_path())
        self._program = shutil.which("git", path=os.pathsep.join(searched)) or ""
        if not Path(self._program).is_absolute():
            raise FileError("git is not installed")
        self.folder, self._made = (
            folder or Path(mkdtemp(prefix="variorum-git-")),
            dict[Repository, Path](),
        )
        if folder is None:
            weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)

    def run(self, repository: Repository, *arguments: str) -> bytes:
        """Return what git prints, or raise FileError."""
        kept = {name: it for name, it in os.environ.items() if not name.startswith("GIT_")}
        place, objects = self.private(repository), (repository.common / "objects").resolve()
        private = {"GIT_DIR": str(place), "GIT_OBJECT_DIRECTORY": str(objects)}
        command = [self._program, "--no-pager", *arguments]
        done = subprocess.run(  # noqa: S603 - our own arguments, and no shell
            command, capture_output=True, check=False, cwd=place, env=kept | _SETTINGS | private
        )
        if done.returncode:
            message = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
            raise FileError(f"git {arguments[0]}: {message}")
        return done.stdout

    def private(self, repository: Repository) -> Path:
        """Return the private repository for another one, made on first use."""
        place = self.folder / f"{os.getpid()}-{len(self._made)}"  # processes share the folder
        place = self._made.setdefault(repository, place)
        if place.exists():
            return place
        _, own, common = repository
        if (common / "reftable").exists():
            raise FileError(f"{common}: references kept as reftable are not read")
        is_long = _LONG_HASHES.search(_content(common / "config"))
        form = b"1\n[extensions]\n objectFormat = sha256" if is_long else b"0"
        kept = filter(Path.is_file, (common / "packed-refs", *(common / "refs").rglob("*")))
        files = {str(file.relative_to(common)): _content(file) for file in kept}
        files |= {"config": _CONFIG % form, "refs/none": b"", "HEAD": _content(own / "HEAD")}
        for name, content in files.items():
            with writable(place / name):
                (place / name).parent.mkdir(parents=True, exist_ok=True)
                (place / name).write_bytes(content)
        return place
