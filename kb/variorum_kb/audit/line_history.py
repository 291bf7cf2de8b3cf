"""Dates the lines of many files in one walk through the history.

The first parents of what is checked out are one line of versions, so one `git log` says how each
file came about. Lines that a merge brought count as of the merge, unless the branch began by another
edition: then its lines are asked for by `git blame`.
"""

import difflib
import hashlib
import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.audit.git_blame import day_of
from variorum_kb.audit.text_file import LARGEST
from variorum_kb.errors import NotReadableError
from variorum_kb.system.atomic_files import write_file
from variorum_kb.system.default_folders import cache_folder
from variorum_kb.system.git import Git, Repository, repository_around, repository_at

_COMMIT = b"\x01"
_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_LOG = (
    *("log", "--first-parent", "-m", "-p", "-U0", "-w", "--no-ext-diff", "--no-textconv"),
    *("--no-color", "--no-renames", "--src-prefix=a/", "--dst-prefix=b/", "--date=short"),
    "--format=%x01%H %ad",
)
# What a file has that cites, whatever its encoding.
_CITES = re.compile(rb"[1-9]\d\d\.[1-9]|(?:CR|[Rr]ule)s?\W{0,4}[1-9]\d\d|\d\0\d\0\d\0")
_MANY = 30
_MOVED = re.compile(rb"R\d+")
_EVERY = 100
_VERSION = 1

Progress = Callable[[int, int], None]


class _Commit(NamedTuple):
    """The parents and the day of a commit."""

    parents: tuple[str, ...]
    day: str


class _Hunk(NamedTuple):
    """A change of a commit in one place of a file.

    Attributes:
        old: How many lines it took away.
        start: The place of the first line that it added.
        added: How many lines it added.
    """

    old: int
    start: int
    added: int


class FileHistory(NamedTuple):
    """The days of the lines of a file.

    Attributes:
        digest: The digest of the committed file.
        runs: The length and day of each run of lines of one day.
    """

    digest: str
    runs: tuple[tuple[int, str], ...]


class LineHistory(NamedTuple):
    """The days of the lines of a commit's files.

    Attributes:
        head: The commit.
        files: The history of each file, by its name.
    """

    head: str
    files: Mapping[str, FileHistory]

    def days(self, git: Git, repository: Repository, name: str, data: bytes) -> list[str] | None:
        """Return the day of each line of a file, "" if not committed; None if the file is unknown.

        Args:
            git: Runs git.
            repository: The repository of the file.
            name: The path of the file, from the root.
            data: Its present content.
        """
        known = self.files.get(name)
        if known is None:
            return None
        days = [day for count, day in known.runs for _ in range(count)]
        if _digest(data) == known.digest:
            return days
        old = git.run(repository, "cat-file", "blob", f"{self.head}:{name}").stdout
        return days_of_lines(days, old, data)


class HistoryReader:
    """Reads histories, and keeps them between runs."""

    def __init__(self, git: Git, editions: Sequence[str], cache: Path, progress: Progress) -> None:
        """Prepare.

        Args:
            git: Runs git.
            editions: The effective dates of the editions, sorted.
            cache: The folder in which histories are kept between runs.
            progress: Called with the number of commits read and their total.
        """
        self._git = git
        self._editions = editions
        self._cache = cache
        self._progress = progress

    def read(self, repository: Repository, names: Sequence[str]) -> LineHistory:
        """Return the days of the lines of files in the checkout.

        Raises:
            NotReadableError: Git cannot say.
        """
        (head, *_) = repository.heads() or [""]
        kept = self._cache / f"lines-{head}.json"
        known = _kept(kept)
        missing = sorted(set(names) - set(known))
        if head and missing:
            walk = _HistoryWalk(self._git, repository, self._editions)
            # Who moved is followed by git alone.
            moved = walk.moved(head)
            missing = [name for name in missing if name not in moved]
            known = {**known, **walk.days(head, missing, self._progress)}
            self._cache.mkdir(parents=True, exist_ok=True)
            write_file(kept, json.dumps({"version": _VERSION, "files": known}).encode())
        return LineHistory(head, known)


Histories = Mapping[Path, LineHistory]


