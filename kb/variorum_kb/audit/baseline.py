"""Findings that are known already, so that only new ones fail a check."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from variorum_kb.audit.forms import FindingJson
from variorum_kb.durable import write_file
from variorum_kb.errors import SettingsError

_VERSION = 1


def fingerprint(finding: FindingJson, line: str) -> str:
    """Return by what a finding is known again, wherever its line moves within its file.

    Args:
        finding: Its file is relative to the folder of the baseline.
        line: In which it stands.
    """
    what = [finding["file"], finding["number"], finding["last"] or "", finding["status"]]
    heirs = [number for pair in finding["heirs"] for number in pair]
    text = "\0".join([*what, *heirs, " ".join(line.split())])
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


class Baseline:
    """The findings of a file, each as often as it was found."""

    def __init__(self, known: Iterable[tuple[str, str]] = ()) -> None:
        self._left = Counter([mark for _, mark in known])

    def knows(self, mark: str) -> bool:
        """Say whether a finding is known, and count it."""
        if self._left[mark] <= 0:
            return False
        self._left[mark] -= 1
        return True

    @property
    def left(self) -> int:
        """Return how many known findings were not found again."""
        return sum(self._left.values())


def load_baseline(file: Path) -> Baseline:
    """Return the findings of a file.

    Raises:
        SettingsError: There is none, or it is no baseline.
    """
    hint = "cr audit --write-baseline makes one"
    try:
        data: Any = json.loads(file.read_text("utf-8"))
    except OSError as error:
        raise SettingsError(f"{file}: {error.strerror}; {hint}") from error
    except ValueError as error:
        raise SettingsError(f"{file}: no baseline; {hint}") from error
    try:
        if data["version"] != _VERSION:
            raise SettingsError(f"{file}: a baseline of version {data['version']}; {hint}")
        pairs = [(str(one["file"]), str(one["mark"])) for one in data["findings"]]
    except (KeyError, TypeError) as error:
        raise SettingsError(f"{file}: no baseline; {hint}") from error
    return Baseline(pairs)


def write_baseline(file: Path, findings: Iterable[tuple[FindingJson, str]]) -> int:
    """Write findings with their marks, a line each; return how many.

    Raises:
        NotWritableError: That fails.
    """
    lines = [
        json.dumps(
            {
                "file": one["file"],
                "cited": one["cited"],
                "status": one["status"],
                "mark": mark,
            },
            ensure_ascii=False,
        )
        for one, mark in findings
    ]
    body = ",\n".join(lines)
    text = f'{{"version": {_VERSION}, "findings": [\n{body}\n]}}\n'
    write_file(file, text.encode("utf-8", "backslashreplace"))
    return len(lines)
