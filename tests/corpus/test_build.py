"""The knowledge base of all real editions."""

from collections import Counter
from pathlib import Path

import pytest

from tests.support.citation_tables import by_base, by_resolver, resolver_of
from tests.support.small_bases import build
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.build.check import CheckedPart, Examined, Problem, verify
from variorum_kb.build.outcomes import Taken
from variorum_kb.store.reader import Reader

pytestmark = pytest.mark.corpus

LARGEST = 40 * 10**6
JOBS = 2


@pytest.fixture(scope="module")
def folder(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a base of all editions, built at once from their folder."""
    folder = tmp_path_factory.mktemp("corpus") / "kb"
    events = build(folder, [corpus / "official"], JOBS)
    assert all(isinstance(event, Taken) for event in events)
    return folder


def test_all_editions(folder: Path, editions: tuple[Path, ...]) -> None:
    """Every edition is there, in its set, and the file is small."""
    reader = Reader(folder / "kb.sqlite")
    rows = reader.editions()
    reader.close()

    assert len(rows) == len(editions) == 120
    assert all(row["set_code"] and row["set_name"] for row in rows)
    assert (folder / "kb.sqlite").stat().st_size <= LARGEST


def test_nothing_wrong(folder: Path) -> None:
    """The base is what its documents make it."""
    found = list(verify(folder, deep=True, jobs=JOBS))

    assert [str(one) for one in found if isinstance(one, Problem)] == []
    assert Counter(one.part for one in found if isinstance(one, Examined)) == {
        CheckedPart.DOCUMENT: 120,
        CheckedPart.BASE: 1,
        CheckedPart.EDITION: 120,
        CheckedPart.READING: 120,
    }


def test_any_order(folder: Path, editions: tuple[Path, ...], tmp_path: Path) -> None:
    """Built backwards and in two steps, it has the same bytes."""
    backwards = editions[::-1]
    build(tmp_path / "kb", backwards[:50], JOBS)
    build(tmp_path / "kb", backwards[50:], JOBS)

    assert (tmp_path / "kb" / "kb.sqlite").read_bytes() == (folder / "kb.sqlite").read_bytes()


def test_base_and_resolver_agree(folder: Path) -> None:
    """Of every citation the base answers from its rows what the pure resolver says."""
    citations = 0
    with KnowledgeBase.open(folder) as base:
        for edition in base.editions:
            index = resolver_of(base, edition)
            for match in base.provisions(edition):
                found = by_base(base, match)
                citations += len(found)
                assert found == by_resolver(match, index), f"{edition.label} {match.address}"

    assert citations > 100_000
