"""Ranks the documents that have words of a query."""

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import log
from typing import NamedTuple

from variorum.search.indexes.text_table import Alphabet, IndexedText
from variorum.search.queries.query_groups import Group

# The weight of a word by the field of the index in which it occurs.
FIELD_WEIGHTS = {"heading": 4.0, "term": 4.0, "above": 1.2, "text": 1.0, "examples": 0.3}
# BM25F: how soon repeated words stop counting, and how much less a long text counts.
BM25_K, BM25_B = 1.2, 0.45
# The usual length of a field in words. It is fixed, since the mean changes with every edition.
USUAL_LENGTH = 45
# The nearness of two words by the number of words between them.
_DISTANCES = ((0, 1.0), (2, 0.7), (5, 0.4), (12, 0.15))
_SHORTEST_ROW = 2


Places = list[tuple[int, int]]


class SoughtWords:
    """The groups of a query, with each stem spelt as a letter of an alphabet.

    Attributes:
        groups: The groups, in the order of the query.
        forms: The spellings of all forms of each group.
        asked: The words of the query, with a letter for each stem.
        whole: The sum of the importance of the groups.
    """

    def __init__(self, groups: Sequence[Group], alphabet: Alphabet) -> None:
        spelt = alphabet.spelt
        self.groups = groups
        self.forms = [[spelt(stems) for stems in group.stems] for group in groups]
        self.asked = "".join([spelt(group.asked_stems) for group in groups if not group.is_loose])
        self.whole = sum([group.tells for group in groups]) or 1.0
        self._known: dict[str, list[Places]] = {}

    def places(self, text: str) -> list[Places]:
        """Return the places of each group in a text: its first and last word.

        Results are cached, because texts share headings, and ranked texts are often shown next.
        """
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = [_places(forms, text) for forms in self.forms]
        return known


@lru_cache(maxsize=16)  # ranked texts are often shown next
def sought_words(groups: tuple[Group, ...], alphabet: Alphabet) -> SoughtWords:
    """Return the groups of a query in the letters of an alphabet."""
    return SoughtWords(groups, alphabet)


def _places(forms: Sequence[str], text: str) -> Places:
    runs: Places = []
    for letters in forms:
        place = text.find(letters)
        while place >= 0:
            runs.append((place, place + len(letters) - 1))
            place = text.find(letters, place + 1)
    return runs


def stands_in(document: IndexedText, stems: tuple[str, ...]) -> bool:
    """Return whether a document has a sequence of stems, in its text or a heading."""
    letters = document.alphabet.spelt(stems)
    return letters in document.text or letters in document.heading or letters in document.above


class Weights(NamedTuple):
    """The weights of the parts of a score, fitted to lab/score/queries/tuning.toml.

    Attributes:
        coverage: The loss if only some of the words match.
        apart: A name whose words are apart.
        heading: A heading that names words of the query.
        whole_heading: A heading that names all words of the query and nothing else.
        near: Words near each other.
        row: Words in a row, as in the query.
        sentence: A sentence that, with the headings above it, has the words of the query.
        under: A heading above that names words of the query.
        early: Words at the beginning of a text.
        cited: Many citations.
        kinds: The kinds of provisions.
    """

    coverage: float = 1.1
    apart: float = 0.85
    heading: float = 1.4
    whole_heading: float = 0.6
    near: float = 0.6
    row: float = 0.75
    sentence: float = 0.8
    under: float = 0.5
    early: float = 0.8
    cited: float = 0.16
    chapter: float = 1.0
    section: float = 1.2
    rule: float = 1.3
    subrule: float = 1.03
    glossary: float = 1.0


FITTED = Weights()


class ScoreParts(NamedTuple):
    """The parts of a document's score, in the order of `Weights`."""

    base: float
    base_apart: float
    covered: float
    covered_apart: float
    titled: float
    fits: float
    near: float
    row: float
    sentence: float
    under: float
    early: float
    cited: float
    kind: str


def score(sought: SoughtWords, points: Sequence[float], document: IndexedText) -> float:
    """Return how well a document matches a query.

    Args:
        sought: The groups of the query, in the document's letters.
        points: The weight of each group in the document, from 0 to 1.
        document: The document.
    """
    return weigh(parts_of(sought, points, document), FITTED)


