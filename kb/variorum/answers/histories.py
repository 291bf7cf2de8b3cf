"""The whole history of a provision: numbers, readings, steps with their evidence, and its subrules."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from variorum import rows
from variorum.answers.readings import readings_of
from variorum.answers.stored import Stored, joined
from variorum.history.lineages import Link, Stretch, heir_of, origins, walk
from variorum.history.word_diffs import word_diff
from variorum.records import lineage as records
from variorum.records.answer import Piece
from variorum.records.lineage import Whereabouts
from variorum.rows import MERGED, UNCERTAIN, State, count_examples, name_of, wording_of
from variorum.rule_numbers import order_of
from variorum.text import keys_of, word_of

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.answers.subject import Subject

# The sorts of changes of subrules that are shown with their words.
_SHOWN = {"new", "moved_in", "parts", "substantive", "merged", "gone", "uncertain", "sweep"}
_BELOW = (
    "SELECT p.id, p.kind, p.address, p.heading, p.parent, s.first, s.last FROM provision p "
    "JOIN span s ON s.provision = p.id WHERE p.parent IN ({}) ORDER BY p.id, s.first"
)


def history_of(
    subject: "Subject", *, is_alone: bool = False, is_full: bool = False
) -> records.History:
    """Return the history of a provision, with the other provisions that have had its number.

    `is_alone` leaves its subrules out, `is_full` includes how their words changed.
    """
    base, life = subject.base, subject.lineage
    states = base.states.of(stretch.state for stretch in life)
    below = None if is_alone else _Below(base, life)
    readings: list[records.Reading] = []
    for reading in readings_of(life, states):
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
        witnesses=base.witnesses.quoted(life),
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
    changed += [step.edition for step in _Below(subject.base, life).steps()]
    return subject.base.labels[max(place for place in changed if place <= subject.edition.place)]


def others_of(subject: "Subject") -> list[records.OtherBearer]:
    """Return the other provisions that have had the number asked for, the latest first.

    Return none if the question named an edition.
    """
    base, word, others = subject.base, subject.asked, list[records.OtherBearer]()
    seen = {(stretch.state, stretch.first) for stretch in subject.lineage}
    for run in base.latest_first(word) if word else []:
        links = base.lineages.into(run.state, run.last)
        if (run.state, links[0].edition if links else 0) in seen:
            continue
        life = base.lineages.life(run.state, run.last)
        seen |= {(stretch.state, stretch.first) for stretch in life}
        states = base.states.of(stretch.state for stretch in life)
        bore = [it for it in life if word in {word_of(key) for key in keys_of(states[it.state])}]
        last = states[bore[-1].state]
        others.append(
            records.OtherBearer(
                from_=base.labels[bore[0].first],
                to=_until(base, bore[-1].last),
                heading=last.heading,
                text=wording_of(last),
                now=_now(base, life),
                last=whereabouts(states[life[-1].state], base.labels[life[-1].last]),
            )
        )
    return others


def whereabouts(state: State, label: str) -> Whereabouts:
    """Return the place of a provision in an edition with a label."""
    is_entry = state.kind == "glossary"
    return Whereabouts(label, *((None, state.heading) if is_entry else (state.address, None)))


def _now(base: Stored, life: Sequence[Stretch]) -> Whereabouts | None:
    is_current = life[-1].last == len(base.labels) - 1
    return whereabouts(base.states[life[-1].state], base.labels[-1]) if is_current else None


def _until(base: Stored, last: int) -> str | None:
    return None if last == len(base.labels) - 1 else base.labels[last]


def why(subject: "Subject") -> list[records.Step]:
    """Return each step of a provision, oldest first, with its evidence."""
    base, life = subject.base, subject.lineage
    links: list[Link] = []
    for stretch in life:
        links += [] if stretch.into is None else [stretch.into, *stretch.beside]
    links += base.lineages.out_of(life[-1].state, life[-1].last)[:1]
    return [_step(base, link) for link in links]


def _step(base: "KnowledgeBase", link: Link) -> records.Step:
    links = [link] if link.old is None else base.lineages.step(link.old, link.source, link.edition)
    news = [sibling.new for sibling in links if sibling.new is not None]
    states = base.states.of([*news, *([] if link.old is None else [link.old])])
    evidence = base.links.evidence(link)
    return records.Step(
        from_edition=base.labels[link.source],
        to_edition=base.labels[link.edition],
        from_=None if link.old is None else name_of(states[link.old]),
        to=[name_of(states[new]) for new in news],
        kinds=link.kinds,
        class_=next((sibling.change for sibling in links if sibling.rank == 0), ""),
        confidence=link.confidence,
        read=records.Decision(evidence.readings, evidence.verdict) if evidence.readings else None,
        evidence=list(evidence.reasons),
        announced=base.witnesses.announced(links),
    )


# Subrules ----------------------------------------------------------------------------------------


class _Member(NamedTuple):
    """A state that was below the provision: its number, and the runs of editions in which it was there."""

    name: str
    heading: str
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


class _Below:
    def __init__(self, base: Stored, life: Sequence[Stretch]) -> None:
        self._base, self._life = base, life
        self._heads = base.states.of(stretch.state for stretch in life)
        self.members: dict[int, _Member] = {}
        self._printed: dict[int, list[tuple[int, int]]] = defaultdict(list)
        above: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for stretch in life:
            if self._heads[stretch.state].kind not in {"glossary", "subrule"}:
                above[self._heads[stretch.state].address].append((stretch.first, stretch.last))
        while above:
            below: dict[str, list[tuple[int, int]]] = defaultdict(list)
            for state, kind, address, heading, parent, *span in base.reader.query_each(
                _BELOW, above
            ):
                first, last = span
                runs = [(max(first, start), min(last, stop)) for start, stop in above[parent]]
                runs = [run for run in runs if run[0] <= run[1]]
                self._printed[state].append((first, last))
                if runs:
                    self.members.setdefault(state, _Member(address, heading, [])).runs.extend(runs)
                if runs and kind != "subrule":
                    below[address] += runs
            above = below
        for member in self.members.values():
            member.runs[:] = joined(sorted(member.runs))

    def history(self, *, is_full: bool) -> records.Subrules:
        """Return the joint history of the subrules, with their changed words if asked for."""
        base, members = self._base, self.members
        by_edition: dict[int, list[_Moved]] = defaultdict(list)
        ends = set[int | None]()
        for step in self.steps():
            by_edition[step.edition].append(step)
            ends |= {*step.news, step.old}
        known = set() if is_full else members.keys()
        base.states.of(end for end in ends if end is not None and end not in known)  # at once
        orders = {state: order_of(it.name.partition("#")[0]) for state, it in members.items()}

        def in_order(step: _Moved) -> tuple[object, ...]:
            inside = next(orders[end] for end in (*step.news, step.old) if end in orders)
            return inside, step.old is None, step.old or 0

        differences = [0] * (len(base.editions) + 1)
        for member in members.values():
            for first, last in member.runs:
                differences[first] += 1
                differences[last + 1] -= 1
        sizes = list(accumulate(differences))
        editions: list[records.SubrulesChanged] = []
        for edition, steps in sorted(by_edition.items()):
            counts = Counter([step.sort for step in steps])
            # The provision in that edition, or before it.
            (*_, head) = (stretch.state for stretch in self._life if stretch.first <= edition)
            where = whereabouts(self._heads[head], base.labels[edition])
            editions.append(
                records.SubrulesChanged(
                    where.edition,
                    where.number,
                    where.term,
                    provisions=sizes[edition],
                    counts={sort: counts[sort] for sort in rows.SUBRULE_SORTS if counts[sort]},
                    changes=[
                        self._change(it, is_full=is_full) for it in sorted(steps, key=in_order)
                    ],
                )
            )
        last = self._life[-1].last
        is_current = last == len(base.labels) - 1
        subrules: list[records.Subrule] = []
        for state in sorted(orders, key=orders.__getitem__):
            if _covers(members[state].runs, last):
                name, heading, _ = members[state]
                now = Whereabouts(base.labels[last], name, None)
                subrules.append(
                    records.Subrule(name, heading, now if is_current else self._today(state, last))
                )
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
        base, current = self._base, self._base.current
        if current is None or current.place <= edition:
            return whereabouts(base.states[state], base.labels[edition])
        heir = walk(base.lineages, [state], edition, current.place)[state].heir
        return None if heir is None else whereabouts(base.states[heir], current.label)

    def steps(self) -> Iterator[_Moved]:
        """Yield what editions did to subrules: arrivals first, then departures."""
        self._base.links.read(self.members)
        for find in (self._arrivals, self._departures, self._handed_over):
            for state in self.members:
                yield from find(state)

    def _arrivals(self, state: int) -> Iterator[_Moved]:
        arriving: dict[int, list[Link]] = {}
        for link in self._base.links.leading_to(state):
            if self._has(state, link.edition):
                arriving.setdefault(link.edition, []).append(link)
        for links in arriving.values():
            main, *beside = origins(links) if len(links) > 1 else links
            if sort := self._sort_of(main):
                heirs = [main.new]
                if main.old is not None and main.is_main:
                    step = self._base.lineages.step(main.old, main.source, main.edition)
                    heirs += [heir.new for heir in step]
                yield _moved(main, sort, heirs, self._way_in(main))
            for link in beside:
                sort = "merged" if link.bits & MERGED else "parts"
                yield _moved(link, sort, [state], self._way_in(link))

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
        return link.change.replace("-", "_") or (
            "moved_only" if link.bits & rows.RENUMBERED else ""
        )

    def _departures(self, state: int) -> Iterator[_Moved]:
        leaving: dict[tuple[int, int], list[Link]] = {}
        for link in self._base.links.leading_from(state):
            if self._has(state, link.source):
                leaving.setdefault((link.edition, link.source), []).append(link)
        for links in leaving.values():
            away = [link for link in links if not self._has(link.new, link.edition)]
            heirs = [link.new for link in away if link.new is not None]
            if away:
                is_whole = len(away) == len(links) or heir_of(links) in away
                sort = ("moved_out" if is_whole else "parts") if heirs else "gone"
                sort = "uncertain" if away[0].bits & UNCERTAIN else sort
                yield _moved(away[0], sort, heirs, "out" if heirs else "")

    def _handed_over(self, state: int) -> Iterator[_Moved]:
        """Yield steps of a subrule when another provision took over its number or its parent's."""
        into = {link.edition for link in self._base.links.leading_to(state)}
        out = {link.edition for link in self._base.links.leading_from(state)}
        for first, last in self.members[state].runs:
            if first and first not in into and _covers(self._printed[state], first - 1):
                yield _Moved(first, "moved_in", state, (state,), "in", None)
            if last + 1 not in out and _covers(self._printed[state], last + 1):
                yield _Moved(last + 1, "moved_out", state, (state,), "out", None)

    def _has(self, state: int | None, edition: int) -> bool:
        member = None if state is None else self.members.get(state)
        return member is not None and _covers(member.runs, edition)

    def _way_in(self, link: Link) -> str:
        """Return "in" if a link leads from outside the provision, else ""."""
        is_inside = link.old is None or link.old in self._heads or self._has(link.old, link.source)
        return "" if is_inside else "in"


def _moved(link: Link, sort: str, news: Iterable[int | None], way: str) -> _Moved:
    once = tuple([state for state in dict.fromkeys(news) if state is not None])
    return _Moved(link.edition, sort, link.old, once, way, link)


def _covers(runs: Iterable[tuple[int, int]], edition: int) -> bool:
    for first, last in runs:  # noqa: SIM110 - in a third of the time of `any`
        if first <= edition <= last:
            return True
    return False


_kinds = cache(rows.kinds_of)


# Today's names -----------------------------------------------------------------------------------


class LatestNames:
    """The latest names of provisions, each found once."""

    def __init__(self, base: Stored) -> None:
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
        missing = [state for state in dict.fromkeys(states) if (state, place) not in self._known]
        last = {state: (state, False) for state in missing}
        if current is not None and place < current.place:
            base.links.read_onward(missing)
            for state, way in walk(base.lineages, missing, place, current.place).items():
                end = state if way.loss is None else way.loss.state
                last[state] = (end, True) if way.heir is None else (way.heir, False)
        states_then = base.states.of(end for end, _ in last.values())
        for state, (end, is_gone) in last.items():
            name = name_of(states_then[end])
            self._known[state, place] = None if is_gone else name, name
