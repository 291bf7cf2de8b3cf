"""Words hyphenated at line ends are rejoined as the editions print them."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.sources.comparing.excerpts.broken_words import without_breaks
from variorum_kb.sources.reading.passages.passages import (
    Claim,
    Partial,
    Passage,
    PassageKind,
    PassageParagraph,
)
from variorum_kb.sources.recognise_kind import read_partial

TEXT = "The kee-per turns face-down cards; no kee\u2010per is a ker-per."
CLAIMED = "turns face-down"


@pytest.fixture(scope="module")
def base(sample_base: Path) -> Iterator[KnowledgeBase]:
    """Return the sample rulebook."""
    with KnowledgeBase.open(sample_base) as opened:
        yield opened


def document(kind: PassageKind) -> Partial:
    """Return a document with one passage."""
    partial = read_partial(b"604.2. A keeper may not go on.\n604.2a A keeper may.\n", "part.txt")
    start = TEXT.index(CLAIMED)
    claim = Claim("[2008]", "2008", None, start, start + len(CLAIMED))
    paragraph = PassageParagraph(TEXT, "", 1, (claim,))
    passage = Passage(kind=kind, heading="Kee-per", paragraphs=(paragraph,), first=1, last=1)
    return replace(partial, passages=(passage,))


def test_without_breaks(base: KnowledgeBase) -> None:
    """A broken word is rejoined if editions have it only whole; offsets of claims move along."""
    (passage,) = without_breaks(document(PassageKind.RULE), base.identifier()).passages

    (paragraph,) = passage.paragraphs
    (claim,) = paragraph.claims
    assert paragraph.text == "The keeper turns face-down cards; no keeper is a ker-per."
    assert passage.heading == "Keeper"
    assert paragraph.text[claim.start : claim.end] == CLAIMED


def test_prose_keeps_its_breaks(base: KnowledgeBase) -> None:
    """Text that is not a quotation stays as it is."""
    prose = document(PassageKind.PROSE)

    assert without_breaks(prose, base.identifier()) == prose
