"""Decides what the alignment leaves in doubt: heirs, removals, splits, merges and copies.

A candidate's points are the sum of its features times their weights, and its chance follows from these by
a conditional logit. `make fit ARGS=steps` fits the weights again to steps that people read.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rapidfuzz.distance import Indel

from variorum.facts import Verdict
from variorum.history.alignment import Alignment
from variorum.history.sides import NOWHERE, Item, RareWords

# The evidence for a candidate by name.
Features = dict[str, float]

# By feature, its weight where a provision went and where it came from.
WEIGHTS: Mapping[str, tuple[float, float]] = {
    "nothing": (1.75, 5.83),
    "bits": (0.17, -0.14),
    "new words": (0.0, 0.25),
    "entry": (-0.09, 0.85),
    "unmatched": (0.87, 0.0),
    "turmoil": (0.77, -10.75),
    "words": (-2.45, -2.46),
    "text": (0.37, 0.23),
    "runs left": (0.27, 0.15),
    "runs left, close": (3.72, 6.9),
    "common left": (1.06, 1.86),
    "said by partner": (0.83, 4.0),
    "first sentence": (3.22, 1.81),
    "best sentence": (-0.68, 2.56),
    "heading": (4.0, 4.23),
    "other's": (-1.2, -1.11),
    "other's anchor": (-2.17, -1.84),
    "to entry": (-2.59, 2.55),
    "same name": (0.56, 0.41),
    "family": (1.3, 0.23),
    "beside": (0.78, 0.4),
    "votes": (3.43, 1.57),
    "votes against": (0.75, 1.07),
    "kin": (3.79, 3.85),
}
# For each chance, the least result, by what was decided: of an aligned heir its margin in points, less for
# other words and in an edition that changed much; of an heir chosen again, a removal or merger, the main
# heir of a split, a new provision. The chances are the shares of such decisions that readers found right,
# cross-validated; removals are never certain.
_CHANCES = {
    "heir": {0.9999: 8.2, 0.997: 5.1, 0.7: -99.0},
    "went": {0.997: 0.985, 0.97: 0.95, 0.9: 0.8, 0.7: 0.5, 0.45: 0.0},
    "gone": {0.9: 0.95, 0.7: 0.7, 0.45: 0.0},
    "main": {0.997: 0.985, 0.97: 0.96, 0.9: 0.85, 0.7: 0.55, 0.45: 0.0},
    "new": {0.997: 0.999, 0.97: 0.97, 0.9: 0.88, 0.7: 0.6, 0.45: 0.0},
}
# The chance of an heir whose words each edition has once. Nothing is certain.
_MOST = 0.9999
# A less likely heir is chosen again among all candidates.
_CHOSEN_AGAIN = 0.97
# A source with less of a provision's words, weighed in bits, must be near it in the rules.
_SAYS_SOME = 0.3
# If an heir lost less than this share of the words that a new provision took, they were copied.
_KEPT_SAYING = 0.5
# A rule of at most this many words may be reworded in its place until no word is left.
_SHORT = 12
# A new rule repeats an entry, or leads a section that does, if these features are at least so high.
_SAME_SUBJECT, _REPEATS, _LEADS = 0.1, ("said by partner", 0.04), ("kin", 0.6)
_LOOKED_AT = 8


@dataclass(slots=True)
class Step:
    """How a provision came from one edition to the next. Places are those in the editions.

    `old` is -1 of a new provision, which is its own heir; `heir` is -1 of one that is gone, or that was
    `merged` into others. `kinds` are bits, see rows.STEP_KINDS; those of an uncertain step are the
    likeliest, and it has `rivals`, further candidates. `confidence` is the chance that the main heir, or
    its absence, is right. `doubt` says why a step is uncertain that readers contradict in part.
    """

    old: int
    heir: int = NOWHERE
    parts: list[int] = field(default_factory=list[int])
    copies: list[int] = field(default_factory=list[int])
    merged: list[int] = field(default_factory=list[int])
    rivals: list[int] = field(default_factory=list[int])
    kinds: int = 0
    confidence: float = 0.0
    verdict: Verdict | None = None
    doubt: str = ""

    @property
    def new(self) -> list[int]:
        """Return the places of all heirs in the newer edition, the main heir first."""
        main = self.merged if self.heir == NOWHERE else [self.heir, *self.parts]
        return [*dict.fromkeys([*main, *self.copies, *self.rivals])]

    def clear(self) -> None:
        """Make the provision gone."""
        self.heir, self.parts, self.copies, self.merged = NOWHERE, [], [], []


class Descent:
    """The steps of all old provisions, and the chance that a provision without a source is new.

    `choices` are all that were made: 0 where a provision went or 1 where it came from, its place, and the
    features of the candidates, -1 for none of them.
    """

    def __init__(self, alignment: Alignment) -> None:
        self._alignment, self._scale = alignment, alignment.scale
        self._old, self._new = alignment.old.items, alignment.new.items
        self._heirs = dict(alignment.heirs)
        self._owners = {new: old for old, new in self._heirs.items()}
        self.steps = [Step(item.place) for item in self._old]
        self.chances_of_new: dict[int, float] = {}
        self.choices: list[tuple[int, int, dict[int, Features]]] = []
        self._known = set[str]().union(*[item.canon.bag for item in self._old])
        # How much the edition changed: the mean change of a provision, from 0 to 1.
        moved = alignment.heirs.items() - alignment.anchors.items()
        likeness = [self._scale.likeness(self._old[old], self._new[new]) for old, new in moved]
        self._turmoil = sum(sorted([1.0 - it.words for it in likeness])) / len(self._old)
        self._choose_heirs()
        for old, new in self._heirs.items():
            self.steps[old].heir = new
        self._find_sources()
        for step in self.steps:
            if step.parts:
                self._choose_main(step)

    def _choose(
        self, choice: int, item: Item, candidates: dict[int, Features]
    ) -> tuple[int, float]:
        """Return the likeliest candidate, or -1 for none of them, and its share of the odds."""
        self.choices.append((choice, item.place, candidates))
        return _likeliest(
            {
                place: sum([WEIGHTS[name][choice] * value for name, value in features.items()])
                for place, features in candidates.items()
            }
        )

    def _nothing(self, item: Item) -> Features:
        unknown = "".join([sign for sign in item.words if sign not in self._known])
        return {
            "nothing": 1.0,
            "bits": math.log2(1.0 + self._scale.bits(item.words)),
            "new words": math.log2(1.0 + self._scale.bits(unknown)),
            "entry": float(item.is_entry),
            "turmoil": self._turmoil,
        }

    def _choose_heirs(self) -> None:
        """Choose an heir for each old provision that has none or a doubtful one."""
        heirs, owners, asked = self._heirs, self._owners, list[Item]()
        margins = self._alignment.margins()
        for item in self._old:
            step, margin = self.steps[item.place], margins.get(item.place)
            if item.place in self._alignment.anchors:
                step.confidence = _MOST
            elif margin is not None:
                after = self._new[heirs[item.place]]
                words = self._scale.likeness(item, after).words
                step.confidence = _chance(
                    "heir", min(margin, 8.0) + 0.74 * words - 2.4 * self._turmoil
                )
            if step.confidence < _CHOSEN_AGAIN:
                asked.append(item)
        way = _Way(self._alignment, dict(heirs), owners, self._alignment.rare, is_forward=True)
        for item in reversed(asked):  # children before their parents, whose heirs they show
            old, step = item.place, self.steps[item.place]
            nothing = self._nothing(item) | {"unmatched": float(old not in way.matches)}
            new, result = self._choose(0, item, way.candidates(item) | {NOWHERE: nothing})
            is_rule = item.state.kind in {"rule", "subrule"}
            if new == NOWHERE and is_rule and len(item.words) <= _SHORT:
                new, result = way.in_place(item), 1.0 - result
            step.confidence = _chance("gone" if new == NOWHERE else "went", result)
            if heirs.get(old) == new:
                continue
            owners.pop(heirs.pop(old, NOWHERE), None)
            way.matches.pop(old, None)
            if new != NOWHERE:
                way.matches[old] = new
                if new in owners:
                    step.merged.append(new)
                else:
                    heirs[old], owners[new] = new, old

    def _find_sources(self) -> None:
        """Choose a source for each new provision that is nobody's main heir."""
        asked = [item for item in self._new if item.place not in self._owners]
        rare = RareWords(self._scale, asked, self._old)
        way = _Way(self._alignment, dict(self._owners), self._heirs, rare, is_forward=False)
        for item in reversed(asked):
            new, candidates = item.place, way.candidates(item)
            old, result = self._choose(1, item, candidates | {NOWHERE: self._nothing(item)})
            entry = self._entry_on(item, candidates) if old == NOWHERE else NOWHERE
            if entry != NOWHERE:
                way.matches[new] = entry
                self.steps[entry].copies.insert(0, new)
                continue
            if old == NOWHERE:
                self.chances_of_new[new] = _chance("new", result)
                continue
            way.matches[new] = old
            step = self.steps[old]
            if step.merged:
                step.merged.append(new)
            elif step.heir != NOWHERE and self._still_says(step, new):
                step.copies.insert(0, new)
            else:
                step.parts.append(new)

    def _entry_on(self, item: Item, candidates: Mapping[int, Features]) -> int:
        """Return the entry on a new rule's subject whose heir also has its words, or -1.

        In 2006-07, section 511 repeats the enlarged entry on coin flips.
        """
        feature, least = _REPEATS if item.canon.body else _LEADS
        on_it = (
            old
            for old, its in candidates.items()
            if old in self._heirs and self._old[old].is_entry and not item.is_entry
            if its["heading"] >= _SAME_SUBJECT and its[feature] >= least
        )
        return next(on_it, NOWHERE)

    def _still_says(self, step: Step, new: int) -> bool:
        """Return whether an old provision's heir keeps the words that a new provision took."""
        before, after = self._old[step.old].words, self._new[new].words
        heir, scale = self._new[step.heir].words, self._scale
        if before == after == heir:
            return True  # too short to be a run, such as "General"
        taken = scale.covered(scale.unsaid(before, heir), after)
        return taken < _KEPT_SAYING * scale.covered(before, after)

    def _choose_main(self, step: Step) -> None:
        """Choose the main heir of a split provision: that over all others, or with its first sentence."""
        everyone, before = sorted({step.heir, *step.parts} - {NOWHERE}), self._old[step.old]
        first = {it: self._alignment.sentences(before, self._new[it])[0] for it in everyone}
        points = {NOWHERE: 0.0}
        for new in everyone:
            others, after = [part for part in everyone if part != new], self._new[new]
            points[new] = first[new] - max([0.0, *[first[it] for it in others]])
            points[new] += 1.5 * all(self._new[it].parent == new for it in others)
            points[new] += (after.name == before.name) - 3.4 * (
                after.is_entry and not before.is_entry
            )
            if new == step.heir:
                points[new] += 0.6 + 0.56 * math.log(step.confidence / (1.0 - step.confidence))
        step.heir, result = _likeliest(points, is_one=True)
        step.confidence = _chance("main", result)
        step.parts = [new for new in everyone if new != step.heir]


