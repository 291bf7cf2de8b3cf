"""The subrules of a provision through time: their editions and their steps."""

from collections import defaultdict
from functools import cached_property
from itertools import accumulate

from variorum.answers.stored.number_runs import joined
from variorum.history.lineages import Link, Stretch, heir_of, origins
from variorum.record import Record
from variorum.rows import KEPT, MERGED, RENUMBERED, UNCERTAIN
from variorum.rule_numbers import order_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from variorum.answers.knowledge_base import KnowledgeBase

_BELOW = (
    "SELECT p.id, p.kind, p.address, p.heading, p.parent, s.first, s.last FROM provision p "
    "JOIN span s ON s.provision = p.id WHERE p.parent IN ({}) ORDER BY p.id, s.first"
)
_Runs = list[tuple[int, int]]


class Member(Record):
    """A state that was below a provision.

    Attributes:
        kind: "section", "rule" or "subrule".
        name: Its number, with #1, #2 if it is printed twice.
        heading: Its own heading.
        runs: The runs of editions in which it was below the provision, first to last.
    """

    __slots__ = ()
    kind: str
    name: str
    heading: str
    runs: _Runs

    def is_at(self, edition: int) -> bool:
        """Return whether it was below the provision in an edition."""
        for first, last in self.runs:  # noqa: SIM110 - in a third of the time of `any`
            if first <= edition <= last:
                return True
        return False


class SubruleStep(Record):
    """The step of a subrule into an edition.

    Attributes:
        edition: The place of the edition.
        source: The place of the preceding edition.
        old: The id of the former state; None if the subrule is new.
        news: The ids of the new states, the main heir first; empty if the subrule is gone.
        bits: The kinds of the step, see rows.STEP_KINDS.
        change: The change of the words, see rows.CHANGE_CLASSES.
        confidence: The chance that the main heir is right.
        way: "in" if the subrule came from elsewhere, "out" if it went elsewhere, else "".
        sort: The sort under which the step is counted, one of rows.SUBRULE_SORTS.
    """

    __slots__ = ()
    edition: int
    source: int
    old: int | None
    news: tuple[int, ...]
    bits: int
    change: str
    confidence: float
    way: str
    sort: str