def read_histories(
    base: KnowledgeBase, git: Git, files: Iterable[Path], progress: Progress | None
) -> Histories:
    """Return the days of the lines of files that may cite rules, by the root of their repository.

    A few files are left to `git blame`, which is faster then.
    """
    names: dict[Path, list[str]] = {}
    for path in files:
        resolved = path.resolve()
        around = repository_around(resolved)
        if around is not None and _may_cite(path):
            names.setdefault(around[0], []).append(resolved.relative_to(around[0]).as_posix())
    editions = sorted(edition.label[: len("2000-01-01")] for edition in base.editions)
    reader = HistoryReader(git, editions, Path(cache_folder()), progress or _quietly)
    histories: dict[Path, LineHistory] = {}
    for root, each in names.items():
        repository = repository_at(root)
        if len(each) >= _MANY and repository is not None and not repository.is_shallow:
            histories[root] = reader.read(repository, each)
    return histories


def _may_cite(path: Path) -> bool:
    try:
        return path.stat().st_size <= LARGEST and _CITES.search(path.read_bytes()) is not None
    except OSError:
        return False


def _quietly(_read: int, _of: int) -> None:
    pass


def days_of_lines(history: Sequence[str], old: bytes, new: bytes) -> list[str]:
    """Return the day of each line of a file that was changed since; "" for changed lines.

    Args:
        history: The days of the committed lines.
        old: The committed file.
        new: The present file.
    """
    if old == new:
        return list(history)
    before, after = ([b"".join(line.split()) for line in data.split(b"\n")] for data in (old, new))
    days = [""] * len(after)
    for block in difflib.SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
        for place in range(block.size):
            if block.a + place < len(history):
                days[block.b + place] = history[block.a + place]
    return days


def _kept(file: Path) -> dict[str, FileHistory]:
    try:
        data = json.loads(file.read_text("utf-8"))
        if data["version"] != _VERSION:
            return {}
        return {
            name: FileHistory(digest, tuple((count, day) for count, day in runs))
            for name, (digest, runs) in data["files"].items()
        }
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


class _HistoryWalk:
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
            left[name], digests[name] = list(range(count if data else 0)), _digest(data)
        days_of_files = {name: [""] * len(places) for name, places in left.items()}
        refined = self._refined(head)
        for commit, day, name, hunks in self._changes(head, sorted(left), progress):
            if name not in left:
                continue
            by_blame = self._blamed(commit, name) if commit in refined else {}
            # From the last to the first, so that what stands before a hunk keeps its place.
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
        """Yield those of some files that a commit has, with their content."""
        names = [name for name in names if "\n" not in name]
        asked = "".join([f"{head}:{name}\n" for name in names])
        given = asked.encode("utf-8", "surrogateescape")
        done = self._git.run(self._repository, "cat-file", "--batch", given=given)
        place = 0
        for name in names:
            end = done.stdout.find(b"\n", place)
            about = done.stdout[place:end].split()
            place = end + 1
            if about[-1:] == [b"missing"] or len(about) != len(("hash", "kind", "size")):
                continue
            size = int(about[-1])
            if about[1] == b"blob":
                yield name, done.stdout[place : place + size]
            place += size + 1

    def _changes(
        self, head: str, names: Sequence[str], progress: Progress
    ) -> Iterator[tuple[str, str, str, list[_Hunk]]]:
        """Yield what each commit changed in each file, the latest first."""
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
                if count % _EVERY == 0:
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
        """Return the days of the lines that a merge brought into a file."""
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
        done = self._git.run(self._repository, *arguments)
        if done.returncode:
            message = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
            raise NotReadableError(f"git {arguments[0]}: {message}")
        return done.stdout.strip()


def _branch(graph: Mapping[str, _Commit], merge: str, seen: set[str]) -> Iterator[str]:
    """Yield the days of the commits that a merge brought, and note them as seen."""
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
    # A hunk that only takes away names the line before it.
    return _Hunk(int(old) if old is not None else 1, start - 1 if added else start, added)


def _runs(days: Iterable[str]) -> tuple[tuple[int, str], ...]:
    runs: list[tuple[int, str]] = []
    for day in days:
        if runs and runs[-1][1] == day:
            runs[-1] = runs[-1][0] + 1, day
        else:
            runs.append((1, day))
    return tuple(runs)
