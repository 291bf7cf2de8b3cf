"""Finds the provisions that a question names: in an edition, else where another edition's bearers are."""

from collections.abc import Iterator
from typing import NamedTuple

from variorum.answers.questions import RANGE
from variorum.answers.stored import Stored
from variorum.history.lineages import Destination, walk
from variorum.records.provision import Moved
from variorum.rows import MERGED, RENUMBERED, UNCERTAIN, State, kinds_of, name_of


class Lost(NamedTuple):
    """A provision of another edition that the edition asked about lacks.

    `state` is its last state before that edition or, if it came later, its first, as the edition with the
    label `edition` prints it; `since` is the label of the first edition without it on the way.
    """

    state: State
    edition: str
    since: str


def find_states(base: Stored, question: tuple[str, str, str], place: int) -> list[State]:
    """Return the states that a question of `parse_question` names in an edition, as printed."""
    kind, word, more = question
    if kind == RANGE:
        return _between(base, word, more, place)
    return [state for state in base.bearers(word, place) if state.address.endswith(more)]


def _between(base: Stored, first: str, last: str, place: int) -> list[State]:
    """Return all states of a kind between two numbers, inclusive."""
    ends = [base.bearers(number, place) for number in (first, last)]
    if not (ends[0] and ends[1]):
        return []
    start, stop = ends[0][0], ends[1][-1]
    parents = [start.parent]
    if start.parent != stop.parent:  # 702.5a-702.6c, 700-702: continue with the parents
        upper, lower = (state.parent.partition("#")[0] for state in (start, stop))
        parents = [state.address for state in _between(base, upper, lower, place)]
    below = [state for parent in parents for state in base.below(parent, place)]
    states = [state for state in below if state.kind == start.kind]
    if start not in states or stop not in states:
        return []
    return states[states.index(start) : states.index(stop) + 1]


def find_elsewhere(
    base: Stored, question: tuple[str, str, str], place: int
) -> tuple[list[tuple[State, Moved]], list[Lost]]:
    """Return the provisions that have a name in the nearest other edition, as they are in this one.

    The edition at `place` lacks the name. Those without an heir there come second, as lost.
    """
    nearest = _nearest(base, question, place)
    if nearest is None:
        return [], []
    moved: dict[int, tuple[State, Moved]] = {}
    lost: list[Lost] = []
    states = {state.id: state for state in find_states(base, question, nearest)}
    for start, way in walk(base.lineages, states, nearest, place).items():
        for heir, move in _onward(base, states[start], way, nearest, place):
            moved.setdefault(heir.id, (heir, move))
        if not way.states:
            state, last, since = states[start], nearest, place
            if way.loss is not None:
                state, since = base.states[way.loss.state], way.loss.edition
                last = since + (1 if nearest > place else -1)
            lost.append(Lost(state, base.labels[last], base.labels[since]))
    return list(moved.values()), lost


def _nearest(base: Stored, question: tuple[str, str, str], place: int) -> int | None:
    """Return the nearest edition that prints the name asked for, preferably an earlier edition."""
    kind, word, more = question
    runs = [(first, last) for _, first, last in base.runs(word)]
    if kind == RANGE:
        both = [(max(a, c), min(b, d)) for a, b in runs for _, c, d in base.runs(more)]
        runs = [(first, last) for first, last in both if first <= last]
    before = [last for _, last in runs if last < place]
    after = [first for first, _ in runs if first > place]
    return max(before) if before else min(after, default=None)


def _onward(
    base: Stored, state: State, way: Destination, start: int, stop: int
) -> Iterator[tuple[State, Moved]]:
    """Yield the heirs of a provision in another edition; if uncertain, all candidates."""
    heirs = [base.states[heir] for heir in way.states]
    is_uncertain = bool(way.bits & UNCERTAIN)
    if way.heir is not None and not is_uncertain:
        heirs.sort(key=lambda heir: heir.id != way.heir)
    for heir in heirs if is_uncertain else heirs[:1]:
        yield (
            heir,
            Moved(
                asked=name_of(state),
                edition=base.labels[start],
                since=base.labels[since_named(base, heir, way, start, stop)],
                kinds=kinds_of(way.bits | RENUMBERED),
                confidence=round(way.confidence, 4),
                heirs=[name_of(heir) for heir in heirs],
            ),
        )


def since_named(base: Stored, heir: State, way: Destination, start: int, stop: int) -> int:
    """Return the edition that gave a provision its present name, or merged it into another."""
    merged = [link.edition for link in way.taken if link.bits & MERGED and start < stop]
    if merged:
        return merged[-1]
    since = stop
    for stretch in reversed(base.lineages.life(heir.id, stop)):
        if stretch.first <= stop:
            if base.states[stretch.state].address != heir.address:
                break
            since = stretch.first
    return since