class Subrules:
    """All states that were ever below a provision.

    Attributes:
        members: Its states by their ids.
    """

    def __init__(self, base: "KnowledgeBase", life: "Sequence[Stretch]") -> None:
        self._base = base
        self._spans: dict[int, _Runs] = defaultdict(list)
        self.members: dict[int, Member] = {}
        self._orders: dict[str, tuple[int, int, int, str]] = {}
        self._heads = {stretch.state for stretch in life}
        above: dict[str, _Runs] = defaultdict(list)
        states = base.states.of(stretch.state for stretch in life)
        for stretch in life:
            if states[stretch.state].kind not in {"glossary", "subrule"}:
                above[states[stretch.state].address].append((stretch.first, stretch.last))
        while above:
            above = self._descend(above)
        for member in self.members.values():
            if len(member.runs) > 1:
                member.runs[:] = joined(sorted(member.runs))

    def _descend(self, above: "Mapping[str, _Runs]") -> dict[str, _Runs]:
        """Add the states directly below some numbers; return their own numbers.

        Args:
            above: The numbers, and the runs of editions in which they belonged to the provision.
        """
        below: dict[str, _Runs] = defaultdict(list)
        for state, kind, address, heading, parent, first, last in self._base.reader.query_each(
            _BELOW, above
        ):
            self._spans[state].append((first, last))
            runs = [(max(first, start), min(last, stop)) for start, stop in above[parent]]
            runs = [run for run in runs if run[0] <= run[1]]
            if runs:
                member = self.members.setdefault(state, Member(kind, address, heading, []))
                member.runs.extend(runs)
            if runs and kind != "subrule":
                below[address] += runs
        return below

    def at(self, edition: int) -> list[int]:
        """Return the ids of an edition's states below the provision, in the order of numbers."""
        states = [state for state, member in self.members.items() if member.is_at(edition)]
        return sorted(states, key=self._order)

    def _order(self, state: int) -> tuple[int, int, int, str]:
        """Return the sort key of a member."""
        name = self.members[state].name
        if name not in self._orders:
            self._orders[name] = order_of(name.partition("#")[0])
        return self._orders[name]

    @cached_property
    def sizes(self) -> list[int]:
        """Return how many states each edition has below the provision, by its place."""
        changes = [0] * (len(self._base.editions) + 1)
        for member in self.members.values():
            for first, last in member.runs:
                changes[first] += 1
                changes[last + 1] -= 1
        return list(accumulate(changes))

    def _has(self, state: int | None, edition: int) -> bool:
        member = None if state is None else self.members.get(state)
        return member is not None and member.is_at(edition)

    # Steps ---------------------------------------------------------------------------------------

    @cached_property
    def steps(self) -> dict[int, list[SubruleStep]]:
        """Return the steps by the place of their edition."""
        self._base.links.read(self.members)
        by_edition: dict[int, list[SubruleStep]] = defaultdict(list)
        for step in (*self._arrivals(), *self._departures(), *self._handed_over()):
            by_edition[step.edition].append(step)
        return {
            edition: sorted(by_edition[edition], key=self._in_order)
            for edition in sorted(by_edition)
        }

    @property
    def involved(self) -> set[int]:
        """Return the ids of all states before and after the steps."""
        ends = (
            end for steps in self.steps.values() for step in steps for end in (step.old, *step.news)
        )
        return {end for end in ends if end is not None}

    @property
    def outside(self) -> set[int]:
        """Return the ids of involved states that were never below the provision."""
        return self.involved - self.members.keys()

    def _in_order(self, step: SubruleStep) -> tuple[object, ...]:
        inside = next(end for end in (*step.news, step.old) if end in self.members)
        return self._order(inside), step.old is None, step.old or 0

    def _arrivals(self) -> "Iterator[SubruleStep]":
        """Yield the steps that led to a state below the provision."""
        leading_to = self._base.links.leading_to
        for state, member in self.members.items():
            arriving: dict[int, list[Link]] = {}
            for link in leading_to(state):
                if member.is_at(link.edition):
                    arriving.setdefault(link.edition, []).append(link)
            for links in arriving.values():
                main, *beside = origins(links)
                yield from self._arrival(main)
                for link in beside:
                    sort = "merged" if link.bits & MERGED else "parts"
                    yield self._step(link, sort, [state], way=self._way_in(link))

    def _way_in(self, link: Link) -> str:
        """Return "in" if a link leads from outside the provision, else ""."""
        old = link.old
        is_inside = old is None or self._has(old, link.source) or old in self._heads
        return "" if is_inside else "in"

    def _arrival(self, link: Link) -> "Iterator[SubruleStep]":
        """Yield the step that led to a state, if it changed anything."""
        way = self._way_in(link)
        if link.old is None or (link.is_return and not way):
            sort = "new"
        elif link.bits & UNCERTAIN:
            sort = "uncertain"
        elif way:
            sort = "moved_in"
        elif not link.is_main or link.old in self._heads:
            sort = "merged" if link.bits & MERGED else "parts"
        elif link.change:
            sort = link.change.replace("-", "_")
        elif link.bits & RENUMBERED:
            sort = "moved_only"
        else:
            return
        heirs = [] if link.old is None else self._base.lineages.step(link.old, link)
        others = [heir.new for heir in heirs if heir.new is not None and link.is_main]
        news = [state for state in (link.new, *others) if state is not None]
        yield self._step(link, sort, news, way=way)

    def _departures(self) -> "Iterator[SubruleStep]":
        """Yield the steps that led out of the provision or removed a subrule."""
        for state, member in self.members.items():
            leaving: dict[tuple[int, int], list[Link]] = defaultdict(list)
            for link in self._base.links.leading_from(state):
                if member.is_at(link.source):
                    leaving[link.edition, link.source].append(link)
            for links in leaving.values():
                away = [link for link in links if not self._has(link.new, link.edition)]
                if away:
                    yield self._departure(links, away)

    def _departure(self, links: "Sequence[Link]", away: "Sequence[Link]") -> SubruleStep:
        """Return the step of a state that went elsewhere, entirely or in part."""
        heirs = [link.new for link in away if link.new is not None]
        if away[0].bits & UNCERTAIN:
            sort = "uncertain"
        elif not heirs:
            sort = "gone"
        elif len(away) == len(links) or heir_of(links) in away:
            sort = "moved_out"
        else:
            sort = "parts"
        return self._step(away[0], sort, heirs, way="out" if heirs else "")

    def _handed_over(self) -> "Iterator[SubruleStep]":
        """Yield steps of subrules that came or went when another provision took over the number."""
        last = len(self._base.editions) - 1
        for state, member in self.members.items():
            into = {link.edition for link in self._base.links.leading_to(state)}
            out = {link.edition for link in self._base.links.leading_from(state)}
            for first, stop in member.runs:
                if first and first not in into and self._is_printed(state, first - 1):
                    yield SubruleStep(
                        first, first - 1, state, (state,), KEPT, "", 1, "in", "moved_in"
                    )
                if stop < last and stop + 1 not in out and self._is_printed(state, stop + 1):
                    yield SubruleStep(
                        stop + 1, stop, state, (state,), KEPT, "", 1, "out", "moved_out"
                    )

    def _is_printed(self, state: int, edition: int) -> bool:
        return any(first <= edition <= last for first, last in self._spans[state])

    def _step(self, link: Link, sort: str, news: "Iterable[int]", *, way: str = "") -> SubruleStep:
        return SubruleStep(
            link.edition,
            link.source,
            link.old,
            tuple(dict.fromkeys(news)),
            link.bits,
            link.change,
            link.confidence,
            way,
            sort,
        )
