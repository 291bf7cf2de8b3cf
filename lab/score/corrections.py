"""How well `cr audit` judges citations that people corrected, and citations that they kept.

The gold set has lines of one project, with the number before and after the correction. Trees beside
the corpus (`trees/`) have present-day citations, of which nearly all are right.
"""

import tempfile
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path

from lab.score.corrected import TREES, Correction, Counts, read_corrections, unpacked
from lab.score.doubt_fit import held_out
from lab.score.report import Report, share
from lab.score.searches import build
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.through_time.citation_statuses import CURRENT
from variorum_kb.audit.many_files import audit_tree
from variorum_kb.audit.run import Auditor
from variorum_kb.audit.settings import Settings
from variorum_kb.forms.audit import AuditFindingJson

_LEAST_TOLD, _LEAST_NAMED, _MOST_BLAMED, _MOST_RIGHT_BLAMED = 0.75, 0.65, 0.01, 0.05


def measure(base: KnowledgeBase, rows: Iterable[Correction], *, is_dated: bool) -> Counts:
    """Audit each line alone, before and after its correction, by the edition of its day."""
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
    return [marked.finding for marked in report.findings if marked.finding["number"] == number]


def say(report: Report, corpus: Path) -> None:
    """Print how the audit judges real corrections and right citations."""
    rows = read_corrections(corpus.parent / "gold" / "corrected-citations.tsv")
    with tempfile.TemporaryDirectory() as name:
        build(corpus, Path(name))
        with KnowledgeBase.open(Path(name), today=date(2026, 12, 31)) as base:
            _say_corrections(report, base, rows)
            _say_held_out(report, base, corpus)
            for file, day in TREES:
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


def _say_held_out(report: Report, base: KnowledgeBase, corpus: Path) -> None:
    """Print how words alone judge corrections that were left out of the fit."""
    counts, total = held_out(base, corpus)
    report.say(
        f"{total} corrections of a history, each pair of numbers left out of the fit: told "
        f"{share(counts.told, total)}, named {share(counts.named, total)}, corrected lines "
        f"blamed {share(counts.blamed, total)}"
    )


def _say_right(report: Report, base: KnowledgeBase, file: Path, day: str) -> None:
    """Print how many citations of a tree are reported by the edition of its day."""
    with tempfile.TemporaryDirectory() as name:
        tree = unpacked(file, Path(name))
        settings = Settings(folder=tree, as_of=day, to=day)
        total = blamed = 0
        for audited in audit_tree(base, settings, [tree], jobs=1):
            total += audited.counts.total()
            blamed += audited.counts.total() - audited.counts[CURRENT]
    report.say(f"{file.name}: {total} citations, blamed {share(blamed, total)}")
    part = 100 * blamed / max(1, total)
    report.at_most(f"citations blamed in {file.name}", 100 * _MOST_RIGHT_BLAMED, part, " %")
