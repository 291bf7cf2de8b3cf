"""The baseline of known findings, so that only new ones fail, and what `--fix` wrote before."""

import json
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from variorum.audit.files import read_text_file
from variorum.audit.findings import LinePlaces
from variorum.audit.settings import Settings
from variorum.errors import NotReadableError, SettingsError
from variorum.files import LARGEST_SETTINGS, read_file, write_file
from variorum.records.audit import Finding

_FILE = "audit-rewritten.json"
_VERSION = 1
_KEYS = ("file", "cited", "status", "mark")


def relative_to_baseline(path: Path, settings: Settings) -> str:
    """Return the path of a file relative to the baseline."""
    folder = settings.baseline.parent if settings.baseline else settings.folder
    return os.path.relpath(path.absolute(), folder.absolute()).replace(os.sep, "/")


class RewrittenNumber(NamedTuple):
    """A number that `--fix` wrote."""

    file: str
    mark: str
    number: str
    edition: str

    def entry(self) -> dict[str, str]:
        """Return the number in the form of the baseline."""
        return self._asdict()


class RewrittenNumbers:
    """The numbers that earlier runs of `--fix` wrote."""

    def __init__(self, entries: Iterable[Mapping[str, str]] = ()) -> None:
        numbers = [
            RewrittenNumber(*[str(entry[key]) for key in RewrittenNumber._fields])
            for entry in entries
        ]
        self.all = list(dict.fromkeys(numbers))
        self._editions = {
            (entry.file, entry.mark, entry.number): entry.edition for entry in self.all
        }
        self._files = {entry.file for entry in self.all}

    def has(self, file: str) -> bool:
        """Say whether `--fix` wrote any number in a file."""
        return file in self._files

    def edition(self, file: str, mark: str, number: str) -> str:
        """Return the edition of a number that `--fix` wrote; "" if `--fix` did not write it."""
        return self._editions.get((file, mark, number), "")

    def add(self, more: Iterable[RewrittenNumber]) -> "RewrittenNumbers":
        """Return these numbers and some more."""
        return RewrittenNumbers([number.entry() for number in (*self.all, *more)])


class Baseline:
    """The known findings of a baseline, each with the number of its occurrences."""

    def __init__(
        self,
        known: Iterable[Mapping[str, str]] = (),
        ignored: Collection[str] = (),
        rewritten: RewrittenNumbers | None = None,
    ) -> None:
        """Begin with the known findings."""
        self.rewritten = rewritten or RewrittenNumbers()
        self.known = list(known)
        self._ignored = {
            (finding["file"], finding["mark"])
            for finding in self.known
            if finding["status"] in ignored
        }
        self._left = Counter([(finding["file"], finding["mark"]) for finding in self.known])
        self._files = {finding["file"] for finding in self.known}
        self._audited: set[str] = set()

    def look_into(self, file: str) -> None:
        """Note that a file was audited: its known findings are now expected."""
        if file in self._files:
            self._audited.add(file)

    def look_for(self, paths: Iterable[Path], folder: Path) -> None:
        """Note which files below some paths no longer exist: their findings count as fixed."""
        roots = [os.path.normpath(path.absolute()) for path in paths]
        for file in self._files:
            place = os.path.normpath(folder.absolute() / file)
            is_below = any(
                place == root or place.startswith(f"{root.rstrip(os.sep)}{os.sep}")
                for root in roots
            )
            if is_below and not os.path.lexists(place):
                self._audited.add(file)

    def knows(self, file: str, mark: str) -> bool:
        """Say whether a finding is known, and count it."""
        if self._left[file, mark] <= 0:
            return False
        self._left[file, mark] -= 1
        return True

    @property
    def left(self) -> int:
        """Return how many known findings the audited files no longer have."""
        return sum(
            [
                count
                for (file, mark), count in self._left.items()
                if file in self._audited and (file, mark) not in self._ignored
            ]
        )

    @property
    def others(self) -> list[Mapping[str, str]]:
        """Return the known findings that are ignored or belong to files that were not audited."""
        return [
            entry
            for entry in self.known
            if entry["file"] not in self._audited or (entry["file"], entry["mark"]) in self._ignored
        ]


