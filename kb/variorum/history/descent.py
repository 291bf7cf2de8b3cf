"""Decides what the alignment leaves in doubt: heirs, removals, splits, merges and copies."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from rapidfuzz.distance import Indel

from variorum.history import fitted
from variorum.history.alignment import PRICE, Alignment
from variorum.history.likeness import Likeness, RareWords
from variorum.history.sides import NOWHERE, Item, Side

# The features of a candidate by name; `fitted.py` has their weights.
Features = dict[str, float]

# A less likely heir is chosen again among all candidates.
_CHOSEN_AGAIN = 0.97
# A source with less of a provision's words, weighed in bits, must be near it in the rules.
_SAYS_SOME = 0.3
# If an heir lost less than this share of the words that a new provision took, they were copied.
_KEPT_SAYING = 0.5
# How like the headings of an entry and of a section on its subject are, and how many of the section's
# rules come from the entry.
_SAME_SUBJECT = 0.6
# A rule of at most this many words may be reworded in its place until no word is left.
_SHORT = 12
_LOOKED_AT = 8


@dataclass(slots=True)
class Descent:
    """The heirs, parts, copies and merged provisions of an alignment, by places.

    Attributes:
        heirs: The main heir of each old provision that has one.
        parts: Further heirs of a provision that was split.
        copies: New provisions that repeat an old provision with an heir.
        absorbed: The new provisions into which an old one without an heir was merged.
        chances: The chance of each old provision's main heir or removal.
        chances_of_new: The chance that a provision without a source is new.
        choices: All choices: the kind, the provision, the features of its candidates.
    """

    heirs: dict[int, int]
    parts: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    copies: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    absorbed: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    chances: dict[int, float] = field(default_factory=dict[int, float])
    chances_of_new: dict[int, float] = field(default_factory=dict[int, float])
    choices: list[tuple[str, int, dict[int, Features]]] = field(
        default_factory=list[tuple[str, int, dict[int, Features]]]
    )


def find_descent(alignment: Alignment) -> Descent:
    """Return the descent of the provisions of the older edition."""
    finder = _Finder(alignment)
    finder.choose_heirs()
    finder.find_sources()
    finder.find_leads()
    for old in sorted(finder.descent.parts):
        finder.choose_main(old)
    for copies in finder.descent.copies.values():
        copies.sort()
    return finder.descent


class _Direction:
    """Weighs the provisions of one side as matches of those of the other.

    Attributes:
        matches: The match of each provision that has one; several may have the same.
        partners: The main match of each candidate.
    """

    def __init__(
        self,
        alignment: Alignment,
        matches: dict[int, int],
        partners: Mapping[int, int],
        turmoil: float,
        *,
        is_forward: bool,
    ) -> None:
        sides = (alignment.old, alignment.new) if is_forward else (alignment.new, alignment.old)
        self._here, self._there = sides
        self._alignment, self._scale, self._is_forward = alignment, alignment.scale, is_forward
        self.matches, self.partners, self._turmoil = matches, partners, turmoil
        self._rare = RareWords(self._scale, self._there.items, self._there.items)
        self._votes: dict[int, dict[int, int]] = defaultdict(dict)
        for old, votes in alignment.votes.items():
            for new, count in votes.items():
                cited, cited_after = (old, new) if is_forward else (new, old)
                self._votes[cited][cited_after] = count

    def candidates(self, item: Item) -> dict[int, Features]:
        """Return the features of each candidate, and of "none of them" (-1)."""
        there, kin, votes = self._there.items, self._kin(item), self._votes.get(item.place, {})
        around = [self.matches[place] for place in self._here.family(item) if place in self.matches]
        above = self.matches.get(item.parent, NOWHERE)
        row = () if above == NOWHERE else there[above].children
        beside = self._beside(item)
        near = {
            *[place for place, _ in kin.most_common(4)],
            *beside,
            *around,
            *[there[place].parent for place in around],
            *[place for place in row if abs(there[place].rank - item.rank) <= 1],
            *sorted(votes, key=lambda place: (-votes[place], place))[:2],
            self._there.by_name.get(item.name, NOWHERE),
        }
        features = {NOWHERE: self._nothing(item)}
        for place in sorted(near.union(self._rare.likest(item, _LOOKED_AT)) - {NOWHERE}):
            likeness = self._text(item, there[place])[1]
            says_some = likeness.common >= _SAYS_SOME * self._scale.bits(item.words)
            if self._is_forward or place in near or says_some:
                features[place] = {
                    **self._words(item, there[place]),
                    **self._places(item, there[place]),
                    "votes": votes.get(place, 0) / sum(votes.values()) if votes else 0.0,
                    "votes against": float(bool(votes) and place not in votes),
                    "kin": kin[place] / len(item.children) if place in kin else 0.0,
                    "beside": float(place in beside),
                }
        return features

    def _text(self, item: Item, other: Item) -> tuple[float, Likeness]:
        old, new = (item, other) if self._is_forward else (other, item)
        return self._alignment.text(old.place, new.place)

    def _kin(self, item: Item) -> Counter[int]:
        """Count the children whose match is a candidate or below it."""
        kin: Counter[int] = Counter()
        for child in item.children:
            place = self.matches.get(child, NOWHERE)
            while place != NOWHERE:
                kin[place] += 1
                place = self._there.items[place].parent
        return kin

    def _beside(self, item: Item) -> set[int]:
        """Return the provisions after the previous one's match and before the next one's."""
        there = self._there.items
        after = self.matches.get(item.previous, NOWHERE)
        before = self.matches.get(item.following, NOWHERE)
        beside = {there[after].following} if after != NOWHERE else set[int]()
        return beside | {there[before].previous} if before != NOWHERE else beside

    def in_place(self, item: Item) -> int:
        """Return the unmatched rule that has a rule's number between the same neighbours, or -1."""
        place = self._there.by_name.get(item.name, NOWHERE)
        if place in self.partners or NOWHERE in (place, item.parent):
            return NOWHERE
        other = self._there.items[place]
        pairs = (
            (item.parent, other.parent),
            (item.previous, other.previous),
            (item.following, other.following),
        )
        is_there = all(self.matches.get(here, NOWHERE) == there for here, there in pairs)
        return place if is_there else NOWHERE

    def _nothing(self, item: Item) -> Features:
        known = self._alignment.old.where
        unknown = "".join([sign for sign in item.words if sign not in known])
        return {
            "nothing": 1.0,
            "nothing: bits": math.log2(1.0 + self._scale.bits(item.words)),
            "nothing: new words": math.log2(1.0 + self._scale.bits(unknown)),
            "nothing: entry": float(item.is_entry),
            "nothing: unmatched": float(self._is_forward and item.place not in self.matches),
            "nothing: turmoil": self._turmoil,
        }

    def _words(self, item: Item, other: Item) -> Features:
        scale, (text, likeness) = self._scale, self._text(item, other)
        weight = max(scale.bits(item.words), 1.0)
        taken, common, said, close = likeness.shared, likeness.common, 0.0, 0.0
        partner = self.partners.get(other.place, NOWHERE)
        if partner not in (NOWHERE, item.place):  # only what its match does not have counts
            mate = self._here.items[partner]
            left = scale.unsaid(other.words, mate.words)
            taken, common = scale.covered(item.words, left), scale.common(item.bag, Counter(left))
            said = scale.covered(item.words, mate.words) / weight
            close = taken / weight * _is_close(mate, item)
        first, best = 0.0, 0.0
        if likeness.common >= _SAYS_SOME * weight:
            first, best = self.sentences(item, other)
        return {
            "text": text,
            "words": likeness.words,
            "log runs left": math.log2(1.0 + taken),
            "runs left, close": close,
            "common left": common / weight,
            "said by partner": max(0.0, said - 0.5),
            "first sentence": first,
            "best sentence": best,
            "heading": self._heading(item, other),
        }

    def _places(self, item: Item, other: Item) -> Features:
        place, partner = other.place, self.partners.get(other.place, NOWHERE)
        is_others = partner not in (NOWHERE, item.place)
        anchors = self._alignment.anchors
        is_anchor = anchors.get(partner) == place or anchors.get(place) == partner
        siblings = [self.matches.get(near, NOWHERE) for near in (item.previous, item.following)]
        around = [self._there.items[near].parent for near in siblings if near != NOWHERE]
        around.append(self.matches.get(item.parent, NOWHERE))
        old, new = (item, other) if self._is_forward else (other, item)
        return {
            "other's": float(is_others),
            "other's anchor": float(is_others and is_anchor),
            "rule to entry": float(new.is_entry and not old.is_entry),
            "same name": float(item.name == other.name),
            "family": float(other.parent != NOWHERE and other.parent in around),
        }

    def _heading(self, item: Item, other: Item) -> float:
        """Return the likeness of headings; headings over a rule that came from an entry count."""
        headings = [item.state.heading, other.state.heading]
        if item.is_entry != other.is_entry and not self._is_forward:
            headings = [_heading_over(item, self._here), _heading_over(other, self._there)]
        first, second = map(str.casefold, headings)
        alike = Indel.normalized_similarity(first, second) if first and second else 0.0
        return max(0.0, alike - 0.5)

    def sentences(self, item: Item, other: Item) -> tuple[float, float]:
        """Return how well the first and the best sentence match one of another provision's."""
        common, ours, theirs = self._scale.common, self._sentences(item), self._sentences(other)
        best = [
            max([2.0 * common(bag, its) / (weight + its_weight) for its, its_weight in theirs])
            for bag, weight in (ours if theirs else ())
        ]
        return (best[0], max(best)) if best else (0.0, 0.0)

    def _sentences(self, item: Item) -> list[tuple[Counter[str], float]]:
        sentences = self._here.folder.sentences(item.state)
        weighed = [(Counter(words), self._scale.bits(words)) for words in sentences]
        return [(bag, weight) for bag, weight in weighed if weight > 0.0]


