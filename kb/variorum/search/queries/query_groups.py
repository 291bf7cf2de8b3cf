"""The parts of a query as weighted sets of documents."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from math import log

from variorum.rule_numbers import is_below
from variorum.search.indexes.current_indexes import Kept
from variorum.search.queries.query import Number, Phrase, Prefix
from variorum.search.queries.vocabulary import Other, Vocabulary
from variorum.words import ASKING, stem_of

_ASKING_WEIGHT = 0.12
# The weights of other forms of a word and of derived words, relative to the word.
_FORM, _RELATIVE = 0.92, 0.5
# The weight of each word of a name, relative to the whole name.
_LOOSE = 0.3
# The weight of a number that stands beside words. It is high, because users want its rule most.
_NUMBER = 3.0
# Each further word of a name adds this share to its weight.
_LONGER = 0.4
# The weight of a word that is in no heading or headword.
_NO_TERM = 0.7
# Rarer words do not weigh more.
_RAREST = 6.0

# The weights of provisions that have a number, are below it, or cite it.
_BEARER, _BELOW, _NAMING = 1.0, 0.8, 0.6

Weights = dict[int, float]
Numbered = Callable[[str], dict[str, list[int]]]


class Group:
    """A word, phrase, prefix or number of a query, or words that form a name.

    Not a dataclass, because importing `dataclasses` takes a tenth of the time of a search.

    Attributes:
        asked: The words of this part, as in the query.
        weights: The weight of the group, from 0 to 1, by the place of each document that has it.
        tells: The group's importance among the groups of the query; rare groups matter more.
        stems: Sequences of stems; each of them stands for the group in a text.
        own: How many of the first sequences are the user's words.
        others: Other words for the group, by their sequence of stems.
        is_asking: Whether it only phrases a question, such as "how" or "when".
        is_loose: Whether it is a single word of a name; the whole name is another group.
        is_spread: Whether it is so common that it has no weights, and is looked for only in
            documents that are examined closely.
    """

    tells = 0.0
    is_asking = False
    is_loose = False
    is_spread = False

    def __init__(
        self,
        asked: tuple[str, ...],
        weights: Weights | None = None,
        stems: Iterable[tuple[str, ...]] = (),
    ) -> None:
        """Prepare a group; `stems` are the user's words."""
        self.asked = asked
        self.weights: Weights = {} if weights is None else weights
        self.stems = list(stems)
        self.own = len(self.stems)
        self.others: dict[tuple[str, ...], Other] = {}

    @cached_property
    def asked_stems(self) -> tuple[str, ...]:
        """Return the stems of the user's words."""
        return _stems(self.asked)


