"""A pool of citations that one edition allows, with a share for each kind."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lab.score.cited_truth import Claim, Truth, rows_of


@dataclass(frozen=True, slots=True)
class Pool:
    """The citations that an edition allows, in a list for each kind."""

    singles: tuple[tuple[Claim, ...], ...]
    shares: tuple[float, ...]
    sections: tuple[Claim, ...]
    ranges: tuple[tuple[Claim, ...], ...]
    section_ranges: tuple[Claim, ...]
    lettered: tuple[tuple[Claim, ...], ...]


def pool_of(truth: Truth, label: str) -> Pool:
    words, links = truth.by_words(label), truth.by_links(label)
    absent, invented = truth.absent(label), truth.invented(label)
    known = {**links, **words}
    every = {**invented, **absent, **known}
    some = _by_kind(claim for claim in every.values() if "." in claim.first)
    shares = [_share(each) for each in some]
    ranges = truth.ranges(label, known)
    rows = [row for row in rows_of(every).values() if len(row) > 1]
    return Pool(
        tuple(map(tuple, some)),
        tuple(shares),
        tuple(claim for claim in known.values() if "." not in claim.first),
        tuple(map(tuple, _by_kind([claim for claim in ranges if "." in claim.first]))),
        tuple(claim for claim in ranges if "." not in claim.first),
        tuple(tuple(every[number] for number in row) for row in rows),
    )


def _by_kind(claims: Iterable[Claim]) -> list[list[Claim]]:
    by_kind: dict[str, list[Claim]] = {}
    for claim in claims:
        by_kind.setdefault(claim.kind, []).append(claim)
    return [by_kind[kind] for kind in sorted(by_kind)]


def _share(claims: Sequence[Claim]) -> float:
    """Return how often a kind is cited: plain kinds most often, rare kinds as often as possible."""
    claim = claims[0]
    most = {"words": 6.0, "links": 1.5, "other editions": 0.7, "invented": 2.0}[claim.source]
    return min(most, len(claims) / 4)
