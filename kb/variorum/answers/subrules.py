"""The joint history of the subrules of a provision."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, NamedTuple

from variorum import rows
from variorum.answers.stored import joined
from variorum.history.lineages import Link, Stretch, heir_of, origins
from variorum.history.word_diffs import word_diff
from variorum.records import lineage as records
from variorum.records.answer import Piece
from variorum.records.lineage import Whereabouts, whereabouts
from variorum.rows import MERGED, UNCERTAIN, count_examples, kinds_of, name_of, wording_of
from variorum.rule_numbers import order_of

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase

_PARTED = rows.SPLIT | rows.COPIED
# The sorts of changes that are shown word by word.
_SHOWN = {"new", "moved_in", "parts", "substantive", "merged", "gone", "uncertain", "sweep"}
_BELOW = (
    "SELECT p.id, p.kind, p.address, p.heading, p.parent, s.first, s.last FROM provision p "
    "JOIN span s ON s.provision = p.id WHERE p.parent IN ({}) ORDER BY p.id, s.first"
)


class _Member(NamedTuple):
    """A state that was below the provision: its runs in print, and those of them in which it was there."""

    name: str
    heading: str
    printed: list[tuple[int, int]]
    runs: list[tuple[int, int]]


class _Moved(NamedTuple):
    """What an edition did to a subrule, by one of rows.SUBRULE_SORTS.

    `old` is the former state, None if it is new; `news` are the new ones, the main heir first. The way is "in"
    if it came from elsewhere, "out" if it went elsewhere, else "". There is no link if another provision
    took over its number.
    """

    edition: int
    sort: str
    old: int | None
    news: tuple[int, ...]
    way: str
    link: Link | None


class Below:
    """Everything that was below a provision, given its life, and what editions did to it."""

    def __init__(self, base: "KnowledgeBase", life: Sequence[Stretch]) -> None:
        self._base, self._life = base, life
        self._heads = base.states.of(stretch.state for stretch in life)
        self.members: dict[int, _Member] = {}
        above: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for stretch in life:
            if self._heads[stretch.state].kind not in {"glossary", "subrule"}:
                above[self._heads[stretch.state].address].append((stretch.first, stretch.last))
        while above:
            below: dict[str, list[tuple[int, int]]] = defaultdict(list)
            found = base.reader.query_each(_BELOW, above)
            for state, kind, address, heading, parent, first, last in found:
                runs = [(max(first, start), min(last, stop)) for start, stop in above[parent]]
                runs = [run for run in runs if run[0] <= run[1]]
                member = self.members.setdefault(state, _Member(address, heading, [], []))
                member.printed.append((first, last))
                member.runs.extend(runs)
                if kind != "subrule":
                    below[address] += runs
            above = {address: runs for address, runs in below.items() if runs}
        for state in [state for state, member in self.members.items() if not member.runs]:
            del self.members[state]
        for member in self.members.values():
            member.runs[:] = joined(sorted(member.runs))

    def history(self, *, is_full: bool) -> records.Subrules:
        """Return the joint history of the subrules, with their changed words if asked for."""
        base, members, labels = self._base, self.members, self._base.labels
        steps = list(self.steps())
        ends = {end for step in steps for end in (step.old, *step.news) if end is not None}
        base.states.of(ends if is_full else ends - members.keys())  # at once
        orders = {state: order_of(it.name.partition("#")[0]) for state, it in members.items()}

        def in_order(step: _Moved) -> tuple[object, ...]:
            inside = next(orders[end] for end in (*step.news, step.old) if end in orders)
            return step.edition, inside, step.old is None, step.old or 0, step.way == "out"

        differences = [0] * (len(labels) + 1)
        for first, last in (run for member in members.values() for run in member.runs):
            differences[first] += 1
            differences[last + 1] -= 1
        sizes = list(accumulate(differences))
        editions: list[records.SubrulesChanged] = []
        for edition, some in groupby(sorted(steps, key=in_order), lambda step: step.edition):
            changed = list(some)
            counts = Counter([step.sort for step in changed])
            # The provision in that edition, or before it.
            (*_, head) = (stretch.state for stretch in self._life if stretch.first <= edition)
            where = whereabouts(self._heads[head], labels[edition])
            record = records.SubrulesChanged(
                where.edition,
                where.number,
                where.term,
                provisions=sizes[edition],
                counts={sort: counts[sort] for sort in rows.SUBRULE_SORTS if counts[sort]},
                changes=[self._change(step, is_full=is_full) for step in changed],
            )
            editions.append(record)
        last = self._life[-1].last
        subrules: list[records.Subrule] = []
        for state in sorted(orders, key=orders.__getitem__):
            name, heading, _, runs = members[state]
            if _covers(runs, last):
                now: Whereabouts | None = Whereabouts(labels[last], name, None)
                now = now if last == len(labels) - 1 else self._today(state, last)
                subrules.append(records.Subrule(name, heading, now))
        return records.Subrules(subrules, editions)

    def _change(self, step: _Moved, *, is_full: bool) -> records.SubruleStep:
        link, news = step.link, step.news
        words, examples = list[Piece](), list[int]()
        if is_full and step.sort in _SHOWN:
            ends = (step.old, next(iter(news), None))
            pair = [None if end is None else self._base.states[end] for end in ends]
            texts = ["" if state is None else wording_of(state) for state in pair]
            words = [Piece._make(piece) for piece in word_diff(*texts)]
            examples = [0 if state is None else count_examples(state.body) for state in pair]
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
        member = self.members.get(state)
        return name_of(self._base.states[state]) if member is None else member.name

    def _today(self, state: int, edition: int) -> Whereabouts | None:
        today = self._base.at(state, edition).today
        return whereabouts(today.state, today.edition.label) if today else None

    def steps(self) -> Iterator[_Moved]:
        """Yield what editions did to subrules: arrivals, departures, and changes of the number's bearer."""
        links, lineages = self._base.links, self._base.lineages
        links.read(self.members)
        for state in self.members:
            into, out = links.leading_to(state), links.leading_from(state)
            inside = [link for link in into if self._has(state, link.edition)]
            for edition, some in groupby(inside, key=lambda link: link.edition):
                main, *beside = origins(list(some))
                if sort := self._sort_of(main):
                    news = [state]
                    if main.old is not None and main.is_main and main.bits & _PARTED:
                        step = lineages.step(main.old, main.source, main.edition)
                        news = _distinct([state, *(heir.new for heir in step)])
                    yield _Moved(edition, sort, main.old, tuple(news), self._way_in(main), main)
                for link in beside:
                    sort = "merged" if link.bits & MERGED else "parts"
                    yield _Moved(edition, sort, link.old, (state,), self._way_in(link), link)
            inside = [link for link in out if self._has(state, link.source)]
            for (edition, _), some in groupby(inside, key=lambda link: link[:2]):
                step = list(some)
                away = [link for link in step if not self._has(link.new, edition)]
                heirs = _distinct([link.new for link in away])
                if away:
                    is_whole = len(away) == len(step) or heir_of(step) in away
                    sort = ("moved_out" if is_whole else "parts") if heirs else "gone"
                    sort = "uncertain" if away[0].bits & UNCERTAIN else sort
                    way = "out" if heirs else ""
                    yield _Moved(edition, sort, state, tuple(heirs), way, away[0])
            yield from self._handed_over(state, {it.edition for it in (*into, *out)})

    def _handed_over(self, state: int, moved: Collection[int]) -> Iterator[_Moved]:
        """Yield when another provision took over the number of a subrule that did not move, or its parent's."""
        _, _, printed, runs = self.members[state]
        for first, last in runs:
            if first and first not in moved and _covers(printed, first - 1):
                yield _Moved(first, "moved_in", state, (state,), "in", None)
            if last + 1 not in moved and _covers(printed, last + 1):
                yield _Moved(last + 1, "moved_out", state, (state,), "out", None)

    def _sort_of(self, link: Link) -> str:
        """Return the sort of the step that led to a state; "" if it changed nothing."""
        way = self._way_in(link)
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

    def _has(self, state: int | None, edition: int) -> bool:
        member = None if state is None else self.members.get(state)
        return member is not None and _covers(member.runs, edition)

    def _way_in(self, link: Link) -> str:
        """Return "in" if a link leads from outside the provision, else ""."""
        is_inside = link.old is None or link.old in self._heads or self._has(link.old, link.source)
        return "" if is_inside else "in"


_kinds = cache(kinds_of)


def _distinct(states: Iterable[int | None]) -> list[int]:
    return [state for state in dict.fromkeys(states) if state is not None]


def _covers(runs: Iterable[tuple[int, int]], edition: int) -> bool:
    for first, last in runs:  # noqa: SIM110 - in a third of the time of `any`
        if first <= edition <= last:
            return True
    return False
