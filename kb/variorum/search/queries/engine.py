"""Finds the documents that match a query, best first."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.search.indexes.current_indexes import Kept
from variorum.search.indexes.text_table import IndexedText
from variorum.search.queries.likeliest import likeliest
from variorum.search.queries.plan import Plan, Planner
from variorum.search.queries.query import Part
from variorum.search.queries.query_groups import Group, Grouping, Numbered
from variorum.search.queries.rank import score, sought_words, stands_in
from variorum.search.queries.vocabulary import Other, Vocabulary
from variorum.text import plain_words

# How many documents are examined closely.
_CLOSELY = 30


class Hit(NamedTuple):
    """A document that matches a query, and its score."""

    key: int
    score: float
    text: IndexedText


class Ranked(NamedTuple):
    """The best matching documents, and the number of all that match."""

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
            numbered: Returns the numbers with a prefix and the places of their bearers; by default
                from the index.
        """
        return self._planner.plan(part, numbered or self.kept.index.numbered)

    def rank(
        self,
        plan: Plan,
        allowed: AbstractSet[int] | None,
        most: int,
        closely: int = _CLOSELY,
    ) -> Ranked:
        """Return the documents that match a query, best first.

        Args:
            plan: The plan of the query.
            allowed: The places of documents that may be hits; None for all.
            most: The most documents to return.
            closely: The fewest documents to examine closely.
        """
        key = self.kept.index.key
        places = plan.places if allowed is None else plan.places & allowed
        groups = plan.groups
        scored: list[Hit] = []
        for place in likeliest(groups, places, max(closely, most), key):
            document = self._document(key(place), place)
            points = [group.weights.get(place, 0.0) for group in groups]
            rating = score(sought_words(groups, document.alphabet), points, document)
            scored.append(Hit(key(place), rating, document))
        scored.sort(key=lambda hit: (-hit.score, hit.key))
        return Ranked(scored, len(places))

    def _document(self, key: int, place: int) -> IndexedText:
        """Return a text by its key and its place in the index."""
        known = self._documents.get(key)
        if known is None:
            known = self._documents[key] = self.kept.index.text(place)
        return known

    def printed(self, key: int) -> list[str]:
        """Return the words of a text, its heading first and its examples last."""
        known = self._printed.get(key)
        if known is None:
            body = self._base.texts.bodies([key])[key]
            text = f"{body.heading}\n{body.text}\n{body.examples}"
            known = self._printed[key] = plain_words(text)
        return known

    def others(self, group: Group, documents: Sequence[IndexedText]) -> list[Other]:
        """Return the other words of a group that documents have instead of the user's words."""
        own = group.stems[: group.own]
        lacking = [document for document in documents if not _has_any(document, own)]
        return [
            spelling
            for stems, spelling in group.others.items()
            if any(stands_in(document, stems) for document in lacking)
        ]

    def holding(self, plan: Plan, answering: int, others: Mapping[int, int]) -> list[int]:
        """Return the keys of the texts that match a query by the same words as a hit does.

        Args:
            plan: The plan of the query.
            answering: The key of the hit's text.
            others: The texts to choose from, the hit included: their places by their keys.
        """
        groups = [group for group in plan.groups if not group.is_asking]
        document = self._document(answering, others[answering])
        held = [
            (group, _forms_in(document, group))
            for group in groups
            if group.is_spread or others[answering] in group.weights
        ]
        return [
            key
            for key, place in others.items()
            if place in plan.places
            and all(
                (group.is_spread or place in group.weights)
                and (not forms or _has_any(self._document(key, place), forms))
                for group, forms in held
            )
        ]

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


def _forms_in(document: IndexedText, group: Group) -> list[tuple[str, ...]]:
    """Return the forms of a group that a text has: the user's words, else other words."""
    own = group.stems[: group.own]
    if _has_any(document, own):
        return own
    return group.stems if _has_any(document, group.stems) else []


def _has_any(document: IndexedText, forms: Sequence[tuple[str, ...]]) -> bool:
    return any(stands_in(document, stems) for stems in forms)
