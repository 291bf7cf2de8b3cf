"""Histories of provisions: their numbers, readings, steps and subrules; and who had each number.

A *life* is the history of a provision up to its last state. A part that was split off, or a copy,
has its own life, which begins with the life of its source.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple, TypeVar

from variorum import rows
from variorum.answers.crosswalk import others_of
from variorum.answers.knowledge_base import KnowledgeBase, Subject
from variorum.answers.stored import joined
from variorum.history.lineages import Lineages, Link, Stretch, heir_of, origins
from variorum.history.word_diffs import word_diff
from variorum.records import lineage as records
from variorum.records.answer import Piece, json_text
from variorum.records.lineage import whereabouts
from variorum.rows import COPIED, GONE, MERGED, NEW, SPLIT, UNCERTAIN, State, name_of, wording_of
from variorum.rule_numbers import order_of
from variorum.text import doubt

Key = TypeVar("Key", bound=Hashable)
# How words came from another provision, or went to one, and where that is.
Relative = tuple[str, records.Whereabouts]

# Leads to the first reading of a provision that the first edition has.
_NOTHING = Link(0, None, 0, 0, 0)
# How words came from another provision, and how they went to one, by the kinds of the link.
_HOW = (
    (UNCERTAIN, "from", ""),
    (MERGED, "took in", "merged into"),
    (SPLIT, "split from", "split off"),
    (COPIED, "copied from", "copied to"),
    (-1, "took in", "split off"),
)


# A provision -------------------------------------------------------------------------------------


class LifeReading(NamedTuple):
    """A number and words, as long as a provision kept both: the last of its states, and the editions.

    `into` is the link that leads to it, `pieces` the word diff from the reading before it, if words
    changed. `relatives` gave it words, or are its predecessor's other heirs.
    """

    state: State
    first: int
    last: int
    into: Link
    pieces: list[Piece]
    relatives: list[Relative]

    @property
    def kinds(self) -> list[str]:
        """Return the kinds of the step to this reading; off the main line, only how words came."""
        bits = self.into.bits & ~rows.KEPT
        if not (self.into.is_main or bits & (NEW | GONE | UNCERTAIN)):
            bits = next((bit for bit in (SPLIT, COPIED, MERGED) if bits & bit), bits)
        return rows.kinds_of(bits)


def readings_of(base: KnowledgeBase, life: Sequence[Stretch]) -> Iterator[LifeReading]:
    """Yield the readings of a history, oldest first."""
    states, before = base.states.of(stretch.state for stretch in life), ""
    printed = {id_: (name_of(it), it.heading, rows.words_or_mark(it)) for id_, it in states.items()}
    for _, same in groupby(life, key=lambda stretch: printed[stretch.state]):
        stretches = list(same)
        state, ends = states[stretches[-1].state], (stretches[0].first, stretches[-1].last)
        into, *beside = [link for it in stretches for link in it.led or [_NOTHING]]
        is_worded = bool(before) and into.change in {"sweep", "substantive"}
        words = word_diff(before, wording_of(state)) if is_worded else []
        known = [link for link in (into, *beside) if link.old is not None]
        others = [link for link in known if not link.is_main]
        relatives = [*_relatives(base, others, is_source=True)]
        for link in [link for link in known if link.is_main]:
            step = base.lineages.out_of(link.old or 0, link.edition - 1)
            relatives += _relatives(base, step[1:])
        yield LifeReading(state, *ends, into, words, relatives)
        before = wording_of(state)


def _relatives(
    base: KnowledgeBase, links: Iterable[Link], *, is_source: bool = False
) -> Iterator[Relative]:
    """Yield what links lead to, or come from."""
    for link in links:
        place, id_ = (link.edition - 1, link.old) if is_source else (link.edition, link.new)
        if id_ is not None:
            how = next(came if is_source else went for bit, came, went in _HOW if link.bits & bit)
            said = f"{doubt(link.confidence)}{how}".strip()
            yield said, whereabouts(base.states[id_], base.labels[place])


def history_of(
    subject: Subject, *, is_alone: bool = False, is_full: bool = False
) -> records.History:
    """Return the history of a provision, with the other provisions that have had its number.

    `is_alone` leaves its subrules out, `is_full` includes how their words changed.
    """
    base, life, labels = subject.base, subject.lineage, subject.base.labels
    until, readings = [*labels[:-1], None], list[records.Reading]()
    for it in readings_of(base, life):
        at, state = whereabouts(it.state, labels[it.first]), it.state
        about = at.number, at.term, at.edition, until[it.last], state.heading, wording_of(state)
        examples = len(rows.examples_of(state.body))
        readings.append(records.Reading(*about, examples, it.into.change, it.pieces))
    seen = {place for run in life for place in range(run.first, run.last + 1)}
    doubtful = [edition for edition in base.editions if edition.doubts and edition.place in seen]
    is_now = life[-1].last == len(labels) - 1
    return records.History(
        now=whereabouts(base.states[life[-1].state], labels[-1]) if is_now else None,
        readings=readings,
        steps=why(subject),
        others=others_of(subject),
        witnesses=base.witnesses.of(life),
        doubts={it.label: it.doubts.splitlines() for it in doubtful},
        subrules=None if is_alone else Below(base, life, is_full=is_full).history(),
    )


def why(subject: Subject) -> list[records.Step]:
    """Return each step of a provision, oldest first, with its evidence."""
    base, life, labels = subject.base, subject.lineage, subject.base.labels
    links = [link for it in life for link in it.led]
    links += base.lineages.out_of(life[-1].state, life[-1].last)[:1]
    evidence, steps = base.links.evidence(links), list[records.Step]()
    for link in links:
        step, (readings, verdict, reasons) = [link], evidence[link.evidence]
        if link.old is not None:
            step = base.lineages.out_of(link.old, link.edition - 1)
        ends = [end for it in step for end in (it.old, it.new) if end is not None]
        names = {id_: name_of(state) for id_, state in base.states.of(ends).items()}
        decided = records.DecidedStep(labels[link.edition], readings, verdict)
        record = records.Step(
            from_edition=labels[link.edition - 1],
            to_edition=labels[link.edition],
            from_=None if link.old is None else names[link.old],
            to=[names[it.new] for it in step if it.new is not None],
            kinds=link.kinds,
            class_=next((it.change for it in step if it.rank == 0), ""),
            confidence=link.confidence,
            read=decided if readings else None,
            evidence=reasons.splitlines(),
            announced=base.witnesses.announced(step),
        )
        steps.append(record)
    return steps


def unchanged_since(subject: Subject) -> str:
    """Return the label of the last edition, up to its own, that changed a provision or a subrule of it."""
    life = subject.lineage
    changed = [stretch.first for stretch in life]
    changed += [edition for (edition, *_), _ in Below(subject.base, life).steps()]
    return subject.base.labels[max(place for place in changed if place <= subject.edition.place)]


def names_today(subject: Subject) -> tuple[str | None, str]:
    """Return a provision's name today, None if it was removed, and its last name."""
    if today := subject.heir():
        return today.name, today.name
    loss = subject.destination().loss
    return None, name_of(subject.base.states[loss.state]) if loss else subject.name


