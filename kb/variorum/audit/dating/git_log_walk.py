"""Dates the lines of many files by one `git log` of the first parents of a commit."""

import hashlib
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from typing import NamedTuple

from variorum.audit.dating.git_blame import day_of
from variorum.audit.dating.git_output import output_of
from variorum.errors import NotReadableError
from variorum.git import Git, Repository

_COMMIT = b"\x01"
_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_LOG = (
    *("log", "--first-parent", "-m", "-p", "-U0", "-w", "--no-ext-diff", "--no-textconv"),
    *("--no-color", "--no-renames", "--src-prefix=a/", "--dst-prefix=b/", "--date=short"),
    "--format=%x01%H %ad",
)
_MOVED = re.compile(rb"R\d+")
# After so many commits, progress is reported.
REPORTED_EVERY = 100

Progress = Callable[[int, int], None]


class _Commit(NamedTuple):
    """The parents and the day of a commit."""

    parents: tuple[str, ...]
    day: str


class _Hunk(NamedTuple):
    """One place of a file that a commit changed.

    Attributes:
        old: How many lines the commit removed there.
        start: The place of the first added line.
        added: How many lines it added there.
    """

    old: int
    start: int
    added: int


class FileHistory(NamedTuple):
    """The days of the lines of a file.

    Attributes:
        digest: The digest of the committed file.
        runs: The length and the day of each run of lines that were written on one day.
    """

    digest: str
    runs: tuple[tuple[int, str], ...]


