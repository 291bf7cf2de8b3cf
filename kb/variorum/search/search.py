"""Answers searches with provisions, their places and their outcomes."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec

from variorum.answers.histories import names_today
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.stored import stood
from variorum.cards.finder import find_cards
from variorum.cards.store import Cards
from variorum.files import Closing
from variorum.records.search import Expansion, Hit, Passages, SearchResult
from variorum.rows import EditionRow, full_text
from variorum.rule_numbers import is_below, order_of
from variorum.search.index import SILENT_STEMS, Index
from variorum.search.indexes import SearchIndexes
from variorum.search.query import parse_query, words_of
from variorum.search.ranking import MARK, counts_of, has_any, score, snippet
from variorum.search.story import SAYING_LITTLE, SENTENCE, is_foreign
from variorum.search.terms import Plan, Planner, Term
from variorum.search.vocabulary import stems_of
from variorum.text import fold, placed_words, plain_words
from variorum.words import stem_of

DEFAULT_HITS, MOST_PASSAGES = 10, 5
# How many texts are examined closely; of more words, those that only ask are not missed.
_CLOSELY, _FEW = 30, 2
_ASKS = re.compile(
    r"(?:who|what|when|where|why|how|which|is|are|do|does|did|can|could|may|must|should|will|would|was"
    r"|were|am|if)(?![\w'’])|.*\?\s*$",
    re.IGNORECASE,
).match
# A question with more words tells a story; one with no more than a few does not, even if it names a card.
_LONG, _SHORT = 22, 4
# The least likeness of an unknown word to one that may be meant, and how far others may be behind.
_ALIKE, _NEARLY, _MOST_MEANT, _SHORTEST = 0.7, 0.05, 3, 3


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


class Search(Closing):
    """Searches a knowledge base, with the cards beside it if there are any. Use it in a `with` statement, or close it."""

    def __init__(self, base: KnowledgeBase, notify: Callable[[str], None] = lambda _: None) -> None:
        """Prepare the search of an open base; `notify` is called with a line before an index is made."""
        self._base, self._indexes = base, SearchIndexes(base, notify)

    def close(self) -> None:
        """Close the indexes, but not the base."""
        self._indexes.close()

    @cached_property
    def _cards(self) -> Cards | None:
        return Cards.open(self._base.folder)

    def is_story(self, question: str) -> bool:
        """Return whether a question tells of an event: in several sentences, at length, or of cards."""
        count = len(plain_words(question))
        if count > _LONG or SENTENCE.search(question.strip()):
            return True
        cards = self._cards if count > _SHORT else None
        return cards is not None and bool(find_cards(question, cards))

    def is_about_nothing(self, options: SearchOptions) -> bool:
        """Return whether a query asks about something that is not in the rules."""
        is_asked = bool(_ASKS(options.query) and words_of(parse_query(options.query)))
        index = self._indexes.of(self._edition(options))
        return is_asked and is_foreign(options.query, index.knows)

    def _edition(self, options: SearchOptions) -> EditionRow | None:
        return None if options.ever else self._base.edition(options.on or "current")

    def ask(self, question: str, on: str | None = None, limit: int = MOST_PASSAGES) -> Passages:
        """Return the passages that answer a question best; without a designator, in the edition in force."""
        from variorum.search.ask import answered  # noqa: PLC0415 - few searches need it

        rules = self._indexes.rules(self._base.edition(on or "current"))
        answer = answered(question, self._base, rules, self._cards, limit)
        cards, knows = " ".join([it.written.lower() for it in answer.cards]), rules.index.knows
        words = [it for it in placed_words(question) if not question[it.start].isupper()]
        unknown = [it.word for it in words if not (it.word in cards or knows(stem_of(it.word)))]
        suggested = self._suggested(question, unknown, rules.index)
        return msgspec.structs.replace(answer, suggestions=suggested)

    def search(self, options: SearchOptions) -> SearchResult:
        """Return the hits of a query, in the form of `cr search --json`."""
        query, within, kinds = options.query, options.within, options.kinds
        part, edition = parse_query(query), self._edition(options)
        if edition and within:
            self._base.show(within, edition)
        index = self._indexes.of(edition)
        columns, planner = index.columns, Planner(self._base, index, is_literal=edition is None)
        plan = planner.plan(part)
        missing = [
            " ".join(term.asked)
            for term in plan.terms
            if not (term.weights or term.is_loose)
            and (len(words_of(part)) < _FEW or SAYING_LITTLE.isdisjoint(term.asked))
        ]
        is_about_nothing = self.is_about_nothing(options)
        is_told = any(it.weights and not SAYING_LITTLE.issuperset(it.asked) for it in plan.terms)
        places = () if is_about_nothing or (missing and not is_told) else plan.places

        def is_wanted(place: int) -> bool:
            is_kind = not kinds or columns.kinds[place] in kinds
            return is_kind and (not within or is_below(columns.numbers[place], within))

        likest = _likest(index, plan.terms, {*filter(is_wanted, places)})
        number = part.words[0] if part.kind.startswith("number") else ""
        if number and not likest and edition:  # a former number
            return self.search(options._replace(on=None, ever=True))
        closely = likest[: max(options.limit, _CLOSELY)]
        ranked = sorted([(-score(plan.terms, index, place), place) for place in closely])
        if number:  # its bearer, what is below it in order, what cites it
            weights = plan.terms[0].weights
            ranked.sort(key=lambda each: (-weights[each[1]], order_of(columns.numbers[each[1]])))
        shown = ranked[: options.limit]
        keys = [columns.keys[place] for _, place in shown]
        self._base.states.of(keys)
        if edition:
            self._base.links.read(keys, with_later=True)  # at once
        hits: list[Hit] = []
        for points, place in shown:
            held = [] if edition else self._with_these_words(index, plan, place)
            wanted = [columns.keys[at] for at in filter(is_wanted, held)]
            hits.append(self._hit(columns.keys[place], edition, -points, plan.terms, wanted))
        suggested = self._suggested(query, missing, index)
        if is_about_nothing:  # but for words that are mistyped
            suggested = [it for it in suggested if {*missing}.isdisjoint(plain_words(it))]
        expanded = _expanded(plan, index, [place for _, place in shown])
        return SearchResult(query, hits, suggested, expanded, missing, len(likest))

    # Hits ----------------------------------------------------------------------------------------

    def _with_these_words(self, index: Index, plan: Plan, place: int) -> list[int]:
        """Return the places of a text's lineage that have all its words, or as many of the query's together."""
        text, places = index.text(place), self._places_of_lines[index.columns.lines[place]]
        own = [term.forms[: term.own] for term in plan.terms if not term.is_asking]
        needed = [forms for forms in own if has_any(text, forms)]
        least = counts_of(text, needed)
        return [
            at
            for at in places
            if (index.text(at).heading, index.text(at).stems) == (text.heading, text.stems)
            or (at in plan.places and counts_of(index.text(at), needed) >= least)
        ]

    @cached_property
    def _places_of_lines(self) -> Mapping[int, list[int]]:
        """Return the places of each lineage's texts in the index of all editions."""
        places: defaultdict[int, list[int]] = defaultdict(list)
        for place, line in enumerate(self._indexes.of(None).columns.lines):
            places[line].append(place)
        return places

    def _hit(
        self,
        state: int,
        edition: EditionRow | None,
        points: float,
        terms: Sequence[Term],
        held: Sequence[int],
    ) -> Hit:
        """Return a state as a hit; without an edition, the newest with the same words, and their times."""
        labels = self._base.labels
        state = max([state, *held], key=lambda it: stood(self._base, [it])[-1][1])
        edition = edition or self._base.editions[stood(self._base, [state])[-1][1]]
        row, subject = self._base.states[state], self._base.at(state, edition.place)
        text, words = full_text(row.body), snippet(full_text(row.body) or row.heading, terms)
        shown = fold(words.replace(MARK, ""))
        quoted = [it for it in held if shown in fold(full_text(self._base.states[it].body))]
        since = next((labels[first] for first, _ in stood(self._base, quoted)), None)
        firsts = [(stood(self._base, [it])[0][0], it) for it in held or [state]]
        (began, oldest), (now, last) = min(firsts), names_today(subject)
        return Hit(
            edition=edition.label,
            doubts=edition.doubts.splitlines(),
            number=None if row.kind == "glossary" else row.address,
            kind=row.kind,
            heading=row.heading,
            text=text,
            snippet=words,
            score=round(points, 3),
            now=now,
            last=last,
            path=[". ".join(filter(None, (it.address, it.heading))) for it in subject.path()],
            stood=[[labels[first], labels[last]] for first, last in stood(self._base, held)],
            since=since,
            confidence=round(self._base.at(oldest, began).destination().confidence, 4),
        )

    def _suggested(self, query: str, missing: Sequence[str], index: Index) -> list[str]:
        wanted = [it for it in missing if len(it) >= _SHORTEST and it.replace("'", "").isalpha()]
        counts: Counter[str] = Counter()
        for it in self._base.states.of(index.columns.keys if wanted else ()).values():
            counts.update(plain_words(f"{it.heading}\n{full_text(it.body)}"))
        known = [word for word in counts if word.isalpha() and len(word) >= _SHORTEST]
        queries = [query]
        # Only the first misspelt word has several replacements.
        for word in wanted:
            if meant := _corrections(word, known, counts):
                some = meant if len(queries) == 1 and queries[0] == query else meant[:1]
                typed = re.compile(re.escape(word).replace("'", "['’]"), re.IGNORECASE)
                queries = [typed.sub(other, each, 1) for each in queries for other in some]
        return [] if queries == [query] else queries


