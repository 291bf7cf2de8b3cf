"""Build a temporary base of two editions: a draft, and the edition that it would replace."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.build.build import Builder
from variorum.build.load import read_document
from variorum.documents.archive import Archive
from variorum.documents.find import Document, load
from variorum.errors import LayoutError, NotFoundError
from variorum.model import sha256_of
from variorum.paths import DOCUMENTS
from variorum.records.upkeep import TrustDecision
from variorum.stored_rows import BY_PERSON


class Preview(NamedTuple):
    """A draft beside the edition that it would replace.

    Attributes:
        base: An open base of these two editions.
        before: The edition that it would replace.
        draft: The draft.
    """

    base: KnowledgeBase
    before: EditionEntry
    draft: EditionEntry


@contextmanager
def previewed(base: KnowledgeBase, path: Path, now: str) -> Generator[Preview]:
    """Read a draft and align it with the newest edition that is not later; the base is unchanged.

    Args:
        base: The open base.
        path: The file of the draft.
        now: The time to record in the manifest of the temporary base.

    Raises:
        NotReadableError: The file cannot be opened.
        DocumentError: It cannot be read without loss, or is not an edition.
        NotFoundError: The base has no edition before it.
    """
    data = load(path)
    read = read_document(data, str(path))
    if read is None:
        raise LayoutError("not an edition of the rules", str(path))
    older = [
        edition
        for edition in base.editions
        if edition.effective <= read.effective and edition.sha256 != read.sha256
    ]
    if not older:
        raise NotFoundError(f"{path}: no edition before {read.effective} to compare it with")
    before = older[-1]
    data = _sorted_behind(before.sha256, data) if before.effective == read.effective else data
    draft = sha256_of(data)
    archive = Archive(base.folder / DOCUMENTS)
    documents = [
        Document(before.label, "", archive.load(before.sha256), is_named=True),
        Document(path.name, "", data, is_named=True),
    ]
    # A draft counts as an edition of its day, whatever it resembles.
    decisions = [TrustDecision(sha256, BY_PERSON, now) for sha256 in (before.sha256, draft)]
    with TemporaryDirectory(prefix="variorum-preview-") as made:
        builder = Builder(Path(made), now, 1, decisions)
        list(builder.take_in(documents))
        with KnowledgeBase.open(made) as both:
            by_hash = {edition.sha256: edition for edition in both.editions}
            yield Preview(both, by_hash[before.sha256], by_hash[draft])


def _sorted_behind(sha256: str, data: bytes) -> bytes:
    """Return a draft of the same day with blank lines added, so that it counts as the later issue."""
    while sha256_of(data) <= sha256:
        data += b"\n"
    return data
