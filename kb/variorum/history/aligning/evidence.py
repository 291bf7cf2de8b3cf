"""Weighs the evidence that an unaligned provision went to, or came from, another."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rapidfuzz.distance import Indel

from variorum.history.aligning.align import Aligner
from variorum.history.aligning.candidates import CandidateFinder
from variorum.history.aligning.likeness import BARE_BITS, WeighedWords, without
from variorum.history.aligning.sides import NOWHERE, Item, Side
from variorum.history.aligning.text_points import heading_likeness
from variorum.history.confidence.chances import log_odds
from variorum.thresholds.lineages import SAYS_SOME

# The features of a candidate or of "none of them"; `fitted_chances.py` has their weights.
Features = tuple[float, ...]

# The places of three features of a source. The first is the share of the new provision's words that
# the source's heir has, minus one half (at least 0). The second is the likeness of the headings.
# The third is the share of the new provision's children that came from the source.
SAID, TOPIC, KIN = 6, 9, 14

_LONG_BITS = 45.0


@dataclass(slots=True)
class Matches:
    """The main heirs matched so far, by places.

    Attributes:
        heirs: The heir of each old provision that has one.
        owners: The old provision of each heir.
    """

    heirs: dict[int, int]
    owners: dict[int, int]

    def give(self, old: int, new: int) -> None:
        """Make a provision the heir of a provision without an heir."""
        self.heirs[old], self.owners[new] = new, old

    def take(self, old: int) -> None:
        """Take the heir from a provision, if it has one."""
        new = self.heirs.pop(old, None)
        if new is not None:
            del self.owners[new]


@dataclass(frozen=True, slots=True)
class _Sentence:
    bag: Mapping[str, int]
    weight: float


@dataclass(slots=True)
class HeirWeigher:
    """Computes the features of candidates.

    Attributes:
        aligner: The alignment of the two editions.
        links: The matches so far, which may change.
        turmoil: The mean change of a provision between the editions, from 0 to 1.
    """

    aligner: Aligner
    links: Matches
    turmoil: float
    _unsaid: dict[tuple[int, int], tuple[str, str]] = field(
        default_factory=dict[tuple[int, int], tuple[str, str]]
    )
    _sentences: dict[tuple[bool, int], list[_Sentence]] = field(
        default_factory=dict[tuple[bool, int], list[_Sentence]]
    )

    def words_of_old(self, old: int) -> WeighedWords:
        """Return the words of an old provision with sweeps applied."""
        return self.aligner.swept.get(old) or self.aligner.words_old[old]

    def unsaid(self, old: int, new: int) -> tuple[str, str]:
        """Return the words of an old and a new provision without shared runs."""
        known = self._unsaid.get((old, new))
        if known is None:
            ours, theirs = self.words_of_old(old).signs, self.aligner.words_new[new].signs
            runs = self.aligner.scale.runs(ours, theirs)
            known = self._unsaid[old, new] = (
                without(ours, [(a, length) for a, _, length in runs]),
                without(theirs, [(b, length) for _, b, length in runs]),
            )
        return known

    # Heirs ---------------------------------------------------------------------------------------

    def went(self, old: int, finder: CandidateFinder) -> tuple[dict[int, Features], Features]:
        """Return the features of a provision's possible heirs, and of "gone"."""
        aligner, item = self.aligner, self.aligner.old.items[old]
        words = self.words_of_old(old)
        candidates = finder.find(item, words)
        candidates |= dict.fromkeys(aligner.scores.get(old, ()))
        candidates |= dict.fromkeys(self._rows(finder, item))
        voted = aligner.votes.get(old)
        if voted:
            candidates |= dict.fromkeys(sorted(voted, key=lambda new: (-voted[new], new))[:2])
        kin, beside = finder.kin(item), finder.beside(item)
        features = {
            new: (
                *self._heir_words(old, new, words),
                *self._heir_context(old, new),
                kin[new] / len(item.children) if item.children else 0.0,
                float(new in beside),
            )
            for new in candidates
        }
        return features, (*self._nothing(item, words), float(old not in self.links.heirs))

    def _rows(self, finder: CandidateFinder, item: Item) -> list[int]:
        """Return the parents of a provision's nearby matches, and children of its parent's heir.

        Only nearby children count. A child is nearby if its rank and the provision's differ by at most 1.
        """
        news = self.aligner.new.items
        above = [news[new].parent for new in finder.around(item)]
        parent = self.links.heirs.get(item.parent)
        row = () if parent is None else news[parent].children
        near = [new for new in row if abs(news[new].rank - item.rank) <= 1]
        return [*(new for new in above if new != NOWHERE), *near]

    def _heir_words(self, old: int, new: int, words: WeighedWords) -> Features:
        """Return the features of a possible heir by words."""
        scale = self.aligner.scale
        score = self.aligner.score(old, new)
        weight = max(words.weight, 1.0)
        owner = self.links.owners.get(new)
        taken, common = score.likeness.shared, score.likeness.common
        if owner is not None and owner != old:
            fresh = self.unsaid(owner, new)[1]
            taken = scale.covered(words.signs, fresh)
            common = scale.common(words.bag, Counter(fresh))
        is_alike = score.likeness.common >= SAYS_SOME * weight
        lead, best, all_said = self.said(old, new) if is_alike else (0.0, 0.0, 0.0)
        is_voted = score.votes / (score.votes + score.against) if score.votes else 0.0
        return (
            score.text,
            math.log2(1.0 + taken),
            common / weight,
            lead,
            best,
            all_said,
            is_voted,
            float(score.against > 0 and not score.votes),
            _alike_headings(self.aligner.old.items[old], self.aligner.new.items[new]),
        )

    def _heir_context(self, old: int, new: int) -> Features:
        """Return the features of a possible heir by places."""
        heirs, news = self.links.heirs, self.aligner.new.items
        item, heir = self.aligner.old.items[old], news[new]
        owner = self.links.owners.get(new)
        is_others = owner is not None and owner != old
        parent = heirs.get(item.parent, NOWHERE)
        siblings = heirs.get(item.previous), heirs.get(item.following)
        around = {news[place].parent for place in siblings if place is not None}
        is_far = NOWHERE not in (heir.parent, parent) and parent not in (heir.parent, new)
        return (
            float(is_others),
            float(is_others and owner is not None and self.aligner.anchors.get(owner) == new),
            float(heir.is_entry and not item.is_entry),
            float(heir.parent != NOWHERE and heir.parent in (parent, *around)),
            float(is_far),
        )

    # Sources -------------------------------------------------------------------------------------

    def came(self, new: int, finder: CandidateFinder) -> tuple[dict[int, Features], Features]:
        """Return the features of a provision's possible sources, and of "new"."""
        item, words = self.aligner.new.items[new], self.aligner.words_new[new]
        kin, beside = finder.kin(item), finder.beside(item)
        features: dict[int, Features] = {}
        for old in finder.find(item, words):
            if old in kin or old in beside or self._says_some(old, words):
                features[old] = (
                    *self._source_words(old, new, words),
                    *self._source_context(old, new),
                    kin[old] / len(item.children) if item.children else 0.0,
                    float(old in beside),
                )
        return features, (
            *self._nothing(item, words),
            float(words.weight < BARE_BITS),
            float(bool(item.children)),
        )

    def _says_some(self, old: int, words: WeighedWords) -> bool:
        common = self.aligner.scale.common(words.bag, self.words_of_old(old).bag)
        return common >= SAYS_SOME * words.weight

    def _source_words(self, old: int, new: int, words: WeighedWords) -> Features:
        """Return the features of a possible source by words."""
        scale, theirs = self.aligner.scale, self.words_of_old(old)
        likeness = scale.compare(theirs, words)
        weight = max(words.weight, 1.0)
        heir = self.links.heirs.get(old)
        given, common, said_by_heir = likeness.shared, likeness.common, 0.0
        if heir is not None:
            left = self.unsaid(old, heir)[0]
            given = scale.covered(left, words.signs)
            common = scale.common(words.bag, Counter(left))
            said_by_heir = scale.covered(words.signs, self.aligner.words_new[heir].signs) / weight
        lead, best, _ = self.said(old, new, is_backward=True)
        shared = likeness.shared / weight
        return (
            likeness.words,
            math.log2(1.0 + given),
            given / weight * self.is_near(heir, new),
            common / weight,
            likeness.common / max(theirs.weight, 1.0),
            max(0.0, shared - 0.75) * (words.weight > _LONG_BITS),
            max(0.0, said_by_heir - 0.5),
            lead,
            best,
            self._topic(old, new),
        )

    def _topic(self, old: int, new: int) -> float:
        """Return the likeness of two headings; for a rule and an entry, headings above count."""
        old_item, new_item = self.aligner.old.items[old], self.aligner.new.items[new]
        headings = old_item.canon.heading, new_item.canon.heading
        if old_item.is_entry != new_item.is_entry:
            headings = (
                heading_over(self.aligner.old, old_item),
                heading_over(self.aligner.new, new_item),
            )
        return heading_likeness(self.aligner.scale, *headings) if all(headings) else 0.0

    def _source_context(self, old: int, new: int) -> Features:
        item, new_item = self.aligner.old.items[old], self.aligner.new.items[new]
        heir = self.links.heirs.get(old)
        is_same = (item.is_entry, item.address) == (new_item.is_entry, new_item.address)
        return (
            float(self.is_near(heir, new)),
            float(heir is None),
            float(is_same),
            float(item.kind == new_item.kind),
        )

    def is_near(self, old_heir: int | None, new: int) -> bool:
        """Return whether two new provisions are siblings, or parent and child."""
        if old_heir is None:
            return False
        first, second = self.aligner.new.items[old_heir], self.aligner.new.items[new]
        is_beside = first.parent == second.parent != NOWHERE
        return is_beside or first.parent == new or second.parent == old_heir

    # Parts of a split ----------------------------------------------------------------------------

    def main_heir_features(
        self, old: int, news: Sequence[int], before: Mapping[int, float]
    ) -> tuple[dict[int, Features], Features]:
        """Return the features of the parts of a split provision, to choose the main heir.

        Args:
            old: The provision that was split.
            news: The parts.
            before: The chance of the part that was its heir before the other parts were found.
        """
        item, words, scale = self.aligner.old.items[old], self.words_of_old(old), self.aligner.scale
        items = self.aligner.new.items
        theirs = [self.aligner.words_new[new].signs for new in news]
        sizes = [scale.covered(words.signs, signs) / max(words.weight, 1.0) for signs in theirs]
        shares = [self.said(old, new) for new in news]
        leads = [first for first, _, _ in shares]
        features: dict[int, Features] = {
            new: (
                float(new in before),
                log_odds(before.get(new, 0.5)),
                float(all(items[part].parent == new for part in news if part != new)),
                size - max([0.0, *sizes[:place], *sizes[place + 1 :]]),
                lead - max([0.0, *leads[:place], *leads[place + 1 :]]),
                whole,
                float((items[new].is_entry, items[new].address) == (item.is_entry, item.address)),
                float(items[new].is_entry and not item.is_entry),
                float(place == 0),
            )
            for place, (new, size, (lead, _, whole)) in enumerate(
                zip(news, sizes, shares, strict=True)
            )
        }
        return features, (1.0,)

    # Heirs and sources ---------------------------------------------------------------------------

    def _nothing(self, item: Item, words: WeighedWords) -> Features:
        return (
            1.0,
            math.log2(1.0 + words.weight),
            self.turmoil,
            float(item.is_entry),
        )

    def said(self, old: int, new: int, *, is_backward: bool = False) -> Features:
        """Return how well a provision's sentences match another's, from 0 to 1.

        There is a value for the first sentence, for the best match and for all sentences.
        """
        ours, theirs = self._sentences_of(old, is_new=False), self._sentences_of(new, is_new=True)
        if is_backward:
            ours, theirs = theirs, ours
        if not (ours and theirs):
            return 0.0, 0.0, 0.0
        common = self.aligner.scale.common
        best = [
            max(
                [
                    2.0
                    * common(our_sentence.bag, their_sentence.bag)
                    / (our_sentence.weight + their_sentence.weight)
                    for their_sentence in theirs
                ]
            )
            for our_sentence in ours
        ]
        total = sum([sentence.weight for sentence in ours])
        whole = sum([share * sentence.weight for share, sentence in zip(best, ours, strict=True)])
        return best[0], max(best), whole / total

    def _sentences_of(self, place: int, *, is_new: bool) -> list[_Sentence]:
        known = self._sentences.get((is_new, place))
        if known is None:
            side = self.aligner.new if is_new else self.aligner.old
            known = list[_Sentence]()
            for signs in side.folder.sentences(side.items[place].state):
                swept = signs if is_new else self.aligner.as_swept(signs)
                weight = self.aligner.scale.bits(swept)
                if weight > 0.0:
                    known.append(_Sentence(Counter(swept), weight))
            self._sentences[is_new, place] = known
        return known


def _alike_headings(old_item: Item, new_item: Item) -> float:
    """Return the likeness of two headings' letters, minus one half (at least 0)."""
    first, second = old_item.state.heading.casefold(), new_item.state.heading.casefold()
    if not (first and second):
        return 0.0
    return max(0.0, Indel.normalized_similarity(first, second) - 0.5)


def heading_over(side: Side, item: Item) -> str:
    """Return the words of a provision's heading, or of the nearest heading above it."""
    while not item.canon.heading and item.parent != NOWHERE:
        item = side.items[item.parent]
    return item.canon.heading
