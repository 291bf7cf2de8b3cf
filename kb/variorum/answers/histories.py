"""Histories of provisions: their numbers, readings, steps and subrules; and who had each number.

A *life* is the history of a provision up to its last state. A part that was split off, or a copy,
has its own life, which begins with the life of its source.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from variorum import rows
from variorum.answers.finding import others_of
from variorum.answers.stored import joined
from variorum.answers.subrules import Below
from variorum.history.lineages import Link, Stretch, walk
from variorum.history.word_diffs import Piece as DiffPiece
from variorum.history.word_diffs import word_diff
from variorum.records import lineage as records
from variorum.records.answer import Piece
from variorum.records.lineage import Whereabouts, whereabouts
from variorum.rows import (
    COPIED,
    GONE,
    MERGED,
    NEW,
    SPLIT,
    UNCERTAIN,
    State,
    count_examples,
    kinds_of,
    name_of,
    wording_of,
)

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.answers.subject import Subject

Key = TypeVar("Key", bound=Hashable)

# Changes of words that are worth showing word by word.
_WORDED = {"sweep", "substantive"}
_HEIRS = ((UNCERTAIN, "perhaps"), (MERGED, "merged into"), (COPIED, "copied to"))
_SOURCES = (
    *((MERGED, "took in"), (UNCERTAIN, "perhaps from"), (SPLIT, "split from")),
    (COPIED, "copied from"),
)


# Readings ----------------------------------------------------------------------------------------


class Relative(NamedTuple):
    """Another provision that words came from or went to, by its name in an edition.

    `how` is "split from", "copied from", "took in", "split off", "copied to", "merged into", "perhaps from"
    or "perhaps".
    """

    how: str
    name: str
    edition: int


class LifeReading(NamedTuple):
    """A number and words, as long as a provision kept both: the last of its states, and all of them.

    `before` is the state before this reading. `into` is the link that leads to it, None for a provision's
    first reading; `kinds` are those of this step, off the main line only how words came.
    """

    state: State
    stretches: tuple[Stretch, ...]
    before: State | None
    relatives: tuple[Relative, ...] = ()

    @property
    def first(self) -> int:
        return self.stretches[0].first

    @property
    def last(self) -> int:
        return self.stretches[-1].last

    @property
    def into(self) -> Link | None:
        return self.stretches[0].into

    @property
    def kinds(self) -> list[str]:
        link = self.into
        bits = 0 if link is None else link.bits & ~rows.KEPT
        if link and not link.is_main and not bits & (NEW | GONE | UNCERTAIN):
            bits = next((bit for bit in (SPLIT, COPIED, MERGED) if bits & bit), bits)
        return kinds_of(bits)

    @property
    def change(self) -> str:
        """Return how much the words changed in that step, see rows.CHANGE_CLASSES."""
        return "" if self.into is None or self.into.old is None else self.into.change

    @property
    def confidence(self) -> float:
        return 1.0 if self.into is None else self.into.confidence

    @property
    def pieces(self) -> list[DiffPiece]:
        """Return the word diff from the preceding reading, if words changed."""
        if self.before is None or self.change not in _WORDED:
            return []
        return word_diff(wording_of(self.before), wording_of(self.state))


def readings_of(life: Iterable[Stretch], states: Mapping[int, State]) -> Iterator[LifeReading]:
    """Yield the readings of a history, oldest first, given its states by their ids."""

    def reading(stretch: Stretch) -> tuple[str, str, str]:
        state = states[stretch.state]
        return name_of(state), state.heading, wording_of(state)

    before: State | None = None
    for _, same in groupby(life, key=reading):
        stretches = tuple(same)
        state = states[stretches[-1].state]
        yield LifeReading(state, stretches, before)
        before = state


# A provision -------------------------------------------------------------------------------------


def history_of(
    subject: "Subject", *, is_alone: bool = False, is_full: bool = False
) -> records.History:
    """Return the history of a provision, with the other provisions that have had its number.

    `is_alone` leaves its subrules out, `is_full` includes how their words changed.
    """
    base, life = subject.base, subject.lineage
    below = None if is_alone else Below(base, life)
    readings: list[records.Reading] = []
    for reading in readings_of(life, base.states.of(stretch.state for stretch in life)):
        place = whereabouts(reading.state, base.labels[reading.first])
        readings.append(
            records.Reading(
                number=place.number,
                term=place.term,
                from_=place.edition,
                to=_until(base, reading.last),
                heading=reading.state.heading,
                text=wording_of(reading.state),
                examples=count_examples(reading.state.body),
                class_=reading.change,
                words=[Piece._make(piece) for piece in reading.pieces],
            )
        )
    return records.History(
        now=_now(base, life),
        readings=readings,
        steps=why(subject),
        others=others_of(subject),
        witnesses=base.witnesses.of(life),
        doubts={
            edition.label: list(edition.doubts)
            for edition in base.editions
            if edition.doubts and any(run.first <= edition.place <= run.last for run in life)
        },
        subrules=below.history(is_full=is_full) if below and below.members else None,
    )


def unchanged_since(subject: "Subject") -> str:
    """Return the label of the last edition that changed a provision or any of its subrules.

    Editions later than the subject's do not count.
    """
    life = subject.lineage
    changed = [stretch.first for stretch in life]
    changed += [step.edition for step in Below(subject.base, life).steps()]
    return subject.base.labels[max(place for place in changed if place <= subject.edition.place)]


def _now(base: "KnowledgeBase", life: Sequence[Stretch]) -> Whereabouts | None:
    is_current = life[-1].last == len(base.labels) - 1
    return whereabouts(base.states[life[-1].state], base.labels[-1]) if is_current else None


def _until(base: "KnowledgeBase", last: int) -> str | None:
    return None if last == len(base.labels) - 1 else base.labels[last]


def why(subject: "Subject") -> list[records.Step]:
    """Return each step of a provision, oldest first, with its evidence."""
    base, life, steps = subject.base, subject.lineage, list[records.Step]()
    links = [link for it in life if it.into for link in (it.into, *it.beside)]
    for link in [*links, *base.lineages.out_of(life[-1].state, life[-1].last)[:1]]:
        step = [link]
        if link.old is not None:
            step = base.lineages.step(link.old, link.source, link.edition)
        states = base.states.of(end for it in step for end in (it.old, it.new) if end is not None)
        evidence, label = base.links.evidence(link), base.labels[link.edition]
        read = records.DecidedStep(label, evidence.readings, evidence.verdict)
        record = records.Step(
            from_edition=base.labels[link.source],
            to_edition=label,
            from_=None if link.old is None else name_of(states[link.old]),
            to=[name_of(states[sibling.new]) for sibling in step if sibling.new is not None],
            kinds=link.kinds,
            class_=next((sibling.change for sibling in step if sibling.rank == 0), ""),
            confidence=link.confidence,
            read=read if read.readings else None,
            evidence=list(evidence.reasons),
            announced=base.witnesses.announced(step),
        )
        steps.append(record)
    return steps


# All numbers -------------------------------------------------------------------------------------


class End(NamedTuple):
    """The last state of a history, and the first edition that has it."""

    state: int
    first: int


class Life(NamedTuple):
    """The history of a provision: its readings, the oldest first.

    If it still exists, `ending` is empty and `gone` None; else they are the kinds of the last step and the
    place of the first edition without it. `heirs` have its words then.
    """

    end: End
    readings: list[LifeReading]
    ending: list[str]
    gone: int | None
    heirs: list[Relative]


class NumberHolder(NamedTuple):
    """A provision that had a number or headword, by its end, in some runs of editions.

    The state is that in the last of these editions.
    """

    end: End
    state: int
    runs: list[tuple[int, int]]


class NumberHistories:
    """The histories of all provisions of a base, up to one edition."""

    def __init__(self, base: "KnowledgeBase", last: int) -> None:
        self._last, self._whole, self._lineages = last, base.whole, base.lineages
        self._ends: dict[End, End] = {}

    def holders(self, key_of: Callable[[State], Key]) -> dict[Key, list[NumberHolder]]:
        """Return the provisions that ever had each number, or other key of a state, the latest first."""
        held: dict[Key, dict[End, list[tuple[int, int, int]]]] = {}
        for state, first, last in self._whole.runs():
            if first <= self._last:
                runs = held.setdefault(key_of(self._whole.states[state]), {})
                run = (first, min(last, self._last), state)
                runs.setdefault(self._end_of(End(state, first)), []).append(run)
        holders: dict[Key, list[NumberHolder]] = {}
        for key, ends in held.items():
            some = [
                NumberHolder(end, runs[-1][2], joined(run[:2] for run in runs))
                for end, runs in ((end, sorted(runs)) for end, runs in ends.items())
            ]
            some.sort(key=lambda it: (-it.runs[-1][1], -it.runs[0][0], it.end.state))
            holders[key] = some
        return holders

    def _end_of(self, here: End) -> End:
        """Return the end of the history of a state that came with an edition."""
        if here not in self._ends:
            life = [End(it.state, it.first) for it in self._lineages.life(*here)]
            onward = [it for it in life if here.first < it.first <= self._last]
            self._ends |= dict.fromkeys([here, *onward], [here, *onward][-1])
        return self._ends[here]

    def life(self, end: End) -> Life:
        """Return the whole history that ends with a given state."""
        stretches = [
            stretch._replace(last=min(stretch.last, self._last))
            for stretch in self._lineages.life(end.state, end.first)
            if stretch.first <= self._last
        ]
        readings = [
            reading._replace(relatives=tuple(self._relatives(reading.stretches)))
            for reading in readings_of(stretches, self._whole.states)
        ]
        last = stretches[-1]
        onward = [
            it for it in self._lineages.out_of(last.state, last.last) if it.edition <= self._last
        ]
        heirs = [
            self._relative(_how(link, _HEIRS, "split off"), link.new, link.edition)
            for link in onward
            if link.new is not None
        ]
        ending, gone = (onward[0].kinds, onward[0].edition) if onward else ([], None)
        return Life(end, readings, ending, gone, heirs)

    def _relatives(self, stretches: Iterable[Stretch]) -> Iterator[Relative]:
        """Yield the provisions that gave stretches words, and their predecessors' other heirs."""
        for into, beside in ((it.into, it.beside) for it in stretches if it.into):
            for link in (into, *beside):
                if link.old is not None and not (link is into and into.is_main):
                    yield self._relative(_how(link, _SOURCES, "took in"), link.old, link.source)
            if into.is_main and into.old is not None:
                for link in self._lineages.step(into.old, into.source, into.edition)[1:]:
                    if link.new is not None:
                        is_copy = link.bits & COPIED and not link.bits & SPLIT
                        how = "copied to" if is_copy else "split off"
                        yield self._relative(how, link.new, link.edition)

    def _relative(self, how: str, state: int, edition: int) -> Relative:
        return Relative(how, name_of(self._whole.states[state]), edition)


