"""Histories of provisions: their numbers, readings, steps and subrules; and who had each number.

A *life* is the history of a provision up to its last state. A part that was split off, or a copy,
has its own life, which begins with the life of its source.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate, groupby
from typing import NamedTuple, TypeVar

from variorum import rows
from variorum.answers.crosswalk import others_of
from variorum.answers.knowledge_base import KnowledgeBase, Subject
from variorum.answers.stored import joined
from variorum.history import word_diffs
from variorum.history.lineages import Link, Stretch, heir_of, origins
from variorum.records import lineage as records
from variorum.records.answer import Piece
from variorum.records.lineage import Whereabouts, whereabouts
from variorum.rows import COPIED, MERGED, SPLIT, UNCERTAIN, State, name_of, wording_of
from variorum.rule_numbers import order_of

Key = TypeVar("Key", bound=Hashable)

# Changes of words that are worth showing word by word.
_WORDED = {"sweep", "substantive"}
_PARTED = SPLIT | COPIED
_HEIRS = ((UNCERTAIN, "perhaps"), (MERGED, "merged into"), (COPIED, "copied to"), (-1, "split off"))
_FROM = ((MERGED, "took in"), (UNCERTAIN, "perhaps from"), (SPLIT, "split from"))
_SOURCES = (*_FROM, (COPIED, "copied from"), (-1, "took in"))


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
        if link and not link.is_main and not bits & (rows.NEW | rows.GONE | UNCERTAIN):
            bits = next((bit for bit in (SPLIT, COPIED, MERGED) if bits & bit), bits)
        return rows.kinds_of(bits)

    @property
    def change(self) -> str:
        """Return how much the words changed in that step, see rows.CHANGE_CLASSES."""
        return "" if self.into is None or self.into.old is None else self.into.change

    @property
    def confidence(self) -> float:
        return 1.0 if self.into is None else self.into.confidence

    @property
    def pieces(self) -> list[word_diffs.Piece]:
        """Return the word diff from the preceding reading, if words changed."""
        if self.before is None or self.change not in _WORDED:
            return []
        return word_diffs.word_diff(wording_of(self.before), wording_of(self.state))


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
    subject: Subject, *, is_alone: bool = False, is_full: bool = False
) -> records.History:
    """Return the history of a provision, with the other provisions that have had its number.

    `is_alone` leaves its subrules out, `is_full` includes how their words changed.
    """
    base, life, labels = subject.base, subject.lineage, subject.base.labels
    below = None if is_alone else _Below(base, life)
    until = [*labels[:-1], None]
    readings: list[records.Reading] = []
    for reading in readings_of(life, base.states.of(stretch.state for stretch in life)):
        at = whereabouts(reading.state, labels[reading.first])
        record = records.Reading(
            number=at.number,
            term=at.term,
            from_=at.edition,
            to=until[reading.last],
            heading=reading.state.heading,
            text=wording_of(reading.state),
            examples=rows.count_examples(reading.state.body),
            class_=reading.change,
            words=[Piece._make(piece) for piece in reading.pieces],
        )
        readings.append(record)
    now = None if life[-1].last < len(labels) - 1 else base.states[life[-1].state]
    return records.History(
        now=whereabouts(now, labels[-1]) if now else None,
        readings=readings,
        steps=why(subject),
        others=others_of(subject),
        witnesses=base.witnesses.of(life),
        doubts={
            it.label: list(it.doubts)
            for it in base.editions
            if it.doubts and any(run.first <= it.place <= run.last for run in life)
        },
        subrules=below.history(is_full=is_full) if below and below.names else None,
    )


def why(subject: Subject) -> list[records.Step]:
    """Return each step of a provision, oldest first, with its evidence."""
    base, life, steps = subject.base, subject.lineage, list[records.Step]()
    links = [link for it in life if it.into for link in (it.into, *it.beside)]
    links += base.lineages.out_of(life[-1].state, life[-1].last)[:1]
    evidence = base.links.evidence(links)
    for link in links:
        step, label, read = [link], base.labels[link.edition], evidence[link.evidence]
        if link.old is not None:
            step = base.lineages.step(link.old, link.source, link.edition)
        states = base.states.of(end for it in step for end in (it.old, it.new) if end is not None)
        record = records.Step(
            from_edition=base.labels[link.source],
            to_edition=label,
            from_=None if link.old is None else name_of(states[link.old]),
            to=[name_of(states[sibling.new]) for sibling in step if sibling.new is not None],
            kinds=link.kinds,
            class_=next((sibling.change for sibling in step if sibling.rank == 0), ""),
            confidence=link.confidence,
            read=records.DecidedStep(label, read.readings, read.verdict) if read.readings else None,
            evidence=list(read.reasons),
            announced=base.witnesses.announced(step),
        )
        steps.append(record)
    return steps


def unchanged_since(subject: Subject) -> str:
    """Return the label of the last edition that changed a provision or any of its subrules.

    Editions later than the subject's do not count.
    """
    life = subject.lineage
    changed = [stretch.first for stretch in life]
    changed += [step.edition for step in _Below(subject.base, life).steps()]
    return subject.base.labels[max(place for place in changed if place <= subject.edition.place)]


def names_today(subject: Subject) -> tuple[str | None, str]:
    """Return a provision's name today, None if it was removed, and its last name."""
    today, current = subject.today, subject.base.current
    if today or current is None:
        return (today or subject).name, (today or subject).name
    loss = subject.destination(current).loss
    return None, name_of(subject.base.states[loss.state]) if loss else subject.name


