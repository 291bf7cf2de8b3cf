"""Finds the rules that fit a sentence best, by its rarest words."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

# Commoner words are not used to look up rules.
_LEAST_RARITY = 1.2
# The rarity of a word that only one rule has, in an edition of any size, and the least rarity of a
# rare word.
RAREST, RARE = 7.0, 4.5
# The most rules that are ranked, and the most words of a sentence that are looked up.
_CANDIDATES, _TELLING = 40, 12
# Rounding may make a sum too small, by a factor of less than this.
_ROUNDED = 1 + 1e-9


class Posting(NamedTuple):
    """The rules that have a stem.

    Attributes:
        places: Their places among all rules, ascending.
        weights: The weight of the stem in each.
        most: The greatest weight.
    """

    places: Sequence[int]
    weights: Sequence[float]
    most: float


class Fits(NamedTuple):
    """How well rules fit a sentence.

    Attributes:
        of: The fit of each rule by its place; 0 if the rule has none of the words.
        best: The places of the rules that fit best, the best first.
        most: The best fit; 0 if there is none.
        rare: For each rule with rare words of the sentence, the rarity of the rarest, from 0 to 1.
    """

    of: Sequence[float]
    best: Sequence[int]
    most: float
    rare: Mapping[int, float]


def posting_of(posted: Sequence[tuple[int, float]]) -> Posting:
    """Return the rules that have a stem, given their places and the stem's weights."""
    places, weights = zip(*posted, strict=True)
    return Posting(places, weights, max(weights))


def fits_of(
    words: Mapping[str, float],
    rarity: Mapping[str, float],
    postings: Mapping[str, Posting],
    numbers: Sequence[str],
) -> Fits:
    """Return how well rules fit the rarest words of a sentence.

    Args:
        words: The stems of the sentence with their weights.
        rarity: The rarity of each stem.
        postings: The rules that have each stem.
        numbers: The numbers of the rules, by their places.
    """
    fit = [0.0] * len(numbers)
    rare: dict[int, float] = {}
    bounds: list[tuple[float, Sequence[int]]] = []
    for value, stem in sorted([(w, s) for s, w in words.items()], reverse=True)[:_TELLING]:
        rare_by = rarity[stem]
        if rare_by < _LEAST_RARITY:
            continue
        places, posted, most = postings[stem]
        bounds.append((value * most, places))
        for place, weight in zip(places, posted, strict=True):
            fit[place] += value * weight
        if rare_by > RARE:
            share = (rare_by - RARE) / (RAREST - RARE) * min(1.0, value / rare_by)
            for place in places:
                rare[place] = max(rare.get(place, 0.0), share)
    best = _best(fit, bounds, numbers)
    return Fits(fit, best, fit[best[0]] if best else 0.0, rare)


def _best(
    fit: Sequence[float], bounds: Sequence[tuple[float, Sequence[int]]], numbers: Sequence[str]
) -> list[int]:
    """Return the places of the rules that fit best, the best first.

    Args:
        fit: The fit of each rule, by its place.
        bounds: For each word, the most that it adds to a fit, and the places of the rules that have
            it.
        numbers: The numbers of the rules, by their places.
    """
    left, least = sum([bound for bound, _ in bounds]), 0.0
    first, close = set[int](), set[int]()
    for bound, places in bounds:
        if left * _ROUNDED < least:
            break  # the remaining words add too little
        left -= bound
        if least:
            close.update([place for place in places if fit[place] >= least])
            continue
        first.update(places)
        if len(first) >= _CANDIDATES:
            least = sorted([fit[place] for place in first])[-_CANDIDATES]
    close.update([place for place in first if fit[place] >= least])
    best = sorted([(fit[place], numbers[place], place) for place in close])
    return [place for _, _, place in best[: -_CANDIDATES - 1 : -1]]