class Grouping:
    """Makes groups from the parts of a query, on an index."""

    def __init__(self, kept: Kept, vocabulary: Vocabulary) -> None:
        self._kept = kept
        self._vocabulary = vocabulary
        self._known: dict[str, Weights] = {}

    # Words ---------------------------------------------------------------------------------------

    def of_word(self, word: str) -> Weights:
        """Return the documents with any form of a word, or with the word as their number."""
        return self.of_words([word])

    def _of_word(self, word: str) -> Weights:
        lexicon, index = self._kept.lexicon, self._kept.index
        weights: Weights = {}
        for form in lexicon.forms(word):
            _add(weights, index.weights(form), 1.0 if form == word else _FORM)
        for form in lexicon.relatives(word):
            _add(weights, index.weights(form), _RELATIVE)
        return weights

    def of_words(self, words: Sequence[str]) -> Weights:
        """Return the documents with all of the words, in any form and order."""
        name = " ".join(words)
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._of_words(words)
        return known

    def _of_words(self, words: Sequence[str]) -> Weights:
        if len(words) == 1:
            return self._of_word(words[0])
        common = self._kept.lexicon.is_common
        rare = [word for word in dict.fromkeys(words) if not common(word)] or list(words)
        sets = sorted((self.of_word(word) for word in rare), key=len)
        return _common(sets)

    def of_phrase(self, words: Sequence[str]) -> Weights:
        """Return the documents with all words of a phrase in exactly these forms."""
        sets = sorted((self._kept.index.weights(word) for word in dict.fromkeys(words)), key=len)
        return _common(sets)

    def of_number(self, asked: Number, numbered: Numbered) -> Weights:
        """Return the documents with a number, below it, or citing it."""
        number = asked.number
        weights: Weights = {}
        for bearer, places in numbered(number).items():
            if bearer == number:
                weight = _BEARER
            elif asked.is_open or is_below(bearer, number):
                weight = _BELOW
            else:
                continue
            _add(weights, dict.fromkeys(places, weight), 1.0)
        _add(weights, self._kept.index.weights(number), _NAMING)
        return weights

    # Groups --------------------------------------------------------------------------------------

    def of_run(self, words: Sequence[str], *, is_strict: bool) -> list[Group]:
        """Return the groups of adjacent words in a query.

        Args:
            words: The words.
            is_strict: Whether documents must have all words; else common words may be spread.
        """
        may_spread = not is_strict and any(self._is_telling(word) for word in words)
        known = {known_words.start: known_words for known_words in self._vocabulary.find(words)}
        groups: list[Group] = []
        place = 0
        while place < len(words):
            span = known.get(place)
            stop = place + 1 if span is None else span.stop
            some, others = words[place:stop], [] if span is None else span.others
            if may_spread and not others and self._kept.lexicon.is_common(some[0]):
                groups.append(self._spread(some[0]))
            else:
                groups.append(self._group(some, others))
            if stop - place > 1:
                groups += [self._loose(word) for word in words[place:stop]]
            place = stop
        return groups

    def _group(self, words: Sequence[str], others: Iterable[Other]) -> Group:
        group = Group(tuple(words))
        group.is_asking = len(words) == 1 and words[0] in ASKING
        own = self.of_words(words)
        group.stems.append(_stems(words))
        group.own = 1
        group.weights = dict(own)
        for spelling in others:
            there = self.of_words(spelling.words)
            if not there:
                continue
            stems = _stems(spelling.words)
            if stems not in group.others and stems != group.stems[0]:
                group.stems.append(stems)
                group.others[stems] = spelling
            # If the index lacks the user's words, other words count almost fully.
            _add(group.weights, there, spelling.weight if own else max(spelling.weight, 0.9))
        self._weigh(group, 1 + _LONGER * (len(words) - 1))
        if group.is_asking and not group.others:
            group.tells *= _ASKING_WEIGHT
        return group

    def _is_telling(self, word: str) -> bool:
        lexicon = self._kept.lexicon
        return word not in ASKING and not lexicon.is_common(word) and bool(lexicon.forms(word))

    def _spread(self, word: str) -> Group:
        group = Group((word,), stems=[_stems([word])])
        group.is_spread = True
        group.is_asking = word in ASKING
        self._weigh(group, _ASKING_WEIGHT if group.is_asking else 1.0)
        return group

    def _loose(self, word: str) -> Group:
        group = Group((word,), dict(self.of_word(word)), stems=[_stems([word])])
        self._weigh(group, _LOOSE)
        group.is_loose = True
        return group

    def of_part(self, part: Phrase | Prefix | Number, numbered: Numbered) -> Group:
        """Return the group of a part other than a plain word.

        Args:
            part: The part.
            numbered: Returns the numbers with a prefix, with the places of their bearers.
        """
        lexicon = self._kept.lexicon
        match part:
            case Phrase(words):
                group = Group(words, self.of_phrase(words), stems=[_stems(words)])
                self._weigh(group, 1 + _LONGER * (len(words) - 1))
            case Prefix(letters):
                group = Group((f"{letters}*",))
                forms = lexicon.beginning(letters)
                for form in forms:
                    _add(group.weights, self._kept.index.weights(form), 1.0)
                group.stems = sorted({_stems([form]) for form in forms})
                group.own = len(group.stems)
                self._weigh(group, 1.0)
            case Number(number):
                weights = self.of_number(part, numbered)
                group = Group((number,), weights, stems=[(number,)])
                self._weigh(group, _NUMBER)
        return group

    def of_other_phrases(self, phrase: Phrase) -> Group:
        """Return the group of a phrase in which the vocabulary replaces words by others."""
        words = phrase.words
        group = Group(words)
        for known in self._vocabulary.find(words):
            for spelling in known.others:
                replaced = (*words[: known.start], *spelling.words, *words[known.stop :])
                stems = _stems(replaced)
                if stems not in group.others:
                    group.others[stems] = spelling._replace(words=replaced)
                    _add(group.weights, self.of_phrase(replaced), spelling.weight)
        group.stems = list(group.others)
        self._weigh(group, 1 + _LONGER * (len(words) - 1))
        return group

    def _weigh(self, group: Group, factor: float) -> None:
        size, having = len(self._kept.index), len(group.weights)
        if group.is_spread:
            having = min(size, self._kept.lexicon.all_counts(group.asked[0]))
        if not having:
            return  # missing words do not count
        points = min(log(1 + (size - having + 0.5) / (having + 0.5)), _RAREST)
        is_term = any(self._kept.lexicon.is_term(word) for word in group.asked)
        group.tells = factor * points * (1.0 if is_term or group.others else _NO_TERM)


def _stems(words: Sequence[str]) -> tuple[str, ...]:
    return tuple([stem_of(word) for word in words])


def _common(sets: Sequence[Weights]) -> Weights:
    """Return the documents in all of several sets, with the mean of their weights."""
    first, *rest = sets
    if len(rest) == 1:  # as below, in half the time
        (other,) = rest
        return {
            place: (weight + other[place]) / 2 for place, weight in first.items() if place in other
        }
    return {
        place: (weight + sum([weights[place] for weights in rest])) / len(sets)
        for place, weight in first.items()
        if all(place in weights for weights in rest)
    }


def _add(weights: Weights, more: Weights, weight: float) -> None:
    if not weights:
        weights.update(more if weight == 1.0 else {place: more[place] * weight for place in more})
        return
    get = weights.get
    for place, points in more.items():
        points *= weight  # noqa: PLW2901
        if points > get(place, 0.0):
            weights[place] = points