# Its subrules ------------------------------------------------------------------------------------

# The sorts of changes that are shown word by word.
_SHOWN = {"new", "moved_in", "parts", "substantive", "merged", "gone", "uncertain", "sweep"}
_BELOW = (
    "SELECT p.id, p.kind, p.address, p.heading, p.parent, s.first, s.last FROM provision p "
    "JOIN span s ON s.provision = p.id WHERE p.parent IN ({}) ORDER BY p.id, s.first"
)


class _Moved(NamedTuple):
    """What an edition did to a subrule, by one of rows.SUBRULE_SORTS.

    `old` is the former state, None if it is new; `news` are the new ones, the main heir first. The way is "in"
    if it came from elsewhere, "out" if it went elsewhere, else "". There is no link if another provision
    took over its number.
    """

    edition: int
    sort: str
    old: int | None
    news: Sequence[int]
    way: str
    link: Link | None


class _Below:
    """The states that were below a provision, given its life, and what editions did to them.

    Sets of editions are numbers in which a bit stands for each edition.
    """

    def __init__(self, base: KnowledgeBase, life: Sequence[Stretch]) -> None:
        self._base, self._life = base, life
        self._heads = base.states.of(stretch.state for stretch in life)
        # Addresses and headings; the editions that print each, and those of them that print it below.
        self.names: dict[int, tuple[str, str]] = {}
        self._printed, self._inside = defaultdict[int, int](int), defaultdict[int | None, int](int)
        above = defaultdict[str, int](int)
        for stretch in life:
            head = self._heads[stretch.state]
            if head.kind not in {"glossary", "subrule"}:
                above[head.address] |= _bits(stretch.first, stretch.last)
        while above:
            below = defaultdict[str, int](int)
            for state, kind, *name, parent, first, last in base.reader.query_each(_BELOW, above):
                printed = _bits(first, last)
                self._printed[state] |= printed
                if inside := printed & above[parent]:
                    self.names[state] = name[0], name[1]
                    self._inside[state] |= inside
                    if kind != "subrule":
                        below[name[0]] |= inside
            above = below

    def steps(self) -> Iterator[_Moved]:
        """Yield what editions did to subrules: arrivals, departures, and changes of the number's bearer."""
        links = self._base.links
        links.read(self.names)
        for state in self.names:
            inside, moved = self._inside[state], 0
            for edition, some in groupby(links.leading_to(state), key=lambda link: link.edition):
                moved |= 1 << edition
                if inside >> edition & 1:
                    yield from self._arrivals(state, origins([*some]))
            for ends, some in groupby(links.leading_from(state), key=lambda link: link[:2]):
                moved |= 1 << ends[0]
                if inside >> ends[1] & 1:
                    yield from self._departures(state, [*some])
            # Another provision took over the number of a subrule that did not move, or its parent's.
            came = inside & ~(inside << 1) & self._printed[state] << 1
            went = ~inside & inside << 1 & self._printed[state]
            for places, sort, way in ((came, "moved_in", "in"), (went, "moved_out", "out")):
                for edition in _places(places & ~moved):
                    yield _Moved(edition, sort, state, [state], way, None)

    def _arrivals(self, state: int, links: Sequence[Link]) -> Iterator[_Moved]:
        for link in links:
            way = self._way_in(link)
            if link is not links[0]:
                sort = "merged" if link.bits & MERGED else "parts"
                yield _Moved(link.edition, sort, link.old, [state], way, link)
            elif sort := self._sort_of(link, way):
                news = [state]
                if link.old is not None and link.is_main and link.bits & _PARTED:
                    step = self._base.lineages.step(link.old, link.source, link.edition)
                    news = _distinct([state, *(heir.new for heir in step)])
                yield _Moved(link.edition, sort, link.old, news, way, link)

    def _departures(self, state: int, step: Sequence[Link]) -> Iterator[_Moved]:
        away = [link for link in step if not self._inside.get(link.new, 0) >> link.edition & 1]
        if away:
            heirs = _distinct([link.new for link in away])
            is_whole = len(away) == len(step) or heir_of(step) in away
            sort = ("moved_out" if is_whole else "parts") if heirs else "gone"
            sort = "uncertain" if away[0].bits & UNCERTAIN else sort
            yield _Moved(away[0].edition, sort, state, heirs, "out" if heirs else "", away[0])

    def _sort_of(self, link: Link, way: str) -> str:
        """Return the sort of the step that led to a state; "" if it changed nothing."""
        if link.old is None or (link.is_return and not way):
            return "new"
        if link.bits & UNCERTAIN:
            return "uncertain"
        if way:
            return "moved_in"
        if not link.is_main or link.old in self._heads:
            return "merged" if link.bits & MERGED else "parts"
        moved = "moved_only" if link.bits & rows.RENUMBERED else ""
        return link.change.replace("-", "_") or moved

    def _way_in(self, link: Link) -> str:
        """Return "in" if a link leads from outside the provision, else ""."""
        is_inside = self._inside.get(link.old, 0) >> link.source & 1
        return "" if is_inside or link.old is None or link.old in self._heads else "in"

    def history(self, *, is_full: bool) -> records.Subrules:
        """Return the joint history of the subrules, with their changed words if asked for."""
        base, labels = self._base, self._base.labels
        steps = list(self.steps())
        ends = {end for step in steps for end in (step.old, *step.news) if end is not None}
        base.states.of(ends if is_full else ends - self.names.keys())  # at once
        order = cache(order_of)
        orders = {state: order(name.partition("#")[0]) for state, (name, _) in self.names.items()}

        def in_order(step: _Moved) -> tuple[object, ...]:
            inside = next(orders[end] for end in (*step.news, step.old) if end in orders)
            return step.edition, inside, step.old is None, step.old or 0, step.way == "out"

        more = [0] * (len(labels) + 1)
        for inside in map(self._inside.__getitem__, self.names):
            for edition in _places(inside ^ inside << 1):
                more[edition] += 1 if inside >> edition & 1 else -1
        sizes = list(accumulate(more))
        editions: list[records.SubrulesChanged] = []
        for edition, some in groupby(sorted(steps, key=in_order), lambda step: step.edition):
            changed = list(some)
            counts = Counter([step.sort for step in changed])
            # The provision in that edition, or before it.
            (*_, head) = (stretch.state for stretch in self._life if stretch.first <= edition)
            at = whereabouts(self._heads[head], labels[edition])
            record = records.SubrulesChanged(
                *(at.edition, at.number, at.term),
                provisions=sizes[edition],
                counts={sort: counts[sort] for sort in rows.SUBRULE_SORTS if counts[sort]},
                changes=[self._change(step, is_full=is_full) for step in changed],
            )
            editions.append(record)
        last = self._life[-1].last
        subrules: list[records.Subrule] = []
        for state in sorted(orders, key=orders.__getitem__):
            if self._inside[state] >> last & 1:
                is_now = last == len(labels) - 1
                name, heading = self.names[state]
                now = Whereabouts(labels[last], name, None) if is_now else self._today(state, last)
                subrules.append(records.Subrule(name, heading, now))
        return records.Subrules(subrules, editions)

    def _change(self, step: _Moved, *, is_full: bool) -> records.SubruleStep:
        link, news = step.link, step.news
        words, examples = list[Piece](), list[int]()
        if is_full and step.sort in _SHOWN:
            ends = (step.old, next(iter(news), None))
            pair = [None if end is None else self._base.states[end] for end in ends]
            texts = ["" if state is None else wording_of(state) for state in pair]
            words = [Piece._make(piece) for piece in word_diffs.word_diff(*texts)]
            examples = [0 if state is None else rows.count_examples(state.body) for state in pair]
        is_away = bool(news) and (step.way == "out" or step.sort == "merged")
        return records.SubruleStep(
            sort=step.sort,
            from_=None if step.old is None else self._name(step.old),
            to=[self._name(state) for state in news],
            kinds=[*_kinds(rows.KEPT if link is None else link.bits)],
            class_="" if link is None else link.change,
            confidence=1 if link is None else link.confidence,
            way=step.way,
            now=self._today(news[0], step.edition) if is_away else None,
            words=words,
            examples=examples,
        )

    def _name(self, state: int) -> str:
        return self.names[state][0] if state in self.names else name_of(self._base.states[state])

    def _today(self, state: int, edition: int) -> Whereabouts | None:
        today = self._base.at(state, edition).today
        return whereabouts(today.state, today.edition.label) if today else None


