"""Matches the provisions of an edition with those of the next; docs/lineage.md explains the method.

Heirs that the words and the places of provisions make clear are matched first. Then the remaining doubts are
decided: heirs, removals, splits, merges and copies. There, a candidate's points are the sum of its features
times their weights, and its chance follows from these by a conditional logit.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from rapidfuzz.distance import Indel, LCSseq

from variorum.facts import Verdict
from variorum.history.sides import NOWHERE, Item, RareWords, Scale, Side
from variorum.rows import GONE
from variorum.text import SLOT

# A provision and its heir are matched if what they share is worth more points than this.
_PRICE = 5.0
_ROUNDS = 3
_MOST_CANDIDATES = 8
# A text of at least this many bits is an anchor if each edition has it exactly once; one of fewer bits
# than the second is hardly more than a heading.
_ANCHOR_BITS, _BARE_BITS = 12.0, 20.0
# All provisions with the same words are compared, up to about this many.
_MOST_TWINS = 60
# Children of a matched parent are candidates if their ranks differ by no more.
_NEAR_RANKS = 3
# Candidates within this many points of the price are kept as runners-up.
_CLOSE = 2.5
# Citations of reworded texts correspond inside a run of at least this many equal words.
_AROUND_CITATION = 3

# The evidence for a candidate by name.
Features = dict[str, float]

# By feature, its weight where a provision went and where it came from. 0.0: it did not help to decide the steps
# of sections left out of the fit. `make fit ARGS=steps` fits the others again to steps that people read.
WEIGHTS: Mapping[str, tuple[float, float]] = {
    "nothing": (2.6, 6.11),  # constant of having no match
    "bits": (0.16, -0.13),  # of having none: logarithm of the provision's weight
    "new words": (0.0, 0.26),  # likewise, of words that stand nowhere in the older edition
    "entry": (0.0, 0.67),  # of having none: whether it is a glossary entry
    "unmatched": (0.79, 0.0),  # whether it has no match so far
    "turmoil": (0.0, -9.56),  # how much the edition changed
    "words": (-4.54, -6.65),  # likeness of all words and their order
    "text": (0.48, 0.22),  # points for words and headings
    "shorter": (0.24, 0.0),  # logarithm of how much shorter the candidate is
    "with all below": (2.57, 6.07),  # likeness of all words, those of everything below included
    "runs left": (0.28, 0.1),  # logarithm of the shared runs that the candidate's match lacks
    "runs left, related": (3.87, 6.54),  # their share, if that match is parent, child or sibling
    "common left": (1.06, 2.65),  # such a share of common words in any order
    "said by partner": (0.0, 4.26),  # share that the candidate's match says too, from half on
    "first sentence": (3.11, 0.0),  # likeness of its first sentence with one of the candidate's
    "best sentence": (-0.67, 2.62),  # likeness of the sentence that has most
    "heading": (3.9, 3.77),  # likeness of the headings, from half on
    "other's": (-1.01, 0.0),  # whether the candidate is another's match
    "other's anchor": (-2.4, -1.99),  # and has that one's words unchanged
    "to entry": (0.0, 2.44),  # whether a rule would become an entry
    "family": (1.38, 0.0),  # whether the candidate stands where the parent or neighbours went
    "same rank": (0.52, 0.0),  # whether both have the same rank among siblings
    "beside": (0.57, 0.0),  # whether the candidate is next to a neighbour's match
    "between": (0.28, 0.44),  # 1 between the neighbours' matches, -1 outside
    "above others": (0.54, 0.0),  # how many other candidates stand under it
    "citations": (4.42, 0.0),  # share of its citations that became citations of the candidate
    "citations of others": (2.2, 0.0),  # whether all became citations of others
    "children": (1.51, 0.0),  # share of its children whose matches are below the candidate
}
# For each chance, the least result, by what was decided: of an aligned heir its margin in points, less for
# other words; of an heir chosen again, a removal or merger, the main heir of a split, a new provision. The
# chances are the shares of such decisions that readers found right, cross-validated; removals are never certain.
_CHANCES = {
    "heir": {0.9999: 8.2, 0.997: 5.1, 0.7: -99.0},
    "went": {0.997: 0.985, 0.97: 0.95, 0.9: 0.8, 0.7: 0.5, 0.45: 0.0},
    "gone": {0.9: 0.95, 0.7: 0.7, 0.45: 0.0},
    "main": {0.997: 0.985, 0.97: 0.96, 0.9: 0.85, 0.7: 0.55, 0.45: 0.0},
    "new": {0.997: 0.999, 0.97: 0.97, 0.9: 0.88, 0.7: 0.6, 0.45: 0.0},
}
# The chance of an heir with unchanged words. Nothing is certain.
_MOST = 0.9999
# A less likely heir is chosen again among all candidates.
_CHOSEN_AGAIN = 0.97
# A source with less of a provision's words, weighed in bits, must be near it in the rules.
_SAYS_SOME = 0.3
# If an heir lost less than this share of the words that a new provision took, they were copied.
_KEPT_SAYING = 0.5
# If an heir begins with so many of a provision's first words, it has the provision's first statement.
_OPENING = 4
# A rule of at most this many words may be reworded in its place until no word is left.
_SHORT = 12
# A new rule repeats an entry, or leads a section that does, if these features are at least so high.
_SAME_SUBJECT, _REPEATS, _LEADS = 0.1, ("said by partner", 0.04), ("children", 0.6)


@dataclass(slots=True)
class Step:
    """How a provision came from one edition to the next. Places are those in the editions.

    `old` is -1 of a new provision, which is its own heir; `heir` is -1 of one that is gone, or that was
    `merged` into others. `kinds` are bits, see rows.STEP_KINDS; those of an uncertain step are the
    likeliest, and it has `rivals`, further candidates. `confidence` is the chance that the main heir, or
    its absence, is right.
    """

    old: int
    heir: int = NOWHERE
    parts: list[int] = field(default_factory=list[int])
    copies: list[int] = field(default_factory=list[int])
    merged: list[int] = field(default_factory=list[int])
    rivals: list[int] = field(default_factory=list[int])
    kinds: int = 0
    confidence: float = _MOST
    verdict: Verdict | None = None

    @property
    def is_gone(self) -> bool:
        return bool(self.kinds & GONE)

    @property
    def new(self) -> list[int]:
        """Return the places of all heirs in the newer edition, the main heir first."""
        main = self.merged if self.heir == NOWHERE else [self.heir, *self.parts]
        return [*dict.fromkeys([*main, *self.copies, *self.rivals])]


class Alignment:
    """The steps of all old provisions between two editions, by places.

    `anchors` are heirs with unchanged words, `heirs` all that were matched at first. `points` has those of the
    near candidates of all old provisions without an anchor, `votes` how many citations of a provision became
    citations of others. `chances_of_new` has the chance that a provision without a source is new. `choices` are
    all that were made: 0 where a provision went or 1 where it came from, its place, and the features of the
    candidates, -1 for none of them.
    """

    def __init__(self, old: Side, new: Side) -> None:
        self.old, self.new, self.scale = old, new, Scale(old, new)
        self.steps = [Step(item.place) for item in old.items]
        self.chances_of_new: dict[int, float] = {}
        self.choices: list[tuple[int, int, dict[int, Features]]] = []
        self.anchors = self._find_anchors()
        asked = [item for item in old.items if item.place not in self.anchors]
        rare = RareWords(self.scale, asked, new.items)
        self._match(asked, rare)
        self.known = set[str]().union(*[item.canon.bag for item in old.items])
        # How much the edition changed: the mean change of a provision, from 0 to 1.
        moved = self.heirs.items() - self.anchors.items()
        alike = [self.scale.likeness(old.items[it], new.items[heir]).words for it, heir in moved]
        self.turmoil = sum(sorted([1.0 - it for it in alike])) / len(self.steps)
        self._find_sources(self._choose_heirs(asked, rare))
        for step in self.steps:
            if step.parts:
                self._choose_main(step)

    # Matches of one provision with one ----------------------------------------------------------

    def _find_anchors(self) -> dict[int, int]:
        """Return the heirs with unchanged words.

        Each edition has the words once, or with the same number under the same parent.
        """
        anchors = {NOWHERE: NOWHERE}
        for key, olds in self.old.alike.items():
            news = self.new.alike.get(key, ())
            if len(olds) == len(news) == 1 and self.scale.bits(key[1]) >= _ANCHOR_BITS:
                anchors[olds[0]] = news[0]
        for item in self.old.items:
            place = self.new.place_of(item)
            same = self.new.items[place]
            is_same = place != NOWHERE and same.words == item.words
            if is_same and anchors.get(item.parent) == same.parent:
                anchors.setdefault(item.place, place)
        del anchors[NOWHERE]
        return anchors

    def _match(self, asked: Sequence[Item], rare: RareWords) -> None:
        """Match the pairs worth more than the price, most points first, in rounds that sharpen parents."""
        items, self.heirs = self.new.items, dict(self.anchors)
        free = {item.place for item in items} - {*self.anchors.values()}
        candidates = {
            item.place: {
                *rare.likest(item, _MOST_CANDIDATES, free),
                *self.new.alike.get(item.key, [])[:_MOST_TWINS],
                self.new.place_of(item),
            }
            for item in asked
        }
        fixed = self._votes_of(self.anchors)
        for _ in range(_ROUNDS):
            before = self.heirs
            moved = self._votes_of(dict(before.items() - self.anchors.items()))
            self.votes = fixed | {at: fixed[at] + its for at, its in moved.items()}
            self.points: dict[int, dict[int, float]] = {}
            for item in asked:
                parent, news = before.get(item.parent, NOWHERE), candidates[item.place]
                row = () if parent == NOWHERE else items[parent].children
                news |= {it for it in row if abs(items[it].rank - item.rank) <= _NEAR_RANKS}
                news.update(self.votes.get(item.place, ()))
                points = {place: self._score(item, items[place]) for place in sorted(free & news)}
                close = {place: it for place, it in points.items() if it > _PRICE - _CLOSE}
                self.points[item.place] = close
            ranked = sorted(
                (-round(points, 6), old, new)
                for old, row in self.points.items()
                for new, points in row.items()
                if points > _PRICE
            )
            heirs, owners = dict[int, int](), set[int]()
            for _, old, new in ranked:
                if old not in heirs and new not in owners:
                    heirs[old] = new
                    owners.add(new)
            self.heirs = self.anchors | heirs
            if self.heirs == before:
                break

    def _score(self, old: Item, new: Item) -> float:
        heirs, points = self.heirs, self.scale.likeness(old, new).points
        points += 0.5 if old.state.address == new.state.address else 0.0
        is_family, neighbours, children = self.relatives(old, new)
        if is_family:
            points += 2.4 if old.state.address[-1] == new.state.address[-1] else 2.0
        elif new.parent != NOWHERE and old.parent in heirs:
            points -= 0.6
        bits = min(self.scale.bits(old.words), self.scale.bits(new.words))
        points += (6.5 if bits < _BARE_BITS else 4.5) * children
        if not (old.is_entry or new.is_entry):
            points += 0.8 * neighbours + 0.3 * (old.previous == new.previous == NOWHERE)
            points += 0.3 * (old.following == new.following == NOWHERE)
        cited: Mapping[int, int] = self.votes.get(old.place, {})
        votes, total = cited.get(new.place, 0), sum(cited.values())
        if votes:
            points += min(3.0, 1.2 * math.log2(1 + votes)) * votes / total
        elif total:
            points -= min(1.5, 0.5 * math.log2(1 + total))
        targets = {place for ends in new.cites for place in ends}
        known = [heirs[it] in targets for ends in old.cites for it in ends if it in heirs]
        return points + (2.0 * sum(known) / len(known) - 0.5 if known and targets else 0.0)

    def relatives(self, old: Item, new: Item) -> tuple[bool, int, float]:
        """Return whether the parent and how many neighbours came along, and the share of children."""
        heirs = self.heirs
        is_family = NOWHERE not in (old.parent, new.parent) and heirs.get(old.parent) == new.parent
        neighbours = sum(
            before != NOWHERE and heirs.get(before) == after
            for before, after in ((old.previous, new.previous), (old.following, new.following))
        )
        came = [self.new.items[heirs[it]].parent for it in old.children if it in heirs]
        inside = came.count(new.place)
        return is_family, neighbours, inside / max(len(old.children), len(new.children), 1)

    def _votes_of(self, heirs: Mapping[int, int]) -> defaultdict[int, Counter[int]]:
        """Return how the citations in some provisions became citations in their heirs."""
        votes = defaultdict[int, Counter[int]](Counter)
        for old, new in heirs.items():
            before, after = self.old.items[old], self.new.items[new]
            pairs = [*zip(before.cites, after.cites, strict=False)]
            if pairs and before.words != after.words:
                older, newer = before.words, after.words
                pairs = [
                    (before.cites[older.count(SLOT, 0, a)], after.cites[newer.count(SLOT, 0, b)])
                    for run in LCSseq.editops(older, newer).as_matching_blocks()
                    if run.size >= _AROUND_CITATION
                    for a, b in [(run.a + step, run.b + step) for step in range(run.size)]
                    if older[a] == SLOT
                ]
            for cited, cited_after in chain(*[zip(*ends, strict=True) for ends in pairs]):
                if NOWHERE not in (cited, cited_after):
                    votes[cited][cited_after] += 1
        return votes

    def _margins(self) -> Iterator[tuple[int, float]]:
        """Yield by how many points each heir but the anchors is ahead of the best other match of the two.

        Another match costs what its own ends are ahead of their next best.
        """
        lost, rivals = {NOWHERE: 0.0}, defaultdict[int, list[tuple[float, int]]](list)
        owners = {new: old for old, new in self.heirs.items()}
        for old, row in self.points.items():
            new = self.heirs.get(old, NOWHERE)
            others = [points for place, points in row.items() if place != new]
            lost[old] = max(0.0, row[new] - max([_PRICE, *others])) if new in row else 0.0
            for place, points in row.items():
                rivals[place].append((points, old))
        for old, row in self.points.items():
            if (new := self.heirs.get(old, NOWHERE)) != NOWHERE:
                others = [it - lost[owners.get(at, NOWHERE)] for at, it in row.items() if at != new]
                others += [points - lost[it] for points, it in rivals[new] if it != old]
                yield old, row[new] - max([_PRICE, *others])

    # Removals, splits, merges and copies --------------------------------------------------------

    def _choose_heirs(self, asked: Sequence[Item], rare: RareWords) -> dict[int, int]:
        """Return main heirs, and choose again what has none or a doubtful one, perhaps another's heir."""
        margins, owners = dict(self._margins()), {new: old for old, new in self.heirs.items()}
        view = _View(self, 0, dict(self.heirs), owners, rare)
        for item in reversed(asked):  # children before their parents, whose heirs they show
            old, step = item.place, self.steps[item.place]
            if old in margins:
                words = self.scale.likeness(item, self.new.items[self.heirs[old]]).words
                result = min(margins[old], 8.0) + 0.74 * words - 2.4 * self.turmoil
                step.confidence = _chance("heir", result)
                if step.confidence >= _CHOSEN_AGAIN:
                    continue
            new, result = view.choose(item)
            if new == NOWHERE and (place := view.in_place(item)) != NOWHERE:
                new, result = place, 1.0 - result
            step.confidence = _chance("gone" if new == NOWHERE else "went", result)
            if owners.get(before := view.matches.pop(old, NOWHERE)) == old:
                del owners[before]
            if new != NOWHERE:
                view.matches[old] = new
                owners.setdefault(new, old)
        for old, new in view.matches.items():
            if owners.setdefault(new, old) == old:
                self.steps[old].heir = new
            else:
                self.steps[old].merged.append(new)
        return {old: new for new, old in owners.items()}

    def _find_sources(self, heirs: Mapping[int, int]) -> None:
        """Choose a source for each new provision that is nobody's main heir."""
        owners = {new: old for old, new in heirs.items()}
        asked = [item for item in self.new.items if item.place not in owners]
        view = _View(self, 1, owners, heirs, RareWords(self.scale, asked, self.old.items))
        for item in reversed(asked):
            old, result = view.choose(item)
            if is_repeated := old == NOWHERE:
                old = self._entry_on(item, heirs)
            if old == NOWHERE:
                self.chances_of_new[item.place] = _chance("new", result)
                continue
            view.matches[item.place] = old
            step = self.steps[old]
            if step.merged:
                step.merged.append(item.place)
            elif is_repeated or (step.heir != NOWHERE and self._still_says(step, item)):
                step.copies.insert(0, item.place)
            else:
                step.parts.append(item.place)

    def _entry_on(self, item: Item, heirs: Mapping[int, int]) -> int:
        """Return the entry on a new rule's subject whose heir also has its words, or -1.

        In 2006-07, section 511 repeats the enlarged entry on coin flips.
        """
        feature, least = _REPEATS if item.canon.body else _LEADS
        on_it = (
            old
            for old, its in self.choices[-1][2].items()
            if old in heirs and self.old.items[old].is_entry and not item.is_entry
            if its["heading"] >= _SAME_SUBJECT and its[feature] >= least
        )
        return next(on_it, NOWHERE)

    def _still_says(self, step: Step, new: Item) -> bool:
        """Return whether an old provision's heir keeps the words that a new provision took."""
        before, heir = self.old.items[step.old].words, self.new.items[step.heir].words
        taken, scale = self.scale.covered(before, new.words), self.scale
        lost = scale.covered(scale.unsaid(before, heir), new.words)
        # The same words may be too short to be a run, such as "General".
        return before == new.words == heir or lost < _KEPT_SAYING * taken

    def _choose_main(self, step: Step) -> None:
        """Choose the main heir of a split provision: that over all others, or with its first words."""
        everyone, items = sorted({step.heir, *step.parts} - {NOWHERE}), self.new.items
        begin = self.old.items[step.old].words[:_OPENING]
        points = {NOWHERE: 0.0}
        for new in everyone:
            points[new] = 2.0 * items[new].words.startswith(begin)
            points[new] += 2.0 * all(items[it].parent == new for it in everyone if it != new)
            if new == step.heir:
                points[new] += 0.7 + 0.63 * math.log(step.confidence / (1.0 - step.confidence))
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


