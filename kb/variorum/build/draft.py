"""Preview a draft of an edition: what it would change, and which citations it would break."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from variorum.answers.diff import Changes, diff_of, find_changes
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.lint import lint_editions
from variorum.audit.files import files_below
from variorum.audit.run import Auditor, audit_files
from variorum.audit.settings import Settings
from variorum.build.build import add_editions
from variorum.build.editions import Text, read_document
from variorum.documents.find import load
from variorum.errors import LayoutError, NotFoundError
from variorum.paths import FILE
from variorum.records.audit import DraftChanges
from variorum.store.writer import new_file, rows_of
from variorum.versions import current_meta

_BROKEN = {"dangling", "title", "stale"}


class Preview(NamedTuple):
    """A draft beside the edition that it would replace: a base of these two, and what the draft would change."""

    base: KnowledgeBase
    changes: Changes
    record: DraftChanges


@contextmanager
def previewed(base: KnowledgeBase, path: Path, tree: Sequence[Path]) -> Generator[Preview]:
    """Compare the draft in a file with the newest edition that is not later; the base is unchanged.

    The citations in the files and folders of a tree are checked; a number that neither edition has is not the
    draft's fault.

    Raises:
        NotReadableError: The file cannot be opened.
        DocumentError: It cannot be read without loss, or is not an edition.
        NotFoundError: The base has no edition before it.
    """
    read = read_document(load(path), str(path))
    if read is None:
        raise LayoutError("not an edition of the rules", str(path))
    older = [
        edition.place
        for edition in base.editions
        if edition.effective <= read.effective and edition.sha256 != read.sha256
    ]
    if not older:
        raise NotFoundError(f"{path}: no edition before {read.effective} to compare it with")
    replaced, (row, states) = base.reader.editions()[older[-1]], rows_of(read)
    is_same_day = replaced.effective == row.effective
    row = row._replace(issue=replaced.issue + 1 if is_same_day else 0, is_chosen=1)
    states_before = [base.states[it]._replace(id=-1) for it in base.reader.states_of(older[-1])]
    texts = [
        Text(it._replace(label=f"{it.effective}.{it.issue}" if is_same_day else it.effective), held)
        for it, held in ((replaced, states_before), (row, states))
    ]
    with TemporaryDirectory(prefix="variorum-preview-") as folder:
        with new_file(Path(folder, FILE), current_meta()) as new:
            add_editions(new, texts, jobs=1)
        with KnowledgeBase.open(folder) as both:
            before, draft = both.editions
            changes = find_changes(both, before, draft)
            former, here = lint_editions(both, [before, draft])
            known = {(it.kind, it.printed, it.title) for it in former.findings}
            settings = Settings(as_of=before.label, to=draft.label, folder=Path.cwd())
            reports = [*audit_files(Auditor(both, settings), files_below(tree), jobs=1)]
            stale = [marked.finding for report in reports for marked in report.findings]
            missing = {it.cited for it in stale if it.status == "never existed"}
            record = DraftChanges(
                edition=draft.label,
                before=before.label,
                diff=diff_of(changes),
                broken=[
                    it
                    for it in here.findings
                    if it.kind in _BROKEN and (it.kind, it.printed, it.title) not in known
                ],
                findings=[it for it in stale if it.cited not in missing],
                citations=sum(report.counts.total() for report in reports),
            )
            yield Preview(both, changes, record)