def _how(link: Link, names: Sequence[tuple[int, str]], otherwise: str) -> str:
    return next((name for bit, name in names if link.bits & bit), otherwise)


# Today's names -----------------------------------------------------------------------------------


class LatestNames:
    """The latest names of provisions, each found once."""

    def __init__(self, base: "KnowledgeBase") -> None:
        self._base = base
        self._known: dict[tuple[int, int], tuple[str | None, str]] = {}

    def of(self, state: int, place: int) -> tuple[str | None, str]:
        """Return the name today (None if removed) and the last name of a state of an edition."""
        if (state, place) not in self._known:
            self.find([state], place)
        return self._known[state, place]

    def find(self, states: Iterable[int], place: int) -> None:
        """Find the latest names of provisions of an edition at once, which is faster."""
        base, current = self._base, self._base.current
        last = {state: (state, False) for state in states if (state, place) not in self._known}
        if current is not None and place < current.place:
            base.links.read_onward(last)
            for state, way in walk(base.lineages, [*last], place, current.place).items():
                end = state if way.loss is None else way.loss.state
                last[state] = (end, True) if way.heir is None else (way.heir, False)
        states_then = base.states.of(end for end, _ in last.values())
        for state, (end, is_gone) in last.items():
            name = name_of(states_then[end])
            self._known[state, place] = None if is_gone else name, name
