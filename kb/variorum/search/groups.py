"""A query as weighted sets of texts: which of them match, and which words rank them."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from math import log

from variorum.rule_numbers import is_below
from variorum.search.index import Index
from variorum.search.query import All, Either, Not, Number, Part, Phrase, Plain, Prefix
from variorum.search.vocabulary import PLAYERS, OtherWords, Stems
from variorum.words import ASKING, stem_of

# The weights, relative to a word, of words that only ask; of derived words; of each word of a
# name; of a number beside words, whose rule users want most; of each further word of a name; of a
# word in no heading; and of what a phrase of players stands for beside its own words.
_ASKING, _RELATIVE, _LOOSE, _NUMBER, _LONGER, _NO_TERM, _ADDED = 0.12, 0.5, 0.3, 3.0, 0.4, 0.7, 1.0
# Rarer words do not weigh more.
_RAREST = 6.0
# The weights of provisions that have a number, are below it, or cite it.
_BEARER, _BELOW, _NAMING = 1.0, 0.8, 0.6

Weights = dict[int, float]


class Group:
    """A word, phrase, prefix or number of a query, or words that form a name.

    Attributes:
        asked: Its words, as in the query.
        weights: Its weight, from 0 to 1, in each text that has it.
        forms: Sequences of stems, each of which stands for it in a text.
        own: How many of the first forms are the user's words.
        others: Other words for it, by their stems.
        tells: Its importance among the groups of the query; rare ones matter more.
        is_asking: Whether it only phrases a question, such as "how" or "when".
        is_loose: Whether it is a word of a name; the whole name is another group.
        is_spread: Whether it is so common that it is looked for only in texts examined closely.
    """

    def __init__(
        self, asked: Sequence[str], forms: Iterable[Stems], weights: Weights | None = None
    ) -> None:
        self.asked = tuple(asked)
        self.forms = list(forms)
        self.own = len(self.forms)
        self.weights: Weights = {} if weights is None else weights
        self.others: dict[Stems, OtherWords] = {}
        self.tells = 0.0
        self.is_asking = self.is_loose = self.is_spread = False


class Plan:
    """The texts that match a query, and the groups of words that rank them, in its order."""

    def __init__(self, places: Iterable[int], groups: Iterable[Group] = ()) -> None:
        self.places = frozenset(places)
        self.groups = tuple(groups)


class Planner:
    """Plans queries on an index."""

    def __init__(
        self,
        index: Index,
        prints: Callable[[int, Sequence[str]], bool],
        numbered: Callable[[str], Iterable[tuple[int, str]]],
    ) -> None:
        """Prepare for an index.

        Args:
            index: The index.
            prints: Returns whether the text at a place has some words in a row.
            numbered: Returns the places of texts whose numbers have a prefix, with these numbers.
        """
        self._index, self._vocabulary = index, index.vocabulary
        self._prints, self._numbered_texts = prints, numbered

    # Which texts match ---------------------------------------------------------------------------

    def plan(self, part: Part) -> Plan:
        """Return the plan of a part of a query."""
        match part:
            case All(parts, is_strict):
                return self._all(parts, is_strict=is_strict)
            case Either(parts):
                plans = list(map(self.plan, parts))
                return _joined(frozenset().union(*[plan.places for plan in plans]), plans)
            case Not(negated):
                return Plan(self._everything() - self.plan(negated).places)
            case Plain(word):
                return self._run([word], is_strict=True)
            case Phrase(words):
                return self._phrase(words)
            case Prefix(letters):
                stems = sorted(self._index.beginning(letters))
                group = Group((f"{letters}*",), [(stem,) for stem in stems])
                for stem in stems:
                    _add(group.weights, self._index.weights(stem))
                return self._only(group, 1.0)
            case Number():
                return self._only(self._numbered(part), _NUMBER)

    def _only(self, group: Group, factor: float) -> Plan:
        self._weigh(group, factor)
        return Plan(group.weights, [group])

    def _everything(self) -> frozenset[int]:
        return frozenset(range(len(self._index)))

    def _all(self, parts: Sequence[Part], *, is_strict: bool) -> Plan:
        hard, soft, plans = list[Plan](), list[Plan](), list[Plan]()
        banned: frozenset[int] = frozenset()
        for kind, some in groupby(parts, key=type):
            if kind is Plain:
                words = [part.word for part in some if isinstance(part, Plain)]
                plans.append(self._run(words, is_strict=is_strict))
                (hard if is_strict else soft).append(plans[-1])
                continue
            for part in some:
                if isinstance(part, Not):
                    banned |= self.plan(part.part).places
                    continue
                plans.append(self.plan(part))
                is_soft = isinstance(part, Number | Prefix) and not is_strict
                (soft if is_soft else hard).append(plans[-1])
        if hard:
            places = frozenset.intersection(*[plan.places for plan in hard])
        elif soft:
            places = frozenset().union(*[plan.places for plan in soft])
        else:
            places = self._everything()
        return _joined(places - banned, plans)

    def _run(self, words: Sequence[str], *, is_strict: bool) -> Plan:
        """Return the plan of adjacent words: texts with all of them, or with any that tell something."""
        groups = self._groups(words, is_strict=is_strict)
        if is_strict:
            asked = [frozenset(group.weights) for group in groups if not group.is_loose]
            return Plan(frozenset.intersection(*asked), groups)
        telling = [group for group in groups if not group.is_asking and group.weights]
        return Plan(frozenset().union(*[group.weights for group in telling or groups]), groups)

    def _phrase(self, words: tuple[str, ...]) -> Plan:
        """Return the plan of a phrase: texts with its words in a row, else with other wordings of it."""
        group = Group(words, [_stems(words)])
        group.weights = self._printing(words)
        if not group.weights:
            group.forms, group.own = [], 0
            for named in self._vocabulary.find(_stems(words)):
                for other in named.others:
                    spelling = (*words[: named.start], *other.words, *words[named.stop :])
                    group.others.setdefault(_stems(spelling), other._replace(words=spelling))
                    more = self._printing(spelling)
                    _add(group.weights, more, other.weight)
            group.forms = list(group.others)
        return self._only(group, 1 + _LONGER * (len(words) - 1))

    def _printing(self, words: Sequence[str]) -> Weights:
        having = self._having(_stems(words))
        return {place: much for place, much in having.items() if self._prints(place, words)}

    # Which words rank them -----------------------------------------------------------------------

    def _groups(self, words: Sequence[str], *, is_strict: bool) -> list[Group]:
        """Return the groups of adjacent words; unless all are needed, common ones may be spread."""
        index, stems = self._index, _stems(words)
        may_spread = not is_strict and any(map(self.is_telling, words))
        named = {phrase.start: phrase for phrase in self._vocabulary.find(stems)}
        groups: list[Group] = []
        place = 0
        while place < len(words):
            phrase = named.get(place)
            stop, others = (phrase.stop, phrase.others) if phrase else (place + 1, [])
            adds = not is_strict and bool(others) and all(o.kind == PLAYERS for o in others)
            if may_spread and not others and index.is_common(stems[place]):
                group = Group(words[place:stop], [stems[place:stop]])
                group.is_spread = True
                group.is_asking = words[place] in ASKING
                self._weigh(group, _ASKING if group.is_asking else 1.0)
                groups.append(group)
            elif adds and stop - place > 1:
                # What players say may mean something else here, so that its own words count as ever.
                groups.append(self._group(words[place:stop], others, _ADDED))
                for at in range(place, stop):
                    groups += self._groups(words[at : at + 1], is_strict=False)
                    groups[-1].is_loose = True
            else:
                groups.append(self._group(words[place:stop], others))
                for at in range(place, stop) if stop - place > 1 else ():
                    loose = self._group(words[at : at + 1], [], _LOOSE)
                    loose.is_loose = True
                    groups.append(loose)
            place = stop
        return groups

    def is_telling(self, word: str) -> bool:
        """Return whether a word of a query occurs, but not everywhere, and does not only ask."""
        stem = stem_of(word)
        return (
            word not in ASKING
            and self._index.frequency(stem) > 0
            and not self._index.is_common(stem)
        )

    def _group(
        self, words: Sequence[str], others: Iterable[OtherWords], factor: float = 1.0
    ) -> Group:
        group = Group(words, [_stems(words)])
        group.is_asking = len(words) == 1 and words[0] in ASKING
        own = self._having(group.forms[0])
        group.weights = dict(own)
        for other in others:
            stems = _stems(other.words)
            there = self._having(stems)
            if there and stems not in group.others and stems != group.forms[0]:
                group.forms.append(stems)
                group.others[stems] = other
                # If the index lacks the user's words, other words count almost fully.
                _add(group.weights, there, other.weight if own else max(other.weight, 0.9))
        self._weigh(group, factor * (1 + _LONGER * (len(words) - 1)))
        if group.is_asking and not group.others:
            group.tells *= _ASKING
        return group

    def _having(self, stems: Stems) -> Weights:
        """Return the texts with all of some stems, with the mean of their weights; common ones are ignored."""
        index = self._index
        if len(stems) == 1:
            weights = dict(index.weights(stems[0]))
            for relative in index.relatives(stems[0]):
                _add(weights, index.weights(relative), _RELATIVE)
            return weights
        rare = [stem for stem in dict.fromkeys(stems) if not index.is_common(stem)]
        first, *rest = sorted([self._having((stem,)) for stem in rare or stems], key=len)
        return {
            place: (much + sum([weights[place] for weights in rest])) / (1 + len(rest))
            for place, much in first.items()
            if all(place in weights for weights in rest)
        }

    def _numbered(self, asked: Number) -> Group:
        """Return the texts with a number, below it, or citing it."""
        number, group = asked.number, Group((asked.number,), [(asked.number,)])
        for place, bearer in self._numbered_texts(number):
            if asked.is_open or is_below(bearer, number):
                _add(group.weights, {place: _BEARER if bearer == number else _BELOW})
        _add(group.weights, self._index.weights(number), _NAMING)
        return group

    def _weigh(self, group: Group, factor: float) -> None:
        size, having = len(self._index), len(group.weights)
        if group.is_spread:
            having = min(size, self._index.frequency(group.forms[0][0]))
        if having:  # missing words do not count
            rarity = min(log(1 + (size - having + 0.5) / (having + 0.5)), _RAREST)
            is_term = group.others or any(map(self._index.is_term, _stems(group.asked)))
            group.tells = factor * rarity * (1.0 if is_term else _NO_TERM)


def _joined(places: frozenset[int], plans: Sequence[Plan]) -> Plan:
    return Plan(places, [group for plan in plans for group in plan.groups])


def _stems(words: Sequence[str]) -> Stems:
    return tuple(map(stem_of, words))


def _add(weights: Weights, more: Weights, factor: float = 1.0) -> None:
    for place, much in more.items():
        weights[place] = max(weights.get(place, 0.0), much * factor)
