"""When citations were written: by git, or by the numbers that they name."""

import os
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from variorum_kb.errors import NotReadableError

if TYPE_CHECKING:
    from variorum_kb.answers.knowledge_base import KnowledgeBase


class Fit(NamedTuple):
    """The editions that have most of some numbers.

    Attributes:
        first: The label of the first of them.
        last: Of the last one.
        known: How many citations name numbers that these have.
        total: Of how many.
    """

    first: str
    last: str
    known: int
    total: int


def best_fit(base: "KnowledgeBase", cited: Mapping[str, int]) -> Fit:
    """Return the editions, the latest in a row, that have most of the numbers somebody cited.

    Args:
        base: The base whose editions are compared.
        cited: How often each number is cited.
    """
    heirs = base.heirs()
    known = [0] * len(base.editions)
    for number, times in cited.items():
        for place in {one for run in heirs.runs(number) for one in range(run.first, run.last + 1)}:
            known[place] += times
    best = max(known)
    last = len(known) - 1 - known[::-1].index(best)
    first = last
    while first and known[first - 1] == best:
        first -= 1
    labels = [edition.label for edition in base.editions]
    return Fit(labels[first], labels[last], best, sum(cited.values()))


_OF_HOOKS = {
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"),
    *("GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE", "GIT_QUARANTINE_PATH"),
}
# What git says of files that it does not know.
_UNKNOWN = (b"no such path", b"no such ref", b"bad revision")
NOT_COMMITTED = "0" * 40


def line_dates(path: Path) -> list[str] | None:
    """Return the day each line was written, as its author's calendar had it; None without git.

    A line that is not committed yet has "". Lines end with line feeds alone, as git counts.

    Args:
        path: A file; one that git does not know has no dates.

    Raises:
        NotReadableError: There is no git, or the history is not all there.
    """
    path = path.resolve()
    if _state(str(path.parent)) == "none":
        return None
    arguments = ("blame", "--porcelain", "-w", "--no-textconv", "--", path.name)
    done = _git(path.parent, *arguments)
    if done.returncode and not any(reason in done.stderr for reason in _UNKNOWN):
        said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise NotReadableError(f"{path}: git blame: {said}; or give --as-of")
    return None if done.returncode else _dates(done.stdout)


@lru_cache(maxsize=4096)
def _state(folder: str) -> str:
    done = _git(Path(folder), "rev-parse", "--is-shallow-repository")
    if b"dubious ownership" in done.stderr:
        raise NotReadableError(
            f"{folder}: git does not trust a repository of somebody else; "
            "git config --global --add safe.directory FOLDER says that it may"
        )
    if done.returncode:
        return "none"
    if done.stdout.strip() == b"true":
        raise NotReadableError(
            f"{folder}: a shallow clone does not say when lines were written; fetch all of its "
            "history (git fetch --unshallow; fetch-depth: 0), or give --as-of without --blame"
        )
    return "whole"


def _git(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
    try:
        return subprocess.run(  # noqa: S603 - our own arguments
            ["git", "-C", str(folder), *arguments],  # noqa: S607 - the user's git
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            env=_environment(),
        )
    except FileNotFoundError:
        raise NotReadableError("git: not installed, and --blame asks it; give --as-of") from None


def _environment() -> dict[str, str]:
    """Return the environment without what a hook says about its own repository."""
    kept = {name: value for name, value in os.environ.items() if name not in _OF_HOOKS}
    return kept | {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}


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