def _likest(index: Index, terms: Sequence[Term], places: set[int]) -> list[int]:
    """Return the texts that match a query, one of each lineage, those with its rarest words first."""
    total = sum([term.tells for term in terms]) or 1.0
    points, covered = dict.fromkeys(places, 0.0), dict.fromkeys(places, 0.0)
    for term in terms:
        for place, much in term.weights.items():
            if place in points:
                points[place] += term.tells * much
                covered[place] += term.tells
    rough = {place: much * covered[place] / total for place, much in points.items()}
    of_line: dict[int, int] = {}
    for place in sorted(places):
        likest = of_line.setdefault(index.columns.lines[place], place)
        if rough[place] >= rough[likest]:  # of equals, the latest
            of_line[index.columns.lines[place]] = place
    return sorted(of_line.values(), key=lambda place: (-rough[place], place))


def _expanded(plan: Plan, index: Index, places: Sequence[int]) -> list[Expansion]:
    """Return the other words that some hits have instead of the user's, and that say more."""
    expanded: dict[tuple[str, str], Expansion] = {}
    texts = list(map(index.text, places))
    said = SILENT_STEMS.union(*[stems_of(term.asked) for term in plan.terms])
    for term in plan.terms:
        asked = " ".join(term.asked)
        lacking = [text for text in texts if not has_any(text, term.forms[: term.own])]
        for stems, other in term.others.items():
            if not said.issuperset(stems) and any(has_any(text, [stems]) for text in lacking):
                ends = [day or None for day in (other.first, other.last, other.until)]
                expansion = Expansion(asked, other.name, other.kind, *ends)
                expanded.setdefault((asked, other.name), expansion)
    return list(expanded.values())


def _corrections(word: str, known: Sequence[str], counts: Mapping[str, int]) -> list[str]:
    """Return corrections of a word that no text has, each stem once, likeliest first."""
    from rapidfuzz import process  # noqa: PLC0415 - few searches need it
    from rapidfuzz.distance import DamerauLevenshtein  # noqa: PLC0415 - likewise

    like = DamerauLevenshtein.normalized_similarity
    found = process.extract(word, known, scorer=like, score_cutoff=_ALIKE, limit=40)
    ranked = sorted((-near, form[0] != word[0], -counts[form], form) for form, near, _ in found)
    forms: dict[str, str] = {}
    for near, *_, form in ranked:
        if near <= ranked[0][0] + _NEARLY:
            forms.setdefault(stem_of(form), form)
    return list(forms.values())[:_MOST_MEANT]
