"""When each line of a file was written, by git."""

import os
import subprocess
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from pathlib import Path

from variorum_kb.errors import NotReadableError

NOT_COMMITTED = "0" * 40


def line_dates(path: Path) -> list[str] | None:
    """Return the day each line was written, as its author's calendar had it; None without git.

    A line that is not committed yet has "". Lines end with line feeds alone, as git counts.

    Args:
        path: A file; one that git does not know has no dates.

    Raises:
        NotReadableError: There is no git, or the history is not all there.
    """
    folder = path.parent
    if _state(str(folder.absolute())) == "none":
        return None
    done = _git(folder, "blame", "--porcelain", "-w", "--", path.name)
    return None if done.returncode else _dates(done.stdout)


@lru_cache(maxsize=4096)
def _state(folder: str) -> str:
    done = _git(Path(folder), "rev-parse", "--is-shallow-repository")
    if done.returncode:
        return "none"
    if done.stdout.strip() == b"true":
        raise NotReadableError(
            f"{folder}: a shallow clone does not say when lines were written; fetch all of its "
            "history (git fetch --unshallow; fetch-depth: 0), or give --as-of"
        )
    return "whole"


def _git(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
    try:
        return subprocess.run(  # noqa: S603 - our own arguments
            ["git", "-C", str(folder), *arguments],  # noqa: S607 - the user's git
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            env=os.environ | {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"},
        )
    except FileNotFoundError:
        raise NotReadableError("git: not installed, and --blame asks it; give --as-of") from None


def _dates(porcelain: bytes) -> list[str]:
    """Read `git blame --porcelain`: a commit is described where it is met for the first time."""
    days: dict[str, str] = {NOT_COMMITTED: ""}
    found: list[str] = []
    commit, seconds = "", 0
    for line in porcelain.split(b"\n"):
        if line.startswith(b"\t"):
            found.append(commit)
            continue
        word, _, rest = line.partition(b" ")
        if word == b"author-time":
            seconds = int(rest)
        elif word == b"author-tz":
            days.setdefault(commit, _day(seconds, rest.decode("ascii", "replace")))
        elif len(word) in {40, 64} and rest[:1].isdigit():
            commit = word.decode("ascii")
    return [days.get(one, "") for one in found]


def _day(seconds: int, zone: str) -> str:
    sign = -1 if zone.startswith("-") else 1
    digits = zone.lstrip("+-").zfill(4)
    minutes = int(digits[:-2]) * 60 + int(digits[-2:]) if digits.isdigit() else 0
    try:
        moment = datetime.fromtimestamp(seconds, UTC)
        return moment.astimezone(timezone(sign * timedelta(minutes=minutes))).date().isoformat()
    except (OverflowError, ValueError, OSError):
        return ""
