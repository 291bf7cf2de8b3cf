"""Measures how often search ranks a right answer first, and how often quotations are resolved."""

import random
import re
import sqlite3
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lab.score.report import Report, share
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.build.build import Builder
from variorum_kb.forms.search import SourceJson
from variorum_kb.rows import examples_of, full_text, text_of
from variorum_kb.search.answer import Search
from variorum_kb.search.resolve import RESOLVED, UNKNOWN
from variorum_kb.search.search_options import SearchOptions
from variorum_kb.text.search_words import plain_words

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


def say(report: Report, corpus: Path) -> None:
    """Print how good search is."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build(corpus, folder)
        with Search.open(folder) as search, KnowledgeBase.open(folder) as base:
            say_ranks(report, search, base)
            say_quotations(report, search, base)


def say_ranks(report: Report, search: Search, base: KnowledgeBase) -> None:
    """Print the ranks of accepted answers, and those of FTS5."""
    report.title("search")
    plain = Plain(base, EDITION)
    rows: list[tuple[object, ...]] = []
    for name in SETS:
        queries = read_queries(name)
        ranks, baseline, _ = _ranks(queries, search, plain)
        rows += [_row(name, "ours", ranks), _row(name, "FTS5", baseline)]
        rows += _by_kind(name, queries, ranks)
    report.table(("set", "by", "queries", "first", "among five", "MRR"), rows)
    queries = kept_out()
    ranks, baseline, empty = _ranks(queries, search, plain)
    report.say("")
    report.say(f"all kept out: MRR {ranks.mrr:.3f}, FTS5 {baseline.mrr:.3f}")
    report.at_least("accepted first, kept out", _part(queries, 0.75), ranks.first, len(queries))
    report.at_least("among the first five", _part(queries, 0.92), ranks.five, len(queries))
    ahead = round(ranks.mrr - baseline.mrr, 3)
    report.at_most("MRR of FTS5 short of ours", -0.07, -ahead)
    report.at_most("empty where FTS5 finds something", 0, empty)


def _ranks(queries: Sequence[Query], search: Search, plain: Plain) -> tuple[Ranks, Ranks, int]:
    """Return our ranks, those of FTS5, and how often only FTS5 finds something."""
    answers = [names_of(search, query.text) for query in queries]
    baseline = [plain.names(query.text) for query in queries]
    empty = sum(
        1
        for named, baseline_named in zip(answers, baseline, strict=True)
        if baseline_named and not named
    )
    ranks, baseline_ranks = (
        Ranks(tuple([rank_of(query, names) for query, names in zip(queries, results, strict=True)]))
        for results in (answers, baseline)
    )
    return ranks, baseline_ranks, empty


def _part(queries: Sequence[Query], part: float) -> int:
    """Return a share of the number of queries, rounded up."""
    return -int(-len(queries) * part // 1)


def _row(name: str, by: str, ranks: Ranks) -> tuple[object, ...]:
    total = len(ranks.ranks)
    first, five = share(ranks.first, total), share(ranks.five, total)
    return name, by, total, first, five, f"{ranks.mrr:.3f}"


def _by_kind(name: str, queries: Sequence[Query], ranks: Ranks) -> Iterator[tuple[object, ...]]:
    for kind in dict.fromkeys(query.kind for query in queries):
        some = [
            rank for rank, query in zip(ranks.ranks, queries, strict=True) if query.kind == kind
        ]
        yield _row(name, kind, Ranks(tuple(some)))


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


def say_quotations(report: Report, search: Search, base: KnowledgeBase) -> None:
    """Print how often quotations are resolved to their provision."""
    report.title("quotations")
    counts = {True: _Counts(), False: _Counts()}
    lines = base.texts.lines
    for quotation in quotations(base, _QUOTATIONS, _SEED):
        where = (quotation.number, quotation.edition) if quotation.is_placed else ("", None)
        answer = search.resolve(quotation.text, *where)
        named = [_line(base, lines, source) for source in answer["sources"]]
        is_named = lines[quotation.state] in named
        tally = counts[quotation.is_placed]
        asked = _grams(quotation.text)
        own = len(_grams(quotation.printed) & asked)
        if answer["status"] == UNKNOWN:
            tally.unknown += 1
        elif not is_named:
            tally.wrong += 1
            report.say(
                f"wrong: {quotation.edition} {quotation.number or 'glossary'}: {quotation.text[:40]!r}…"
            )
        elif answer["status"] == RESOLVED:
            tally.resolved += 1
        elif all(len(_grams(source["text"]) & asked) >= own for source in answer["sources"]):
            tally.shared += 1
        else:
            tally.ambiguous += 1
    head = ("given", "resolved", "printed by several", "ambiguous", "unknown", "wrong")
    names = {True: "with number and edition", False: "words alone"}
    report.table(head, [(names[key], *counts[key].row()) for key in counts])
    right = sum(tally.resolved + tally.shared for tally in counts.values())
    report.at_least("quotations right", _QUOTATIONS * 95 // 100, right, _QUOTATIONS)
    wrong = sum(tally.wrong for tally in counts.values())
    report.at_most("quotations wrong", _QUOTATIONS // 100, wrong)


@dataclass(slots=True)
class _Counts:
    """The outcome of quotations.

    Attributes:
        resolved: Resolved to the one provision they come from.
        shared: Resolved to several, each with as many runs of the quoted words as the true one.
        ambiguous: Resolved to several, the true one among them.
        unknown: Not resolved.
        wrong: Resolved to others.
    """

    resolved: int = 0
    shared: int = 0
    ambiguous: int = 0
    unknown: int = 0
    wrong: int = 0

    def row(self) -> tuple[int, ...]:
        """Return the counts in their order."""
        return self.resolved, self.shared, self.ambiguous, self.unknown, self.wrong


def _line(base: KnowledgeBase, lines: Sequence[int], source: SourceJson) -> int:
    """Return the lineage of a source."""
    name = source["number"] or source["heading"]
    kind = source["kind"] == "glossary"
    provisions = [
        provision
        for provision in base.show(name, source["edition"])
        if (provision.kind == "glossary") is kind
    ]
    return lines[provisions[0].state.id]


def _grams(text: str) -> set[tuple[str, ...]]:
    """Return all runs of three words."""
    words = plain_words(text)
    return {tuple(words[place : place + _RUN]) for place in range(len(words) - _RUN + 1)}


_RUN = 3
