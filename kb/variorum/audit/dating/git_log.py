"""Dates the lines of many files by one `git log`.

The log follows the first parents of the checked-out commit. Lines from a merge get the date of the
merge. If the merged branch spans more than one edition, `git blame` dates them.
"""

import difflib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.audit.dating.git_log_walk import FileHistory, HistoryWalk, Progress, digest_of
from variorum.errors import NotReadableError
from variorum.files import LARGEST_AUDITED, read_file, write_file
from variorum.git import Git, Repository, repository_around, repository_at
from variorum.paths import cache_folder

# Every file that cites rules matches this, in any encoding.
_CITES = re.compile(rb"[1-9]\d\d\.[1-9]|(?:CR|[Rr]ule)s?\W{0,4}[1-9]\d\d|\d\0\d\0\d\0")
_MANY = 30


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
        if digest_of(data) == known.digest:
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
            NotReadableError: Git fails.
        """
        (head, *_) = repository.heads() or [""]
        kept = self._cache / f"lines-{head}.json"
        known = _kept(kept)
        missing = sorted(set(names) - set(known))
        if head and missing:
            walk = HistoryWalk(self._git, repository, self._editions)
            # Renamed files are left to `git blame`.
            moved = walk.moved(head)
            missing = [name for name in missing if name not in moved]
            known = {**known, **walk.days(head, missing, self._progress)}
            self._cache.mkdir(parents=True, exist_ok=True)
            write_file(kept, json.dumps({"files": known}).encode())
        return LineHistory(head, known)


Histories = Mapping[Path, LineHistory]


def read_histories(
    base: KnowledgeBase, git: Git, files: Iterable[Path], progress: Progress | None
) -> Histories:
    """Return the days of the lines of files that may cite rules, by the root of their repository.

    For a few files, `git blame` is faster.
    """
    names: dict[Path, list[str]] = {}
    for path in files:
        resolved = path.resolve()
        around = repository_around(resolved)
        if around is not None and _may_cite(path):
            names.setdefault(around[0], []).append(resolved.relative_to(around[0]).as_posix())
    editions = sorted(edition.label[: len("2000-01-01")] for edition in base.editions)
    reader = HistoryReader(git, editions, cache_folder(), progress or _quietly)
    histories: dict[Path, LineHistory] = {}
    for root, each in names.items():
        repository = repository_at(root)
        if len(each) >= _MANY and repository is not None and not repository.is_shallow:
            histories[root] = reader.read(repository, each)
    return histories


def _may_cite(path: Path) -> bool:
    try:
        return _CITES.search(read_file(path, LARGEST_AUDITED)) is not None
    except NotReadableError:
        return False


def _quietly(_read: int, _of: int) -> None:
    pass


def days_of_lines(history: Sequence[str], old: bytes, new: bytes) -> list[str]:
    """Return the day of each line of a file; "" for lines that differ from the committed file.

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
        return {
            name: FileHistory(digest, tuple((count, day) for count, day in runs))
            for name, (digest, runs) in data["files"].items()
        }
    except (OSError, ValueError, KeyError, TypeError):
        return {}