# Its subrules ------------------------------------------------------------------------------------

# The sorts of changes that are shown word by word.
_SHOWN = {"new", "moved_in", "parts", "substantive", "merged", "gone", "uncertain", "sweep"}
# The states below some addresses, and the runs of editions in which they are.
_BELOW = (
    "WITH RECURSIVE inside(id, address, first, last) AS ("
    "SELECT NULL, json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]') "
    "FROM json_each(?) "
    "UNION SELECT p.id, p.address, max(s.first, inside.first), min(s.last, inside.last) "
    "FROM inside JOIN provision p ON p.parent = inside.address JOIN span s ON s.provision = p.id "
    "AND s.first <= inside.last AND s.last >= inside.first"
    ") SELECT id, first, last FROM inside WHERE id IS NOT NULL ORDER BY id"
)
# A step, and what it is sorted by: edition, number, whether it is new, former state, whether it went away.
_Placed = tuple[tuple[int, tuple[object, ...], bool, int, bool], records.SubruleStep]
_kinds, _order = cache(rows.kinds_of), cache(order_of)


class Below:
    """The states that were below a provision, given its life, and what editions did to them."""

    def __init__(
        self, base: KnowledgeBase, life: Sequence[Stretch], *, is_full: bool = False
    ) -> None:
        self._base, self._states, self._is_full = base, base.states, is_full
        self._last, self._heads = life[-1].last, base.states.of(it.state for it in life)
        runs = [(self._heads[it.state].address, it.first, it.last) for it in life]
        # The editions that print a state below the provision: a bit stands for each.
        self._inside = defaultdict[int, int](int)
        for id_, first, last in base.reader.query(_BELOW, [json_text(runs)]):
            self._inside[id_] |= (2 << last) - (1 << first)

    def history(self) -> records.Subrules | None:
        """Return the joint history of the subrules; None without any."""
        base, editions = self._base, list[records.SubrulesChanged]()
        for edition, some in groupby(sorted(self.steps(), key=itemgetter(0)), lambda it: it[0][0]):
            changes = [step for _, step in some]
            count = Counter([step.sort for step in changes])
            counts = {sort: count[sort] for sort in rows.SUBRULE_SORTS if count[sort]}
            editions.append(records.SubrulesChanged(base.labels[edition], counts, changes))
        printed = [self._states[id_] for id_ in self._inside if self._has(id_, self._last)]
        last: list[records.Subrule] = []
        for state in sorted(printed, key=lambda it: _order(it.number)):
            subject = base.at(state.id, self._last)
            now = whereabouts(it.state, it.edition.label) if (it := subject.heir()) else None
            sure = round(subject.destination().confidence, 4)
            last.append(records.Subrule(state.address, state.heading, now, sure))
        return records.Subrules(last, editions) if self._inside else None

    def steps(self) -> Iterator[_Placed]:
        """Yield what editions did to subrules: arrivals and departures."""
        links, ids = self._base.links, [*self._inside]
        links.read(ids)
        both = [(id_, links.leading_to(id_), links.leading_from(id_)) for id_ in ids]
        every = [link for _, *some in both for each in some for link in each]
        self._states.of([*ids, *[it for link in every for it in link[1:3] if it is not None]])
        for id_, to, away in both:
            for edition, some in groupby(to, lambda link: link.edition):
                if self._has(id_, edition):
                    yield from self._arrivals(id_, origins([*some]))
            for edition, some in groupby(away, lambda link: link.edition):
                if self._has(id_, edition - 1):
                    yield from self._departures([*some])

    def _has(self, state: int | None, edition: int) -> bool:
        return state is not None and bool(self._inside.get(state, 0) >> edition & 1)

    def _arrivals(self, state: int, links: Sequence[Link]) -> Iterator[_Placed]:
        for link in links:
            is_own = link.old is None or link.old in self._heads
            way = "" if is_own or self._has(link.old, link.edition - 1) else "in"
            sort, news = "merged" if link.bits & MERGED else "parts", [state]
            if link is links[0]:
                if link.old is None:
                    sort = "new"
                elif link.bits & UNCERTAIN or way:
                    sort = "uncertain" if link.bits & UNCERTAIN else "moved_in"
                elif link.is_main and not is_own:
                    moved = "moved_only" * bool(link.bits & rows.RENUMBERED)
                    sort = link.change.replace("-", "_") or moved
            if link is links[0] and link.is_main and link.bits & (SPLIT | COPIED):
                step = self._base.lineages.out_of(link.old or 0, link.edition - 1)
                news += [it.new for it in step if it.new not in {None, state}]
            if sort:
                yield self._step(link, sort, news, way)

    def _departures(self, step: Sequence[Link]) -> Iterator[_Placed]:
        away = [link for link in step if not self._has(link.new, link.edition)]
        if away:
            heirs = [link.new for link in away if link.new is not None]
            is_whole = len(away) == len(step) or heir_of(step) in away
            sort = ("moved_out" if is_whole else "parts") if heirs else "gone"
            sort = "uncertain" if away[0].bits & UNCERTAIN else sort
            yield self._step(away[0], sort, heirs, "out" if heirs else "")

    def _step(self, link: Link, sort: str, heirs: Sequence[int], way: str) -> _Placed:
        old, news = link.old, [self._states[id_] for id_ in heirs]
        former = None if old is None else self._states[old]
        words, examples = list[Piece](), list[int]()
        if self._is_full and sort in _SHOWN:
            pair = former, next(iter(news), None)
            texts = ["" if state is None else wording_of(state) for state in pair]
            words = word_diff(*texts)
            examples = [0 if state is None else len(rows.examples_of(state.body)) for state in pair]
        inside = next(it for it in (*news, former) if it and it.id in self._inside)
        place = link.edition, _order(inside.number), old is None, old or 0, way == "out"
        names, kinds = [name_of(state) for state in news], [*_kinds(link.bits)]
        about = former and name_of(former), names, kinds, link.change, link.confidence
        return place, records.SubruleStep(sort, *about, way, words, examples)


