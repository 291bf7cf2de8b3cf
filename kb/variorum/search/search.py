"""Answers searches with provisions, their places and their outcomes."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from variorum.answers.editions import EditionEntry
from variorum.answers.histories import names_today
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.files import Closing
from variorum.records.search import Expansion, Hit, SearchResult
from variorum.rows import examples_of, text_of
from variorum.rule_numbers import is_below, order_of
from variorum.search.index import Index, SearchIndexes, StemmedText
from variorum.search.misspelt import suggested_queries
from variorum.search.query import parse_query, words_of
from variorum.search.ranking import has_any, score, snippet
from variorum.search.story import is_foreign
from variorum.search.terms import Plan, Planner, Term
from variorum.words import ASKING, SILENT

DEFAULT_HITS = 10
# How many texts are examined closely. A search of all editions shows one reading of each lineage,
# so that it examines more.
_CLOSELY, _EVER_CLOSELY, _READINGS = 30, 70, 5
# A section of so few rules and subrules is answered by its first rule.
_SHORT_SECTION = 2
_ASKS = re.compile(
    r"(?:who|what|when|where|why|how|which|is|are|do|does|did|can|could|may|must|should|will|would|was"
    r"|were|am|if)(?![\w'’])|.*\?\s*$",
    re.IGNORECASE,
).match
# Of more words, those that only ask are not missed.
_FEW, _SILENT = 2, ASKING | SILENT


class SearchOptions(NamedTuple):
    """What to search for, as the user wrote it, and where.

    `on` designates an edition, by default that in force; `ever` means the wording of all. Hits are of these
    kinds, or any, and have the number `within` or stand below it.
    """

    query: str
    on: str | None = None
    ever: bool = False
    within: str = ""
    kinds: Sequence[str] = ()
    limit: int = DEFAULT_HITS


class _Ranked(NamedTuple):
    """A text that matches, by its place in the index, and its score."""

    score: float
    place: int


class Search(Closing):
    """Searches a knowledge base. Use it in a `with` statement, or close it."""

    def __init__(self, base: KnowledgeBase, notify: Callable[[str], None] = lambda _: None) -> None:
        """Prepare the search of an open base; `notify` is called with a line before an index is made."""
        self._base = base
        self._indexes = SearchIndexes(base, notify)
        self._path = cache(self._find_path)

    def close(self) -> None:
        """Close the files."""
        self._indexes.close()
        self._base.close()

    def is_about_nothing(self, options: SearchOptions) -> bool:
        """Return whether a query asks about something that is not in the rules."""
        if not (_ASKS(options.query) and words_of(parse_query(options.query))):
            return False
        edition = None if options.ever else self._base.edition(options.on or "current")
        return is_foreign(options.query, self._indexes.of(edition).knows)

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
        index = self._indexes.of(edition)
        plan = Planner(self._base, index).plan(part)
        is_about_nothing = self.is_about_nothing(options)
        wanted = None  # the states that may be shown, if not all
        if options.within or options.kinds:
            at = edition.place if edition else None
            wanted = self._base.texts.among(at, options.within, options.kinds)
        ranked, total = self._ranked(
            index, plan, () if is_about_nothing else plan.places, wanted, options
        )
        missing = [
            " ".join(term.asked)
            for term in plan.terms
            if not (term.weights or term.is_loose)
            and (len(words_of(part)) < _FEW or _SILENT.isdisjoint(term.asked))
        ]
        number = part.words[0] if part.kind.startswith("number") else ""
        if number and not ranked and edition:  # a former number
            return self.search(options._replace(on=None, ever=True))
        if number:  # its bearer, what is below it in order, what cites it
            weights, numbers = plan.terms[0].weights, index.columns.numbers
            ranked.sort(key=lambda each: (-weights[each.place], order_of(numbers[each.place])))
        shown = ranked[: options.limit]
        states = [self._state_of(index, each.place, number, wanted) for each in shown]
        self._base.states.of(states)
        if edition is not None:
            self._base.links.read(states, with_later=True)  # at once
        hits: list[Hit] = []
        for state, each in zip(states, shown, strict=True):
            same = [] if edition else self._with_these_words(index, plan, each.place)
            held = [other for other in same if wanted is None or other in wanted]
            hits.append(self._hit(state, edition, each.score, plan.terms, held))
        unknown = [] if is_about_nothing else missing
        return SearchResult(
            query=options.query,
            hits=hits,
            suggestions=suggested_queries(options.query, unknown, self._base, edition),
            expanded=_expanded(plan, [index.text(each.place) for each in shown]),
            missing=missing,
            total=total,
        )

    # Matching ------------------------------------------------------------------------------------

    def _ranked(
        self,
        index: Index,
        plan: Plan,
        places: Collection[int],
        wanted: Collection[int] | None,
        options: SearchOptions,
    ) -> tuple[list[_Ranked], int]:
        """Return the texts that match, best first, and how many there are."""
        columns = index.columns
        if wanted is not None:
            keys = {columns.key_of[state] for state in wanted} if options.ever else wanted
            places = [place for place in places if columns.keys[place] in keys]
        if not options.ever:
            return _best(index, plan.terms, places, max(options.limit, _CLOSELY)), len(places)
        ranked = _best(index, plan.terms, places, max(options.limit * _READINGS, _EVER_CLOSELY))
        of_line: dict[int, _Ranked] = {}
        # The latest of equally good readings of a lineage is shown.
        for each in sorted(ranked, key=lambda each: (-each.score, -each.place)):
            of_line.setdefault(columns.lines[columns.keys[each.place]], each)
        # If not all were ranked, the others may be readings of the same lineages.
        return [*of_line.values()], len(of_line) if len(ranked) == len(places) else len(places)

    def _state_of(
        self, index: Index, place: int, number: str, wanted: Collection[int] | None
    ) -> int:
        """Return the state to show for a text: of all editions, the latest, preferably with a number."""
        key = index.columns.keys[place]
        if not index.columns.key_of:
            return key
        states = [state for state in self._members[key] if wanted is None or state in wanted]
        rows, stood = self._base.states.of(states), self._base.texts.stood

        def worth(state: int) -> tuple[bool, bool, int, int]:
            printed = rows[state].number
            is_of = bool(number) and is_below(printed, number)
            return printed == number, is_of, stood([state])[-1][1], state

        return max(states, key=worth)

    @cached_property
    def _members(self) -> Mapping[int, list[int]]:
        """Return the ids of the states with each text, by its key."""
        return _places_of_each(self._indexes.of(None).columns.key_of)

    @cached_property
    def _of_line(self) -> Mapping[int, list[int]]:
        """Return the ids of the states of each lineage."""
        return _places_of_each(self._indexes.of(None).columns.lines)

    def _with_these_words(self, index: Index, plan: Plan, place: int) -> list[int]:
        """Return the states of a hit's text, and those of its lineage that have the same words of the query."""
        columns, text = index.columns, index.text(place)
        own = [term.forms[: term.own] for term in plan.terms if not term.is_asking]
        needed = [forms for forms in own if has_any(text, forms)]
        key = columns.keys[place]
        held: list[int] = []
        for state in sorted({*self._members[key], *self._of_line[columns.lines[key]]}):
            at = index.places[columns.key_of[state]]
            is_like = at in plan.places and all(has_any(index.text(at), it) for it in needed)
            held += [state] if at == place or is_like else []
        return held

    # Hits ----------------------------------------------------------------------------------------

    def _hit(
        self,
        state: int,
        edition: EditionEntry | None,
        points: float,
        terms: Sequence[Term],
        held: Sequence[int],
    ) -> Hit:
        """Return a state as a hit; without an edition, with the times of the states with the same words."""
        stood, labels = self._base.texts.stood, self._base.labels
        edition = edition or self._base.editions[stood([state])[-1][1]]
        row = self._base.states[state]
        text = "\n".join([text_of(row.body), *examples_of(row.body)]).strip()
        now, last = names_today(self._base.at(state, edition.place))
        return Hit(
            edition=edition.label,
            doubts=list(edition.doubts),
            number=None if row.kind == "glossary" else row.address,
            kind=row.kind,
            heading=row.heading,
            text=text,
            snippet=snippet(text or row.heading, terms),
            score=round(points, 3),
            now=now,
            last=last,
            path=self._path(edition.place, row.parent),
            stood=[[labels[first], labels[last]] for first, last in stood(held)],
        )

    def _find_path(self, place: int, parent: str) -> list[str]:
        above = self._base.at_address(parent, place) if parent else None
        if above is None:
            return []
        title = f"{above.address}. {above.heading}" if above.heading else above.address
        return [*self._path(place, above.parent), title]


