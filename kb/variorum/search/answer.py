"""Answers searches with provisions, their places and their outcomes."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Self

from msgspec import structs

from variorum.answers.editions import EditionEntry
from variorum.answers.histories import LatestNames
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.files import Closing
from variorum.records.search import Expansion, Hit, SearchResult
from variorum.rows import examples_of, text_of
from variorum.rule_numbers import is_below, order_of
from variorum.search.indexes.current_indexes import BaseIndexes
from variorum.search.indexes.text_table import IndexedText
from variorum.search.queries.engine import Hit as RankedHit
from variorum.search.queries.engine import Ranked, Searcher
from variorum.search.queries.misspelt_words import suggested_queries
from variorum.search.queries.plan import Plan
from variorum.search.queries.query import Number, Part, parse_query
from variorum.search.queries.query_groups import Group
from variorum.search.queries.scopes import EditionScope, EverScope, Everything, Scope
from variorum.search.queries.vocabulary import PLAYERS
from variorum.search.search_options import SearchOptions
from variorum.search.snippet import snippet

# A search of all editions shows one reading of each lineage, so it examines more documents.
_EVER_CLOSELY, _READINGS = 70, 5


class Search(Closing):
    """Searches a knowledge base.

    Use it in a `with` statement, or close it.
    """

    def __init__(
        self,
        base: KnowledgeBase,
        notify: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Prepare the search of an open base.

        Args:
            base: The base, whose day decides which edition is in force.
            notify: Called with a line of text before an index is rebuilt.
        """
        self._base = base
        self._indexes = BaseIndexes(base, notify)
        # Values that do not change while a base is open.
        self._paths: dict[tuple[int, str], list[str]] = {}
        self._names = LatestNames(base)

    @classmethod
    def open(cls, folder: str | Path | None = None, *, today: date | None = None) -> Self:
        """Open a base and its indexes; `KnowledgeBase.open` explains the arguments."""
        return cls(KnowledgeBase.open(folder, today=today))

    def close(self) -> None:
        """Close the files."""
        self._indexes.close()
        self._base.close()

    @cached_property
    def _current(self) -> Searcher:
        return Searcher(self._indexes.current, self._base)

    @cached_property
    def _ever(self) -> Searcher:
        return Searcher(self._indexes.ever, self._base)

    @cached_property
    def _everything(self) -> Everything:
        return Everything(self._ever, self._base)

    # Searching -----------------------------------------------------------------------------------

    def search(self, options: SearchOptions) -> SearchResult:
        """Return the hits of a query, in the form of `cr search --json`.

        Raises:
            QueryError: The query cannot be read.
            NoEditionError: The designator names no edition.
            NotFoundError: The edition lacks the number within which to search.
        """
        part = parse_query(options.query)
        scope = self._scope(options)
        plan = scope.searcher.plan(part, scope.numbered)
        ranked = self._ranked(scope, plan, part, options.limit)
        shown, number = ranked.best, ""
        missing = _missing(plan.groups)
        former: list[Hit] = []
        if isinstance(part, Number):
            number = part.number
            shown = self._by_number(part, shown, scope)
            if missing and scope.edition is not None:
                former = list(self._former(number, plan.groups, options))
        shown = shown[: options.limit]
        states = [scope.state_of(hit.key, number) for hit in shown]
        self._base.states.of([*states, *[hit.key for hit in shown]])
        if scope.edition is not None:
            self._names.find(states, scope.edition.place)
        hits = [*former, *(self._hit(scope, hit, plan, number) for hit in shown)]
        return SearchResult(
            query=options.query,
            hits=hits[: options.limit],
            suggestions=suggested_queries(options.query, missing, scope.searcher.kept.lexicon),
            expanded=_expanded(scope.searcher, plan, shown),
            missing=[] if former else missing,
            total=ranked.total + len(former),
        )

    def _scope(self, options: SearchOptions) -> Scope:
        texts = self._base.texts
        edition = None if options.ever else self._base.edition(options.on or "current")
        if edition is not None and options.within:
            self._base.show(options.within, edition)
        wanted = None
        if options.within or options.kinds:
            place = None if edition is None else edition.place
            wanted = texts.among(place, options.within, options.kinds)
        if edition is None:
            return EverScope(self._everything, wanted)
        if edition.place == self._current_place:
            return Scope(self._current, edition, wanted)
        return EditionScope(self._everything, edition, wanted)

    @cached_property
    def _current_place(self) -> int | None:
        """Return the place of the edition in force; None if none is in force yet."""
        current = self._base.current
        return current.place if current else None

    def _ranked(self, scope: Scope, plan: Plan, part: Part, limit: int) -> Ranked:
        if isinstance(part, Number):
            # Hits of a number are ordered by number, so all are needed.
            return scope.searcher.rank(plan, scope.allowed, len(plan.places))
        if scope.edition is not None:
            return scope.searcher.rank(plan, scope.allowed, limit)
        lines = self._everything.lines
        best: dict[int, RankedHit] = {}
        ranked = scope.searcher.rank(plan, scope.allowed, limit * _READINGS, _EVER_CLOSELY)
        # The latest of equally good readings is shown.
        for best_hit in sorted(ranked.best, key=lambda hit: (-hit.score, -hit.key)):
            best.setdefault(lines[best_hit.key], best_hit)
        # The other texts may be readings of the same lineages, so their number is unknown.
        is_all = len(ranked.best) == ranked.total
        return Ranked(list(best.values()), len(best) if is_all else ranked.total)

    def _by_number(self, part: Number, hits: Sequence[RankedHit], scope: Scope) -> list[RankedHit]:
        """Order the hits of a number: its bearer, provisions below it, texts that cite it.

        Hits arrive in the order of their scores; texts that cite the number keep it.
        """
        states = {hit.key: scope.state_of(hit.key, part.number) for hit in hits}
        rows = self._base.texts.rows(list(states.values()))

        def order(hit: RankedHit) -> tuple[int, tuple[int, int, int, str]]:
            number = rows[states[hit.key]].number
            bears = (
                number.startswith(part.number) if part.is_open else is_below(number, part.number)
            )
            rank = 2 - bears - (number == part.number)
            return rank, order_of(number if bears else "")

        return sorted(hits, key=order)

    def _former(
        self, number: str, groups: Sequence[Group], options: SearchOptions
    ) -> Iterator[Hit]:
        """Yield the bearers of a number that the edition does not have, latest first."""
        texts = self._base.texts
        seen: set[str | int] = set()
        wanted = None
        if options.within or options.kinds:
            wanted = texts.among(None, options.within, options.kinds)
        for state in texts.bearers(number):
            if wanted is not None and state not in wanted:
                continue
            hit = self._hit_of(state, texts.stood([state])[-1][1], 0.0, groups)
            name = hit.now or texts.lines[state]
            if name not in seen:
                seen.add(name)
                yield hit

    # Hits ----------------------------------------------------------------------------------------

    def _hit(self, scope: Scope, ranked: RankedHit, plan: Plan, number: str) -> Hit:
        state = scope.state_of(ranked.key, number)
        texts, known = self._base.texts, self._base.states
        # The editions may print the same words with other signs.
        is_same = state == ranked.key or known[state].body == known[ranked.key].body
        indexed = ranked.text if is_same else None
        if scope.edition is not None:
            place = scope.edition.place
            return self._hit_of(state, place, ranked.score, plan.groups, indexed)
        states = self._everything.members[ranked.key]
        if isinstance(scope, EverScope) and not number:
            states = scope.holding(plan, ranked.key)
        place = texts.stood([state])[-1][1]
        hit = self._hit_of(state, place, ranked.score, plan.groups, indexed)
        labels = [edition.label for edition in self._base.editions]
        stood = [[labels[first], labels[last]] for first, last in texts.stood(states)]
        return structs.replace(hit, stood=stood)

    def _hit_of(
        self,
        state: int,
        place: int,
        score: float,
        groups: Sequence[Group],
        indexed: IndexedText | None = None,
    ) -> Hit:
        edition = self._base.editions[place]
        row = self._base.states[state]
        text = "\n".join([text_of(row.body), *examples_of(row.body)]).strip()
        now, last = self._names.of(state, place)
        excerpt = snippet(text, groups, indexed=indexed) if text else snippet(row.heading, groups)
        return Hit(
            edition=edition.label,
            doubts=list(edition.doubts),
            number=None if row.kind == "glossary" else row.address,
            kind=row.kind,
            heading=row.heading,
            text=text,
            snippet=excerpt,
            score=round(score, 3),
            now=now,
            last=last,
            path=self._path(edition, row.parent),
            stood=[],
        )

    def _path(self, edition: EditionEntry, parent: str) -> list[str]:
        if not parent:
            return []
        key = edition.place, parent
        if key not in self._paths:
            above = self._base.bearing(parent, edition)
            title = f"{above.address}. {above.heading}" if above.heading else above.address
            self._paths[key] = [*self._path(edition, above.parent), title]
        return self._paths[key]


def _missing(groups: Sequence[Group]) -> list[str]:
    """Return the words that no text has, in any form or wording."""
    return [
        " ".join(group.asked)
        for group in groups
        if not (group.weights or group.is_loose or group.is_spread)
    ]


def _expanded(searcher: Searcher, plan: Plan, shown: Sequence[RankedHit]) -> list[Expansion]:
    """Return the other words that were searched for."""
    expanded: dict[tuple[str, str], Expansion] = {}
    for group in plan.groups:
        for spelling in searcher.others(group, [hit.text for hit in shown]):
            asked = " ".join(group.asked)
            words = " ".join(spelling.words) if spelling.kind == PLAYERS else spelling.form.name
            expanded.setdefault(
                (asked, words),
                Expansion(
                    from_=asked,
                    to=words,
                    kind=spelling.kind,
                    since=spelling.form.first or None,
                    until=spelling.form.last or None,
                ),
            )
    return list(expanded.values())
