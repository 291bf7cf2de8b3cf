"""How `cr audit` fares on citations that people corrected, and on those that they left alone.

The gold set has lines of one project with the number as it was and as people made it. Trees beside
the corpus (`trees/`) have citations as they are today: nearly all are right.
"""

import csv
import random
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import NamedTuple

from lab.score.logistic import fit_weights
from lab.score.report import Report, share
from lab.score.searches import build
from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.answers.heirs import CURRENT, Heirs
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.audit.find import CitationFinder
from variorum_kb.audit.rule_words import RuleWords
from variorum_kb.audit.run import Auditor, audit_tree
from variorum_kb.audit.says_else import NAMES, CitedNumber, Features, explain
from variorum_kb.audit.sentence import sentences_of
from variorum_kb.audit.settings import Settings
from variorum_kb.forms.audit import AuditFindingJson

_GIT = shutil.which("git") or ""
_NUMBER = re.compile(r"\b[1-9]\d\d(?:\.\d+[a-z]{0,2})?\b")
_TREES = (("phase.bundle", "2026-05-05"), ("commander-sim.tar.xz", "2026-06-15"))
_SAMPLE, _SEED = 3500, 1
_LEAST_TOLD, _LEAST_NAMED, _MOST_BLAMED, _MOST_RIGHT_BLAMED = 0.75, 0.65, 0.01, 0.05


class Correction(NamedTuple):
    """A line in which people corrected a number.

    Attributes:
        day: When they did.
        wrong: The number before.
        right: The number they wrote.
        line: The line before.
    """

    day: str
    wrong: str
    right: str
    line: str

    @property
    def corrected(self) -> str:
        """Return the line after."""
        return self.line.replace(self.wrong, self.right)


@dataclass(slots=True)
class Counts:
    """What an audit said of corrections.

    Attributes:
        told: How many wrong numbers were reported.
        named: How many of these with the right number among those named.
        blamed: How many right numbers were reported.
    """

    told: int = 0
    named: int = 0
    blamed: int = 0


