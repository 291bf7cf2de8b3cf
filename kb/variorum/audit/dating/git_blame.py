"""Asks git when each line of a file was written."""

import codecs
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

from variorum.audit.dating.git_output import failure_of
from variorum.errors import NotReadableError
from variorum.git import Git, Repository, repository_around

# What git says of files that it does not know.
_UNKNOWN = (b"no such path", b"no such ref", b"bad revision")
NOT_COMMITTED = "0" * 40


def line_dates(git: Git, path: Path, data: bytes) -> list[str] | None:
    """Return the day each line was written, in its author's time zone; None without git.

    A line that is not committed has "". As in git, only a line feed ends a line.

    Args:
        git: Runs git.
        path: A file. If git does not know it, its lines have no dates.
        data: Its content.

    Raises:
        NotReadableError: Git is not installed, or the history is incomplete.
    """
    path = path.resolve()
    around = repository_around(path)
    if around is None:
        return None
    root, repository = around
    if repository.is_shallow:
        raise NotReadableError(
            f"{path.parent}: a shallow clone does not say when lines were written; fetch all of "
            "its history (git fetch --unshallow; fetch-depth: 0), or give --as-of without --blame"
        )
    name = path.relative_to(root).as_posix()
    try:
        dates = _blamed(git, repository, name, data)
        as_utf8 = _as_utf8(data)
        if dates and as_utf8 and not any(dates):
            # Git may store a file that is UTF-16 in the working tree as UTF-8.
            return _blamed(git, repository, name, as_utf8)
    except NotReadableError as error:
        raise NotReadableError(f"{path}: {error}; or give --as-of") from None
    return dates


def _blamed(git: Git, repository: Repository, name: str, data: bytes) -> list[str] | None:
    arguments = ("blame", "--porcelain", "-w", "--no-textconv", "--contents", "-", "--", name)
    done = git.run(repository, *arguments, given=data, with_index=True)
    if done.returncode and not any(reason in done.stderr for reason in _UNKNOWN):
        raise failure_of("blame", done)
    return None if done.returncode else _dates(done.stdout)


def _as_utf8(data: bytes) -> bytes:
    """Return UTF-16 as UTF-8; b"" for anything else."""
    if not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return b""
    try:
        return data.decode("utf-16").encode()
    except UnicodeError:
        return b""


def _dates(porcelain: bytes) -> list[str]:
    """Read `git blame --porcelain`, which describes each commit at its first line only."""
    days: dict[str, str] = {NOT_COMMITTED: ""}
    commits: list[str] = []
    commit, seconds = "", 0
    for line in porcelain.split(b"\n"):
        if line.startswith(b"\t"):
            commits.append(commit)
            continue
        word, _, rest = line.partition(b" ")
        if word == b"author-time":
            seconds = int(rest)
        elif word == b"author-tz":
            days.setdefault(commit, day_of(seconds, rest.decode("ascii", "replace")))
        elif len(word) in {40, 64} and rest[:1].isdigit():
            commit = word.decode("ascii")
    return [days.get(line, "") for line in commits]


def day_of(seconds: int, zone: str) -> str:
    """Return the day of a time, in seconds since 1970, in a time zone such as "+0200"."""
    sign = -1 if zone.startswith("-") else 1
    digits = zone.lstrip("+-").zfill(4)
    minutes = int(digits[:-2]) * 60 + int(digits[-2:]) if digits.isdigit() else 0
    try:
        moment = datetime.fromtimestamp(seconds, UTC)
        return moment.astimezone(timezone(sign * timedelta(minutes=minutes))).date().isoformat()
    except (OverflowError, ValueError, OSError):
        return ""
