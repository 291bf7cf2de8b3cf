"""Plans queries: chooses the documents that match, and the words that rank them."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from variorum.search.queries.query import All, Either, Not, Number, Part, Phrase, Plain, Prefix
from variorum.search.queries.query_groups import Group, Grouping, Numbered


class Plan(NamedTuple):
    """The documents that match a query, and the words that rank them.

    Attributes:
        places: The places of the documents that match.
        groups: The groups of words that rank them, in the order of the query.
    """

    places: frozenset[int]
    groups: tuple[Group, ...]


class Planner:
    """Makes plans of queries."""

    def __init__(
        self,
        grouping: Grouping,
        everything: Callable[[], frozenset[int]],
        prints: Callable[[int, Sequence[str]], bool],
    ) -> None:
        """Prepare for an index.

        Args:
            grouping: Makes the groups of words in the index.
            everything: Returns the places of all documents.
            prints: Returns whether a document has some words in a row.
        """
        self._grouping = grouping
        self._everything = everything
        self._prints = prints

    def plan(self, part: Part, numbered: Numbered) -> Plan:
        """Return the plan of a part of a query.

        Args:
            part: The part.
            numbered: Returns the numbers with a prefix, with the places of their bearers.
        """
        match part:
            case All(parts, is_strict):
                return self._all(parts, numbered, is_strict=is_strict)
            case Either(parts):
                plans = [self.plan(part, numbered) for part in parts]
                return _plan(_union([plan.places for plan in plans]), plans)
            case Not(negated):
                return Plan(self._everything() - self.plan(negated, numbered).places, ())
            case Plain(word):
                return self._run([word], is_strict=True)
            case Phrase():
                return self._phrase(part, numbered)
            case Prefix() | Number():
                group = self._grouping.of_part(part, numbered)
                return Plan(frozenset(group.weights), (group,))

    def _phrase(self, phrase: Phrase, numbered: Numbered) -> Plan:
        """Return the plan of a phrase: documents with its words in a row, else other wordings."""
        group = self._grouping.of_part(phrase, numbered)
        self._keep_printed(group, [phrase.words])
        if not group.weights:
            group = self._grouping.of_other_phrases(phrase)
            self._keep_printed(group, [tuple(spelling.words) for spelling in group.others.values()])
        return Plan(frozenset(group.weights), (group,))

    def _keep_printed(self, group: Group, phrases: Sequence[tuple[str, ...]]) -> None:
        """Keep only the documents that print at least one of the phrases."""
        group.weights = {
            place: weight
            for place, weight in group.weights.items()
            if any(self._prints(place, words) for words in phrases)
        }

    def _all(self, parts: Sequence[Part], numbered: Numbered, *, is_strict: bool) -> Plan:
        plans: list[Plan] = []
        soft: list[Plan] = []
        banned: frozenset[int] = frozenset()
        for kind, some in groupby(parts, key=type):
            if kind is Plain:
                words = [part.word for part in some if isinstance(part, Plain)]
                plans.append(self._run(words, is_strict=is_strict))
                soft.append(plans[-1])
                continue
            for part in some:
                if isinstance(part, Not):
                    banned |= self.plan(part.part, numbered).places
                    continue
                plans.append(self.plan(part, numbered))
                if isinstance(part, Number | Prefix):
                    soft.append(plans[-1])
        hard = plans if is_strict else [plan for plan in plans if plan not in soft]
        if hard:
            places = _common([plan.places for plan in hard])
        elif soft:
            places = soft[0].places if len(soft) == 1 else _union([plan.places for plan in soft])
        else:
            places = self._everything()
        return _plan(places - banned if banned else places, plans)

    def _run(self, words: Sequence[str], *, is_strict: bool) -> Plan:
        groups = self._grouping.of_run(words, is_strict=is_strict)
        asked = [group for group in groups if not group.is_loose]
        if is_strict:
            return Plan(_common([frozenset(group.weights) for group in asked]), tuple(groups))
        telling = [group for group in groups if not group.is_asking and group.weights]
        chosen = telling or groups  # no chosen group is spread
        return Plan(_union([group.weights for group in chosen]), tuple(groups))


def _union(sets: Sequence[Iterable[int]]) -> frozenset[int]:
    nothing: frozenset[int] = frozenset()
    return nothing.union(*sets)


def _common(sets: Sequence[frozenset[int]]) -> frozenset[int]:
    first, *others = sets
    return first.intersection(*others)


def _plan(places: frozenset[int], plans: Sequence[Plan]) -> Plan:
    return Plan(places, tuple([group for plan in plans for group in plan.groups]))
