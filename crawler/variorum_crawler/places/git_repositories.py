"""Offer every version of the rules in the history of a git repository.

The repository may be a stranger's. Only plumbing is run, which asks the repository's settings for
little; programs that settings name (a pager, a signature's check, a monitor, a transport) are
never started, and nothing is fetched.
"""

import os
import subprocess
from collections.abc import Generator, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from variorum_crawler.errors import SourceError
from variorum_crawler.places.file_names import FORMATS, is_rules_name, printable
from variorum_crawler.places.offer import Offer
from variorum_kb.documents.find import LARGEST

_SAFE = (
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "protocol.allow=never"),
    *("-c", "core.quotePath=false", "-c", "log.showSignature=false", "-c", "core.pager=cat"),
)
_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ASKPASS": "",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_FILES = {"100644", "100755"}
_SHOWN = 12


class Version(NamedTuple):
    """A version of a file.

    Attributes:
        commit: The first one that has it.
        blob: The name that git gives to its bytes.
        file: Its path in the repository.
    """

    commit: str
    blob: str
    file: str


def find_offers(source: str, path: Path, files: Sequence[str]) -> Generator[Offer, None, None]:
    """Yield the distinct versions of the files that are wanted, oldest first, with their bytes.

    All branches and tags count. An address is that of the repository, "@", the commit that first
    has these bytes, ":" and the file.

    Args:
        source: The name of the source.
        path: Of the repository, with or without a working tree.
        files: Patterns of paths, as in a shell; "*" goes across folders. Without any, files that
            are called like the rules.

    Raises:
        SourceError: It is no repository, its history is not all there, or holds nothing that is
            wanted; or, once all others are offered, a version of it cannot be read.
    """
    where = f"{source}: {path}"
    _check(where, path)
    versions = find_versions(where, path, files)
    if not versions:
        wanted = " or ".join(files) or "the rules"
        raise SourceError(f"{where}: no file of its history is called like {wanted}")
    lost: list[str] = []
    for version, body in _bodies(where, path, versions):
        place = f"{version.commit[:_SHOWN]}:{printable(version.file)}"
        if isinstance(body, str):
            lost.append(f"{where}: {place}: {body}")
            continue
        name = printable(version.file.rpartition("/")[2])
        yield Offer(source=source, name=name, addresses=(f"{path}@{place}",), body=body)
    if lost:
        more = f"; and {len(lost) - 1} more" if len(lost) > 1 else ""
        raise SourceError(f"{lost[0]}{more}")


def find_versions(where: str, path: Path, files: Sequence[str]) -> list[Version]:
    """Return the distinct versions in the history of a repository, oldest first.

    Raises:
        SourceError: Git cannot read the history.
    """
    commits = _run(where, path, "rev-list", "--all", "--date-order", "--reverse").stdout
    if not commits:
        raise SourceError(f"{where}: a repository without a commit")
    options = ("--stdin", "-r", "-m", "--root", "--raw", "--no-renames", "--no-abbrev", "-z")
    said = _run(where, path, "diff-tree", *options, "--", *_narrowed(files), given=commits).stdout
    first: dict[str, Version] = {}
    for version in _parse_changes(said):
        if version.blob not in first and _is_wanted(version.file, files):
            first[version.blob] = version
    return list(first.values())


def _narrowed(files: Sequence[str]) -> list[str]:
    """Return the patterns by which git leaves out other files."""
    if files:
        return [f":(top){pattern}" for pattern in files]
    return [f":(icase,glob)**/*.{extension}" for extension in FORMATS]


def _is_wanted(file: str, files: Sequence[str]) -> bool:
    if files:
        return any(fnmatchcase(file, pattern) for pattern in files)
    return is_rules_name(file.rpartition("/")[2])


def _parse_changes(said: bytes) -> Iterator[Version]:
    """Read `git diff-tree --stdin -z`: a commit, then its changes, each with a path."""
    commit = ""
    parts = iter(said.split(b"\0"))
    for part in parts:
        if not part.startswith(b":"):
            commit = part.decode("ascii", "replace")
            continue
        _, mode, _, blob, _ = part.decode("ascii", "replace").split(" ")
        file = next(parts, b"").decode("utf-8", "surrogateescape")
        if mode in _FILES:
            yield Version(commit, blob, file)


def _check(where: str, path: Path) -> None:
    if not path.is_dir():
        raise SourceError(f"{where}: no such folder")
    done = _start(where, path, "rev-parse", "--is-shallow-repository")
    if b"dubious ownership" in done.stderr:
        raise SourceError(
            f"{where}: git does not trust a repository of somebody else; "
            "git config --global --add safe.directory FOLDER says that it may"
        )
    if done.returncode:
        raise SourceError(f"{where}: no git repository{_damage(done.stderr)}")
    if done.stdout.strip() == b"true":
        raise SourceError(
            f"{where}: a shallow clone, whose history is not all there; git fetch --unshallow"
        )


def _damage(said: bytes) -> str:
    """Return what git says besides that there is no repository."""
    line = _first_line(said)
    return "" if not line or "not a git repository" in line else f": {line}"


def _first_line(said: bytes) -> str:
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return lines[0].removeprefix("fatal: ") if lines else ""


def _run(
    where: str, path: Path, *arguments: str, given: bytes = b""
) -> "subprocess.CompletedProcess[bytes]":
    done = _start(where, path, *arguments, given=given)
    if done.returncode:
        reason = _first_line(done.stderr) or f"ended with {done.returncode}"
        raise SourceError(f"{where}: git {arguments[0]}: {reason}")
    return done


def _start(
    where: str, path: Path, *arguments: str, given: bytes = b""
) -> "subprocess.CompletedProcess[bytes]":
    try:
        return subprocess.run(  # noqa: S603 - our own arguments, and no shell
            _command(path, *arguments),
            input=given,
            capture_output=True,
            check=False,
            env=_environment(path),
        )
    except FileNotFoundError:
        raise SourceError(f"{where}: git is not installed") from None


def _command(path: Path, *arguments: str) -> list[str]:
    return ["git", "--no-pager", *_SAFE, "-C", str(path), *arguments]


def _environment(path: Path) -> dict[str, str]:
    """Return an environment in which git takes this folder, and no other, for the repository."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    ceiling = {"GIT_CEILING_DIRECTORIES": str(path.resolve().parent)}
    return kept | _ENVIRONMENT | ceiling


def _bodies(
    where: str, path: Path, versions: Sequence[Version]
) -> Iterator[tuple[Version, bytes | str]]:
    """Yield the bytes of each version, or why they cannot be had, reading one at a time."""
    asked = "".join([f"{version.blob}\n" for version in versions]).encode()
    checked = _run(where, path, "cat-file", "--batch-check", given=asked).stdout.splitlines()
    for version, line in zip(versions, checked, strict=True):
        _, kind, *size = line.split()
        if kind != b"blob":
            yield version, "not in this repository"
        elif int(size[0]) > LARGEST:
            yield version, "too large for an edition"
        else:
            # A process for each: one that meets a damaged object ends, and takes no other along.
            done = _start(where, path, "cat-file", "blob", version.blob)
            is_whole = not done.returncode and len(done.stdout) == int(size[0])
            yield version, done.stdout if is_whole else "damaged"
