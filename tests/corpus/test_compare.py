"""The real editions, compared and searched by the website's script as by the command."""

import gzip
import random
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.site.assets.comparisons import by_the_command, designators, named_by_the_command
from tests.site.assets.node import compared, first_hits
from tests.site.assets.searches import agreeing
from tests.site.building import build_site
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_site.data.compare_steps import PARTS, part_file
from variorum_site.data.script_files import json_in
from variorum_site.data.search_index import current_index
from variorum_site.page_index import PageIndex

pytestmark = pytest.mark.corpus

DAY = date(2026, 11, 20)
PAIRS = 5
# Compressed bytes that a comparison of all rules fetches, and a comparison of one rule.
MOST, USUAL_OF_A_RULE, MOST_OF_A_RULE = 900_000, 60_000, 300_000


@pytest.fixture(scope="module")
def files(corpus_base: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return the files with which a browser compares editions."""
    folder = tmp_path_factory.mktemp("comparisons")
    build_site(corpus_base, folder, kinds={"compare"})
    paths = (folder / "compare").rglob("*.js")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


@pytest.fixture(scope="module")
def answers(base: KnowledgeBase, files: dict[str, bytes]) -> dict[str, list[Any]]:
    """Return the script's answers about pairs of editions and about designators."""
    chosen = pairs(len(base.editions))
    return compared(base, chosen, designators(base), DAY.isoformat(), files)


def pairs(count: int) -> list[tuple[int, int]]:
    """Return the first and last edition, and random pairs, the older edition first."""
    chance = random.Random(8)
    rows = {(0, count - 1)}
    while len(rows) < PAIRS:
        first, second = sorted(chance.sample(range(count), 2))
        rows.add((first, second))
    return sorted(rows)


def test_pairs(base: KnowledgeBase, answers: dict[str, list[Any]]) -> None:
    """For some pairs of editions, the script's counts, changes, kinds and words are the command's."""
    chosen = pairs(len(base.editions))
    wrong = [
        tuple([base.editions[place].label for place in pair])
        for pair, change in zip(chosen, answers["changes"], strict=True)
        if change != by_the_command(base, pair)
    ]

    assert len(chosen) == PAIRS
    assert wrong == []


def test_designators(base: KnowledgeBase, answers: dict[str, list[Any]]) -> None:
    """Dates, set codes, names and words mean the same editions for script and command."""
    assert answers["named"] == named_by_the_command(base, designators(base))


def test_searches(base: KnowledgeBase, corpus_base: Path) -> None:
    """For 97 of 100 queries that search was tuned on, page and command have the same first hit."""
    folder = ROOT / "lab" / "score" / "queries"
    queries: list[str] = [
        query["text"]
        for name in ("tuning", "tuning_more")
        for query in tomllib.loads((folder / f"{name}.toml").read_text("utf-8"))["query"]
    ]

    result = first_hits(current_index(PageIndex(base)), queries)

    assert agreeing(corpus_base, queries, result) >= 0.97 * len(queries)


def test_size(files: dict[str, bytes]) -> None:
    """Few bytes are fetched, especially to compare one rule."""
    sizes = {name: len(gzip.compress(data, mtime=0)) for name, data in files.items()}
    parts: dict[str, Any] = json_in(files[PARTS])
    single = {part_file(name) for name in parts["parts"]}
    needed = sorted(
        sizes[PARTS] + sum(sizes[part_file(parts["parts"][place])] for place in places)
        for places in parts["needs"].values()
    )

    assert sum(size for name, size in sizes.items() if name not in single) < MOST
    assert needed[len(needed) // 2] < USUAL_OF_A_RULE
    assert needed[-1] < MOST_OF_A_RULE
