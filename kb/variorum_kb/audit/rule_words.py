"""Which rules of an edition say what a sentence says, by their words and headings."""

import math
from array import array
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from variorum_kb.audit.sentence import Sentence, noun_stem, stems_of
from variorum_kb.model import RuleNumber
from variorum_kb.rows import text_of

if TYPE_CHECKING:
    from variorum_kb.answers.edition_entry import EditionEntry
    from variorum_kb.answers.knowledge_base import KnowledgeBase

# Weights of a term as in BM25; a heading counts as often as its word would in the text.
_SATURATION, _LENGTH = 1.2, 0.5
_HEADING, _HEADING_ABOVE = 3.0, 1.0
# Of a word that another rule cited beside it explains, so much remains.
_EXPLAINED = 0.35
# Words that stand in more rules than this say too little to look for others by.
_LEAST_RARITY = 1.2
# Of a word that one rule alone has, however many rules an edition has; from which on a word is rare.
_RAREST, _RARE = 7.0, 4.5
_CANDIDATES = 40
_TELLING = 12
# Sentences whose fits are kept.
_REMEMBERED = 100
# Cited numbers for which the places of rules are kept.
_CITED_REMEMBERED = 500


class Rule(NamedTuple):
    """A provision of the edition.

    Attributes:
        number: As printed.
        stem: Its number without letters.
        letters: Its letters.
        suffix: All of it behind the section.
        parent: The number of the provision it stands under; "" of a section.
        heading: The stems of its own heading.
        words: Those of its text, each once.
    """

    number: str
    stem: str
    letters: str
    suffix: str
    parent: str
    heading: tuple[str, ...]
    words: tuple[str, ...]


class Fits(NamedTuple):
    """How well rules fit a sentence.

    Attributes:
        of: The fit of each rule that has one of its words.
        best: The numbers that fit best, the best first.
        rare: How rare the rarest word is that a rule has of it, from 0 to 1; only of rare words.
    """

    of: Mapping[str, float]
    best: tuple[str, ...]
    rare: Mapping[str, float]