class HistoryWalk:
    """One walk through the first parents of a commit."""

    def __init__(self, git: Git, repository: Repository, editions: Sequence[str]) -> None:
        self._git = git
        self._repository = repository
        self._editions = editions

    def days(self, head: str, names: Sequence[str], progress: Progress) -> dict[str, FileHistory]:
        """Return the days of the lines of files."""
        left: dict[str, list[int]] = {}
        digests: dict[str, str] = {}
        for name, data in self._files(head, names):
            count = data.count(b"\n") + (not data.endswith(b"\n"))
            left[name], digests[name] = list(range(count if data else 0)), digest_of(data)
        days_of_files = {name: [""] * len(places) for name, places in left.items()}
        refined = self._refined(head)
        for commit, day, name, hunks in self._changes(head, sorted(left), progress):
            if name not in left:
                continue
            by_blame = self._blamed(commit, name) if commit in refined else {}
            # From the last to the first, so that lines before a hunk keep their places.
            for hunk in reversed(hunks):
                end = hunk.start + hunk.added
                for line, place in enumerate(left[name][hunk.start : end], start=hunk.start):
                    if place >= 0:
                        days_of_files[name][place] = by_blame.get(line, day)
                left[name][hunk.start : end] = [-1] * hunk.old
        return {
            name: FileHistory(digests[name], _runs(days)) for name, days in days_of_files.items()
        }

    def moved(self, head: str) -> frozenset[str]:
        """Return the files that were ever renamed."""
        arguments = ("log", "--first-parent", "-m", "-M", "--diff-filter=R", "--name-status", "-z")
        cells = self._output(*arguments, "--format=", head).split(b"\0")
        return frozenset(
            new.decode("utf-8", "surrogateescape")
            for kind, _, new in zip(cells, cells[1:], cells[2:], strict=False)
            if _MOVED.fullmatch(kind.strip())
        )

    def _files(self, head: str, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """Yield the named files that a commit has, with their content."""
        names = [name for name in names if "\n" not in name]
        asked = "".join([f"{head}:{name}\n" for name in names])
        given = asked.encode("utf-8", "surrogateescape")
        done = self._git.run(self._repository, "cat-file", "--batch", given=given)
        printed = BytesIO(done.stdout)
        for name in names:
            match printed.readline().split():
                case [_, kind, size] if size != b"missing":
                    data = printed.read(int(size))
                    printed.readline()
                    if kind == b"blob":
                        yield name, data
                case _:
                    pass

    def _changes(
        self, head: str, names: Sequence[str], progress: Progress
    ) -> Iterator[tuple[str, str, str, list[_Hunk]]]:
        """Yield the changes of each commit in each file, the latest commit first."""
        if not names:
            return
        total = int(self._output("rev-list", "--first-parent", "--count", head) or b"0")
        commit = day = name = ""
        hunks: list[_Hunk] = []
        count = 0
        literal = [f":(literal){path}" for path in names]
        for line in self._git.lines(self._repository, *_LOG, head, "--", *literal):
            if line.startswith((_COMMIT, b"diff --git ")) and name and hunks:
                yield commit, day, name, hunks
                name, hunks = "", []
            if line.startswith(_COMMIT):
                commit, day = line[1:].decode().split()
                count += 1
                if count % REPORTED_EVERY == 0:
                    progress(count, total)
            elif line.startswith(b"+++ b/") and not hunks:
                name = line[6:].rstrip(b"\t").decode("utf-8", "surrogateescape")
            elif line.startswith(b"@@ ") and name:
                hunks.append(_hunk(line))
        if name and hunks:
            yield commit, day, name, hunks

    def _refined(self, head: str) -> frozenset[str]:
        """Return the merges whose branches span more than one edition."""
        graph: dict[str, _Commit] = {}
        for line in self._output("log", "--format=%H %ad %P", "--date=short", head).splitlines():
            commit, day, *parents = line.decode().split()
            graph[commit] = _Commit(tuple(parents), day)
        chain: list[str] = []
        at = head
        while at in graph:
            chain.append(at)
            at = graph[at].parents[0] if graph[at].parents else ""
        seen = set(chain)
        refined: set[str] = set()
        for merge in reversed(chain):
            days = list(_branch(graph, merge, seen))
            first = min(days, default=graph[merge].day)
            if self._edition(first) != self._edition(graph[merge].day):
                refined.add(merge)
        return frozenset(refined)

    def _edition(self, day: str) -> int:
        return bisect_right(self._editions, day)

    def _blamed(self, merge: str, name: str) -> dict[int, str]:
        """Return the days of the lines that a merge added to a file."""
        arguments = ("blame", "-w", "--no-textconv", "--date=short", "--line-porcelain")
        range_ = f"{merge}^1..{merge}"
        done = self._git.run(self._repository, *arguments, range_, "--", name)
        days: dict[int, str] = {}
        seconds = place = 0
        for line in done.stdout.split(b"\n"):
            if line.startswith(b"author-time "):
                seconds = int(line[12:])
            elif line.startswith(b"author-tz "):
                days[place] = day_of(seconds, line[10:].decode("ascii", "replace"))
            elif line.startswith(b"\t"):
                place += 1
        return days

    def _output(self, *arguments: str) -> bytes:
        return output_of(self._git, self._repository, *arguments).strip()


def _branch(graph: Mapping[str, _Commit], merge: str, seen: set[str]) -> Iterator[str]:
    """Yield the days of the commits of a merged branch, and mark these as seen."""
    waiting = list(graph[merge].parents[1:])
    while waiting:
        commit = waiting.pop()
        if commit in seen or commit not in graph:
            continue
        seen.add(commit)
        yield graph[commit].day
        waiting += graph[commit].parents


def _hunk(line: bytes) -> _Hunk:
    match = _HUNK.match(line)
    if match is None:
        raise NotReadableError(f"git log: {line[:60]!r} is no hunk")
    old, start, count = match[2], int(match[3]), match[4]
    added = int(count) if count is not None else 1
    # A hunk that only removes lines names the line before it.
    return _Hunk(int(old) if old is not None else 1, start - 1 if added else start, added)


def _runs(days: Iterable[str]) -> tuple[tuple[int, str], ...]:
    runs: list[tuple[int, str]] = []
    for day in days:
        if runs and runs[-1][1] == day:
            runs[-1] = runs[-1][0] + 1, day
        else:
            runs.append((1, day))
    return tuple(runs)


def digest_of(data: bytes) -> str:
    """Return the digest of a committed file."""
    return hashlib.sha256(data).hexdigest()[:32]
