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
    "GIT_ATTR_NOSYSTEM": "1",
    "LC_ALL": "C",
}
# The user's own attributes would convert files, or compare them in another way.
_ATTRIBUTES = b"* !filter !diff !merge !text !eol !crlf !ident !working-tree-encoding\n"
_CONFIG = b"[core]\n bare = true\n quotePath = false\n repositoryFormatVersion = %b\n"
_LONG_HASHES = re.compile(rb"^\s*objectformat\s*=\s*sha256", re.IGNORECASE | re.MULTILINE)
_FOLDER = Path("a private folder for git")


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
    """Return the bytes of a file; b"" if it cannot be read, or is a pipe that could wait for ever."""
    with suppress(OSError):
        return file.read_bytes() if file.is_file() else b""
    return b""


class Git:
    """Runs git in private folders within a folder, which are removed with this object."""

    def __init__(self, within: Path | None = None) -> None:
        """Prepare to run git, within a folder that the caller removes if this process is killed."""
        # The current folder is untrusted and is not searched.
        searched = filter(os.path.isabs, os.get_exec_path())
        self._program = shutil.which("git", path=os.pathsep.join(searched)) or ""
        if not Path(self._program).is_absolute():
            raise FileError("git is not installed")
        with writable(_FOLDER):
            self.folder = Path(mkdtemp(prefix="variorum-git-", dir=within))
        if within is None:
            weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        self._made = dict[Repository, Path]()

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
        """Return the private repository for another one."""
        if repository not in self._made:
            _, own, common = repository
            if (common / "reftable").exists():
                raise FileError(f"{common}: references kept as reftable are not read")
            is_long = _LONG_HASHES.search(_content(common / "config"))
            form = b"1\n[extensions]\n objectFormat = sha256" if is_long else b"0"
            files = {"config": _CONFIG % form, "info/attributes": _ATTRIBUTES, "refs/none": b""}
            kept = filter(Path.is_file, (common / "packed-refs", *(common / "refs").rglob("*")))
            files |= {str(file.relative_to(common)): _content(file) for file in kept}
            files["HEAD"] = _content(own / "HEAD")
            place = self.folder / str(len(self._made))
            with writable(_FOLDER):
                for name, content in files.items():
                    (place / name).parent.mkdir(parents=True, exist_ok=True)
                    (place / name).write_bytes(content)
            self._made[repository] = place
        return self._made[repository]