def read_corrections(file: Path) -> list[Correction]:
    """Return the lines of a gold set."""
    with file.open(encoding="utf-8", newline="") as opened:
        rows = csv.DictReader(opened, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [
            Correction(row["date"], row["wrong"], row["right"], row["line_before"]) for row in rows
        ]


def measure(base: KnowledgeBase, rows: Iterable[Correction], *, is_dated: bool) -> Counts:
    """Audit each line alone, as it was and as it became, by the edition of its day."""
    counts = Counts()
    auditors: dict[str, Auditor] = {}
    for row in rows:
        if row.day not in auditors:
            as_of = row.day if is_dated else ""
            auditors[row.day] = Auditor(base, Settings(as_of=as_of, to=row.day))
        auditor = auditors[row.day]
        wrong = _found(auditor, row.line, row.wrong)
        counts.told += bool(wrong)
        counts.named += any([row.right, row.right] in _pairs(finding) for finding in wrong)
        counts.blamed += bool(_found(auditor, row.corrected, row.right))
    return counts


def _pairs(finding: AuditFindingJson) -> list[list[str]]:
    return [[heir[0], heir[-1]] for heir in finding["heirs"]]


def _found(auditor: Auditor, line: str, number: str) -> list[AuditFindingJson]:
    report = auditor.audit_text(f"{line}\n", Path("line.rs"))
    return [citation.finding for citation in report.found if citation.finding["number"] == number]


def say(report: Report, corpus: Path) -> None:
    """Say how the audit fares on real corrections and on right citations."""
    rows = read_corrections(corpus.parent / "gold" / "corrected-citations.tsv")
    with tempfile.TemporaryDirectory() as name:
        build(corpus, Path(name))
        with KnowledgeBase.open(Path(name), today=date(2026, 12, 31)) as base:
            _say_corrections(report, base, rows)
            for file, day in _TREES:
                _say_right(report, base, corpus / "trees" / file, day)


def _say_corrections(report: Report, base: KnowledgeBase, rows: Sequence[Correction]) -> None:
    report.title("citations that people corrected")
    for is_dated, name in ((True, "with a date"), (False, "without")):
        counts = measure(base, rows, is_dated=is_dated)
        total = len(rows)
        report.say(
            f"{name}: told {share(counts.told, total)}, right number named "
            f"{share(counts.named, total)}, corrected lines blamed {share(counts.blamed, total)}"
        )
        least, named = round(_LEAST_TOLD * total), round(_LEAST_NAMED * total)
        report.at_least(f"corrections told, {name}", least, counts.told, total)
        report.at_least(f"right number named, {name}", named, counts.named, total)
        report.at_most(f"corrected lines blamed, {name}", _MOST_BLAMED * total, counts.blamed)


def _say_right(report: Report, base: KnowledgeBase, file: Path, day: str) -> None:
    """Say how many citations of a tree are reported by the edition of its day."""
    with tempfile.TemporaryDirectory() as name:
        tree = _unpacked(file, Path(name))
        settings = Settings(folder=tree, as_of=day, to=day)
        total = blamed = 0
        for audited in audit_tree(base, settings, [tree], jobs=1):
            total += audited.counts.total()
            blamed += audited.counts.total() - audited.counts[CURRENT]
    report.say(f"{file.name}: {total} citations, blamed {share(blamed, total)}")
    part = 100 * blamed / max(1, total)
    report.at_most(f"citations blamed in {file.name}", 100 * _MOST_RIGHT_BLAMED, part, " %")


def _unpacked(file: Path, folder: Path) -> Path:
    tree = folder / "tree"
    if file.suffix == ".bundle":
        subprocess.run([_GIT, "clone", "--quiet", "--branch", "main", file, tree], check=True)
    else:
        with tarfile.open(file) as opened:
            opened.extractall(tree, filter="data")
    return tree


# The fit --------------------------------------------------------------------------------------------


def mined(history: str) -> Iterator[Correction]:
    """Yield the lines of a history (`git log -p -U0`) in which one number alone was changed."""
    day, before, after = "", list[str](), list[str]()
    for line in [*history.splitlines(), "@@"]:
        if line.startswith(("@@", "COMMIT ")):
            if len(before) == len(after):
                for old, new in zip(before, after, strict=True):
                    yield from _corrected(day, old, new)
            before, after = [], []
            day = line.removeprefix("COMMIT ") if line.startswith("COMMIT ") else day
        elif line.startswith("-") and not line.startswith("---"):
            before.append(line[1:])
        elif line.startswith("+") and not line.startswith("+++"):
            after.append(line[1:])


def _corrected(day: str, old: str, new: str) -> Iterator[Correction]:
    numbers = list(zip(_NUMBER.findall(old), _NUMBER.findall(new), strict=False))
    changed = [pair for pair in numbers if pair[0] != pair[1]]
    if len(changed) == 1 and "CR" in old and _NUMBER.sub("#", old) == _NUMBER.sub("#", new):
        ((wrong, right),) = changed
        yield Correction(day, wrong, right, old.strip())


class _Case(NamedTuple):
    day: str
    number: str
    text: str
    is_wrong: bool


def fitted_module(corpus: Path) -> str:
    """Return `variorum_kb/audit/fitted_doubt.py`, fitted to the histories beside the corpus."""
    with tempfile.TemporaryDirectory() as name:
        build(corpus, Path(name))
        with KnowledgeBase.open(Path(name), today=date(2026, 12, 31)) as base:
            explainer = _Explainer(base)
            cases = _cases(corpus / "trees" / _TREES[0][0], Path(name))
            explained = [(explainer.explain(case), case.is_wrong) for case in cases]
    rows = [(features, is_wrong) for features, is_wrong in explained if features is not None]
    constant, *weights = fit_weights(rows)
    lines = "".join(
        [f"    {weight:.3f},  # {name}\n" for weight, name in zip(weights, NAMES, strict=True)]
    )
    return (
        '"""The regression that turns the likeness of a sentence and a rule into the chance of a doubt.\n\n'
        'Fitted by `make score ARGS=--fit-doubt`; the order is that of `says_else.NAMES`.\n"""\n\n'
        f"CONSTANT = {constant:.3f}\nWEIGHTS = (\n{lines})\n"
    )


def _cases(bundle: Path, folder: Path) -> Iterator[_Case]:
    """Yield corrections, before and after, and a sample of today's citations."""
    tree = _unpacked(bundle, folder)
    log = ("log", "--reverse", "-p", "-U0", "--no-merges", "--format=COMMIT %ad", "--date=short")
    done = subprocess.run([_GIT, "-C", tree, *log], check=True, capture_output=True)
    for row in mined(done.stdout.decode("utf-8", "replace")):
        yield _Case(row.day, row.wrong, row.line, is_wrong=True)
        yield _Case(row.day, row.right, row.corrected, is_wrong=False)
    lines: list[tuple[str, str]] = []
    for path in sorted(tree.rglob("*.rs")):
        text = path.read_text("utf-8")
        for citation in CitationFinder().find(text):
            end = text.find("\n", citation.end)
            lines.append(
                (citation.first.number, text[text.rfind("\n", 0, citation.start) + 1 : end])
            )
    for number, line in random.Random(_SEED).sample(lines, min(_SAMPLE, len(lines))):
        yield _Case(_TREES[0][1], number, line, is_wrong=False)


class _Explainer:
    """Says what the chance of a doubt is reckoned from."""

    def __init__(self, base: KnowledgeBase) -> None:
        self._base = base
        self._words: dict[str, tuple[RuleWords, Heirs]] = {}

    def explain(self, case: _Case) -> Features | None:
        """Return the features of a citation; None if its rule plainly says it."""
        edition = self._base.edition(case.day)
        words, heirs = self._of(edition)
        citations = list(CitationFinder().find(case.text))
        places = [
            at for at, citation in enumerate(citations) if citation.first.number == case.number
        ]
        if not places or case.number not in words.rules:
            return None
        once = frozenset(self._once(heirs, case.number))
        sections = frozenset(heir[:3] for heir in self._once(heirs, case.number[:3]))
        cited = CitedNumber(case.number, case.number, once, sections)
        return explain(words, cited, sentences_of(case.text, citations)[places[0]])

    def _of(self, edition: EditionEntry) -> tuple[RuleWords, Heirs]:
        if edition.label not in self._words:
            self._words[edition.label] = RuleWords(self._base, edition), Heirs(self._base, edition)
        return self._words[edition.label]

    @staticmethod
    def _once(heirs: Heirs, number: str) -> Iterator[str]:
        for run in heirs.runs(number):
            for heir in heirs.outcome_of(run, number).heirs:
                if heir != number and heir[0].isdigit():
                    yield heir
