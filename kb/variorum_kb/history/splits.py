"""Splits, merges and copies: what became of words that found no heir of their own."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from variorum_kb.history.align import Aligner
from variorum_kb.history.likeness import RareWordIndex, WeighedWords, without
from variorum_kb.history.sides import NOWHERE, Side
from variorum_kb.thresholds import (
    COPIED,
    FILLED,
    GIVEN,
    GIVEN_NEAR,
    GREAT_PART,
    HEIR_GIVEN_UP,
    MAIN_PART,
    SAID_BEFORE,
    SAID_BEFORE_NEAR,
    SAID_EARLIER,
    SAID_TOO,
    TAKEN,
    TAKEN_LITTLE,
)

_LOOKED_AT = 6
_LEAST_BITS = 14.0


@dataclass(slots=True)
class Descent:
    """Heirs, parts, copies and absorbed words of one alignment, by places.

    Attributes:
        heirs: The main heir of each old provision that has one.
        parts: Further heirs of a provision that was split.
        copies: New provisions that say what an old one says, which lives on.
        absorbed: Where the words of a provision without an heir stand now.
        shares: Of each pair in these, what part of the smaller text stands in the other.
        fills: Of what was absorbed, what part of the new words there it accounts for.
    """

    heirs: dict[int, int]
    parts: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    copies: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    absorbed: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    shares: dict[tuple[int, int], float] = field(default_factory=dict[tuple[int, int], float])
    fills: dict[tuple[int, int], float] = field(default_factory=dict[tuple[int, int], float])


class DescentFinder:
    """Finds what provisions were split into, copied to and absorbed by in one alignment."""

    def __init__(self, aligner: Aligner) -> None:
        self._aligner = aligner
        self._old, self._new = aligner.old.items, aligner.new.items
        self._scale = aligner.scale
        self.descent = Descent(dict(aligner.forward))
        self._owner = dict(aligner.backward)
        self._weights_new = {place: words.weight for place, words in enumerate(aligner.words_new)}
        self._weights_old = {place: words.weight for place, words in enumerate(aligner.words_old)}

    def find(self) -> Descent:
        """Return where the provisions of the older edition went."""
        self._absorb_weak()
        self._find_parts()
        self._find_absorbed()
        self._find_leads()
        self._find_families()
        self._choose_main()
        return self.descent

    def _words(self, old: int) -> WeighedWords:
        return self._aligner.swept.get(old) or self._aligner.words_old[old]

    def _unsaid(self, old: int, new: int) -> tuple[str, str]:
        """Return the words of an old and a new provision without the runs that both share."""
        one, other = self._words(old).signs, self._aligner.words_new[new].signs
        runs = self._scale.runs(one, other)
        return (
            without(one, [(a, length) for a, _, length in runs]),
            without(other, [(b, length) for _, b, length in runs]),
        )

    # Merges --------------------------------------------------------------------------------------

    def _absorb_weak(self) -> None:
        """Take the heir from a provision that hardly resembles it and whose words stand elsewhere."""
        for old, new in sorted(self._aligner.forward.items()):
            if old in self._aligner.anchors:
                continue
            likeness = self._aligner.scores[old][new].likeness
            words = self._words(old)
            if likeness.words > HEIR_GIVEN_UP or likeness.shared > HEIR_GIVEN_UP * words.weight:
                continue
            if words.heading and words.heading == self._new[new].canon.heading:
                continue
            place = self._absorber(old, besides=new)
            if place != NOWHERE:
                del self.descent.heirs[old], self._owner[new]

    def _find_absorbed(self) -> None:
        for item in self._old:
            if item.place in self.descent.heirs or item.place in self.descent.parts:
                continue
            place = self._absorber(item.place)
            if place != NOWHERE:
                self.descent.absorbed[item.place].append(place)

    def _absorber(self, old: int, besides: int = NOWHERE) -> int:
        """Return the provision that took over the words of one without an heir; -1 if none did."""
        words = self._words(old)
        if words.weight < _LEAST_BITS:
            return NOWHERE
        best, place = 0.0, NOWHERE
        near = self._finder_new.nearest(words, _LOOKED_AT, self._weights_new)
        for new in dict.fromkeys(
            [*near, *self._around(self._aligner.old, old, self.descent.heirs)]
        ):
            owner = self._owner.get(new)
            if new == besides or owner is None or owner == old:
                continue
            share, fills = self._share_taken(old, owner, new)
            if share > best:
                best, place = share, new
                self.descent.fills[old, new] = fills
        if place != NOWHERE:
            self.descent.shares[old, place] = best
        return place

    def _share_taken(self, old: int, owner: int, new: int) -> tuple[float, float]:
        """Return what part of a provision stands in what is new in another's heir, and of that.

        Words that the other had before count only where nearly all stand there: what two
        provisions said is said once now.
        """
        words = self._words(old)
        _, fresh = self._unsaid(owner, new)
        bits = self._scale.covered(words.signs, fresh)
        taken = bits / words.weight
        fills = bits / max(self._scale.bits(fresh), 1.0)
        if taken >= TAKEN or (taken >= TAKEN_LITTLE and fills >= FILLED and bits >= _LEAST_BITS):
            return taken, fills
        whole = self._scale.covered(words.signs, self._aligner.words_new[new].signs) / words.weight
        if self._words(owner).signs == self._aligner.words_new[new].signs:
            return 0.0, 0.0  # a twin that stays as it was took nothing in
        is_near = self._old[old].parent == self._old[owner].parent != NOWHERE
        least = SAID_BEFORE_NEAR if is_near else SAID_BEFORE
        if whole >= least and words.weight >= _LONG_BITS:
            return whole / 2, fills
        return 0.0, 0.0

    # Splits and copies ---------------------------------------------------------------------------

    def _find_parts(self) -> None:
        for item in self._new:
            if item.place not in self._owner:
                self._find_source(item.place)

    def _find_source(self, new: int) -> None:
        words = self._aligner.words_new[new]
        if words.weight < _LEAST_BITS:
            return
        best, source, is_copy = 0.0, NOWHERE, False
        near = self._finder_old.nearest(words, _LOOKED_AT, self._weights_old)
        for old in dict.fromkeys([*near, *self._around(self._aligner.new, new, self._owner)]):
            heir = self.descent.heirs.get(old)
            share, copied = self._share_given(old, heir, new)
            if share > best:
                best, source, is_copy = share, old, copied
        if source == NOWHERE:
            self._find_said_in_entry(new)
            return
        self.descent.shares[source, new] = best
        if is_copy:
            self.descent.copies[source].append(new)
        else:
            self.descent.parts[source].append(new)

    def _find_said_in_entry(self, new: int) -> None:
        """Let a new rule that a glossary entry beside it also says come from that entry's past.

        So the coin rules came: in 2006-07 the entry was enlarged and said again as section 511.
        """
        item, words = self._new[new], self._aligner.words_new[new]
        if item.is_entry or words.weight < _LONG_BITS:
            return
        for place in self._finder_entries.nearest(words, _LOOKED_AT, self._weights_new):
            source = self._owner.get(place)
            if source is None or not self._old[source].is_entry:
                continue
            said = self._scale.covered(self._aligner.words_new[place].signs, words.signs)
            before = self._scale.covered(self._words(source).signs, words.signs)
            if said >= SAID_TOO * words.weight and before >= SAID_EARLIER * words.weight:
                self.descent.copies[source].append(new)
                self.descent.shares[source, new] = before / words.weight
                return

    def _share_given(self, old: int, heir: int | None, new: int) -> tuple[float, bool]:
        """Return what part of a new provision came from an old one, and whether that kept it."""
        words = self._aligner.words_new[new]
        theirs = self._words(old).signs
        whole = self._scale.covered(theirs, words.signs) / words.weight
        if heir is None:
            return (whole, False) if whole >= GIVEN else (0.0, False)
        left, _ = self._unsaid(old, heir)
        given = self._scale.covered(left, words.signs) / words.weight
        is_near = self._is_near(heir, new)
        if given >= (GIVEN_NEAR if is_near else GIVEN) and given * words.weight >= _LEAST_BITS:
            return given, False
        if whole >= COPIED and words.weight >= _LONG_BITS:
            return whole / 2, True
        return 0.0, False

    def _around(self, side: Side, place: int, other_side: Mapping[int, int]) -> list[int]:
        """Return what the neighbours, the parent and the children of a provision are matched with."""
        item = side.items[place]
        around = [side.sibling(item, -1), side.sibling(item, 1), item.parent, *item.children]
        return [other_side[one] for one in around if one in other_side]

    def _is_near(self, one: int, other: int) -> bool:
        """Say whether two new provisions are siblings, or parent and child."""
        first, second = self._new[one], self._new[other]
        return (
            first.parent == second.parent != NOWHERE
            or NOWHERE != first.parent == other
            or (second.parent == one)
        )

    def _find_leads(self) -> None:
        """Let a rule's number that now only leads to subrules come from the rule that bore it."""
        for item in self._old:
            heir = self.descent.heirs.get(item.place)
            above = NOWHERE if heir is None else self._new[heir].parent
            if above == NOWHERE or self._new[above].kind != "rule" or above in self._owner:
                continue
            is_own = self._new[above].address == item.address
            if is_own and not any(above in parts for parts in self.descent.parts.values()):
                self.descent.parts[item.place].append(above)

    def _find_families(self) -> None:
        """Let a new section without a source come from where most of its rules came from."""
        sources: dict[int, list[int]] = defaultdict(list)
        for links in (self.descent.parts, self.descent.copies):
            for old, news in links.items():
                for new in news:
                    sources[new].append(old)
        for new, old in self._owner.items():
            sources[new].append(old)
        for item in reversed(self._new):
            if item.place in self._owner or item.place in sources or not item.children:
                continue
            votes: dict[int, int] = defaultdict(int)
            for child in item.children:
                for old in sources.get(child, ()):
                    votes[old] += 1
            best = max(sorted(votes), key=lambda old: votes[old], default=NOWHERE)
            if best != NOWHERE and votes[best] * 2 >= len(item.children) and votes[best] > 1:
                lives_on = best in self.descent.heirs and best not in self.descent.parts
                (self.descent.copies if lives_on else self.descent.parts)[best].append(item.place)
                self.descent.shares[best, item.place] = votes[best] / len(item.children)
                sources[item.place].append(best)

    def _choose_main(self) -> None:
        """Of a split provision without an heir, or with a great part before it, choose the heir.

        So the gold set has it: of parts that weigh about the same, the first is the main one.
        """
        for old, parts in self.descent.parts.items():
            heir = self.descent.heirs.get(old)
            words = self._words(old).signs
            everyone = sorted(parts if heir is None else [*parts, heir])
            sizes = {
                new: self._scale.covered(words, self._aligner.words_new[new].signs)
                for new in everyone
            }
            main = next(
                new
                for new in everyone
                if new == heir
                or (
                    sizes[new] >= GREAT_PART * max(sizes.values())
                    and (heir is None or self._is_likely(old, new, heir))
                )
            )
            self.descent.parts[old] = [new for new in everyone if new != main]
            self.descent.heirs[old] = main
            if heir is not None:
                del self._owner[heir]
            self._owner[main] = old

    def _is_likely(self, old: int, new: int, heir: int) -> bool:
        share = self.descent.shares.get((old, new), 0.0)
        return share >= MAIN_PART and self._is_near(heir, new)

    # Finders, made when they are needed ----------------------------------------------------------

    @cached_property
    def _finder_new(self) -> RareWordIndex:
        """Find among new provisions what old ones say that may have lost their heir."""
        sure = self._aligner.anchors
        sought = [self._words(item.place) for item in self._old if item.place not in sure]
        return RareWordIndex(self._scale, self._new, sought)

    @cached_property
    def _free_words(self) -> list[WeighedWords]:
        owned = self._aligner.backward
        weak = self._aligner.scores
        return [
            self._aligner.words_new[item.place]
            for item in self._new
            if item.place not in owned or owned[item.place] in weak
        ]

    @cached_property
    def _finder_entries(self) -> RareWordIndex:
        """Find among new glossary entries what rules without a source say."""
        return RareWordIndex(
            self._scale, [one for one in self._new if one.is_entry], self._free_words
        )

    @cached_property
    def _finder_old(self) -> RareWordIndex:
        """Find among old provisions what new ones say that have none."""
        return RareWordIndex(self._scale, self._old, self._free_words)


_LONG_BITS = 45.0