class RuleWords:
    """The words of the rules of an edition."""

    def __init__(self, base: "KnowledgeBase", edition: "EditionEntry") -> None:
        self._base = base
        self._edition = edition
        self._counts: dict[str, Counter[str]] = {}
        self._names: dict[str, list[tuple[str, ...]]] = {}
        self._around: dict[str, frozenset[str]] = {}
        self._throughout: dict[str, frozenset[str]] = {}
        self._fits: dict[tuple[tuple[str, float], ...], Fits] = {}
        self._place_scores: dict[Hashable, dict[str, float]] = {}

    @cached_property
    def rules(self) -> dict[str, Rule]:
        """Return the sections, rules and subrules of the edition by their numbers."""
        found: dict[str, Rule] = {}
        for subject in self._base.provisions(self._edition):
            state = subject.state
            if not state.number or RuleNumber.read(state.number) is None:
                continue
            stem = stem_number(state.number)
            counts = Counter(stems_of(text_of(state.body)))
            self._counts[state.number] = counts
            found[state.number] = Rule(
                state.number,
                stem,
                state.number[len(stem) :],
                state.number.partition(".")[2],
                _above(state.number),
                tuple(stems_of(state.heading)),
                tuple(counts),
            )
        return found

    def like(self, number: str) -> Rule:
        """Return a rule of a number's form, whether the edition has one or not."""
        if number in self.rules:
            return self.rules[number]
        stem = stem_number(number)
        suffix = number.partition(".")[2]
        return Rule(number, stem, number[len(stem) :], suffix, _above(number), (), ())

    @cached_property
    def _below(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for rule in self.rules.values():
            found.setdefault(rule.parent, []).append(rule.number)
        return found

    @cached_property
    def rarity(self) -> dict[str, float]:
        """Return how rare each stem is: the logarithm of how few rules have it, 7 for one alone."""
        held: dict[str, set[str]] = {}
        for rule in self.rules.values():
            held.setdefault(rule.stem, set()).update(rule.words, rule.heading)
        counts = Counter(stem for stems in held.values() for stem in stems)
        scale = _RAREST / math.log(max(2, len(held)))
        return {stem: scale * math.log(len(held) / count) for stem, count in counts.items()}

    @cached_property
    def by_section(self) -> dict[str, list[str]]:
        """Return the numbers of each section."""
        found: dict[str, list[str]] = {}
        for number in self.rules:
            found.setdefault(number[:3], []).append(number)
        return found

    @cached_property
    def begun_with(self) -> dict[str, frozenset[str]]:
        """Return the numbers whose nearest heading begins with each stem."""
        found: dict[str, set[str]] = {}
        for number in self.rules:
            for name in self.names(number)[:1]:
                found.setdefault(name[0], set()).add(number)
        return {stem: frozenset(numbers) for stem, numbers in found.items()}

    def place_scores(self, key: Hashable) -> dict[str, float]:
        """Return what was kept under a key, to be filled with what the places of rules say."""
        if len(self._place_scores) >= _CITED_REMEMBERED:
            self._place_scores.clear()
        return self._place_scores.setdefault(key, {})

    @cached_property
    def _postings(self) -> dict[str, tuple[list[str], "array[float]"]]:
        """Return the rules that have each stem, and its weights there."""
        rules, counts = self.rules, self._counts
        mean = sum([one.total() for one in counts.values()]) / max(1, len(rules))
        found: dict[str, tuple[list[str], array[float]]] = {}
        for number, rule in rules.items():
            above = {stem for one in self._ancestors(number) for stem in rules[one].heading}
            length = 1 - _LENGTH + _LENGTH * counts[number].total() / mean
            for stem in sorted({*rule.words, *rule.heading, *above}):
                times: float = counts[number][stem]
                if stem in rule.heading:
                    times += _HEADING
                elif stem in above:
                    times += _HEADING_ABOVE
                numbers, weights = found.setdefault(stem, ([], array("d")))
                numbers.append(number)
                weights.append(times * (_SATURATION + 1) / (times + _SATURATION * length))
        counts.clear()
        return found

    @cached_property
    def headings(self) -> frozenset[str]:
        """Return the stems of all headings."""
        return frozenset(stem for rule in self.rules.values() for stem in rule.heading)

    @cached_property
    def first_stems(self) -> frozenset[str]:
        """Return the first stem of each heading."""
        return frozenset(rule.heading[0] for rule in self.rules.values() if rule.heading)

    def _ancestors(self, number: str) -> Iterable[str]:
        rule = self.rules.get(number)
        above = rule.parent if rule else _above(number)
        while above in self.rules:
            yield above
            above = self.rules[above].parent

    def names(self, number: str) -> list[tuple[str, ...]]:
        """Return the stems of the headings that a number has and stands under, the nearest first."""
        if number not in self._names:
            own = [self.rules[number]] if number in self.rules else []
            above = [self.rules[one] for one in self._ancestors(number)]
            self._names[number] = [rule.heading for rule in (*own, *above) if rule.heading]
        return self._names[number]

    def family(self, number: str) -> list[str]:
        """Return a number, its subrules, and the number it stands under."""
        above = self.rules[number].parent if number in self.rules else ""
        return [number, *self._below.get(number, ()), *([above] if above else [])]

    def throughout(self, number: str) -> frozenset[str]:
        """Return the stems of all rules of a section; none if the number is not a section's."""
        if number not in self._throughout:
            below = [self.rules[one] for one in self.by_section.get(number, ())]
            found = {stem for rule in below for stem in (*rule.words, *rule.heading)}
            self._throughout[number] = frozenset(found)
        return self._throughout[number]

    def around(self, number: str) -> frozenset[str]:
        """Return the stems of a number's rule, of its subrules, and of what it stands under."""
        if number not in self._around:
            found: set[str] = set()
            for one in (number, *self._below.get(number, ())):
                if one in self.rules:
                    found.update(self.rules[one].words, self.rules[one].heading)
            for one in self._ancestors(number):
                found.update(self.rules[one].heading)
                if "." in one:
                    found.update(self.rules[one].words)
            self._around[number] = frozenset(found)
        return self._around[number]

    def words(self, sentence: Sentence) -> dict[str, float]:
        """Return the stems of a sentence that rules have, with their weights."""
        explained: set[str] = set()
        for number in sentence.beside:
            explained |= self.around(number)
        found: dict[str, float] = {}
        for stem, weight in sentence.words.items():
            known = stem if stem in self.rarity else noun_stem(stem)
            rarity = self.rarity.get(known, 0.0)
            if rarity > 0:
                share = _EXPLAINED if known in explained else 1.0
                found[known] = max(found.get(known, 0.0), weight * rarity * share)
        return found

    def covered(self, words: Mapping[str, float], number: str, also: Collection[str] = ()) -> float:
        """Return the share of a sentence's words that the rule or those around it have.

        Args:
            words: As `words` gives them.
            number: As cited.
            also: Further stems that the rule had once.
        """
        total = sum(words.values())
        around = self.around(number)
        held = [value for stem, value in words.items() if stem in around or stem in also]
        return sum(held) / total if total else 1.0

    def fits(self, words: Mapping[str, float]) -> Fits:
        """Return how well each rule fits the rarest words of a sentence.

        A sentence that is met again, as in many files of a project, is looked up.
        """
        key = tuple(words.items())
        if key not in self._fits:
            if len(self._fits) >= _REMEMBERED:
                self._fits.clear()
            self._fits[key] = self._fits_of(words)
        return self._fits[key]

    def _fits_of(self, words: Mapping[str, float]) -> Fits:
        found: dict[str, float] = {}
        rare: dict[str, float] = {}
        get = found.get
        told = sorted([(value, stem) for stem, value in words.items()], reverse=True)[:_TELLING]
        for value, stem in told:
            rarity = self.rarity[stem]
            if rarity < _LEAST_RARITY:
                continue
            for number, weight in zip(*self._postings[stem], strict=True):
                found[number] = get(number, 0.0) + value * weight
            if rarity > _RARE:
                share = (rarity - _RARE) / (_RAREST - _RARE) * min(1.0, value / rarity)
                for number in self._postings[stem][0]:
                    rare[number] = max(rare.get(number, 0.0), share)
        least = sorted(found.values())[-_CANDIDATES:][:1]
        close = [(fit, number) for number, fit in found.items() if fit >= least[0]]
        best = sorted(close, reverse=True)[:_CANDIDATES]
        return Fits(found, tuple([number for _, number in best]), rare)


def stem_number(number: str) -> str:
    """Return a number without its letters."""
    return number.rstrip("abcdefghijklmnopqrstuvwxyz")


def _above(number: str) -> str:
    stem = stem_number(number)
    return stem if stem != number else number.partition(".")[0] if "." in number else ""
