"""An open search index: which texts of an edition, or of all, have a word; and the rules, each with its subrules.

Whoosh keeps it. Words are indexed as stems, so that any form of a word finds any other.
"""

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import fsum, log, sqrt
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from whoosh import index

from variorum.rule_numbers import stem_of as rule_of
from variorum.search.vocabulary import Stems, Vocabulary, stems_of
from variorum.text import plain_words
from variorum.words import ASKING, NOUN_ENDINGS, SILENT, TOPICS, family_of, stem_of

# The weight of a word by the field in which it occurs; a headword of the glossary is its heading.
FIELDS = {"heading": 4.0, "above": 1.2, "text": 1.0, "examples": 0.3}
COLUMNS = "columns.json"
# BM25F: how soon repeated words stop counting, how much less a long text counts, and the usual
# length of a text in words. That is fixed, since the mean changes with every edition. A rule with all
# its subrules is compared with the mean.
_SOON, _LONG, _USUAL_LENGTH, _LONG_RULE = 1.2, 0.45, 45, 0.6
# Stems of words that say nothing about the subject, or only ask.
SILENT_STEMS = frozenset(map(stem_of, ASKING | SILENT))

Points = dict[int, float]  # of texts or rules, by their places


def stems_in(text: str) -> Stems:
    """Return the stems of a text's words in their order."""
    return stems_of(plain_words(text))


def rarity(having: int, size: int) -> float:
    """Return the weight of what so many texts of a number have: higher if fewer; 0 if none has it."""
    return log(1 + (size - having + 0.5) / (having + 0.5)) if having else 0.0


class StemmedText(NamedTuple):
    """A text as it is ranked: the stems of its heading, of the nearest heading above it, and of its words.

    Its examples follow its own words. `ends` are the places after each sentence.
    """

    heading: Stems
    above: Stems
    stems: Stems
    ends: Sequence[int]


class Columns(msgspec.Struct, array_like=True):
    """What ranking needs to know of all texts, by their places in the index, and the vocabulary.

    `keys` are the ids of their states, `lines` their lineages; of an edition, these are the same. `cited` counts
    the provisions that cite them, `headings` are stems.
    """

    keys: Sequence[int]
    kinds: Sequence[str]
    numbers: Sequence[str]
    cited: Sequence[int]
    lines: Sequence[int]
    lengths: Sequence[int]
    headings: Sequence[str]
    vocabulary: Vocabulary


class Index:
    """An open index."""

    def __init__(self, folder: Path) -> None:
        self.columns = msgspec.json.decode((folder / COLUMNS).read_bytes(), type=Columns)
        self.vocabulary = self.columns.vocabulary
        # A reader is enough, and takes half the time of a searcher to import.
        opened: Any = index.open_dir(str(folder), readonly=True)
        self._reader: Any = opened.reader()
        os.utime(folder)  # was used
        self.counts, self.weights = cache(self._counts), cache(self._weights)
        self.text = cache(self._text)

    def close(self) -> None:
        """Close the files."""
        self._reader.close()

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self.columns.keys)

    def _counts(self, stem: str) -> Points:
        """Return how often each text that has a stem has it; in a heading, it counts several times."""
        counts: defaultdict[int, float] = defaultdict(float)
        for field, weight in FIELDS.items():
            if (field, stem) in self._reader:
                matcher = self._reader.postings(field, stem)
                while matcher.is_active():
                    counts[matcher.id()] += weight * matcher.weight()
                    matcher.next()
        return counts

    def _weights(self, stem: str) -> Points:
        """Return the weight of a stem in each text that has it: from 0 to 1."""
        lengths = self.columns.lengths
        return {
            place: count / (count + _SOON * (1 - _LONG + _LONG * lengths[place] / _USUAL_LENGTH))
            for place, count in self.counts(stem).items()
        }

    def _text(self, place: int) -> StemmedText:
        # Each sentence, and each heading above, has a line.
        stored = self._reader.stored_fields(place)
        heading, above, text, examples = [stored.get(field, "") for field in FIELDS]
        stems, ends = list[str](), list[int]()
        for line in f"{text}\n{examples}".split("\n"):
            stems += line.split()
            ends.append(len(stems))
        nearest = above.partition("\n")[0].split()
        return StemmedText(tuple(heading.split()), tuple(nearest), tuple(stems), ends)

    def tells(self, stem: str) -> float:
        """Return the weight of a stem among others: higher for rarer ones, 0 if no text has it."""
        return rarity(len(self.counts(stem)), len(self))

    def knows(self, stem: str) -> bool:
        """Return whether a text has a stem, or players say it."""
        is_printed = any((field, stem) in self._reader for field in FIELDS)
        return is_printed or self.vocabulary.knows(stem)

    def is_term(self, stem: str) -> bool:
        """Return whether a stem is in a heading or headword."""
        return ("heading", stem) in self._reader

    def relatives(self, stem: str) -> list[str]:
        """Return the stems derived from the same stem: regenerate, regeneration; own, owner."""
        root = family_of(stem) or stem
        derived = [root, *[root + ending for ending in NOUN_ENDINGS]]
        derived += [noun for noun, verb in TOPICS.items() if verb == stem]
        return [each for each in derived if each != stem and self.counts(each)]

    def beginning(self, letters: str) -> set[str]:
        """Return the stems that begin with some letters, and the stem of these letters."""
        stems = [stem for field in FIELDS for stem in self._reader.expand_prefix(field, letters)]
        known = [it.decode() if isinstance(it, bytes) else str(it) for it in stems]
        return {stem_of(letters), *known}