def _best(index: Index, terms: Sequence[Term], places: Collection[int], most: int) -> list[_Ranked]:
    """Return the texts that match a query best; those with its rarest words are examined closely."""
    if len(places) > most:
        total = sum([term.tells for term in terms]) or 1.0
        points, covered = dict.fromkeys(places, 0.0), dict.fromkeys(places, 0.0)
        for term in terms:
            for place, much in term.weights.items():
                if place in points:
                    points[place] += term.tells * much
                    covered[place] += term.tells
        rough = {place: much * covered[place] / total for place, much in points.items()}
        places = sorted(rough, key=lambda place: (-rough[place], place))[:most]
    kinds, cited, numbers = index.columns.kinds, index.columns.cited, index.columns.numbers
    ranked = [
        _Ranked(score(terms, place, kinds[place], cited[place], index.text(place)), place)
        for place in places
    ]
    ranked.sort(key=lambda each: (-each.score, each.place))
    if ranked and kinds[ranked[0].place] == "section" and not index.columns.key_of:
        section = ranked[0].place
        below = [at for at, number in enumerate(numbers) if is_below(number, numbers[section])][1:]
        first = next((each for each in ranked if [each.place] == below[:1]), None)
        if first and len(below) <= _SHORT_SECTION:
            ranked = [first, *[each for each in ranked if each is not first]]
    return ranked


def _places_of_each(numbers: Sequence[int]) -> Mapping[int, list[int]]:
    places: defaultdict[int, list[int]] = defaultdict(list)
    for place, number in enumerate(numbers):
        places[number].append(place)
    return places


def _expanded(plan: Plan, texts: Sequence[StemmedText]) -> list[Expansion]:
    """Return the other words that some hits have instead of the user's words."""
    expanded: dict[tuple[str, str], Expansion] = {}
    for term in plan.terms:
        asked = " ".join(term.asked)
        lacking = [text for text in texts if not has_any(text, term.forms[: term.own])]
        for stems, other in term.others.items():
            if any(has_any(text, [stems]) for text in lacking):
                ends = other.first or None, other.last or None
                expansion = Expansion(asked, other.name, other.kind, *ends)
                expanded.setdefault((asked, other.name), expansion)
    return list(expanded.values())
