"""What may be cited by an edition, so that each kind of it has its share."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lab.score.cited_truth import Claim, Truth, rows_of


@dataclass(frozen=True, slots=True)
class Pool:
    """What may be cited by an edition, each kind in a list of its own, so that each has its share."""

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
    some = _by_kind(one for one in every.values() if "." in one.first)
    shares = [_share(each) for each in some]
    ranges = truth.ranges(label, known)
    rows = [row for row in rows_of(every).values() if len(row) > 1]
    return Pool(
        tuple(map(tuple, some)),
        tuple(shares),
        tuple(one for one in known.values() if "." not in one.first),
        tuple(map(tuple, _by_kind([one for one in ranges if "." in one.first]))),
        tuple(one for one in ranges if "." not in one.first),
        tuple(tuple(every[number] for number in row) for row in rows),
    )


def _by_kind(claims: Iterable[Claim]) -> list[list[Claim]]:
    found: dict[str, list[Claim]] = {}
    for one in claims:
        found.setdefault(one.kind, []).append(one)
    return [found[kind] for kind in sorted(found)]


def _share(claims: Sequence[Claim]) -> float:
    """Return how often a kind is cited: what is plain the most, what is rare as often as it can."""
    one = claims[0]
    most = {"words": 6.0, "links": 1.5, "other editions": 0.7, "invented": 2.0}[one.source]
    return min(most, len(claims) / 4)
