"""The rules of an edition, each with its subrules, by their words: what questions and articles are compared with."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import fsum, log, sqrt

from variorum.rule_numbers import stem_of as rule_of
from variorum.search.index import Index
from variorum.words import ASKING, SILENT, stem_of

# BM25 for a rule with all its subrules: how soon repeated words stop counting, and how much less a
# long rule counts.
_SOON, _LONG = 1.2, 0.6

# Of words that say nothing about the subject, or only ask.
SILENT_STEMS = frozenset(map(stem_of, ASKING | SILENT))

Points = dict[int, float]


class Rules:
    """The rules of an edition; each is known by its place in `numbers`, its texts by theirs in the index."""

    def __init__(self, index: Index) -> None:
        self.index = index
        columns = index.columns
        self.places: list[list[int]] = []  # of the texts of each rule
        self.rule_of: dict[int, int] = {}  # by the place of a text
        self.place_of: dict[str, int] = {}  # by their numbers
        for place, (kind, number) in enumerate(zip(columns.kinds, columns.numbers, strict=True)):
            if kind in {"rule", "subrule"}:
                rule = self.place_of.setdefault(rule_of(number), len(self.places))
                if rule == len(self.places):
                    self.places.append([])
                self.places[rule].append(place)
                self.rule_of[place] = rule
        self.numbers = list(self.place_of)
        self.in_section: defaultdict[str, list[int]] = defaultdict(list)
        for rule, number in enumerate(self.numbers):
            self.in_section[number.partition(".")[0]].append(rule)
        titled = zip(columns.kinds, columns.numbers, columns.headings, strict=True)
        self.section_titled = {title: number for kind, number, title in titled if kind == "section"}
        # For each rule, the logarithm of how many texts cite it or a subrule.
        self.cited = [log(1 + sum([columns.cited[at] for at in some])) for some in self.places]
        self._titles = frozenset(columns.headings)
        self._named: defaultdict[str, list[tuple[list[str], int]]] = defaultdict(list)
        for rule, (place, *_) in enumerate(self.places):
            stems = columns.headings[place].split()
            if stems and stems != ["x"]:
                self._named[stems[0]].append((stems, rule))
        lengths = [sum([columns.lengths[at] for at in some]) for some in self.places]
        usual = sum(lengths) / max(1, len(lengths)) or 1.0
        self._damping = [_SOON * (1 - _LONG + _LONG * length / usual) for length in lengths]
        self.weights = cache(self._weights)

    def named_in(self, sequence: Sequence[str]) -> set[int]:
        """Return the rules whose headings occur in a sequence of stems."""
        return {
            rule
            for place, stem in enumerate(sequence)
            for stems, rule in self._named.get(stem, ())
            if list(sequence[place : place + len(stems)]) == stems
        }

    def is_term(self, stems: Sequence[str]) -> bool:
        """Return whether stems are a heading, a headword or a single word of the rules."""
        is_word = len(stems) == 1 and self.index.frequency(stems[0]) > 0
        return is_word or " ".join(stems) in self._titles

    def tells(self, stem: str) -> float:
        """Return the weight of a stem: higher for rarer ones, 0 if no text has it."""
        return _rarity(len(self.index.counts(stem)), len(self.index))

    def _weights(self, stem: str) -> Points:
        """Return the points of the rules that have a stem, in their own words or their subrules'."""
        counts: defaultdict[int, float] = defaultdict(float)
        for place, count in self.index.counts(stem).items():
            if place in self.rule_of:
                counts[self.rule_of[place]] += count
        rare = _rarity(len(counts), len(self.numbers)) * (_SOON + 1)
        return {rule: rare * much / (much + self._damping[rule]) for rule, much in counts.items()}

    def points(self, stems: Mapping[str, float]) -> Points:
        """Return the points of rules for weighted stems."""
        points: defaultdict[int, float] = defaultdict(float)
        for stem, much in stems.items():
            for rule, weight in self.weights(stem).items():
                points[rule] += much * weight
        return dict(points)

    def text_points(self, stems: Mapping[str, float]) -> Points:
        """Return the points of rules' and subrules' texts for weighted stems, by their places."""
        points: defaultdict[int, float] = defaultdict(float)
        for stem, much in stems.items():
            worth = much * self.tells(stem)
            for place, weight in self.index.weights(stem).items():
                if place in self.rule_of:
                    points[place] += worth * weight
        return dict(points)

    def best(self, points: Points) -> Points:
        """Return the points of each rule's best text."""
        best = Points()
        for place, much in points.items():
            best[self.rule_of[place]] = max(best.get(self.rule_of[place], 0.0), much)
        return best

    def pair_points(self, sequence: Sequence[str], places: Iterable[int]) -> Points:
        """Return the points of some texts for pairs of stems that a sequence has in a row as they do."""
        different = {pair for pair in pairwise(sequence) if pair[0] != pair[1]}
        points, pairs = Points(), {pair for pair in different if not SILENT_STEMS.issuperset(pair)}
        for at in places:
            text = self.index.text(at)
            if shared := pairs & {*pairwise(text.stems), *pairwise(text.heading)}:
                points[at] = fsum([sqrt(self.tells(a) * self.tells(b)) for a, b in shared])
        return points


def _rarity(having: int, size: int) -> float:
    return log(1 + (size - having + 0.5) / (having + 0.5)) if having else 0.0
