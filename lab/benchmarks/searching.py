"""Measures of search: building indexes, warm queries compared with FTS5, and commands."""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from lab.score.searches import EDITION, KEPT_OUT, Plain, read_queries
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.search.answer import Search
from variorum_kb.search.indexes.current_indexes import BaseIndexes
from variorum_kb.search.indexes.index_builder import Maker
from variorum_kb.search.search_options import SearchOptions

Run = Callable[[], tuple[float, float]]


def indexing(folder: Path) -> Iterator[tuple[str, Run, str]]:
    """Yield measures of building both indexes, with their sizes."""

    def make(scope: str) -> Run:
        def run() -> tuple[float, float]:
            with KnowledgeBase.open(folder) as base, TemporaryDirectory() as name:
                base.edition()
                wanted = next(index for index in BaseIndexes(base).wanted() if index.scope == scope)
                start = time.perf_counter()
                Maker(base, Path(name)).make(wanted)
                seconds = time.perf_counter() - start
                size = sum(file.stat().st_size for file in Path(name).rglob("*"))
            return seconds, size / 1e6

        return run

    yield "index of all distinct readings", make("ever"), "8 s, 30 MB"
    yield "index of the current edition", make("on"), "1.5 s"


def querying(folder: Path) -> Iterator[tuple[str, Run, str]]:
    """Yield measures of all queries of the score, on open indexes."""
    sets = ("tuning", "tuning_more", *KEPT_OUT)  # the other sets have only long questions
    queries = [query.text for name in sets for query in read_queries(name)]
    base, search = KnowledgeBase.open(folder), Search.open(folder)
    plain = Plain(base, EDITION)

    def current(text: str) -> object:
        return search.search(SearchOptions(text, on=EDITION))

    def ever(text: str) -> object:
        return search.search(SearchOptions(text, ever=True))

    def quoted(text: str) -> object:
        return search.resolve(text)

    yield "FTS5, any word, bm25 (baseline), median", each(queries, plain.names, _median), ""
    yield "the current edition, median", each(queries, current, _median), "0.002 s, ratio 8"
    yield "every text, median", each(queries, ever, _median), ""
    yield "quotations among all texts, median", each(queries, quoted, _median), ""
    yield "FTS5, slowest 5 %", each(queries, plain.names, _slow), ""
    yield "the current edition, slowest 5 %", each(queries, current, _slow), "0.015 s"
    yield "every text, slowest 5 %", each(queries, ever, _slow), ""


def each(
    queries: Sequence[str],
    question: Callable[[str], object],
    middle: Callable[[Sequence[float]], float],
) -> Run:
    """Return a function that asks all queries once and returns a quantile of the times."""
    for text in queries:
        question(text)

    def run() -> tuple[float, float]:
        times: list[float] = []
        for text in queries:
            start = time.perf_counter()
            question(text)
            times.append(time.perf_counter() - start)
        return middle(times), 0.0

    return run


def _median(times: Sequence[float]) -> float:
    return statistics.median(times)


def _slow(times: Sequence[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]