class Rules:
    """The rules of an edition by their words; each is known by the place of its first text."""

    def __init__(self, index: Index, edition: str) -> None:
        self.index, self.edition, columns = index, edition, index.columns
        self.texts: dict[int, list[int]] = {}  # the places of each rule's texts
        self.rule_of: dict[int, int] = {}  # by the place of a text
        self.numbered: dict[str, int] = {}
        self.in_section: defaultdict[str, list[int]] = defaultdict(list)
        for place, (kind, number) in enumerate(zip(columns.kinds, columns.numbers, strict=True)):
            if kind in {"rule", "subrule"}:
                rule = self.numbered.setdefault(rule_of(number), place)
                if rule == place:
                    self.in_section[number.partition(".")[0]].append(rule)
                self.texts.setdefault(rule, []).append(place)
                self.rule_of[place] = rule
        self.numbers = {rule: number for number, rule in self.numbered.items()}
        titled = zip(columns.kinds, columns.numbers, columns.headings, strict=True)
        self.section_titled = {title: number for kind, number, title in titled if kind == "section"}
        # The logarithm of how many texts cite a rule or a subrule of it.
        self.cited = {
            rule: log(1 + sum([columns.cited[at] for at in some]))
            for rule, some in self.texts.items()
        }
        self._titles = frozenset(columns.headings)
        self._named: defaultdict[str, list[tuple[Stems, int]]] = defaultdict(list)
        for rule in self.texts:
            stems = tuple(columns.headings[rule].split())
            if stems and stems != ("x",):
                self._named[stems[0]].append((stems, rule))
        lengths = {
            rule: sum([columns.lengths[at] for at in some]) for rule, some in self.texts.items()
        }
        usual = sum(lengths.values()) / max(1, len(lengths)) or 1.0
        self._damping = {
            rule: _SOON * (1 - _LONG_RULE + _LONG_RULE * length / usual)
            for rule, length in lengths.items()
        }
        self.weights = cache(self._weights)

    def named_in(self, sequence: Stems) -> set[int]:
        """Return the rules whose headings occur in a sequence of stems."""
        return {
            rule
            for place, stem in enumerate(sequence)
            for stems, rule in self._named.get(stem, ())
            if sequence[place : place + len(stems)] == stems
        }

    def is_term(self, stems: Stems) -> bool:
        """Return whether stems are a heading, a headword or a single word of the rules."""
        is_word = len(stems) == 1 and bool(self.index.counts(stems[0]))
        return is_word or " ".join(stems) in self._titles

    def _weights(self, stem: str) -> Points:
        """Return the points of the rules that have a stem, in their own words or their subrules'."""
        counts: defaultdict[int, float] = defaultdict(float)
        for place, count in self.index.counts(stem).items():
            if place in self.rule_of:
                counts[self.rule_of[place]] += count
        rare = rarity(len(counts), len(self.texts)) * (_SOON + 1)
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
            worth = much * self.index.tells(stem)
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

    def pair_points(self, sequence: Stems, places: Iterable[int]) -> Points:
        """Return the points of some texts for pairs of stems that a sequence has in a row as they do."""
        different = {pair for pair in pairwise(sequence) if pair[0] != pair[1]}
        points, pairs = Points(), {pair for pair in different if not SILENT_STEMS.issuperset(pair)}
        tells = self.index.tells
        for at in places:
            text = self.index.text(at)
            if shared := pairs & {*pairwise(text.stems), *pairwise(text.heading)}:
                points[at] = fsum([sqrt(tells(a) * tells(b)) for a, b in shared])
        return points
