"""Finds splits, merges and copies among the provisions that the alignment leaves in doubt."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from variorum.history.aligning.align import Aligner
from variorum.history.aligning.candidates import CandidateFinder
from variorum.history.aligning.evidence import KIN, SAID, TOPIC, Features, HeirWeigher, Matches
from variorum.history.aligning.sides import NOWHERE, Item
from variorum.history.confidence.confidence import ConfidenceJudge
from variorum.history.confidence.fitted_chances import CAME, SPLIT, WENT
from variorum.thresholds.lineages import CHOSEN_AGAIN, KEPT_SAYING, SAID_TOO, SAME_TOPIC

Weighed = tuple[dict[int, Features], Features]


@dataclass(slots=True)
class Descent:
    """The heirs, parts, copies and merged provisions of one alignment, by places.

    Attributes:
        heirs: The main heir of each old provision that has one.
        parts: Further heirs of a provision that was split.
        copies: New provisions that repeat an old provision with an heir.
        absorbed: The new provisions into which an old provision without an heir was merged, the
            main provision first.
        results: For each doubtful old provision, what was decided, as a field of `Level`, and the
            result of the regression.
        new_results: The result of the regression for each provision without a source.
        went: The features of the possible heirs of each doubtful old provision.
        split: The features of the parts of each provision that was split.
        came: The features of the possible sources of each new provision that is not a main heir.
    """

    heirs: dict[int, int]
    parts: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    copies: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    absorbed: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    results: dict[int, tuple[str, float]] = field(default_factory=dict[int, tuple[str, float]])
    new_results: dict[int, float] = field(default_factory=dict[int, float])
    went: dict[int, Weighed] = field(default_factory=dict[int, Weighed])
    split: dict[int, Weighed] = field(default_factory=dict[int, Weighed])
    came: dict[int, Weighed] = field(default_factory=dict[int, Weighed])


class DescentFinder:
    """Finds the parts, copies and merges of the provisions of one alignment."""

    def __init__(self, aligner: Aligner, judge: ConfidenceJudge) -> None:
        self._aligner, self._judge = aligner, judge
        self._old, self._new = aligner.old.items, aligner.new.items
        self._links = Matches(dict(aligner.forward), dict(aligner.backward))
        self._evidence = HeirWeigher(aligner, self._links, judge.turmoil)
        self.descent = Descent(self._links.heirs)

    def find(self) -> Descent:
        """Return the descent of the provisions of the older edition."""
        self._choose_heirs()
        self._find_sources()
        self._find_leads()
        for old in sorted(self.descent.parts):
            self._choose_main(old)
        return self.descent

    # Heirs ---------------------------------------------------------------------------------------

    def _choose_heirs(self) -> None:
        """Choose an heir for each old provision that has no heir or a doubtful heir.

        Children come before their parents, because they are evidence of the parent's heir.
        """
        asked = [item for item in self._old if self._is_doubtful(item.place)]
        if not asked:
            return
        sides = self._aligner.old, self._aligner.new
        heirs, theirs = self._links.heirs, self._aligner.words_new
        finder = CandidateFinder(self._aligner, sides, heirs, theirs, self.descent.absorbed)
        for item in reversed(asked):
            old = item.place
            weighed = self.descent.went[old] = self._evidence.went(old, finder)
            new, result = WENT.choose(*weighed)
            self.descent.results[old] = "gone" if new == NOWHERE else "went", result
            self._send(old, new)

    def _is_doubtful(self, old: int) -> bool:
        new = self._links.heirs.get(old)
        return new is None or self._judge.heir(old) < CHOSEN_AGAIN

    def _send(self, old: int, new: int) -> None:
        """Record a provision's heir, or that it has none."""
        if self._links.heirs.get(old) == new:
            return
        self._links.take(old)
        if new == NOWHERE:
            return
        if new in self._links.owners:
            self.descent.absorbed[old].append(new)
        else:
            self._links.give(old, new)

    # Sources -------------------------------------------------------------------------------------

    def _find_sources(self) -> None:
        """Choose a source for each new provision that is not a main heir."""
        asked = [item for item in self._new if item.place not in self._links.owners]
        if not asked:
            return
        sides = self._aligner.new, self._aligner.old
        sources = dict(self._links.owners)
        finder = CandidateFinder(self._aligner, sides, sources, self._aligner.words_old)
        for item in reversed(asked):
            new = item.place
            weighed = self.descent.came[new] = self._evidence.came(new, finder)
            old, result = CAME.choose(*weighed)
            entry = self._entry_beside(weighed[0], item) if old == NOWHERE else NOWHERE
            if old != NOWHERE:
                sources[new] = old
                self._add_source(old, new)
            elif entry != NOWHERE:
                sources[new] = entry
                self.descent.copies[entry].append(new)
            else:
                self.descent.new_results[new] = result

    def _entry_beside(self, candidates: Mapping[int, Features], item: Item) -> int:
        """Return the entry on a new rule's subject whose heir also has the rule's words, or -1.

        In 2006-07, section 511 repeats the enlarged entry on coin flips.
        """
        if item.is_entry:
            return NOWHERE
        is_heading = not item.canon.text
        for old, features in sorted(candidates.items()):
            is_on_it = features[TOPIC] >= SAME_TOPIC and features[SAID] >= SAID_TOO
            is_source = features[KIN] >= SAME_TOPIC if is_heading else is_on_it
            if self._old[old].is_entry and is_source:
                return old
        return NOWHERE

    def _add_source(self, old: int, new: int) -> None:
        descent = self.descent
        if old in descent.absorbed:
            descent.absorbed[old].append(new)
        elif old in self._links.heirs and self._still_says(old, new):
            descent.copies[old].append(new)
        else:
            descent.parts[old].append(new)

    def _still_says(self, old: int, new: int) -> bool:
        """Return whether an old provision's heir keeps the words that a new provision took."""
        scale = self._aligner.scale
        words = self._aligner.words_new[new]
        heir = self._links.heirs[old]
        before = self._evidence.words_of_old(old).signs
        if before == words.signs == self._aligner.words_new[heir].signs:
            return True  # too short to be a run, such as "General"
        taken = scale.covered(self._evidence.unsaid(old, heir)[0], words.signs)
        weight = scale.covered(before, words.signs)
        return taken < KEPT_SAYING * weight

    # Main heirs ----------------------------------------------------------------------------------

    def _find_leads(self) -> None:
        """Make a new rule a part of the provision that was split into its subrules."""
        taken = {new for parts in self.descent.parts.values() for new in parts}
        for item in self._new:
            if item.kind != "rule" or item.place in self._links.owners or item.place in taken:
                continue
            under = {self._links.owners.get(child, NOWHERE) for child in item.children}
            under |= {old for old, parts in self.descent.parts.items() if parts[0] in item.children}
            for old in sorted(under - {NOWHERE}):
                everyone = self._everyone(old)
                is_led = len(everyone) > 1 or self._old[old].address == item.address
                if is_led and all(self._new[new].parent == item.place for new in everyone):
                    self.descent.parts[old].append(item.place)
                    break

    def _everyone(self, old: int) -> list[int]:
        heir = self._links.heirs.get(old)
        parts = self.descent.parts.get(old, [])
        return sorted(parts if heir is None else [*parts, heir])

    def _choose_main(self, old: int) -> None:
        """Choose the main heir of a split provision by the weights `SPLIT` of `fitted_chances`."""
        everyone = self._everyone(old)
        heir = self._links.heirs.get(old)
        before: dict[int, float] = {}
        if heir is not None:
            _, before[heir] = self.descent.results.get(old) or ("heir", self._judge.heir(old))
        weighed = self.descent.split[old] = self._evidence.main_heir_features(old, everyone, before)
        main, result = SPLIT.choose(*weighed, is_one_of_them=True)
        self.descent.results[old] = "main", result
        self.descent.parts[old] = [new for new in everyone if new != main]
        if main != heir:
            self._links.take(old)
            self._links.give(old, main)
