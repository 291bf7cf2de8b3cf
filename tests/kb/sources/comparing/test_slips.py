"""Documents with typical slips of programs and people, compared with the sample rulebook."""

import json
import random
import zlib
from collections import Counter
from collections.abc import Callable

import pytest

from tests.kb.sources.conftest import with_addresses
from tests.kb.sources.reading.test_slips import DOCUMENTS, slipped
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.errors import DocumentError
from variorum_kb.sources import recognise_kind

SEEDS = 4


def outcome_of(base: KnowledgeBase, data: bytes, name: str) -> str:
    """Return the editions, the verdicts and a checksum of what a document attests, or the error."""
    try:
        result = recognise_kind.compare(base, recognise_kind.read_witness(data, name), name)
    except DocumentError as error:
        return str(error)
    verdicts = Counter(passage.verdict.value for passage in result.passages)
    counts = ", ".join([f"{count} {verdict}" for verdict, count in sorted(verdicts.items())])
    words = json.dumps(with_addresses(base, result))
    return f"{result.first} to {result.last}, {counts}: {zlib.crc32(words.encode()):08x}"


@pytest.mark.slow
def test_slips(base: KnowledgeBase, golden: Callable[[str, object], None]) -> None:
    """Editions, verdicts and details are unchanged."""
    lines = [
        f"{path.name} {seed} {outcome_of(base, slipped(text, chance).encode(), path.name)}\n"
        for path in sorted(DOCUMENTS.iterdir())
        for text in [path.read_text("utf-8")]
        for seed in range(SEEDS)
        for chance in [random.Random(f"{path.name}{seed}")]
    ]

    golden("sources/comparing-slips.txt", "".join(lines))
