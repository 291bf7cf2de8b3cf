"""A query as weighted terms: the texts that match it, and the words that rank them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.rows import full_text
from variorum.rule_numbers import is_below
from variorum.search.index import SILENT_STEMS, Index, Points, rarity
from variorum.search.query import Part
from variorum.search.vocabulary import PLAYERS, OtherWords, Stems, stems_of
from variorum.text import plain_words
from variorum.words import ASKING

# The weights, relative to a word, of words that only ask; of derived words; of each word of a name; of a
# number beside words, whose rule users want most; of each further word of a name; of a word in no heading.
_ASKING, _RELATIVE, _LOOSE, _NUMBER, _LONGER, _NO_HEADING = 0.12, 0.5, 0.3, 3.0, 0.4, 0.7
_APART = 0.5  # of what players say, if its words are not in a row
_PHRASING = ASKING | {"between", "difference", "many", "much"}
# The weights of provisions that have a number, are below it, or cite it.
_BEARER, _BELOW, _NAMING = 1.0, 0.8, 0.6


@dataclass
class Term:
    """A word, phrase, prefix or number of a query, or words that form a name.

    Any of its forms stands for it in a text; the first `own` are the user's words, the others lead to
    `others`. It has a weight from 0 to 1 in each text, and tells more among the terms if it is rarer.
    """

    asked: Sequence[str]
    forms: list[Stems]
    weights: Points = field(default_factory=dict)
    own: int = 1
    others: dict[Stems, OtherWords] = field(default_factory=dict)
    tells: float = 0.0
    is_asking: bool = False  # only phrases a question, such as "how"
    is_loose: bool = False  # is a word of a name, which is another term


class Plan(NamedTuple):
    """The places of the texts that match a query, and its terms in its order."""

    places: frozenset[int]
    terms: Sequence[Term]


class Planner:
    """Plans queries on an index of a base; a literal one has other words only for words that no text has."""

    def __init__(self, base: KnowledgeBase, index: Index, *, is_literal: bool) -> None:
        self._base, self._index, self._is_literal = base, index, is_literal
        self._everything = frozenset(range(len(index)))

    # Which texts match ---------------------------------------------------------------------------

    def plan(self, part: Part) -> Plan:
        """Return the plan of a part of a query."""
        words, factor, index = part.words, 1.0, self._index
        match part.kind:
            case "and" | "near":
                return self._all(part.parts, is_strict=part.kind == "and")
            case "or":
                plans = list(map(self.plan, part.parts))
                terms = [term for plan in plans for term in plan.terms]
                return Plan(_union(plan.places for plan in plans), terms)
            case "not":
                return Plan(self._everything - self.plan(part.parts[0]).places, [])
            case "word":
                return self._words(words, is_strict=True)
            case "phrase":
                term, factor = self._phrase(words), 1 + _LONGER * (len(words) - 1)
            case "prefix":
                forms: list[Stems] = [(stem,) for stem in sorted(index.beginning(words[0]))]
                term = Term([f"{words[0]}*"], forms, own=len(forms))
                for form in forms:
                    _add(term.weights, index.weights(form[0]))
            case kind:
                term, factor, asked = Term(words, [words]), _NUMBER, words[0]
                for place, number in enumerate(index.columns.numbers):
                    is_in = (
                        number.startswith(asked) if kind == "numbers" else is_below(number, asked)
                    )
                    if is_in:
                        term.weights[place] = _BEARER if number == asked else _BELOW
                _add(term.weights, index.weights(asked), _NAMING)
        self._weigh(term, factor)
        return Plan(frozenset(term.weights), [term])

    def _all(self, parts: Sequence[Part], *, is_strict: bool) -> Plan:
        """Return the plan of adjacent parts: of words and numbers, some may be missing if it is not strict."""
        needed, wanted, terms = list[Plan](), list[Plan](), list[Term]()
        for kind, group in groupby(parts, key=lambda part: part.kind):
            some = list(group)
            words = [part.words[0] for part in some] if kind == "word" else []
            plans = [self._words(words, is_strict=is_strict)] if words else [*map(self.plan, some)]
            (needed if is_strict or kind in {"phrase", "or", "and"} else wanted).extend(plans)
            terms += [term for plan in plans for term in plan.terms]
        if not needed:
            return Plan(_union(plan.places for plan in wanted), terms)
        return Plan(self._everything.intersection(*[plan.places for plan in needed]), terms)

    def _words(self, words: Sequence[str], *, is_strict: bool) -> Plan:
        """Return the plan of adjacent words: texts with all of them, or with any that tell something."""
        terms = self._terms(words, is_strict=is_strict)
        if is_strict:
            asked = [term.weights for term in terms if not term.is_loose]
            return Plan(self._everything.intersection(*asked), terms)
        spelt = dict(zip(stems_of(words), words, strict=True))
        for form, others in self._index.vocabulary.find_apart(stems_of(words)):
            if others and not SILENT_STEMS.issuperset(form):
                terms.append(self._term([spelt[stem] for stem in form], others, _APART))
                terms[-1].is_loose = True
        telling = [term.weights for term in terms if not term.is_asking and term.weights]
        return Plan(_union(telling or [term.weights for term in terms]), terms)

    def _phrase(self, words: Sequence[str]) -> Term:
        """Return a phrase: in texts with its words in a row, else with other wordings of it."""
        term = Term(words, [stems_of(words)], self._printing(words))
        if not term.weights:
            for named in self._index.vocabulary.find(stems_of(words)):
                for other in named.others:
                    spelling = [*words[: named.start], *other.words, *words[named.stop :]]
                    term.others.setdefault(stems_of(spelling), other._replace(words=spelling))
                    _add(term.weights, self._printing(spelling), other.weight)
            term.forms, term.own = list(term.others), 0
        return term

    def _printing(self, words: Sequence[str]) -> Points:
        having, keys = self._having(stems_of(words)), self._index.columns.keys
        states = self._base.states.of([keys[place] for place in having]).items()
        said = {key: plain_words(f"{it.heading}\n{full_text(it.body)}") for key, it in states}
        row = f" {' '.join(words)} "
        return {at: much for at, much in having.items() if row in f" {' '.join(said[keys[at]])} "}

    # Which words rank them -----------------------------------------------------------------------

    def _terms(self, words: Sequence[str], *, is_strict: bool) -> list[Term]:
        """Return the terms of adjacent words; those of a name are also terms by themselves."""
        named = {each.start: each for each in self._index.vocabulary.find(stems_of(words))}
        terms: list[Term] = []
        place = 0
        while place < len(words):
            stop, others = place + 1, list[OtherWords]()
            if place in named:
                stop, others = named[place].stop, named[place].others
            # What players say may mean something else here, so that its own words count as ever.
            is_said = not is_strict and bool(others) and all(o.kind == PLAYERS for o in others)
            terms.append(self._term(words[place:stop], others, 1 + _LONGER * (stop - place - 1)))
            for word in words[place:stop] if stop > place + 1 else ():
                own = self._terms([word], is_strict=False) if is_said else []
                terms.append(own[0] if own else self._term([word], [], _LOOSE))
                terms[-1].is_loose = True
            place = stop
        return terms

    def _term(self, words: Sequence[str], others: Iterable[OtherWords], factor: float) -> Term:
        own = self._having(stems_of(words))
        term = Term(words, [stems_of(words)], dict(own))
        term.is_asking = len(words) == 1 and words[0] in _PHRASING
        for other in () if own and self._is_literal else others:
            stems = stems_of(other.words)
            there = self._having(stems)
            if there and stems not in term.forms:
                term.forms.append(stems)
                term.others[stems] = other
                _add(term.weights, there, other.weight)
        self._weigh(term, factor * (_ASKING if term.is_asking and not term.others else 1.0))
        return term

    def _having(self, stems: Stems) -> Points:
        """Return the texts with all of some stems, with the mean of their weights."""
        if len(stems) == 1:
            weights = dict(self._index.weights(stems[0]))
            for relative in self._index.relatives(stems[0]):
                _add(weights, self._index.weights(relative), _RELATIVE)
            return weights
        every = [self._having((stem,)) for stem in dict.fromkeys(stems)]
        places = set(every[0]).intersection(*every)
        return {place: sum([weights[place] for weights in every]) / len(every) for place in places}

    def _weigh(self, term: Term, factor: float) -> None:
        rare = rarity(len(term.weights), len(self._index))  # 0 for missing words
        is_title = term.others or any(map(self._index.is_term, stems_of(term.asked)))
        term.tells = factor * rare * (1.0 if is_title else _NO_HEADING)


def _union(places: Iterable[Iterable[int]]) -> frozenset[int]:
    return frozenset().union(*places)


def _add(weights: Points, more: Points, factor: float = 1.0) -> None:
    for place, much in more.items():
        weights[place] = max(weights.get(place, 0.0), much * factor)
