"""The real editions, compared in a browser as the command compares them."""

import gzip
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.browser.comparing_fixtures import (
    by_the_command,
    by_the_page,
    chromium,
    designators,
    load,
    named_by_the_command,
    named_by_the_page,
)
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_site.data.compare_steps import STEPS, files_of

pytestmark = pytest.mark.corpus

DAY = date(2026, 11, 20)
PAIRS = 50
# In bytes, compressed: what a comparison fetches.
MOST_STEPS, MOST_TEXTS = 200_000, 700_000


@pytest.fixture(scope="module")
def base(corpus_base: Path) -> Iterator[KnowledgeBase]:
    """Return the base of all editions, open."""
    with KnowledgeBase.open(corpus_base, today=DAY) as opened:
        yield opened


@pytest.fixture(scope="module")
def files(base: KnowledgeBase) -> dict[str, bytes]:
    """Return what a browser compares editions with."""
    return dict(files_of(base))


class Answers(NamedTuple):
    """What the script answers in a browser.

    Attributes:
        changes: Of each pair of editions.
        named: The places of the editions that words name.
    """

    changes: dict[tuple[int, int], str]
    named: list[int]


@pytest.fixture(scope="module")
def answers(base: KnowledgeBase, files: dict[str, bytes]) -> Answers:
    """Return the answers; from a thread, since another browser may be at work in this one."""

    def ask() -> Answers:
        with chromium() as browser:
            page = browser.new_page()
            load(page, files)
            changes = {pair: by_the_page(page, pair) for pair in pairs(len(base.editions))}
            words = designators(base)
            return Answers(changes, named_by_the_page(page, words, DAY.isoformat()))

    base.editions  # noqa: B018 - the base is not to be read in the thread
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(ask).result()


def pairs(count: int) -> list[tuple[int, int]]:
    """Return the first and the last edition, and pairs by chance, the older edition first."""
    chance = random.Random(8)
    found = {(0, count - 1)}
    while len(found) < PAIRS:
        one, other = sorted(chance.sample(range(count), 2))
        found.add((one, other))
    return sorted(found)


def test_pairs(base: KnowledgeBase, answers: Answers) -> None:
    """Of 50 pairs of editions, counts, changes, kinds, classes and words are those of the command."""
    wrong = [
        tuple([base.editions[place].label for place in pair])
        for pair, found in answers.changes.items()
        if found != by_the_command(base, pair)
    ]

    assert len(answers.changes) == PAIRS
    assert wrong == []


def test_designators(base: KnowledgeBase, answers: Answers) -> None:
    """Dates, set codes, names and words name the editions that they name for the command."""
    assert answers.named == named_by_the_command(base, designators(base))


def test_size(files: dict[str, bytes]) -> None:
    """What is fetched stays small."""
    sizes = {
        name: len(gzip.compress(data, mtime=0))
        for name, data in files.items()
        if name.endswith(".json")
    }

    assert sizes[STEPS] < MOST_STEPS
    assert sum(size for name, size in sizes.items() if name != STEPS) < MOST_TEXTS
