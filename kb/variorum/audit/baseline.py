"""The baseline of known findings, so that only new ones fail, and what `--fix` wrote before."""

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from variorum.audit.findings import MarkedFinding
from variorum.audit.settings import Settings
from variorum.errors import FileError, WrongUsageError
from variorum.files import LARGEST_SETTINGS, cache_folder, read_file, write_file

_FILE = "audit-rewritten.json"
_VERSION = 1
_KEYS = ("file", "cited", "status", "mark")
_HINT = "cr audit --write-baseline creates one"

Entry = Mapping[str, str]


def relative_to_baseline(path: str | Path, settings: Settings) -> str:
    """Return the path of a file relative to the baseline."""
    folder = settings.baseline.parent if settings.baseline else settings.folder
    return os.path.relpath(path, folder.absolute()).replace(os.sep, "/")


class RewrittenNumber(NamedTuple):
    """A number that `--fix` wrote: the file from the root, the mark of the line, and its edition."""

    file: str
    mark: str
    number: str
    edition: str


def absolute(path: Path) -> str:
    """Return the path of a file from the root."""
    return os.path.abspath(path)  # noqa: PTH100 - the record is a string


def rewritten_before(settings: Settings) -> Mapping[str, Mapping[tuple[str, str], str]]:
    """Return the editions of numbers that earlier runs wrote, as the baseline and the user's cache say.

    They are listed by file, then by the mark of the line and the number.
    """
    baseline = settings.baseline
    is_there = baseline is not None and baseline.is_file() and baseline.stat().st_size > 0
    known = load_baseline(baseline).rewritten if baseline and is_there else []
    editions: dict[str, dict[tuple[str, str], str]] = {}
    for each in [*_remembered(), *known]:
        editions.setdefault(each.file, {})[each.mark, each.number] = each.edition
    return editions


def remember(settings: Settings, numbers: Sequence[RewrittenNumber]) -> None:
    """Record the numbers that `--fix` wrote in the baseline or, without one, in the user's cache."""
    if settings.baseline is not None:
        known = load_baseline(settings.baseline)
        write_baseline(settings.baseline, known.known, [*known.rewritten, *numbers])
    else:
        every = dict.fromkeys([*_remembered(), *numbers])
        cache_folder().mkdir(parents=True, exist_ok=True)
        data = json.dumps([number._asdict() for number in every]).encode()
        write_file(cache_folder() / _FILE, data)


def _remembered() -> list[RewrittenNumber]:
    try:
        entries = json.loads((cache_folder() / _FILE).read_text("utf-8"))
        return [RewrittenNumber(**entry) for entry in entries]
    except (OSError, ValueError, TypeError):
        return []


def remembered_below(paths: Iterable[Path]) -> list[RewrittenNumber]:
    """Return the numbers in the user's cache that were written in files below some paths."""
    roots = [absolute(path) for path in paths]
    return [number for number in _remembered() if any(_is_below(number.file, r) for r in roots)]


def _is_below(file: str, root: str) -> bool:
    return file == root or file.startswith(f"{root.rstrip(os.sep)}{os.sep}")


class Baseline:
    """The known findings of a baseline, each with the number of its occurrences."""

    def __init__(
        self,
        known: Iterable[Entry] = (),
        rewritten: Sequence[RewrittenNumber] = (),
    ) -> None:
        """Begin with the known findings."""
        self.known, self.rewritten = list(known), list(rewritten)
        self._left = Counter([(entry["file"], entry["mark"]) for entry in self.known])
        self._files = {entry["file"] for entry in self.known}
        self._audited: set[str] = set()

    def look_into(self, file: str) -> None:
        """Note that a file was audited: its known findings are now expected."""
        self._audited.add(file)

    def look_for(self, paths: Iterable[Path], folder: Path) -> None:
        """Note which files below some paths no longer exist: their findings count as fixed."""
        roots = [absolute(path) for path in paths]
        for file in self._files:
            place = os.path.normpath(folder.absolute() / file)
            if any(_is_below(place, root) for root in roots) and not os.path.lexists(place):
                self._audited.add(file)

    def knows(self, file: str, marked: MarkedFinding) -> bool:
        """Say whether a finding is known, and count it."""
        if file not in self._files or not self._left[file, marked.mark]:
            return False
        self._left[file, marked.mark] -= 1
        return True

    @property
    def left(self) -> int:
        """Return how many known findings the audited files no longer have."""
        return sum([count for (file, _), count in self._left.items() if file in self._audited])

    @property
    def others(self) -> list[Entry]:
        """Return the known findings of files that were not audited."""
        return [entry for entry in self.known if entry["file"] not in self._audited]


def load_baseline(file: Path) -> Baseline:
    """Return the findings of a file."""
    try:
        data: Any = json.loads(read_file(file, LARGEST_SETTINGS))
        version = data["version"]
        known = [{name: str(finding[name]) for name in _KEYS} for finding in data["findings"]]
        rewritten = [RewrittenNumber(**entry) for entry in data.get("rewritten", ())]
    except FileError as error:
        raise FileError(f"{error}; {_HINT}") from error
    except (ValueError, RecursionError, KeyError, TypeError) as error:
        raise WrongUsageError(f"{file}: not a baseline; {_HINT}") from error
    if version != _VERSION:
        raise WrongUsageError(f"{file}: a baseline of version {version}; {_HINT}")
    folder = file.parent
    rooted = [each._replace(file=absolute(folder / each.file)) for each in rewritten]
    return Baseline(known, rooted)


def entry_of(file: str, marked: MarkedFinding) -> Entry:
    """Return a finding in the form of the baseline."""
    cited, status = marked.finding.cited, marked.finding.status
    return {"file": file, "cited": cited, "status": status, "mark": marked.mark}


def write_baseline(
    file: Path, entries: Iterable[Entry], rewritten: Iterable[RewrittenNumber] = ()
) -> int:
    """Write one finding a line, sorted by file, and return their number."""
    # Sorting is stable: the findings of a file keep their order.
    ordered = sorted(entries, key=lambda entry: entry["file"])
    settings = Settings(baseline=file)
    written = sorted(
        {each._replace(file=relative_to_baseline(each.file, settings)) for each in rewritten}
    )
    more = f', "rewritten": [\n{_lines([each._asdict() for each in written])}\n]' if written else ""
    text = f'{{"version": {_VERSION}, "findings": [\n{_lines(ordered)}\n]{more}}}\n'
    # Lone surrogates stand for bytes that are not text. JSON may escape them.
    data = re.sub("[\ud800-\udfff]", lambda sign: f"\\u{ord(sign[0]):04x}", text)
    write_file(file, data.encode())
    return len(ordered)


def _lines(entries: Iterable[Entry]) -> str:
    return ",\n".join([json.dumps(entry, ensure_ascii=False) for entry in entries])
