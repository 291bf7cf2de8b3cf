"""Measures how often `cr audit` reports the true outcome of a citation, and that `--fix` breaks none.

An invented tree (`cited_tree.py`) cites rules of a dozen editions. Their true outcomes are found
without the audit (`cited_truth.py`). The audit is called through the library, `--fix` through the
command.
"""

import os
import re
import subprocess
import sys
import sysconfig
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lab.score.cited_tree import IGNORED, SKIPPED, Cited, Page, Slot
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.audit.many_files import audit_tree
from variorum_kb.audit.settings import DatedFiles, Settings
from variorum_kb.forms.audit import AuditFindingJson
from variorum_kb.rule_numbers import RULE, SECTION, stem_of

EDITIONS = (
    "1999-04-23", "2001-07-23", "2003-07-01", "2005-08-01", "2007-05-01", "2009-05-01",
    "2009-07-11", "2011-07-15", "2014-07-18", "2017-09-29", "2020-06-01", "2022-09-08",
    "2025-06-06",
)  # fmt: skip
NUMBER, SEED = 20_000, 20261120
RIGHT = "right"
OUTCOMES = (RIGHT, "not found", "other number", "other place", "other status", "other heirs")
_SHOWN = 50
_FULL = re.compile(rf"{SECTION}(?:\.{RULE}[A-Za-z]{{0,2}})?", re.ASCII)
_SHORT = re.compile(r"[A-Za-z]{1,2}|\d{1,3}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Checked:
    """A citation, and the audit's report of it.

    Attributes:
        outcome: One of `OUTCOMES`.
        said: The report in words; "" if it was right.
        line: The line in the file, from 1.
    """

    page: Page
    cited: Cited
    outcome: str
    said: str
    line: int


@dataclass(frozen=True, slots=True)
class Audited:
    """The result of auditing a tree.

    Attributes:
        checked: Every citation of the tree.
        extra: Reports of numbers that are not citations: place and message.
    """

    checked: tuple[Checked, ...]
    extra: tuple[str, ...]

    @property
    def right(self) -> int:
        """Return how many citations were judged rightly."""
        return sum(citation.outcome == RIGHT for citation in self.checked)


@dataclass(frozen=True, slots=True)
class Fixed:
    """The result of `--fix` on a tree.

    Attributes:
        rewritten: How many citations were rewritten to their heirs.
        left: How many were not, although they could have been.
        wrong: Changes that should not have been made: place and change.
    """

    rewritten: int
    left: int
    wrong: tuple[str, ...]


def audit(folder: Path, tree: Path, pages: Mapping[str, Page]) -> Audited:
    """Audit a tree by the library.

    Args:
        folder: The folder of the base.
        tree: The folder of the tree; it has a folder for each edition.
        pages: The files of the tree, and their citations.
    """
    labels = sorted({path.partition("/")[0] for path in pages})
    dated = tuple(DatedFiles((f"{label}/",), label) for label in labels)
    findings: dict[str, list[AuditFindingJson]] = {}
    with KnowledgeBase.open(folder) as base:
        settings = Settings(folder=tree, dated=dated)
        for report in audit_tree(base, settings, [tree], jobs=2, with_current=True):
            file = Path(report.file).relative_to(tree).as_posix()
            findings[file] = [file_finding.finding for file_finding in report.findings]
    checked: list[Checked] = []
    extra = [f"{file} was read" for file in findings if file not in pages and findings[file]]
    for path, page in pages.items():
        judged, unexpected = _check(page, findings.get(path, []))
        checked += judged
        extra += unexpected
    return Audited(tuple(checked), tuple(extra))


def _check(page: Page, findings: Iterable[AuditFindingJson]) -> tuple[list[Checked], list[str]]:
    """Compare the citations of a file with the findings in it, by where their numbers end."""
    place = _placer(page.text)
    ends = {(finding["end_line"], finding["end_column"]): finding for finding in findings}
    checked: list[Checked] = []
    for cited in page.cited:
        finding = ends.pop(place(cited.slots[-1].end), None)
        start = place(cited.start)
        outcome = _outcome(cited, start, finding)
        message = "" if outcome == RIGHT or finding is None else _said(finding)
        checked.append(Checked(page, cited, outcome, message, start[0]))
    extra = [f"{page.path}:{finding['line']}: {_said(finding)}" for finding in ends.values()]
    return checked, extra


def _placer(text: str) -> Callable[[int], tuple[int, int]]:
    starts = [0, *[match.end() for match in re.finditer("\n", text)]]

    def place(offset: int) -> tuple[int, int]:
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    return place


def _outcome(cited: Cited, start: tuple[int, int], finding: AuditFindingJson | None) -> str:
    claim = cited.claim
    if finding is None:
        return "not found"
    if (finding["number"], finding["last"] or "") != (claim.first, claim.last):
        return "other number"
    if (finding["line"], finding["column"]) != start:
        return "other place"
    if finding["status"] != claim.status:
        return "other status"
    return RIGHT if _has_heirs(cited, finding["heirs"]) else "other heirs"


def _has_heirs(cited: Cited, heirs_found: Sequence[Sequence[str]]) -> bool:
    claim = cited.claim
    heirs = [tuple(pair) for pair in heirs_found]
    expected = [tuple(dict.fromkeys(pair)) for pair in claim.heirs]
    if claim.is_exact:
        return sorted(heirs) == sorted(expected) and heirs[:1] == expected[:1]
    return not expected or heirs[:1] == expected[:1]


def _said(finding: AuditFindingJson) -> str:
    heirs = ", ".join("-".join(pair) for pair in finding["heirs"])
    range_ = f"-{finding['last']}" if finding["last"] else ""
    return f"{finding['number']}{range_} {finding['status']} {heirs} {finding['why'][:60]}".strip()


# Rewriting ---------------------------------------------------------------------------------------


def fix(folder: Path, tree: Path, pages: Mapping[str, Page]) -> Fixed:
    """Rewrite a tree by the command, and compare every byte."""
    labels = sorted({path.partition("/")[0] for path in pages})
    tables = [f'[[audit.dated]]\npaths = ["{label}/"]\nas-of = "{label}"\n' for label in labels]
    (tree / "variorum.toml").write_text("\n".join(tables), "utf-8")
    before = {path: path.read_bytes() for path in _untouched(tree)}
    program = "cr.exe" if sys.platform == "win32" else "cr"
    command = [str(Path(sysconfig.get_path("scripts")) / program), "audit", str(tree), "--fix"]
    environment = {**os.environ, "VARIORUM_KB": str(folder)}
    done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
    wrong = [f"{path} was changed" for path, data in before.items() if path.read_bytes() != data]
    if done.returncode != 1 or "Traceback" in done.stderr:
        wrong.append(f"the command left with {done.returncode}: {done.stderr[-300:]}")
    rewritten = left = 0
    for path, page in pages.items():
        numbers, fault = _read_again(page, (tree / path).read_bytes())
        if fault:
            wrong.append(f"{path}: {fault}")
            continue
        for cited, new in zip(page.cited, numbers, strict=True):
            old = tuple(slot.number for slot in cited.slots)
            heir = cited.claim.heirs[0] if cited.claim.may_move else old
            rewritten += new != old and new == heir
            left += new == old != heir
            if new not in {old, heir}:
                wrong.append(f"{path}: {'-'.join(old)} became {'-'.join(new)}; {cited.claim}")
    return Fixed(rewritten, left, tuple(wrong))


def _untouched(tree: Path) -> Iterator[Path]:
    for path in sorted(tree.rglob("*")):
        if path.name == SKIPPED or (path.is_file() and IGNORED in path.parts):
            yield path


def _read_again(page: Page, data: bytes) -> tuple[list[tuple[str, ...]], str]:
    """Return the numbers cited in a rewritten file, and all other changes in it."""
    text = page.decode(data)
    if page.encode(text) != data:
        return [], "it is set otherwise"
    end = place = 0
    numbers: list[tuple[str, ...]] = []
    shown = ""
    for cited in page.cited:
        each: list[str] = []
        for slot in cited.slots:
            between, place = page.text[end : slot.start], place + slot.start - end
            printed = page.text[slot.start : slot.end]
            match = _written(slot, printed).match(text, place)
            if match is None or text[place - len(between) : place] != between:
                return [], f"before offset {place}, {between[-20:]!r} was changed"
            if printed != printed.lower() and match[0] != match[0].upper():
                return [], f"{printed} lost its capitals: {match[0]}"
            shown = _in_full(match[0].lower(), slot, shown)
            each.append(shown)
            end, place = slot.end, match.end()
        numbers.append(tuple(each))
    return numbers, "" if text[place:] == page.text[end:] else "its end was changed"


def _written(slot: Slot, printed: str) -> re.Pattern[str]:
    """Return the spellings allowed for a number: short only if it was short."""
    if printed.lower() == slot.number:
        return _FULL
    return re.compile(f"{_FULL.pattern}|{_SHORT.pattern}", re.ASCII)


def _in_full(written: str, slot: Slot, shown: str) -> str:
    """Return a number in full; its beginning may be in the number before it."""
    if written.isalpha():
        return stem_of(shown) + written
    if "." not in written and "." in slot.number:
        return f"{shown.partition('.')[0]}.{written}"
    return written