class _View:
    """Weighs the provisions of one edition as matches of those of the other, `choice` 0 of the older's.

    `matches` has the match of each provision that has one; several may have the same. `partners` has the
    main match of each candidate.
    """

    def __init__(
        self,
        alignment: Alignment,
        choice: int,
        matches: dict[int, int],
        partners: Mapping[int, int],
        rare: RareWords,
    ) -> None:
        self._alignment, self._scale, self._choice = alignment, alignment.scale, choice
        here, self._there = [alignment.old, alignment.new][:: -1 if choice else 1]
        self._here, self.matches, self._partners, self._rare = here.items, matches, partners, rare
        self._votes: dict[int, dict[int, int]] = defaultdict(dict)
        for old, votes in alignment.votes.items():
            for new, count in votes.items():
                cited, cited_after = (new, old) if choice else (old, new)
                self._votes[cited][cited_after] = count

    def choose(self, item: Item) -> tuple[int, float]:
        """Return the likeliest candidate, or -1 for none of them, and its share of the odds."""
        candidates, known = self._weigh(item), self._alignment.known
        unknown = "".join([sign for sign in item.words if sign not in known])
        candidates[NOWHERE] = {
            "nothing": 1.0,
            "bits": math.log2(1.0 + self._scale.bits(item.words)),
            "new words": math.log2(1.0 + self._scale.bits(unknown)),
            "entry": float(item.is_entry),
            "unmatched": float(item.place not in self.matches),
            "turmoil": self._alignment.turmoil,
        }
        self._alignment.choices.append((self._choice, item.place, candidates))
        return _likeliest(
            {
                place: sum(
                    [its.get(name, 0.0) * both[self._choice] for name, both in WEIGHTS.items()]
                )
                for place, its in candidates.items()
            }
        )

    def _weigh(self, item: Item) -> dict[int, Features]:
        """Return the features of each candidate."""
        there, votes, kin = self._there.items, self._votes.get(item.place, {}), Counter[int]()
        above, before, after, *below = (
            [there[self.matches[it]]] if it in self.matches else []
            for it in (item.parent, item.previous, item.following, *item.children)
        )
        for (match,) in filter(None, below):  # and what these stand under
            place = match.place
            while place != NOWHERE:
                kin[place] += 1
                place = there[place].parent
        relatives = [it for its in (above, before, after, *below) for it in its]
        beside = {it.following for it in before} | {it.previous for it in after}
        parents = {*[it.place for it in above], *[it.parent for it in (*before, *after)]}
        near = {
            *[place for place, _ in kin.most_common(4)],
            *[place for it in relatives for place in (it.place, it.parent)],
            *beside,
            *[at for it in above for at in it.children if abs(there[at].rank - item.rank) <= 1],
            *sorted(votes, key=lambda place: (-votes[place], place))[:2],
            self._there.place_of(item),
        }
        weighed: dict[int, Features] = {}
        likest, least = self._rare.likest(item, _MOST_CANDIDATES), self._scale.bits(item.words)
        for place in sorted(near.union(likest) - {NOWHERE}):
            other, is_between = there[place], 0.0
            if before and after and before[0].place < after[0].place:
                is_between = 1.0 if before[0].place < place < after[0].place else -1.0
            common = self._scale.likeness(*self._pair(item, other)).common
            if not self._choice or place in near or common >= _SAYS_SOME * least:
                weighed[place] = self._words(item, other) | {
                    "same rank": float(item.rank == other.rank),
                    "between": is_between,
                    "family": float(other.parent in parents - {NOWHERE}),
                    "beside": float(place in beside),
                    "citations": votes.get(place, 0) / max(sum(votes.values()), 1),
                    "citations of others": float(bool(votes) and place not in votes),
                    "children": kin[place] / max(len(item.children), 1),
                }
        over = Counter([there[place].parent for place in weighed])
        return {place: its | {"above others": over[place]} for place, its in weighed.items()}

    def _pair(self, item: Item, other: Item) -> tuple[Item, Item]:
        return (other, item) if self._choice else (item, other)

    def in_place(self, item: Item) -> int:
        """Return the unmatched rule that has a short rule's number between the same neighbours, or -1."""
        place, match = self._there.place_of(item), self.matches.get
        other, is_short = self._there.items[place], len(item.words) <= _SHORT
        is_free = place != NOWHERE and place not in self._partners
        here, there = ((it.parent, it.previous, it.following) for it in (item, other))
        is_there = [match(it, NOWHERE) for it in here] == [*there]
        return place if is_free and is_short and is_there and "." in item.state.number else NOWHERE

    def _words(self, item: Item, other: Item) -> Features:
        """Return the features of the words; of another's match, only those that it does not have count."""
        scale, (old, new) = self._scale, self._pair(item, other)
        likeness = scale.likeness(old, new)
        weight = max(scale.bits(item.words), 1.0)
        taken, common, said, is_close = likeness.shared, likeness.common, 0.0, False
        partner = self._partners.get(other.place, NOWHERE)
        is_others = partner not in (NOWHERE, item.place)
        if is_others:
            mate = self._here[partner]
            left = scale.unsaid(other.words, mate.words)
            taken = scale.covered(item.words, left)
            common = scale.common(item.canon.bag, Counter(left))
            said = scale.covered(item.words, mate.words) / weight
            is_close = item.parent in (mate.place, mate.parent) and item.parent != NOWHERE
            is_close = is_close or mate.parent == item.place
        anchors, first, best = self._alignment.anchors, 0.0, 0.0
        is_anchor = anchors.get(partner) == other.place or anchors.get(other.place) == partner
        if likeness.common >= _SAYS_SOME * weight:
            first, best = scale.sentences(item, other)
        # An entry may become a section; the heading of this is over its rules.
        is_under = item.is_entry != other.is_entry and self._choice == 1
        heads = [it.heading if is_under else it.state.heading.casefold() for it in (item, other)]
        heading = Indel.normalized_similarity(*heads) if all(heads) else 0.0
        return {
            "text": likeness.points,
            "words": likeness.words,
            "runs left": math.log2(1.0 + taken),
            "runs left, related": taken / weight * is_close,
            "common left": common / weight,
            "said by partner": max(0.0, said - 0.5),
            "first sentence": first,
            "best sentence": best,
            "other's": float(is_others),
            "other's anchor": float(is_others and is_anchor),
            "to entry": float(new.is_entry and not old.is_entry),
            "shorter": max(0.0, math.log2(weight / max(scale.bits(other.words), 1.0))),
            "with all below": scale.shared(
                self._alignment.old.with_below(old.place), self._alignment.new.with_below(new.place)
            ),
            "heading": max(0.0, heading - 0.5),
        }