def _chance(decision: str, result: float) -> float:
    return next(chance for chance, least in _CHANCES[decision].items() if result >= least)


def _likeliest(points: Mapping[int, float], *, is_one: bool = False) -> tuple[int, float]:
    """Return the place with the most points, and its share of the odds; not -1 if it `is_one`."""
    most = max(points.values())
    odds = {place: math.exp(value - most) for place, value in points.items()}
    best = max([it for it in odds if not is_one or it != NOWHERE], key=lambda it: (odds[it], -it))
    return best, odds[best] / sum(odds.values())


class _Way:
    """Weighs the provisions of one side as matches of those of the other.

    `matches` has the match of each provision that has one; several may have the same. `partners` has the
    main match of each candidate.
    """

    def __init__(
        self,
        alignment: Alignment,
        matches: dict[int, int],
        partners: Mapping[int, int],
        rare: RareWords,
        *,
        is_forward: bool,
    ) -> None:
        here, there = [alignment.old, alignment.new][:: 1 if is_forward else -1]
        self._here, self._there, self._by_name = here.items, there.items, there.by_name
        self._alignment, self._scale, self._is_forward = alignment, alignment.scale, is_forward
        self.matches, self._partners, self._rare = matches, partners, rare
        self._votes: dict[int, dict[int, int]] = defaultdict(dict)
        for old, votes in alignment.votes.items():
            for new, count in votes.items():
                cited, cited_after = (old, new) if is_forward else (new, old)
                self._votes[cited][cited_after] = count

    def candidates(self, item: Item) -> dict[int, Features]:
        """Return the features of each candidate."""
        there, votes, total = self._there, self._votes.get(item.place, {}), 0
        total = sum(votes.values())
        above, before, after = map(self._match, (item.parent, item.previous, item.following))
        beside = {it.following for it in before} | {it.previous for it in after}
        kin = Counter(self._kin(item))
        relatives = [
            *above,
            *before,
            *after,
            *[it for child in item.children for it in self._match(child)],
        ]
        row = [there[place] for parent in above for place in parent.children]
        near = {
            *[place for place, _ in kin.most_common(4)],
            *[place for it in relatives for place in (it.place, it.parent)],
            *beside,
            *[it.place for it in row if abs(it.rank - item.rank) <= 1],
            *sorted(votes, key=lambda place: (-votes[place], place))[:2],
            self._by_name.get(item.name, NOWHERE),
        }
        parents = {*[it.place for it in above], *[it.parent for it in (*before, *after)]} - {
            NOWHERE
        }
        features: dict[int, Features] = {}
        for place in sorted(near.union(self._rare.likest(item, _LOOKED_AT)) - {NOWHERE}):
            other = there[place]
            common = self._scale.likeness(*self._pair(item, other)).common
            if (
                self._is_forward
                or place in near
                or common >= _SAYS_SOME * self._scale.bits(item.words)
            ):
                features[place] = self._features(item, other) | {
                    "family": float(other.parent in parents),
                    "beside": float(place in beside),
                    "votes": votes.get(place, 0) / total if total else 0.0,
                    "votes against": float(total > 0 and place not in votes),
                    "kin": kin[place] / len(item.children) if place in kin else 0.0,
                }
        return features

    def _match(self, place: int) -> list[Item]:
        return [self._there[self.matches[place]]] if place in self.matches else []

    def _pair(self, item: Item, other: Item) -> tuple[Item, Item]:
        return (item, other) if self._is_forward else (other, item)

    def _kin(self, item: Item) -> Iterable[int]:
        """Yield the matches of children, and what these stand under."""
        for child in item.children:
            place = self.matches.get(child, NOWHERE)
            while place != NOWHERE:
                yield place
                place = self._there[place].parent

    def in_place(self, item: Item) -> int:
        """Return the unmatched rule that has a rule's number between the same neighbours, or -1."""
        place = self._by_name.get(item.name, NOWHERE)
        if place in self._partners or NOWHERE in (place, item.parent):
            return NOWHERE
        here, there = ((it.parent, it.previous, it.following) for it in (item, self._there[place]))
        return place if [self.matches.get(it, NOWHERE) for it in here] == [*there] else NOWHERE

    def _features(self, item: Item, other: Item) -> Features:
        scale, (old, new) = self._scale, self._pair(item, other)
        likeness = scale.likeness(old, new)
        weight = max(scale.bits(item.words), 1.0)
        taken, common, said, is_close = likeness.shared, likeness.common, 0.0, False
        partner = self._partners.get(other.place, NOWHERE)
        is_others = partner not in (NOWHERE, item.place)
        if is_others:  # only what its match does not have counts
            mate = self._here[partner]
            left = scale.unsaid(other.words, mate.words)
            taken, common = (
                scale.covered(item.words, left),
                scale.common(item.canon.bag, Counter(left)),
            )
            said = scale.covered(item.words, mate.words) / weight
            is_close = mate.parent == item.parent != NOWHERE
            is_close = is_close or mate.parent == item.place or item.parent == mate.place
        anchors, first, best = self._alignment.anchors, 0.0, 0.0
        is_anchor = anchors.get(partner) == other.place or anchors.get(other.place) == partner
        if likeness.common >= _SAYS_SOME * weight:
            first, best = self._alignment.sentences(item, other)
        is_under_heading = item.is_entry != other.is_entry and not self._is_forward
        heads = [
            (_heading_over(it, items) if is_under_heading else it.state.heading).casefold()
            for it, items in ((item, self._here), (other, self._there))
        ]
        heading = Indel.normalized_similarity(*heads) if all(heads) else 0.0
        return {
            "text": likeness.points,
            "words": likeness.words,
            "runs left": math.log2(1.0 + taken),
            "runs left, close": taken / weight * is_close,
            "common left": common / weight,
            "said by partner": max(0.0, said - 0.5),
            "first sentence": first,
            "best sentence": best,
            "other's": float(is_others),
            "other's anchor": float(is_others and is_anchor),
            "to entry": float(new.is_entry and not old.is_entry),
            "same name": float(item.name == other.name),
            "heading": max(0.0, heading - 0.5),
        }


def _heading_over(item: Item, items: list[Item]) -> str:
    while not item.state.heading and item.parent != NOWHERE:
        item = items[item.parent]
    return item.state.heading
