"""Measures how often search ranks a right answer first, and how often quotations are resolved."""

import random
import re
import sqlite3
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.build.build import Builder
from variorum_kb.rows import examples_of, full_text, text_of
from variorum_kb.search.answer import Search
from variorum_kb.search.search_options import SearchOptions

QUERIES = Path(__file__).resolve().parent / "queries"
# No setting was tuned on these queries.
KEPT_OUT = ("kept_out", "kept_out_more")
SETS = ("tuning", "tuning_more", "tuning_questions", "tuning_trials", *KEPT_OUT)
# What accepted answers were decided on.
EDITION = "2026-08-07"
_LOOKED_AT = 10
_QUOTATIONS, _SEED = 500, 20261120
_SHORTEST, _LONGEST = 8, 30


@dataclass(frozen=True, slots=True)
class Query:
    """A typical query and its answers.

    Attributes:
        accepted: Numbers, and "glossary: " with a headword; each is a right answer.
        kind: keyword, question, slang, former or phrase.
    """

    text: str
    accepted: frozenset[str]
    kind: str


def read_queries(name: str) -> list[Query]:
    """Return the queries of a set."""
    table = tomllib.loads((QUERIES / f"{name}.toml").read_text("utf-8"))
    return [
        Query(entry["text"], frozenset(entry["accepted"]), entry["kind"])
        for entry in table["query"]
    ]


def kept_out() -> list[Query]:
    """Return all queries that no setting was tuned on."""
    return [query for name in KEPT_OUT for query in read_queries(name)]


def rank_of(query: Query, names: Sequence[str]) -> int:
    """Return the rank of the first accepted answer, from 1; 0 if there is none."""
    return next((rank for rank, name in enumerate(names, start=1) if name in query.accepted), 0)


@dataclass(frozen=True, slots=True)
class Ranks:
    """The ranks of the first accepted answers of a set; 0 where there is none."""

    ranks: tuple[int, ...]

    @property
    def first(self) -> int:
        """Return how many first accepted answers have rank 1."""
        return self.ranks.count(1)

    @property
    def five(self) -> int:
        """Return how many are among the first five."""
        return sum(1 for rank in self.ranks if 0 < rank <= 5)

    @property
    def mrr(self) -> float:
        """Return the mean of the reciprocal ranks."""
        return sum(1 / rank for rank in self.ranks if rank) / len(self.ranks)


class Plain:
    """SQLite's FTS5 with its own bm25: the baseline."""

    def __init__(self, base: KnowledgeBase, edition: str) -> None:
        self._connection = sqlite3.connect(":memory:")
        self._connection.execute(
            "CREATE VIRTUAL TABLE document USING fts5 (name UNINDEXED, heading, text, examples)"
        )
        for provision in base.provisions(edition):
            name = provision.number or f"glossary: {provision.heading}"
            body = provision.state.body
            row = (name, provision.heading, text_of(body), "\n".join(examples_of(body)))
            self._connection.execute("INSERT INTO document VALUES (?, ?, ?, ?)", row)

    def names(self, text: str) -> list[str]:
        """Return the best documents that contain any word of a query."""
        words = re.findall(r"\w+", text.lower())
        if not words:
            return []
        rows = self._connection.execute(
            "SELECT name FROM document WHERE document MATCH ? ORDER BY bm25(document) LIMIT ?",
            (" OR ".join([f'"{word}"' for word in words]), _LOOKED_AT),
        )
        return [row[0] for row in rows]


def names_of(search: Search, text: str) -> list[str]:
    """Return our best answers."""
    hits = search.search(SearchOptions(text, on=EDITION, limit=_LOOKED_AT))["hits"]
    return [hit["number"] or f"glossary: {hit['heading']}" for hit in hits]


def build(corpus: Path, folder: Path) -> None:
    """Build a base of all editions."""
    for _ in Builder(folder, now="").build(sorted((corpus / "official").iterdir())):
        pass


# Quotations --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words from an edition.

    Attributes:
        text: The words, perhaps some left out or changed.
        edition: The label of the edition.
        number: The number of their provision; "" in the glossary.
        state: The id of their state.
        printed: The text of their state.
        is_placed: Whether number and edition are given with the words.
    """

    text: str
    edition: str
    number: str
    state: int
    printed: str
    is_placed: bool


def quotations(base: KnowledgeBase, number: int, seed: int) -> Iterator[Quotation]:
    """Yield invented quotations: every second with number and edition, a third of each kind.

    The kinds are: as printed; with words left out; with words replaced by others of the rules.
    """
    rng = random.Random(seed)
    words = sorted({word for provision in base.provisions() for word in provision.text.split()})
    for place in range(number):
        edition = rng.choice(base.editions)
        long = [
            provision
            for provision in base.provisions(edition)
            if len(provision.text.split()) >= _SHORTEST
        ]
        match = rng.choice(long)
        printed = full_text(match.state.body).split()
        length = rng.randint(_SHORTEST, min(_LONGEST, len(printed)))
        start = rng.randint(0, len(printed) - length)
        quoted = printed[start : start + length]
        for _ in range(rng.randint(1, max(1, length // 8)) if place % 3 else 0):
            at = rng.randrange(len(quoted))
            if place % 3 == 1 and len(quoted) >= _SHORTEST:
                quoted.pop(at)
            else:
                quoted[at] = rng.choice(words)
        text, state = full_text(match.state.body), match.state.id
        is_placed = bool(place % 2)
        yield Quotation(" ".join(quoted), edition.label, match.number, state, text, is_placed)
