"""Small documents in rare forms, read and compared with the sample rulebook."""

import contextlib
from pathlib import Path

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.errors import LayoutError
from variorum_kb.sources.reading.bulletins.bulletins import Bulletin
from variorum_kb.sources.recognise_kind import compare, read_witness

DOCUMENTS = Path(__file__).parent / "documents"


@pytest.mark.parametrize("name", sorted(path.name for path in DOCUMENTS.iterdir()))
def test_documents(base: KnowledgeBase, name: str) -> None:
    """Each kind is distinguished from the others, and compared with every edition."""
    data = (DOCUMENTS / name).read_bytes()
    document = read_witness(data, name)

    assert isinstance(document, Bulletin) == name.startswith("bulletin")
    with contextlib.suppress(LayoutError):
        compare(base, document, name)