def parts_of(sought: SoughtWords, points: Sequence[float], document: IndexedText) -> ScoreParts:
    """Return the parts of a document's score."""
    groups, whole = sought.groups, sought.whole
    places = sought.places(document.text)
    heading, above = sought.places(document.heading), sought.places(document.above)
    base = covered = titled = over = early = base_apart = covered_apart = 0.0
    for group, much, there, title, high in zip(groups, points, places, heading, above, strict=True):
        if group.is_spread and (there or title or high):
            much = _SPREAD  # noqa: PLW2901
        if not much:
            continue
        tells = group.tells
        if there or title or high or not group.stems:
            base += tells * much
            covered += tells
        else:
            base_apart += tells * much
            covered_apart += tells
        titled += tells if title else 0.0
        over += tells if high else 0.0
        if there and not group.is_asking:
            early += tells * max(0.0, 1 - there[0][0] / _EARLY)
    fits = _fit(document.heading, heading)
    if fits == 1.0:
        # "Command" below the heading "Zones" is the command zone.
        both = zip(groups, heading, above, strict=True)
        beside = sum([group.tells for group, title, high in both if high and not title])
        titled, over = titled + _BESIDE * beside, over - beside
    return ScoreParts(
        base,
        base_apart,
        covered / whole,
        covered_apart / whole,
        titled / whole,
        fits,
        _nearness(groups, places, document.own, whole),
        _row(sought.asked, document.text[: document.own]),
        _in_a_sentence(
            groups,
            places,
            [bool(a or b) for a, b in zip(heading, above, strict=True)],
            document.ends,
        )
        / whole,
        over / whole,
        early / whole,
        log(1 + document.cited),
        document.kind,
    )


def weigh(parts: ScoreParts, weights: Weights) -> float:
    """Return the score, given its parts."""
    base = parts.base + parts.base_apart * weights.apart
    covered = parts.covered + parts.covered_apart * weights.apart
    more = (
        1
        + weights.heading * parts.titled * parts.fits
        + weights.whole_heading * (parts.fits == 1.0 and parts.titled > _WHOLE)
        + weights.near * parts.near
        + weights.row * parts.row
        + weights.sentence * parts.sentence
        + weights.under * parts.under
        + weights.early * parts.early
        + weights.cited * parts.cited
    )
    kind = float(getattr(weights, parts.kind))
    return float(base * covered**weights.coverage) * more * kind


# The weight of the heading above, relative to a whole heading.
_BESIDE = 0.8
# The weight of a word that almost all documents have.
_SPREAD = 0.45
# A query with more words is a question or a phrase.
_FEW = 3
# This many words count as the beginning of a text.
_EARLY = 12
# This share of a query in a heading counts as the whole query.
_WHOLE = 0.85


def _fit(heading: str, places: Sequence[Places]) -> float:
    """Return how much of a heading the query names."""
    if not any(places):
        return 0.0
    named = {
        position for there in places for first, last in there for position in range(first, last + 1)
    }
    return len(named) / len(heading)


def _nearness(groups: Sequence[Group], places: Sequence[Places], own: int, whole: float) -> float:
    """Return how close together adjacent words of the query are in a text."""
    telling = [
        (group.tells, there)
        for group, there in zip(groups, places, strict=True)
        if there and not group.is_asking and not group.is_loose
    ]
    points = 0.0
    for (tells, before), (tells_too, after) in pairwise(telling):
        gap = min(
            [
                (next_ - last - 1 if next_ > last else first - end - 1 + _WRONG_WAY)
                + (0 if next_ < own else _IN_EXAMPLE)
                for first, last in before
                for next_, end in after
            ]
        )
        for most, weight in _DISTANCES:
            if gap <= most:
                points += min(tells, tells_too) * weight
                break
    return points / whole


# Words in the wrong order, or in an example, count as if this many more words were between them.
_WRONG_WAY, _IN_EXAMPLE = 1, 3


def _in_a_sentence(
    groups: Sequence[Group],
    places: Sequence[Places],
    is_above: Sequence[bool],
    ends: Sequence[int],
) -> float:
    """Return the score of the best sentence, in addition to the headings above it."""
    if sum([not group.is_loose for group in groups]) <= _FEW:
        return 0.0  # few words need not be in one sentence
    points = [0.0] * (len(ends) + 1)
    is_one = len(ends) == 1
    above = 0.0
    for group, there, is_named in zip(groups, places, is_above, strict=True):
        if is_named:
            above += group.tells
        elif is_one:
            points[0] += group.tells if there else 0.0
        else:
            for sentence in {bisect_right(ends, first) for first, _ in there}:
                points[sentence] += group.tells
    return above + max(points)


def _row(asked: str, text: str) -> float:
    """Return the share of a query's words that a text has in a row, in the same order."""
    best = 0
    for start in range(len(asked)):
        while start + best < len(asked) and asked[start : start + best + 1] in text:
            best += 1
    return best / len(asked) if best >= _SHORTEST_ROW else 0.0
