"""Decides what the alignment leaves in doubt: heirs, removals, splits, merges and copies."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rapidfuzz.distance import Indel

from variorum.facts import Verdict
from variorum.history import fitted
from variorum.history.alignment import PRICE, Alignment
from variorum.history.sides import NOWHERE, Item, RareWords

# The evidence for a candidate by name; `fitted.py` has the weights.
Features = dict[str, float]

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

    `choices` are all that were made: the kind, the provision, the features of its candidates.
    """

    def __init__(self, alignment: Alignment) -> None:
        self._alignment, self._scale = alignment, alignment.scale
        self._old, self._new = alignment.old.items, alignment.new.items
        self._known = set().union(*[item.canon.bag for item in self._old])
        self._heirs = alignment.heirs
        self._owners = {new: old for old, new in self._heirs.items()}
        self.steps = [Step(item.place) for item in self._old]
        self.chances_of_new: dict[int, float] = {}
        self.choices: list[tuple[str, int, dict[int, Features]]] = []
        # How much the edition changed: the mean change of a provision, from 0 to 1.
        unlike = [
            1.0 - score.likeness.words
            for old, row in alignment.scores.items()
            for new, score in row.items()
            if self._heirs.get(old) == new
        ]
        self._turmoil = sum(unlike) / len(self._old)
        self._choose_heirs()
        for old, new in self._heirs.items():
            self.steps[old].heir = new
        self._find_sources()
        self._find_leads()
        for step in self.steps:
            if step.parts:
                self._choose_main(step)

    def _choose(
        self, choice: str, place: int, candidates: dict[int, Features], *, is_one: bool = False
    ) -> tuple[int, float]:
        """Return the likeliest candidate and the result of the regression for it.

        -1 stands for none of them; it is not chosen if it `is_one` of the others.
        """
        self.choices.append((choice, place, candidates))
        points = {it: fitted.points(choice, features) for it, features in candidates.items()}
        most = max(points.values())
        odds = {it: math.exp(value - most) for it, value in points.items()}
        total = sum(odds.values())
        if is_one:
            del odds[NOWHERE]
        best = max(odds, key=lambda it: (odds[it], -it))
        return best, odds[best] / total

    def _nothing(self, item: Item) -> Features:
        unknown = "".join([sign for sign in item.words if sign not in self._known])
        return {
            "nothing": 1.0,
            "bits": math.log2(1.0 + self._scale.bits(item.words)),
            "new words": math.log2(1.0 + self._scale.bits(unknown)),
            "entry": float(item.is_entry),
            "turmoil": self._turmoil,
        }

    # Heirs ---------------------------------------------------------------------------------------

    def _choose_heirs(self) -> None:
        """Choose an heir for each old provision that has none or a doubtful one."""
        heirs, owners, asked = self._heirs, self._owners, list[Item]()
        margins = self._margins()
        for item in self._old:
            old, step = item.place, self.steps[item.place]
            if old in self._alignment.anchors:
                step.confidence = fitted.MOST
                continue
            if old in heirs:
                words = self._alignment.scores[old][heirs[old]].likeness.words
                turmoil = {"turmoil": self._turmoil}
                features = {"heir": 1.0, "margin": margins[old], "words": words, **turmoil}
                candidates = {heirs[old]: features, NOWHERE: Features()}
                _, result = self._choose("heir", old, candidates, is_one=True)
                step.confidence = fitted.chance("heir", result)
            if step.confidence < _CHOSEN_AGAIN:
                asked.append(item)
        way = _Way(self._alignment, dict(heirs), owners, asked, is_forward=True)
        for item in reversed(asked):  # children before their parents, whose heirs they show
            old, step = item.place, self.steps[item.place]
            nothing = self._nothing(item) | {"unmatched": float(old not in way.matches)}
            new, result = self._choose("went", old, way.candidates(item) | {NOWHERE: nothing})
            is_rule = item.state.kind in {"rule", "subrule"}
            if new == NOWHERE and is_rule and len(item.words) <= _SHORT:
                new, result = way.in_place(item), 1.0 - result
            step.confidence = fitted.chance("gone" if new == NOWHERE else "went", result)
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

    def _margins(self) -> dict[int, float]:
        """Return how many points an heir is ahead of the best other way to match the two."""
        scores, heirs, owners = self._alignment.scores, self._heirs, self._owners
        # What is lost if a matched pair is separated.
        loss, best_of_new = defaultdict[int, float](float), defaultdict[int, list[float]](list)
        for old, new in heirs.items():
            row = scores.get(old, {})
            if new in row:
                others = [score.points for place, score in row.items() if place != new]
                loss[old] = max(0.0, row[new].points - max([PRICE, *others]))
        for old, row in scores.items():
            for new, score in row.items():
                if heirs.get(old) != new:
                    best_of_new[new].append(score.points - loss[old])
        margins: dict[int, float] = {}
        for old, new in heirs.items():
            if old in scores:
                others = [
                    score.points - loss[owners.get(place, NOWHERE)]
                    for place, score in scores[old].items()
                    if place != new
                ]
                best = max([PRICE, *others, *best_of_new[new]])
                margins[old] = max(-2.0, min(8.0, scores[old][new].points - best))
        return margins

    # Sources -------------------------------------------------------------------------------------

    def _find_sources(self) -> None:
        """Choose a source for each new provision that is nobody's main heir."""
        asked = [item for item in self._new if item.place not in self._owners]
        way = _Way(self._alignment, dict(self._owners), self._heirs, asked, is_forward=False)
        for item in reversed(asked):
            new, candidates = item.place, way.candidates(item) | {NOWHERE: self._nothing(item)}
            old, result = self._choose("came", new, candidates)
            entry = NOWHERE if item.is_entry else self._entry_on(item, candidates)
            if old == NOWHERE and entry != NOWHERE:
                way.matches[new] = entry
                self.steps[entry].copies.insert(0, new)
                continue
            if old == NOWHERE:
                self.chances_of_new[new] = fitted.chance("new", result)
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
        feature, least = _REPEATS if item.canon.text else _LEADS
        on_it = (
            old
            for old, its in sorted(candidates.items())
            if old in self._heirs and self._old[old].is_entry
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

    def _find_leads(self) -> None:
        """Make a new rule a part of the provision that was split into its subrules."""
        for item in self._new:
            if item.state.kind == "rule" and item.place in self.chances_of_new:
                for step in self.steps:
                    news = {step.heir, *step.parts} - {NOWHERE}
                    is_led = len(news) > 1 or self._old[step.old].name == item.name
                    if is_led and news and news <= {*item.children}:
                        step.parts.append(item.place)
                        del self.chances_of_new[item.place]
                        break

    # Main heirs ----------------------------------------------------------------------------------

    def _choose_main(self, step: Step) -> None:
        """Choose the main heir of a split provision."""
        everyone, before = sorted({step.heir, *step.parts} - {NOWHERE}), self._old[step.old]
        first = {it: _sentences(self._alignment, before, self._new[it])[0] for it in everyone}
        # The one part of a provision without an heir may come from another.
        candidates: dict[int, Features] = {NOWHERE: {"nothing": 1.0}}
        for new in everyone:
            others = [part for part in everyone if part != new]
            is_heir, after = new == step.heir, self._new[new]
            odds = step.confidence / (1.0 - step.confidence)
            candidates[new] = {
                "heir": float(is_heir),
                "chance": math.log(odds) if is_heir else 0.0,
                "first sentence": first[new] - max([0.0, *[first[it] for it in others]]),
                "over all": float(all(self._new[it].parent == new for it in others)),
                "same name": float(after.name == before.name),
                "to entry": float(after.is_entry and not before.is_entry),
            }
        step.heir, result = self._choose("main", step.old, candidates, is_one=True)
        step.confidence = fitted.chance("main", result)
        step.parts = [new for new in everyone if new != step.heir]


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
        asked: list[Item],
        *,
        is_forward: bool,
    ) -> None:
        here, there = [alignment.old, alignment.new][:: 1 if is_forward else -1]
        self._here, self._there, self._by_name = here.items, there.items, there.by_name
        self._alignment, self._scale, self._is_forward = alignment, alignment.scale, is_forward
        self.matches, self._partners = matches, partners
        self._rare = RareWords(self._scale, asked, there.items)
        self._votes: dict[int, dict[int, int]] = defaultdict(dict)
        for old, votes in alignment.votes.items():
            for new, count in votes.items():
                cited, cited_after = (old, new) if is_forward else (new, old)
                self._votes[cited][cited_after] = count

    def candidates(self, item: Item) -> dict[int, Features]:
        """Return the features of each candidate."""
        there, matches, votes = self._there, self.matches, self._votes.get(item.place, {})
        relatives = (item.previous, item.following, item.parent, *item.children)
        family = [matches[place] for place in relatives if place in matches]
        above = matches.get(item.parent, NOWHERE)
        row = () if above == NOWHERE else there[above].children
        beside = {there[matches[it]].following for it in (item.previous,) if it in matches}
        beside |= {there[matches[it]].previous for it in (item.following,) if it in matches}
        siblings = [matches[it] for it in (item.previous, item.following) if it in matches]
        parents = {above, *[there[place].parent for place in siblings]} - {NOWHERE}
        kin, most_votes = self._kin(item), sum(votes.values())
        near = {
            *[place for place, _ in kin.most_common(4)],
            *family,
            *beside,
            *[there[place].parent for place in family],
            *[place for place in row if abs(there[place].rank - item.rank) <= 1],
            *sorted(votes, key=lambda place: (-votes[place], place))[:2],
            self._by_name.get(item.name, NOWHERE),
        }
        features: dict[int, Features] = {}
        for place in sorted(near.union(self._rare.likest(item, _LOOKED_AT)) - {NOWHERE}):
            common = self._alignment.likeness(*self._pair(item, there[place])).common
            says_some = common >= _SAYS_SOME * self._scale.bits(item.words)
            if self._is_forward or place in near or says_some:
                features[place] = self._features(item, there[place]) | {
                    "family": float(there[place].parent in parents),
                    "beside": float(place in beside),
                    "votes": votes.get(place, 0) / most_votes if votes else 0.0,
                    "votes against": float(bool(votes) and place not in votes),
                    "kin": kin[place] / len(item.children) if place in kin else 0.0,
                }
        return features

    def _pair(self, item: Item, other: Item) -> tuple[int, int]:
        places = item.place, other.place
        return places if self._is_forward else places[::-1]

    def _kin(self, item: Item) -> Counter[int]:
        """Count the children whose match is a candidate or below it."""
        kin: Counter[int] = Counter()
        for child in item.children:
            place = self.matches.get(child, NOWHERE)
            while place != NOWHERE:
                kin[place] += 1
                place = self._there[place].parent
        return kin

    def in_place(self, item: Item) -> int:
        """Return the unmatched rule that has a rule's number between the same neighbours, or -1."""
        place = self._by_name.get(item.name, NOWHERE)
        if place in self._partners or NOWHERE in (place, item.parent):
            return NOWHERE
        here, there = ((it.parent, it.previous, it.following) for it in (item, self._there[place]))
        return place if [self.matches.get(it, NOWHERE) for it in here] == [*there] else NOWHERE

    def _features(self, item: Item, other: Item) -> Features:
        scale, likeness = self._scale, self._alignment.likeness(*self._pair(item, other))
        weight = max(scale.bits(item.words), 1.0)
        taken, common, said, is_close = likeness.shared, likeness.common, 0.0, False
        partner = self._partners.get(other.place, NOWHERE)
        is_others = partner not in (NOWHERE, item.place)
        if is_others:  # only what its match does not have counts
            mate = self._here[partner]
            left = scale.unsaid(other.words, mate.words)
            taken = scale.covered(item.words, left)
            common = scale.common(item.canon.bag, Counter(left))
            said = scale.covered(item.words, mate.words) / weight
            is_close = mate.parent == item.parent != NOWHERE
            is_close = is_close or mate.parent == item.place or item.parent == mate.place
        anchors, first, best = self._alignment.anchors, 0.0, 0.0
        is_anchor = anchors.get(partner) == other.place or anchors.get(other.place) == partner
        if likeness.common >= _SAYS_SOME * weight:
            first, best = _sentences(self._alignment, item, other)
        old, new = (item, other) if self._is_forward else (other, item)
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


def _heading_over(item: Item, items: Sequence[Item]) -> str:
    while not item.state.heading and item.parent != NOWHERE:
        item = items[item.parent]
    return item.state.heading


def _sentences(alignment: Alignment, item: Item, other: Item) -> tuple[float, float]:
    """Return how well the first and the best sentence match one of another provision's."""
    scale, sentences = alignment.scale, alignment.old.folder.sentences
    ours, theirs = (
        [(Counter(words), scale.bits(words)) for words in sentences(it.state)]
        for it in (item, other)
    )
    theirs = [(bag, weight) for bag, weight in theirs if weight > 0.0]
    best = [
        max([2.0 * scale.common(bag, its) / (weight + its_weight) for its, its_weight in theirs])
        for bag, weight in ours
        if weight > 0.0 and theirs
    ]
    return (best[0], max(best)) if best else (0.0, 0.0)