def load_baseline(file: Path, ignored: Collection[str] = ()) -> Baseline:
    """Return the findings of a file.

    Raises:
        NotReadableError: The file cannot be opened.
        SettingsError: The file is not a baseline.
    """
    hint = "cr audit --write-baseline creates one"
    try:
        data: Any = json.loads(read_file(file, LARGEST_SETTINGS))
    except NotReadableError as error:
        raise NotReadableError(f"{error}; {hint}") from error
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{file}: not a baseline; {hint}") from error
    try:
        if data["version"] != _VERSION:
            raise SettingsError(f"{file}: a baseline of version {data['version']}; {hint}")
        known = [{name: str(finding[name]) for name in _KEYS} for finding in data["findings"]]
        rewritten = RewrittenNumbers(data.get("rewritten", ()))
    except (KeyError, TypeError) as error:
        raise SettingsError(f"{file}: not a baseline; {hint}") from error
    return Baseline(known, ignored, rewritten)


def entry_of(finding: Finding, file: str, mark: str) -> dict[str, str]:
    """Return a finding in the form of the baseline."""
    return {"file": file, "cited": finding.cited, "status": finding.status, "mark": mark}


def write_baseline(
    file: Path, entries: Iterable[Mapping[str, str]], rewritten: RewrittenNumbers | None = None
) -> int:
    """Write one finding a line, sorted by file, and return their number.

    Raises:
        NotWritableError: The file cannot be written.
    """
    # Sorting is stable: the findings of a file keep their order.
    ordered = sorted(entries, key=lambda entry: entry["file"])
    lines = [json.dumps(entry, ensure_ascii=False) for entry in ordered]
    body = ",\n".join(lines)
    all_written = sorted(rewritten.all) if rewritten else ()
    written = ",\n".join([json.dumps(entry.entry(), ensure_ascii=False) for entry in all_written])
    more = f', "rewritten": [\n{written}\n]' if written else ""
    text = f'{{"version": {_VERSION}, "findings": [\n{body}\n]{more}}}\n'
    # Lone surrogates stand for bytes that are not text. JSON may escape them.
    data = re.sub("[\ud800-\udfff]", lambda sign: f"\\u{ord(sign[0]):04x}", text)
    write_file(file, data.encode())
    return len(lines)


def remembered(cache: Path) -> RewrittenNumbers:
    """Return the numbers in the user's cache."""
    try:
        return RewrittenNumbers(json.loads((cache / _FILE).read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError):
        return RewrittenNumbers()


def remember(cache: Path, numbers: RewrittenNumbers) -> None:
    """Store written numbers in the user's cache.

    Raises:
        NotWritableError: The cache cannot be written.
    """
    cache.mkdir(parents=True, exist_ok=True)
    write_file(cache / _FILE, json.dumps([number.entry() for number in numbers.all]).encode())


def still_there(
    numbers: RewrittenNumbers, paths: Sequence[Path], edition: str = ""
) -> Iterator[RewrittenNumber]:
    """Yield the numbers whose lines are unchanged since `--fix` wrote them."""
    roots = [os.path.abspath(path) for path in paths]  # noqa: PTH100 - the record is a string
    marks: dict[str, frozenset[str]] = {}
    for number in numbers.all:
        is_below = any(
            number.file == root or number.file.startswith(f"{root}{os.sep}") for root in roots
        )
        if not is_below or number.edition == edition:
            continue
        if number.file not in marks:
            marks[number.file] = _marks_of(Path(number.file))
        if number.mark in marks[number.file]:
            yield number


def _marks_of(path: Path) -> frozenset[str]:
    try:
        file = read_text_file(path)
    except OSError:
        return frozenset()
    if file is None:
        return frozenset()
    lines = LinePlaces(file.text)
    count, _ = lines.place(len(file.text))
    return frozenset(lines.mark(number) for number in range(1, count + 1))
