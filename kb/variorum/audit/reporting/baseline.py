"""The baseline: known findings, so that only new ones fail a check."""

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from variorum.audit.rewriting.earlier_rewrites import RewrittenNumbers
from variorum.errors import NotReadableError, SettingsError
from variorum.files import LARGEST_SETTINGS, read_file, write_file
from variorum.records.audit import Finding

_VERSION = 1
_KEYS = ("file", "cited", "status", "mark")


def fingerprint(finding: Finding, line: str) -> str:
    """Return a mark for a finding that stays the same if its line moves within the file.

    Args:
        finding: The finding.
        line: The mark of its line, from `line_mark`.
    """
    parts = [finding.number, finding.last or "", finding.status]
    heirs = [number for pair in finding.heirs for number in pair]
    return _digest("\0".join([*parts, *heirs, line]))


def line_mark(line: str) -> str:
    """Return a mark for a line that does not depend on its white space."""
    return _digest(" ".join(line.split()))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


class Baseline:
    """The known findings of a baseline, each with the number of its occurrences."""

    def __init__(
        self,
        known: Iterable[Mapping[str, str]] = (),
        ignored: Collection[str] = (),
        rewritten: RewrittenNumbers | None = None,
    ) -> None:
        """Begin with the known findings.

        Args:
            known: The findings in the form of the baseline.
            ignored: Statuses that are not reported. Their findings stay in the baseline.
            rewritten: What `--fix` wrote.
        """
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
        """Note which files below some paths no longer exist: their findings count as fixed.

        Args:
            paths: The audited paths.
            folder: The folder of the baseline.
        """
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

    Args:
        file: The baseline.
        ignored: Statuses that are not reported.

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
    """Return a finding in the form of the baseline.

    Args:
        finding: The finding.
        file: Its file, relative to the folder of the baseline.
        mark: Its fingerprint.
    """
    return {"file": file, "cited": finding.cited, "status": finding.status, "mark": mark}


def write_baseline(
    file: Path, entries: Iterable[Mapping[str, str]], rewritten: RewrittenNumbers | None = None
) -> int:
    """Write one finding a line, sorted by file, and return their number.

    Args:
        file: The baseline.
        entries: The findings.
        rewritten: What `--fix` wrote.

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