# All numbers -------------------------------------------------------------------------------------


class End(NamedTuple):
    """The last state of a history, and the first edition that has it."""

    state: int
    first: int


class Life(NamedTuple):
    """The history of a provision; if it is gone, the step, and the heirs that have its words."""

    readings: list[LifeReading]
    ending: Link | None
    heirs: list[Relative]


class NumberHolder(NamedTuple):
    """A provision that had a number, by its end, in some runs of editions, and its state in the last."""

    end: End
    state: int
    runs: list[tuple[int, int]]


class NumberHistories:
    """The histories of all provisions of a base, up to one edition."""

    def __init__(self, base: KnowledgeBase, last: int) -> None:
        self._base, self._last = base, last
        self._lineages = Lineages(base.links.where("edition <= ?", last), last)

    def holders(self, key_of: Callable[[State], Key]) -> dict[Key, list[NumberHolder]]:
        """Return the provisions that ever had each number, or other key of a state, the latest first."""
        held = defaultdict[tuple[Key, End], list[tuple[int, int, int]]](list)
        holders, ends = defaultdict[Key, list[NumberHolder]](list), dict[End, End]()
        states, uses = self._base.states.load(), self._base.uses()
        for id_, first, last in [use for use in uses if use.first <= self._last]:
            if (here := End(id_, first)) not in ends:
                life = [End(it.state, it.first) for it in self._lineages.onward(*here)[1:]]
                ends |= dict.fromkeys([here, *life], [here, *life][-1])
            held[key_of(states[id_]), ends[here]].append((first, min(last, self._last), id_))
        for (number, end), runs in held.items():
            holder = NumberHolder(end, max(runs)[2], joined(run[:2] for run in sorted(runs)))
            holders[number].append(holder)
        for some in holders.values():
            some.sort(key=lambda it: (-it.runs[-1][1], -it.runs[0][0], it.end.state))
        return holders

    def life(self, end: End) -> Life:
        """Return the whole history that ends with a given state."""
        stretches = self._lineages.life(*end)
        onward = self._lineages.out_of(stretches[-1].state, stretches[-1].last)
        readings = list(readings_of(self._base, stretches))
        return Life(readings, next(iter(onward), None), [*_relatives(self._base, onward)])