def _heading_over(item: Item, side: Side) -> str:
    while not item.state.heading and item.parent != NOWHERE:
        item = side.items[item.parent]
    return item.state.heading


def _is_close(first: Item, second: Item) -> bool:
    """Return whether two provisions are siblings, or parent and child."""
    is_beside = first.parent == second.parent != NOWHERE
    return is_beside or first.parent == second.place or second.parent == first.place


class _Finder:
    def __init__(self, alignment: Alignment) -> None:
        self._alignment = alignment
        self._old, self._new = alignment.old.items, alignment.new.items
        self._owners = dict(alignment.owners)
        self.descent = Descent(dict(alignment.heirs))
        self._of_new: dict[int, list[tuple[float, int]]] = defaultdict(list)
        changed = 0.0
        for old, row in alignment.scores.items():
            for new, score in row.items():
                self._of_new[new].append((score.total, old))
                changed += 1.0 - score.likeness.words if alignment.heirs.get(old) == new else 0.0
        # How much the edition changed: the mean change of a provision, from 0 to 1.
        self._turmoil = changed / len(self._old)
        self._forward = self._direction(self.descent.heirs, self._owners, is_forward=True)

    def _direction(
        self, matches: Mapping[int, int], partners: Mapping[int, int], *, is_forward: bool
    ) -> _Direction:
        turmoil = self._turmoil
        return _Direction(self._alignment, dict(matches), partners, turmoil, is_forward=is_forward)

    def _choose(
        self, choice: str, place: int, candidates: dict[int, Features], *, is_one: bool = False
    ) -> tuple[int, float]:
        """Return the likeliest candidate and the result of the regression for it.

        -1 stands for none of them; it is not chosen if it `is_one` of the others.
        """
        self.descent.choices.append((choice, place, candidates))
        weights = fitted.WEIGHTS[choice]
        points = {
            candidate: sum([weights.get(name, 0.0) * value for name, value in features.items()])
            for candidate, features in candidates.items()
        }
        most = max(points.values())
        odds = {candidate: math.exp(value - most) for candidate, value in points.items()}
        total = sum(odds.values())
        if is_one:
            del odds[NOWHERE]
        best = max(odds, key=lambda candidate: (odds[candidate], -candidate))
        return best, odds[best] / total

    # Heirs ---------------------------------------------------------------------------------------

    def choose_heirs(self) -> None:
        """Choose an heir for each old provision that has none or a doubtful one."""
        heirs, chances, forward = self.descent.heirs, self.descent.chances, self._forward
        asked: list[Item] = []
        for item in self._old:
            old = item.place
            if old in self._alignment.anchors:
                chances[old] = fitted.MOST
                continue
            if old in heirs:
                candidates = {heirs[old]: self._heir_features(old), NOWHERE: {}}
                _, result = self._choose("heir", old, candidates, is_one=True)
                chances[old] = fitted.chance("heir", result)
            if chances.get(old, 0.0) < _CHOSEN_AGAIN:
                asked.append(item)
        for item in reversed(asked):  # children before their parents, whose heirs they show
            old = item.place
            new, result = self._choose("went", old, forward.candidates(item))
            is_rule = item.state.kind in {"rule", "subrule"}
            if new == NOWHERE and is_rule and len(item.words) <= _SHORT:
                new, result = forward.in_place(item), 1.0 - result
            chances[old] = fitted.chance("gone" if new == NOWHERE else "went", result)
            if heirs.get(old) == new:
                continue
            self._take(old)
            forward.matches.pop(old, None)
            if new == NOWHERE:
                continue
            forward.matches[old] = new
            if new in self._owners:
                self.descent.absorbed[old].append(new)
            else:
                self._give(old, new)

    def _heir_features(self, old: int) -> Features:
        """Return how far an heir is ahead of the best other way to match the two, and so on."""
        scores, heirs, owners = (
            self._alignment.scores,
            self._alignment.heirs,
            self._alignment.owners,
        )
        new, best = heirs[old], PRICE
        for other, score in scores[old].items():
            if other != new:
                best = max(best, score.total - self._loss(owners.get(other), other))
        for points, other in self._of_new[new]:
            if other != old:
                best = max(best, points - self._loss(other, heirs.get(other)))
        score = scores[old][new]
        return {
            "heir": 1.0,
            "margin": max(-2.0, min(8.0, score.total - best)),
            "words": score.likeness.words,
            "turmoil": self._turmoil,
        }

    def _loss(self, old: int | None, new: int | None) -> float:
        """Return the points that are lost if a matched pair is separated."""
        if old is None or new is None:
            return 0.0
        row = self._alignment.scores[old]
        others = [score.total for other, score in row.items() if other != new]
        return max(0.0, row[new].total - max([PRICE, *others]))

    def _give(self, old: int, new: int) -> None:
        self.descent.heirs[old], self._owners[new] = new, old

    def _take(self, old: int) -> None:
        new = self.descent.heirs.pop(old, None)
        if new is not None:
            del self._owners[new]

    # Sources -------------------------------------------------------------------------------------

    def find_sources(self) -> None:
        """Choose a source for each new provision that is nobody's main heir."""
        descent = self.descent
        back = self._direction(self._owners, descent.heirs, is_forward=False)
        for item in reversed(self._new):
            new = item.place
            if new in self._owners:
                continue
            candidates = back.candidates(item)
            old, result = self._choose("came", new, candidates)
            entry = NOWHERE if item.is_entry else self._entry_on(item, candidates)
            if old == NOWHERE and entry != NOWHERE:
                back.matches[new] = entry
                descent.copies[entry].append(new)
                continue
            if old == NOWHERE:
                descent.chances_of_new[new] = fitted.chance("new", result)
                continue
            back.matches[new] = old
            if old in descent.absorbed:
                descent.absorbed[old].append(new)
            elif old in descent.heirs and self._still_says(old, new):
                descent.copies[old].append(new)
            else:
                descent.parts[old].append(new)

    def _entry_on(self, item: Item, candidates: Mapping[int, Features]) -> int:
        """Return the entry on a new rule's subject whose heir also has its words, or -1.

        In 2006-07, section 511 repeats the enlarged entry on coin flips.
        """
        feature, least = ("said by partner", 0.04) if item.canon.text else ("kin", _SAME_SUBJECT)
        for old, features in sorted(candidates.items()):
            if old in self.descent.heirs and self._old[old].is_entry:
                on_it = features["heading"] + 0.5 >= _SAME_SUBJECT
                if on_it and features[feature] >= least:
                    return old
        return NOWHERE

    def _still_says(self, old: int, new: int) -> bool:
        """Return whether an old provision's heir keeps the words that a new provision took."""
        before, after = self._old[old].words, self._new[new].words
        heir, scale = self._new[self.descent.heirs[old]].words, self._alignment.scale
        if before == after == heir:
            return True  # too short to be a run, such as "General"
        taken = scale.covered(scale.unsaid(before, heir), after)
        return taken < _KEPT_SAYING * scale.covered(before, after)

    # Main heirs ----------------------------------------------------------------------------------

    def find_leads(self) -> None:
        """Make a new rule a part of the provision that was split into its subrules."""
        parts = self.descent.parts
        taken = {new for news in parts.values() for new in news}
        for item in self._new:
            if item.state.kind != "rule" or item.place in self._owners or item.place in taken:
                continue
            under = {self._owners.get(child, NOWHERE) for child in item.children}
            under |= {old for old, news in parts.items() if news[0] in item.children}
            for old in sorted(under - {NOWHERE}):
                everyone = self._everyone(old)
                is_led = len(everyone) > 1 or self._old[old].name == item.name
                if is_led and all(self._new[new].parent == item.place for new in everyone):
                    parts[old].append(item.place)
                    self.descent.chances_of_new.pop(item.place, None)
                    break

    def _everyone(self, old: int) -> list[int]:
        heir = self.descent.heirs.get(old, NOWHERE)
        return sorted({heir, *self.descent.parts.get(old, ())} - {NOWHERE})

    def choose_main(self, old: int) -> None:
        """Choose the main heir of a split provision."""
        descent, everyone, before = self.descent, self._everyone(old), self._old[old]
        heir, chance = descent.heirs.get(old), descent.chances[old]
        first = {new: self._forward.sentences(before, self._new[new])[0] for new in everyone}
        candidates: dict[int, Features] = {}
        for new in everyone:
            others = [part for part in everyone if part != new]
            candidates[new] = {
                "heir": float(new == heir),
                "chance": math.log(chance / (1.0 - chance)) if new == heir else 0.0,
                "over all": float(all(self._new[part].parent == new for part in others)),
                "first sentence": first[new] - max([0.0, *[first[part] for part in others]]),
                "same name": float(self._new[new].name == before.name),
                "rule to entry": float(self._new[new].is_entry and not before.is_entry),
            }
        # The one part of a provision without an heir may come from another.
        candidates[NOWHERE] = {"nothing": 1.0}
        main, result = self._choose("main", old, candidates, is_one=True)
        descent.chances[old] = fitted.chance("main", result)
        descent.parts[old] = [new for new in everyone if new != main]
        if main != heir:
            self._take(old)
            self._give(old, main)
