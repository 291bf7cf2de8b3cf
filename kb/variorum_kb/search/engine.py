"""From a query to the documents that answer it, best first."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.search.base_indexes import Kept
from variorum_kb.search.plan import Plan, Planner
from variorum_kb.search.query import Part
from variorum_kb.search.query_groups import Group, Grouping, Numbered
from variorum_kb.search.rank import IndexedText, document_of, score, stands_in
from variorum_kb.search.vocabulary import Other, Vocabulary
from variorum_kb.text.search_words import plain_words

# How many documents are looked at closely.
_CLOSELY = 30


class Hit(NamedTuple):
    """A document that answers a query, and its score."""

    key: int
    score: float


class Ranked(NamedTuple):
    """The best matching documents, and how many match in all."""

    best: list[Hit]
    total: int


class Searcher:
    """Plans and ranks queries on one index."""

    def __init__(self, kept: Kept, base: KnowledgeBase) -> None:
        self.kept = kept
        self._base = base
        self.vocabulary = Vocabulary.load(kept.folder)
        self.grouping = Grouping(kept, self.vocabulary)
        self._documents: dict[int, IndexedText] = {}
        self._printed: dict[int, list[str]] = {}
        self._planner = Planner(self.grouping, self._everything, self._prints)

    def plan(self, part: Part, numbered: Numbered | None = None) -> Plan:
        """Return the plan of a query on this index.

        Args:
            part: The query.
            numbered: Gives the numbers that begin so, with the places of those that bear them; by
                default those that the index knows.
        """
        return self._planner.plan(part, numbered or self.kept.index.numbered)

    def rank(
        self, plan: Plan, allowed: Callable[[int], bool] | None, most: int, closely: int = _CLOSELY
    ) -> Ranked:
        """Return the documents that answer a query, best first.

        Args:
            plan: What is asked.
            allowed: Returns whether a key may answer; None if any may.
            most: How many are wanted.
            closely: How many, at least, are examined closely.
        """
        rough = self._rough(plan)
        key = self.kept.index.key
        places = list(rough)
        if allowed is not None:
            keys = self.kept.index.keys
            places = [place for place in places if allowed(keys[place])]
        near = [(place, key(place)) for place in self._best(places, rough, max(closely, most))]
        self._load(near)
        groups = plan.groups
        scored = [
            Hit(
                key,
                score(
                    groups,
                    [group.weights.get(place, 0.0) for group in groups],
                    self._documents[key],
                ),
            )
            for place, key in near
        ]
        scored.sort(key=lambda hit: (-hit.score, hit.key))
        return Ranked(scored, len(places))

    def _best(self, places: list[int], rough: Mapping[int, float], most: int) -> list[int]:
        """Return the best places; among equal ones, those with the lowest keys.

        Places change when an index is amended, keys do not; asking for all keys takes long.
        """
        places.sort(key=lambda place: -rough[place])
        if len(places) <= most or rough[places[most - 1]] != rough[places[most]]:
            return places[:most]
        worst = rough[places[most]]
        better = [place for place in places[:most] if rough[place] > worst]
        equal = [place for place in places if rough[place] == worst]
        equal.sort(key=self.kept.index.key)
        return better + equal[: most - len(better)]

    def printed(self, key: int) -> list[str]:
        """Return the words of a text, its heading first and its examples last."""
        known = self._printed.get(key)
        if known is None:
            body = self._base.texts.bodies([key])[key]
            text = f"{body.heading}\n{body.text}\n{body.examples}"
            known = self._printed[key] = plain_words(text)
        return known

    def others(self, group: Group, keys: Sequence[int]) -> list[Other]:
        """Return the other words of a group that found documents without its own words."""
        documents = [self._documents[key] for key in keys if key in self._documents]
        own = group.stems[: group.own]
        lacking = [
            document
            for document in documents
            if not any(stands_in(document, words) for words in own)
        ]
        return [
            spelling
            for stems, spelling in group.others.items()
            if any(stands_in(document, stems) for document in lacking)
        ]

    def holding(self, plan: Plan, answering: int, others: Mapping[int, int]) -> list[int]:
        """Return the keys of texts that have the same words of a query as one that answers it.

        Args:
            plan: Of the query.
            answering: The key of the text that answers.
            others: The keys of the texts to choose from, that one among them, with their places.
        """
        groups = [group for group in plan.groups if not group.is_asking]
        self._load((place, key) for key, place in others.items())
        held = [
            (group, _forms_in(self._documents[answering], group))
            for group in groups
            if group.is_spread or others[answering] in group.weights
        ]
        return [
            key
            for key, place in others.items()
            if place in plan.places
            and all(
                (group.is_spread or place in group.weights)
                and (not forms or _has_any(self._documents[key], forms))
                for group, forms in held
            )
        ]

    def _rough(self, plan: Plan) -> dict[int, float]:
        whole = sum([group.tells for group in plan.groups]) or 1.0
        points = dict.fromkeys(plan.places, 0.0)
        covered = dict.fromkeys(plan.places, 0.0)
        for group in plan.groups:
            tells, weights = group.tells, group.weights
            places = plan.places if len(plan.places) < len(weights) else weights
            for place in places:
                if place in points and place in weights:
                    points[place] += tells * weights[place]
                    covered[place] += tells
        return {place: much * covered[place] / whole for place, much in points.items()}

    def _everything(self) -> frozenset[int]:
        return frozenset(self.kept.index.keys)

    def _prints(self, place: int, words: Sequence[str]) -> bool:
        key = self.kept.index.key(place)
        printed = self.printed(key)
        first, length = words[0], len(words)
        return any(
            printed[at : at + length] == list(words)
            for at, word in enumerate(printed)
            if word == first
        )

    def _load(self, near: Iterable[tuple[int, int]]) -> None:
        missing = {key: place for place, key in near if key not in self._documents}
        for key, body in self._base.texts.bodies(list(missing)).items():
            place = missing[key]
            self._documents[key] = document_of(
                body, self.kept.index.under(place), self.kept.index.cited(place)
            )


def _forms_in(document: IndexedText, group: Group) -> list[tuple[str, ...]]:
    """Return the forms of a group that a text has: the user's own words, else other words."""
    own = group.stems[: group.own]
    if _has_any(document, own):
        return own
    return group.stems if _has_any(document, group.stems) else []


def _has_any(document: IndexedText, forms: Sequence[tuple[str, ...]]) -> bool:
    return any(stands_in(document, stems) for stems in forms)
