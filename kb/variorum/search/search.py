"""Answers searches with provisions, their places and their outcomes."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, Self

from msgspec import structs

from variorum.answers.editions import EditionEntry
from variorum.answers.histories import LatestNames
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.files import Closing
from variorum.records.search import Expansion, Hit, SearchResult
from variorum.rows import examples_of, text_of
from variorum.rule_numbers import is_below, order_of
from variorum.search.groups import Group, Plan, Planner
from variorum.search.index import Index, SearchIndexes, StemmedText
from variorum.search.misspelt import suggested_queries
from variorum.search.query import Number, Part, parse_query, words_of
from variorum.search.ranking import has_any, score, snippet
from variorum.search.story import is_foreign
from variorum.text import plain_words
from variorum.words import ASKING, SILENT

DEFAULT_HITS = 10
# How many texts are examined closely. A search of all editions shows one reading of each lineage,
# so that it examines more.
_CLOSELY, _EVER_CLOSELY, _READINGS = 30, 70, 5
_ASKS = re.compile(
    r"(?:who|what|when|where|why|how|which|is|are|do|does|did|can|could|may|must|should|will|would|was"
    r"|were|am|if)(?![\w'’])|.*\?\s*$",
    re.IGNORECASE,
).match
# Of more words, those that only ask are not missed.
_FEW = 2
_SILENT = ASKING | SILENT


class SearchOptions(NamedTuple):
    """What to search for, and where.

    Attributes:
        query: As the user wrote it.
        on: The designator of an edition; None for the edition in force.
        ever: Whether to search the wording of every edition.
        within: A number; only provisions with it or below it are hits.
        kinds: Values of model.Kind; empty for all kinds.
        limit: The most hits.
    """

    query: str
    on: str | None = None
    ever: bool = False
    within: str = ""
    kinds: tuple[str, ...] = ()
    limit: int = DEFAULT_HITS


@dataclass(frozen=True, slots=True)
class _Scope:
    """Where to search: an index, its edition or None for all, the states that may be shown or None for all."""

    index: Index
    edition: EditionEntry | None
    wanted: Collection[int] | None


class _Ranked(NamedTuple):
    """A text that matches, by its place in the index, and its score."""

    score: float
    place: int


class Search(Closing):
    """Searches a knowledge base. Use it in a `with` statement, or close it."""

    def __init__(self, base: KnowledgeBase, notify: Callable[[str], None] = lambda _: None) -> None:
        """Prepare the search of an open base; `notify` is called with a line before an index is made."""
        self._base = base
        self.indexes = SearchIndexes(base, notify)
        # Values that do not change while a base is open.
        self._paths: dict[tuple[int, str], list[str]] = {}
        self._printed: dict[int, str] = {}
        self._names = LatestNames(base)

    @classmethod
    def open(cls, folder: str | Path | None = None, *, today: date | None = None) -> Self:
        """Open a base and its indexes; `KnowledgeBase.open` explains the arguments."""
        return cls(KnowledgeBase.open(folder, today=today))

    def close(self) -> None:
        """Close the files."""
        self.indexes.close()
        self._base.close()

    def search(self, options: SearchOptions) -> SearchResult:
        """Return the hits of a query, in the form of `cr search --json`.

        Raises:
            QueryError: The query cannot be read.
            NoEditionError: The designator names no edition.
            NotFoundError: The edition lacks the number within which to search.
        """
        part = parse_query(options.query)
        edition = None if options.ever else self._base.edition(options.on or "current")
        if edition is not None and options.within:
            self._base.show(options.within, edition)
        index = self.indexes.of(edition)
        scope = _Scope(index, edition, self._wanted(edition, options))
        plan = self._planner(scope).plan(part)
        words, is_about_nothing = words_of(part), self.is_about_nothing(options)
        if is_about_nothing:
            plan = Plan((), plan.groups)
        ranked, total = self._ranked(scope, plan, part, options.limit)
        number = part.number if isinstance(part, Number) else ""
        missing = [
            " ".join(group.asked)
            for group in plan.groups
            if not (group.weights or group.is_loose or group.is_spread)
            and (len(words) < _FEW or _SILENT.isdisjoint(group.asked))
        ]
        former = [*self._former(number, plan, options)] if number and missing and edition else []
        shown = ranked[: options.limit]
        states = [self._state_of(scope, each.place, number) for each in shown]
        self._base.states.of(states)
        if edition is not None:
            self._names.find(states, edition.place)
        hits = list(former)
        for state, each in zip(states, shown, strict=True):
            if edition is not None:
                hits.append(self._hit(state, edition.place, each.score, plan.groups))
            else:
                held = self._holding(scope, None if number else plan, each.place)
                hits.append(self._ever_hit(state, held, each.score, plan.groups))
        return SearchResult(
            query=options.query,
            hits=hits[: options.limit],
            suggestions=[]
            if is_about_nothing
            else suggested_queries(options.query, missing, self._base, edition),
            expanded=_expanded(plan, [index.text(each.place) for each in shown]),
            missing=[] if former else missing,
            total=total + len(former),
        )

    def is_about_nothing(self, options: SearchOptions) -> bool:
        """Return whether a query asks about something that is not in the rules."""
        if not (_ASKS(options.query) and words_of(parse_query(options.query))):
            return False
        edition = None if options.ever else self._base.edition(options.on or "current")
        return is_foreign(options.query, self.indexes.of(edition).knows)

    # Matching ------------------------------------------------------------------------------------

    def _planner(self, scope: _Scope) -> Planner:
        index = scope.index

        def numbered(prefix: str) -> Iterator[tuple[int, str]]:
            if scope.edition is not None:
                yield from index.numbered(prefix)
                return
            for state, number in self._base.texts.numbered(prefix):
                yield index.places[index.columns.key_of[state]], number

        def prints(place: int, words: Sequence[str]) -> bool:
            return f" {' '.join(words)} " in self._words(index.columns.keys[place])

        return Planner(index, prints, numbered)

    def _words(self, key: int) -> str:
        """Return the words of a text, each between blanks."""
        if key not in self._printed:
            body = self._base.texts.bodies([key])[key]
            words = plain_words(f"{body.heading}\n{body.text}\n{body.examples}")
            self._printed[key] = f" {' '.join(words)} "
        return self._printed[key]

    def _wanted(
        self, edition: EditionEntry | None, options: SearchOptions
    ) -> Collection[int] | None:
        """Return the ids of the states that may be shown; None for all."""
        if not (options.within or options.kinds):
            return None
        place = None if edition is None else edition.place
        return self._base.texts.among(place, options.within, options.kinds)

    def _ranked(
        self, scope: _Scope, plan: Plan, part: Part, limit: int
    ) -> tuple[list[_Ranked], int]:
        """Return the texts that match, best first, and how many there are."""
        index, edition, keys = scope.index, scope.edition, scope.wanted
        places: Collection[int] = plan.places
        if keys is not None:
            if edition is None:
                keys = {index.columns.key_of[state] for state in keys}
            places = [place for place in places if index.columns.keys[place] in keys]
        if isinstance(part, Number):
            # They are shown by number, so that all are needed.
            ranked = _best(index, plan.groups, places, len(places))
            order = self._order_of_numbers(scope, part)
            return sorted(ranked, key=order), len(ranked)
        if edition is not None:
            return _best(index, plan.groups, places, max(limit, _CLOSELY)), len(places)
        ranked = _best(index, plan.groups, places, max(limit * _READINGS, _EVER_CLOSELY))
        keys, lines = index.columns.keys, index.columns.lines
        best: dict[int, _Ranked] = {}
        # The latest of equally good readings is shown.
        for each in sorted(ranked, key=lambda each: (-each.score, -each.place)):
            best.setdefault(lines[keys[each.place]], each)
        # If not all were ranked, the others may be readings of the same lineages.
        return [*best.values()], len(best) if len(ranked) == len(places) else len(places)

    def _order_of_numbers(
        self, scope: _Scope, part: Number
    ) -> Callable[[_Ranked], tuple[object, ...]]:
        """Order the texts found by a number: its bearer, those below, those that cite it as they were ranked."""

        def order(each: _Ranked) -> tuple[object, ...]:
            number = scope.index.columns.numbers[each.place]
            if scope.edition is None:
                state = self._state_of(scope, each.place, part.number)
                number = self._base.states.of([state])[state].number
            bears = (
                number.startswith(part.number) if part.is_open else is_below(number, part.number)
            )
            return 2 - bears - (number == part.number), order_of(number if bears else "")

        return order

    # Hits ----------------------------------------------------------------------------------------

    def _state_of(self, scope: _Scope, place: int, number: str) -> int:
        """Return the state to show for a text: of all editions, the latest, preferably with a number."""
        key, wanted = scope.index.columns.keys[place], scope.wanted
        if scope.edition is not None:
            return key
        states = [state for state in self._members[key] if wanted is None or state in wanted]
        if number and len(states) > 1:
            rows = self._base.states.of(states)
            bearing = [state for state in states if rows[state].number == number]
            below = [state for state in states if is_below(rows[state].number, number)]
            states = bearing or below or states
        if len(states) == 1:
            return states[0]
        stood = self._base.texts.stood
        return max(states, key=lambda state: (stood([state])[-1][1], state))

    @cached_property
    def _members(self) -> Mapping[int, list[int]]:
        """Return the ids of the states with each text, by its key."""
        return _places_of_each(self.indexes.of(None).columns.key_of)

    @cached_property
    def _of_line(self) -> Mapping[int, list[int]]:
        """Return the ids of the states of each lineage."""
        return _places_of_each(self.indexes.of(None).columns.lines)

    def _holding(self, scope: _Scope, plan: Plan | None, place: int) -> list[int]:
        """Return the states with a hit's text, or of its lineage that match a query by the same words."""
        index, wanted = scope.index, scope.wanted
        columns = index.columns
        key = columns.keys[place]
        if plan is None:
            return [state for state in self._members[key] if wanted is None or state in wanted]
        states = {*self._members[key], *self._of_line[columns.lines[key]]}
        text = index.text(place)
        needed: list[tuple[Group, list[tuple[str, ...]]]] = []
        for group in plan.groups:
            if not group.is_asking and (group.is_spread or place in group.weights):
                own = group.forms[: group.own]
                has_own = has_any(text, own)
                needed.append(
                    (group, own if has_own else group.forms if has_any(text, group.forms) else [])
                )
        holds: dict[int, bool] = {place: True}
        for state in states:
            there = index.places[columns.key_of[state]]
            if there not in holds:
                holds[there] = there in plan.places and all(
                    (group.is_spread or there in group.weights)
                    and (not forms or has_any(index.text(there), forms))
                    for group, forms in needed
                )
        return [
            state
            for state in sorted(states)
            if holds[index.places[columns.key_of[state]]] and (wanted is None or state in wanted)
        ]

    def _former(self, number: str, plan: Plan, options: SearchOptions) -> Iterator[Hit]:
        """Yield the bearers of a number that the edition does not have, latest first."""
        texts = self._base.texts
        wanted = self._wanted(None, options)
        seen: set[str | int] = set()
        for state in texts.bearers(number):
            if wanted is None or state in wanted:
                hit = self._hit(state, texts.stood([state])[-1][1], 0.0, plan.groups)
                name = hit.now or texts.lines[state]
                if name not in seen:
                    seen.add(name)
                    yield hit

    def _ever_hit(
        self, state: int, held: Sequence[int], points: float, groups: Sequence[Group]
    ) -> Hit:
        stood = self._base.texts.stood
        hit = self._hit(state, stood([state])[-1][1], points, groups)
        labels = self._base.labels
        runs = [[labels[first], labels[last]] for first, last in stood(held)]
        return structs.replace(hit, stood=runs)

    def _hit(self, state: int, place: int, points: float, groups: Sequence[Group]) -> Hit:
        edition = self._base.editions[place]
        row = self._base.states[state]
        text = "\n".join([text_of(row.body), *examples_of(row.body)]).strip()
        now, last = self._names.of(state, place)
        return Hit(
            edition=edition.label,
            doubts=list(edition.doubts),
            number=None if row.kind == "glossary" else row.address,
            kind=row.kind,
            heading=row.heading,
            text=text,
            snippet=snippet(text or row.heading, groups),
            score=round(points, 3),
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


def _best(
    index: Index, groups: Sequence[Group], places: Collection[int], most: int
) -> list[_Ranked]:
    """Return the texts that match a query best; those with its rarest words are examined closely."""
    if len(places) > most:
        total = sum([group.tells for group in groups]) or 1.0
        points, covered = dict.fromkeys(places, 0.0), dict.fromkeys(places, 0.0)
        for group in groups:
            for place, much in group.weights.items():
                if place in points:
                    points[place] += group.tells * much
                    covered[place] += group.tells
        rough = {place: much * covered[place] / total for place, much in points.items()}
        places = sorted(rough, key=lambda place: (-rough[place], place))[:most]
    columns = index.columns
    ranked = [
        _Ranked(
            score(groups, place, columns.kinds[place], columns.cited[place], index.text(place)),
            place,
        )
        for place in places
    ]
    return sorted(ranked, key=lambda each: (-each.score, each.place))


def _places_of_each(numbers: Sequence[int]) -> Mapping[int, list[int]]:
    places: defaultdict[int, list[int]] = defaultdict(list)
    for place, number in enumerate(numbers):
        places[number].append(place)
    return places


def _expanded(plan: Plan, texts: Sequence[StemmedText]) -> list[Expansion]:
    """Return the other words that some hits have instead of the user's words."""
    expanded: dict[tuple[str, str], Expansion] = {}
    for group in plan.groups:
        lacking = [text for text in texts if not has_any(text, group.forms[: group.own])]
        for stems, other in group.others.items():
            if any(has_any(text, [stems]) for text in lacking):
                asked = " ".join(group.asked)
                form = other.form
                expanded.setdefault(
                    (asked, other.name),
                    Expansion(
                        from_=asked,
                        to=other.name,
                        kind=other.kind,
                        since=form.first or None,
                        until=form.last or None,
                    ),
                )
    return list(expanded.values())
