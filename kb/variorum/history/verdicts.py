"""Finds the verdicts of readers that hold between two editions, and puts them in place of steps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from variorum.facts import Verdict, digest_of_words
from variorum.history.alignment import Step
from variorum.history.sides import NOWHERE, Side
from variorum.rows import State

# Verdicts on new provisions that do not decide the steps of their sources.
_FURTHER = ("part", "copy")
# The chance of a step whose heir or source was read to be another's.
DISPUTED = 0.45
# The chance that readers are right, by `Verdict.readings`. Two who read alone agreed on 93 of 100 hard steps,
# so each errs on some 3. Where a third had to decide, or only one read, this is the chance of one reader.
CHANCES = {"2": 0.99, "decided": 0.95, "1": 0.95, "computed": 0.9}


@dataclass(eq=False)
class Ends:
    """The provisions of an edition as ends of verdicts; `read` has those of any edition, by their digests."""

    day: str
    side: Side
    read: Mapping[str, State]

    def place(self, end: str, verdict: Verdict) -> int:
        """Return the place of an end of a verdict, with its number or headword and its words, or -1.

        An edition between the two that were read may print its words under another number, or with
        other cited numbers.
        """
        name, _, digest = end.rpartition(" ")
        place = self.side.by_name.get(name, NOWHERE)
        if place != NOWHERE:
            state = self.side.items[place].state
            if digest_of_words(state.heading, state.body) == digest:
                return place
        if verdict.old_edition < self.day < verdict.new_edition and digest in self.read:
            return self._by_words.get(self.side.folder.canon(self.read[digest]).whole, NOWHERE)
        return NOWHERE

    @cached_property
    def _by_words(self) -> dict[str, int]:
        """Return the places by canonical words, -1 for words that several provisions have."""
        places = {"": NOWHERE}
        for item in self.side.items:
            places[item.words] = NOWHERE if item.words in places else item.place
        return places


class Holding(NamedTuple):
    """A verdict that holds between two editions, with the places of its ends.

    `place` is that of the provision on whose step readers decided, `others` those of its heirs or sources,
    and `also` those of further provisions with the same words, if the edition has them.
    """

    verdict: Verdict
    place: int
    others: list[int]
    also: list[int]


def holding(verdicts: Sequence[Verdict], old: Ends, new: Ends) -> list[Holding]:
    """Return the verdicts that hold between two editions, in their order.

    A verdict holds if the editions print both of its ends with the numbers and the words that were read.
    Another rulebook may have a section 400 with the same heading, so verdicts on headings hold only beside
    a verdict on a provision with words.
    """
    held = list[Holding]()
    for verdict in verdicts:
        here, there = (old, new) if verdict.is_of_old else (new, old)
        # An edition between the two that were read may print the provision unchanged.
        unchanged = there.place(verdict.asked, verdict)
        is_named = verdict.asked in (*verdict.others, *verdict.also)
        if unchanged != NOWHERE and there.side.items[unchanged].state.body and not is_named:
            continue
        place = here.place(verdict.asked, verdict)
        others, also = (
            [there.place(end, verdict) for end in ends] for ends in (verdict.others, verdict.also)
        )
        if NOWHERE not in (place, *others):
            held.append(Holding(verdict, place, others, [it for it in also if it != NOWHERE]))
    sides = [(old if it.verdict.is_of_old else new).side.items[it.place] for it in held]
    return held if any(item.state.body for item in sides) else []


def decide(steps: Sequence[Step], held: Sequence[Holding]) -> tuple[set[int], dict[int, Verdict]]:
    """Put verdicts in place of the steps of all old provisions.

    Returns the new provisions whose sources were decided, and the verdicts on those that are new.
    """
    found = [(step.heir, step.copies, bool(step.parts)) for step in steps]
    news = {it.place: it.verdict for it in held if it.verdict.verdict == "new"}
    further = [it for it in held if it.verdict.verdict in _FURTHER]
    for verdict, place, others, also in [it for it in held if it not in further]:
        sources, heirs = ([place], others) if verdict.is_of_old else (others, [place])
        for nth, step in enumerate([steps[source] for source in sources]):
            if verdict.is_of_old or step.verdict is None:
                is_merged = verdict.verdict == "merged" if verdict.is_of_old else nth > 0
                step.verdict, step.confidence = verdict, CHANCES[verdict.readings]
                step.merged, step.copies = heirs if is_merged else [], also if others else []
                step.heir, *step.parts = (not is_merged and heirs) or [NOWHERE]
    read = [step for step in steps if step.verdict]
    taken = {step.heir for step in read} - {NOWHERE} | news.keys()
    given = taken.union(*[step.new for step in read], [it.place for it in further])
    for step, (heir, copies, was_split) in zip(steps, found, strict=True):
        if step.verdict is None:
            if step.heir in taken or not news.keys().isdisjoint(step.merged[:1]):
                # No verdict decides this step, so the provision may be gone.
                into = [heir] if heir != NOWHERE and heir not in news else []
                step.heir, step.parts, step.copies, step.merged = NOWHERE, [], [], into
                step.confidence = DISPUTED
            step.parts = [place for place in step.parts if place not in given]
            step.copies = [place for place in step.copies if place not in given]
        elif step.heir == heir != NOWHERE and not was_split:
            # Readers named only some copies.
            step.copies = [*step.copies, *[copy for copy in copies if copy not in given]]
    for verdict, place, others, _ in further:
        step = steps[others[0]]
        if step.heir != NOWHERE and place not in step.new:
            (step.parts if verdict.verdict == "part" else step.copies).append(place)
    return given, news
