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
from variorum.files import cache_folder, read_file, write_file
from variorum.records.audit import CURRENT

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
    known = load_baseline(settings.baseline, is_made=True)
    editions: dict[str, dict[tuple[str, str], str]] = {}
    for each in [*_remembered(), *known.rewritten]:
        editions.setdefault(each.file, {})[each.mark, each.number] = each.edition
    return editions


def remember(settings: Settings, numbers: Sequence[RewrittenNumber]) -> None:
    """Record the numbers that `--fix` wrote in the baseline or, without one, in the user's cache."""
    if settings.baseline is not None:
        known = load_baseline(settings.baseline)
        _write(settings.baseline, known.known, [*known.rewritten, *numbers])
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


def _is_below(file: str, roots: Iterable[str]) -> bool:
    return any(file == root or file.startswith(f"{root.rstrip(os.sep)}{os.sep}") for root in roots)


class Baseline:
    """The known findings of a baseline, each with the number of its occurrences."""

    def __init__(
        self,
        known: Iterable[Entry] = (),
        rewritten: Sequence[RewrittenNumber] = (),
        roots: Sequence[str] = (),
        folder: str = "",
    ) -> None:
        """Begin with the known findings; those of files below the roots that no longer exist count as fixed."""
        self.known, self.rewritten, self._roots = list(known), list(rewritten), roots
        self._left = Counter([(entry["file"], entry["mark"]) for entry in self.known])
        self._files = {entry["file"] for entry in self.known}
        places = {file: os.path.normpath(Path(folder, file)) for file in self._files}
        gone = [file for file, place in places.items() if not os.path.lexists(place)]
        self._audited = {file for file in gone if _is_below(places[file], roots)}

    def look_into(self, file: str) -> None:
        """Note that a file was audited: its known findings are now expected."""
        self._audited.add(file)

    def knows(self, file: str, marked: MarkedFinding) -> bool:
        """Say whether a finding is known, and count it."""
        if file not in self._files or not self._left[file, marked.mark]:
            return False
        self._left[file, marked.mark] -= 1
        return True

    @property
    def left(self) -> int:
        return sum([count for (file, _), count in self._left.items() if file in self._audited])

    def record(self, file: Path, told: Iterable[tuple[str, MarkedFinding, bool]]) -> int:
        """Write findings, each after its file, and the known ones of other files; return how many."""
        entries = [entry for entry in self.known if entry["file"] not in self._audited]
        for name, marked, _ in told:
            if (status := marked.finding.status) != CURRENT:
                said = name, marked.finding.cited, status, marked.mark
                entries.append(dict(zip(_KEYS, said, strict=True)))
        below = [number for number in _remembered() if _is_below(number.file, self._roots)]
        _write(file, entries, [*self.rewritten, *below])
        return len(entries)


def load_baseline(
    file: Path | None, paths: Iterable[Path] = (), *, is_made: bool = False
) -> Baseline:
    """Return the findings of a file, for an audit of some paths; if it is only made, it may be missing."""
    roots = [absolute(path) for path in paths]
    if file is None or (is_made and not (file.is_file() and file.stat().st_size > 0)):
        return Baseline(roots=roots)
    try:
        data: Any = json.loads(read_file(file))
        version = data["version"]
        known = [{name: str(finding[name]) for name in _KEYS} for finding in data["findings"]]
        rewritten = [RewrittenNumber(**entry) for entry in data.get("rewritten", ())]
    except FileError as error:
        raise FileError(f"{error}; {_HINT}") from error
    except (ValueError, RecursionError, KeyError, TypeError) as error:
        raise WrongUsageError(f"{file}: not a baseline; {_HINT}") from error
    if version != _VERSION:
        raise WrongUsageError(f"{file}: a baseline of version {version}; {_HINT}")
    folder = absolute(file.parent)
    rooted = [it._replace(file=absolute(file.parent / it.file)) for it in rewritten]
    return Baseline(known, rooted, roots, folder)


def _write(file: Path, entries: Iterable[Entry], rewritten: Iterable[RewrittenNumber]) -> None:
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


def _lines(entries: Iterable[Entry]) -> str:
    return ",\n".join([json.dumps(entry, ensure_ascii=False) for entry in entries])