_kinds = cache(rows.kinds_of)


def _distinct(states: Iterable[int | None]) -> list[int]:
    return [state for state in dict.fromkeys(states) if state is not None]


def _bits(first: int, last: int) -> int:
    return (2 << last) - (1 << first)


def _places(bits: int) -> Iterator[int]:
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


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

    def __init__(self, base: KnowledgeBase, last: int) -> None:
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
            holders[key] = some = [
                NumberHolder(end, max(runs)[2], joined(run[:2] for run in sorted(runs)))
                for end, runs in ends.items()
            ]
            some.sort(key=lambda it: (-it.runs[-1][1], -it.runs[0][0], it.end.state))
        return holders

    def _end_of(self, here: End) -> End:
        """Return the end of the history of a state that came with an edition."""
        if here not in self._ends:
            life = [End(it.state, it.first) for it in self._lineages.life(*here)]
            onward = [here, *[it for it in life if here.first < it.first <= self._last]]
            self._ends |= dict.fromkeys(onward, onward[-1])
        return self._ends[here]

    def life(self, end: End) -> Life:
        """Return the whole history that ends with a given state."""
        stretches = [
            stretch._replace(last=min(stretch.last, self._last))
            for stretch in self._lineages.life(*end)
            if stretch.first <= self._last
        ]
        readings = [
            reading._replace(relatives=tuple(self._relatives(reading.stretches)))
            for reading in readings_of(stretches, self._whole.states)
        ]
        onward = self._lineages.out_of(stretches[-1].state, stretches[-1].last)
        onward = [link for link in onward if link.edition <= self._last]
        heirs = [
            self._relative(_how(link, _HEIRS), link.new, link.edition)
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
                    yield self._relative(_how(link, _SOURCES), link.old, link.source)
            if into.is_main and into.old is not None:
                for link in self._lineages.step(into.old, into.source, into.edition)[1:]:
                    if link.new is not None:
                        is_copy = link.bits & COPIED and not link.bits & SPLIT
                        how = "copied to" if is_copy else "split off"
                        yield self._relative(how, link.new, link.edition)

    def _relative(self, how: str, state: int, edition: int) -> Relative:
        return Relative(how, name_of(self._whole.states[state]), edition)


def _how(link: Link, names: Sequence[tuple[int, str]]) -> str:
    return next(name for bit, name in names if link.bits & bit)
