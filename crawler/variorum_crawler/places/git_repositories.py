"""Offer every version of the rules in the history of a git repository.

The repository may be a stranger's; `system/git.py` explains why none of its programs runs.
"""

from collections.abc import Generator, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from variorum_crawler.errors import SourceError
from variorum_crawler.places.offer import Offer
from variorum_crawler.places.published_file_names import FORMATS, is_rules_name, printable
from variorum_kb.all_size_limits import LARGEST_EDITION
from variorum_kb.errors import NotReadableError, NotWritableError
from variorum_kb.system.git import Git, repository_at

if TYPE_CHECKING:
    from subprocess import CompletedProcess

_FILES = {"100644", "100755"}
_SHOWN = 12


class Version(NamedTuple):
    """A version of a file.

    Attributes:
        commit: The first commit that has it.
        blob: Git's name for its bytes.
        file: Its path in the repository.
    """

    commit: str
    blob: str
    file: str


def find_offers(source: str, path: Path, files: Sequence[str]) -> Generator[Offer, None, None]:
    """Yield the distinct versions of the wanted files, oldest first, with their bytes.

    All branches and tags count. An address is made of the repository, "@", the first commit with
    these bytes, ":" and the file.

    Args:
        source: The name of the source.
        path: The path of the repository, with or without a working tree.
        files: Patterns of paths, as in a shell; "*" also matches slashes. Without any, files that
            are named like the rules.

    Raises:
        SourceError: It is no repository, its history is incomplete, or it has no wanted file. If
            one version cannot be read, all others are offered first.
    """
    where = f"{source}: {path}"
    history = _History(where, path)
    versions = find_versions(history, files)
    if not versions:
        patterns = " or ".join(files) or "the rules"
        raise SourceError(f"{where}: no file in its history has a name like {patterns}")
    lost: list[str] = []
    for version, body in _bodies(history, versions):
        place = f"{version.commit[:_SHOWN]}:{printable(version.file)}"
        if isinstance(body, str):
            lost.append(f"{where}: {place}: {body}")
            continue
        name = printable(version.file.rpartition("/")[2])
        yield Offer(source=source, name=name, addresses=(f"{path}@{place}",), body=body)
    if lost:
        more = f"; and {len(lost) - 1} more" if len(lost) > 1 else ""
        raise SourceError(f"{lost[0]}{more}")


def find_versions(history: "_History", files: Sequence[str]) -> list[Version]:
    """Return the distinct versions in the history of a repository, oldest first.

    Raises:
        SourceError: Git cannot read the history.
    """
    tips = history.tips()
    order = ("--date-order", "--reverse", "--stdin")
    commits = history.run("rev-list", *order, given=tips)
    options = ("--stdin", "-r", "-m", "--root", "--raw", "--no-renames", "--no-abbrev", "-z")
    narrowed = _narrowed(files)
    changes = history.run("diff-tree", *options, "--", *narrowed, given=commits)
    first: dict[str, Version] = {}
    for version in _parse_changes(changes):
        if version.blob not in first and _is_wanted(version.file, files):
            first[version.blob] = version
    return list(first.values())


def _narrowed(files: Sequence[str]) -> list[str]:
    """Return the patterns for git that exclude other files."""
    if files:
        return [f":(top){pattern}" for pattern in files]
    return [f":(icase,glob)**/*.{extension}" for extension in FORMATS]


def _is_wanted(file: str, files: Sequence[str]) -> bool:
    if files:
        return any(fnmatchcase(file, pattern) for pattern in files)
    return is_rules_name(file.rpartition("/")[2])


def _parse_changes(output: bytes) -> Iterator[Version]:
    """Parse `git diff-tree --stdin -z`: a commit, then its changes, each with a path."""
    commit = ""
    parts = iter(output.split(b"\0"))
    for part in parts:
        if not part.startswith(b":"):
            commit = part.decode("ascii", "replace")
            continue
        _, mode, _, blob, _ = part.decode("ascii", "replace").split(" ")
        file = next(parts, b"").decode("utf-8", "surrogateescape")
        if mode in _FILES:
            yield Version(commit, blob, file)


class _History:
    def __init__(self, where: str, path: Path) -> None:
        if not path.is_dir():
            raise SourceError(f"{where}: no such folder")
        repository = repository_at(path)
        if repository is None:
            raise SourceError(f"{where}: no git repository")
        if repository.is_shallow:
            raise SourceError(
                f"{where}: a shallow clone, whose history is not all there; git fetch --unshallow"
            )
        self._where, self._repository, self._git = where, repository, Git()

    def tips(self) -> bytes:
        """Return the targets of HEAD, branches and tags, a line each.

        Raises:
            SourceError: There are none, or they cannot be read.
        """
        try:
            tips = self._repository.tips()
        except NotReadableError as error:
            raise SourceError(f"{self._where}: {error}") from None
        if not tips:
            raise SourceError(f"{self._where}: a repository without a commit")
        return "".join([f"{tip}\n" for tip in tips]).encode()

    def run(self, *arguments: str, given: bytes = b"") -> bytes:
        """Return the output of git.

        Raises:
            SourceError: Git fails, or is not installed.
        """
        done = self.start(*arguments, given=given)
        if done.returncode:
            lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
            reason = lines[0].removeprefix("fatal: ") if lines else f"ended with {done.returncode}"
            raise SourceError(f"{self._where}: git {arguments[0]}: {reason}")
        return done.stdout

    def start(self, *arguments: str, given: bytes = b"") -> "CompletedProcess[bytes]":
        """Return the output and the errors of git.

        Raises:
            SourceError: Git is not installed.
        """
        try:
            return self._git.run(self._repository, *arguments, given=given)
        except (NotReadableError, NotWritableError) as error:
            raise SourceError(f"{self._where}: {error}") from None


def _bodies(
    history: _History, versions: Sequence[Version]
) -> Iterator[tuple[Version, bytes | str]]:
    """Yield the bytes of each version, or the error of reading it, one at a time."""
    hashes = "".join([f"{version.blob}\n" for version in versions]).encode()
    checked = history.run("cat-file", "--batch-check", given=hashes).splitlines()
    for version, line in zip(versions, checked, strict=True):
        _, kind, *size = line.split()
        if kind != b"blob":
            yield version, "not in this repository"
        elif int(size[0]) > LARGEST_EDITION:
            yield version, "too large for an edition"
        else:
            # Each version is read by its own process, since git ends at a damaged object.
            done = history.start("cat-file", "blob", version.blob)
            is_whole = not done.returncode and len(done.stdout) == int(size[0])
            yield version, done.stdout if is_whole else "damaged"
