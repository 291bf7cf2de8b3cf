"""Preview a draft of an edition: what it would change, and which citations it would break."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from variorum.answers.diff import Changes, diff_of, find_changes
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.lint import lint_editions
from variorum.audit.files import files_below
from variorum.audit.run import Auditor, audit_files
from variorum.audit.settings import Settings
from variorum.build.build import add_editions
from variorum.build.load import read_document
from variorum.build.settle import Text, name_editions
from variorum.documents.find import load
from variorum.errors import LayoutError, NotFoundError
from variorum.paths import FILE
from variorum.records.audit import DraftChanges
from variorum.store.writer import new_file, rows_of

if TYPE_CHECKING:
    from variorum.records.audit import Finding

_BROKEN = {"dangling", "title", "stale"}


class Preview(NamedTuple):
    """A draft beside the edition that it would replace: a base of these two, and what the draft would change."""

    base: KnowledgeBase
    changes: Changes
    record: DraftChanges


@contextmanager
def previewed(base: KnowledgeBase, path: Path, tree: Sequence[Path]) -> Generator[Preview]:
    """Compare the draft in a file with the newest edition that is not later; the base is unchanged.

    The citations in the files and folders of a tree are checked.

    Raises:
        NotReadableError: The file cannot be opened.
        DocumentError: It cannot be read without loss, or is not an edition.
        NotFoundError: The base has no edition before it.
    """
    read = read_document(load(path), str(path))
    if read is None:
        raise LayoutError("not an edition of the rules", str(path))
    row, states = rows_of(read)
    older = [
        place
        for place, edition in enumerate(base.editions)
        if edition.effective <= read.effective and edition.sha256 != read.sha256
    ]
    if not older:
        raise NotFoundError(f"{path}: no edition before {read.effective} to compare it with")
    replaced = base.reader.editions()[older[-1]]
    if replaced.effective == row.effective:
        row = row._replace(issue=replaced.issue + 1)
    states_before = base.reader.all_states()
    texts = [
        Text(replaced, [states_before[it] for it in base.reader.states_of(older[-1])]),
        Text(row, states),
    ]
    name_editions(texts)
    with TemporaryDirectory(prefix="variorum-preview-") as folder:
        with new_file(Path(folder, FILE)) as new:
            add_editions(new, texts, 0, {}, jobs=1)
        with KnowledgeBase.open(folder) as both:
            before, draft = both.editions
            changes = find_changes(both, before, draft)
            former, here = lint_editions(both, [before, draft])
            known = {(it.kind, it.printed, it.title) for it in former.findings}
            findings, citations = _stale(both, tree)
            record = DraftChanges(
                edition=draft.label,
                before=before.label,
                diff=diff_of(changes),
                broken=[
                    it
                    for it in here.findings
                    if it.kind in _BROKEN and (it.kind, it.printed, it.title) not in known
                ],
                findings=findings,
                citations=citations,
            )
            yield Preview(both, changes, record)


def _stale(both: KnowledgeBase, tree: Sequence[Path]) -> "tuple[list[Finding], int]":
    """Return the citations of files that the draft makes wrong, and the number of all citations."""
    settings = Settings(as_of=both.labels[0], to=both.labels[1], folder=Path.cwd())
    reports = list(audit_files(Auditor(both, settings), files_below(tree), jobs=1))
    stale = [citation.finding for report in reports for citation in report.findings]
    missing = {finding.cited for finding in stale if finding.status == "never existed"}
    right = [finding for finding in stale if finding.cited not in missing]
    return right, sum(report.counts.total() for report in reports)
