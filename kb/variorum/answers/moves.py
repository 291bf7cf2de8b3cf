"""Finds what became of a number: its provision's present name, what else it meant, who has it today."""

from collections.abc import Collection, Iterator, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from variorum.answers.lookup import find_states, matches, path
from variorum.answers.questions import NUMBER, RANGE
from variorum.answers.stored import runs_of
from variorum.history.walks import Destination, walk
from variorum.records.provision import EarlierRule, Moved
from variorum.rows import (
    MERGED,
    RENUMBERED,
    SPLIT,
    UNCERTAIN,
    Row,
    State,
    headword_of,
    kinds_of,
    name_of,
)
from variorum.text import fold_title

if TYPE_CHECKING:
    from variorum.answers.editions import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.answers.subject import Subject


class Lost(NamedTuple):
    """A provision of another edition that the edition asked about lacks.

    Attributes:
        state: Its last state before that edition; if it came later, its first.
        edition: The label of the edition that printed this state.
        since: The label of the first edition without it, from `edition` to the edition asked about.
    """

    state: State
    edition: str
    since: str


class Earlier(NamedTuple):
    """Another provision that a number meant for a while.

    Attributes:
        rule: As answers give it.
        is_first: Whether nothing had the number before.
        is_alike: Whether the provision shown has the same heading.
    """

    rule: EarlierRule
    is_first: bool
    is_alike: bool


class Namesake(NamedTuple):
    """Today's bearer of a number that another provision has in the edition asked about.

    Attributes:
        kind: "chapter", "section", "rule" or "subrule".
        name: The number.
        edition: The label of the edition asked about.
        heirs: Its names in that edition; empty if the edition lacks it.
        is_uncertain: Whether these are only candidates.
        confidence: The chance that this is right.
    """

    kind: str
    name: str
    edition: str
    heirs: tuple[str, ...]
    is_uncertain: bool
    confidence: float


def find_elsewhere(
    base: "KnowledgeBase", question: tuple[str, str, str], place: int
) -> tuple[list[tuple[Row, Moved]], list[Lost]]:
    """Return the provisions of an edition that a question names in the nearest other edition.

    Args:
        base: The open base.
        question: As `parse_question` gives it.
        place: The place of the edition, which lacks the name.

    Returns:
        The provisions with their moves, and the provisions that have no heir there.
    """
    nearest = _nearest(base, question, place)
    if nearest is None:
        return [], []
    moved: dict[int, tuple[Row, Moved]] = {}
    lost: list[Lost] = []
    states = {state.id: state for state in find_states(base.reader, question, nearest)}
    for start, way in walk(base.lineages, states, nearest, place).items():
        for heir, move in _onward(base, states[start], way, nearest, place):
            moved.setdefault(heir.id, (heir, move))
        if not way.states:
            state: State = states[start]
            last, since = nearest, place
            if way.loss is not None:
                state, since = base.states[way.loss.state], way.loss.edition
                last = since + (1 if nearest > place else -1)
            lost.append(Lost(state, base.labels[last], base.labels[since]))
    return list(moved.values()), lost


def _nearest(base: "KnowledgeBase", question: tuple[str, str, str], place: int) -> int | None:
    """Return the nearest edition that prints the name asked for, preferably an earlier edition."""
    kind, word, more = question
    runs = [(first, last) for _, first, last in runs_of(base.reader, word)]
    if kind == RANGE:
        ends = runs_of(base.reader, more)
        both = [(max(a, c), min(b, d)) for a, b in runs for _, c, d in ends]
        runs = [(first, last) for first, last in both if first <= last]
    before = [last for _, last in runs if last < place]
    after = [first for first, _ in runs if first > place]
    return max(before) if before else min(after, default=None)


def _onward(
    base: "KnowledgeBase", state: Row, way: Destination, start: int, stop: int
) -> Iterator[tuple[Row, Moved]]:
    """Yield the heirs of a provision in another edition; if uncertain, all candidates."""
    heirs = [base.states[heir]._replace(id=heir) for heir in way.states]
    is_uncertain = bool(way.bits & UNCERTAIN)
    if way.heir is not None and not is_uncertain:
        heirs.sort(key=lambda heir: heir.id != way.heir)
    for heir in heirs if is_uncertain else heirs[:1]:
        move = Moved(
            asked=name_of(state),
            edition=base.labels[start],
            since=base.labels[_since(base, heir, way, start, stop)],
            kinds=kinds_of(way.bits | RENUMBERED),
            confidence=round(way.confidence, 4),
            heirs=[name_of(heir) for heir in heirs],
        )
        yield heir, move


def _since(base: "KnowledgeBase", heir: Row, way: Destination, start: int, stop: int) -> int:
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


def find_namesakes(
    base: "KnowledgeBase",
    question: tuple[str, str, str],
    shown: Collection[int],
    edition: "EditionEntry",
) -> list[Namesake]:
    """Return today's provisions of a number that meant something else in an edition.

    Args:
        base: The open base.
        question: As `parse_question` gives it.
        shown: The ids of the states that the question names in the edition.
        edition: The edition.
    """
    current = base.current
    if question[0] != NUMBER or current is None or current == edition:
        return []
    today = {
        state.id: state
        for state in find_states(base.reader, question, current.place)
        if state.id not in shown
    }
    return [
        Namesake(
            today[state].kind,
            name_of(today[state]),
            edition.label,
            tuple([name_of(base.states[heir]) for heir in way.states]),
            bool(way.bits & UNCERTAIN),
            way.confidence,
        )
        for state, way in walk(base.lineages, today, current.place, edition.place).items()
        if set(shown).isdisjoint(way.states)
    ]


def find_earlier(
    base: "KnowledgeBase", state: Row, move: Moved | None, edition: "EditionEntry"
) -> list[Earlier]:
    """Return the other provisions that the number asked for meant before an edition, newest first.

    Args:
        base: The open base.
        state: The provision shown.
        move: How it came to have another number than the number asked for.
        edition: The edition in which it is shown.
    """
    name, place = name_of(state) if move is None else move.asked, edition.place
    if headword_of(name):
        return []
    twins = matches(base.reader, state.number, place) if state.number else []
    shown = {state.id, *(twin.id for twin in twins)}
    return _meanings(base, name.partition("#")[0], place, shown, _about(base, state, place))


def find_meanings(base: "KnowledgeBase", number: str) -> list[Earlier]:
    """Return all provisions that a number meant before the edition in force, newest first."""
    return [] if base.current is None else _meanings(base, number, base.current.place, set(), "")


def _meanings(
    base: "KnowledgeBase", number: str, place: int, shown: set[int], heading_shown: str
) -> list[Earlier]:
    """Return what a number meant before an edition, but for the provisions shown."""
    today = max(place, place if base.current is None else base.current.place)
    runs = sorted(
        (*part, run.state)
        for run in runs_of(base.reader, number)
        for part in base.lineages.divided(*run)
    )

    def lineage_of(run: tuple[int, int, int]) -> tuple[int, int] | None:
        """Return the end of a provision's history; None for the provision shown."""
        _, last, held = run
        if not shown.isdisjoint(walk(base.lineages, [held], last, place)[held].states):
            return None
        end = base.lineages.life(held, last)[-1]
        return end.state, end.first

    meanings = [
        [*some]
        for lineage, some in groupby([run for run in runs if run[1] < place], lineage_of)
        if lineage
    ]
    about = fold_title(heading_shown)
    earlier: list[Earlier] = []
    for some in reversed(meanings):
        (began, _, state_then), (_, last, held) = some[0], some[-1]
        way = walk(base.lineages, [held], last, today)[held]
        if not way.states:  # parts may have been split off before it was removed
            way = walk(base.lineages, [state_then], began, today)[state_then]
        heirs = [name_of(base.states[heir]) for heir in way.states]
        heading = _about(base, base.states[held], last)
        days = [entry.effective for entry in base.editions]
        until = next(day for day in days[last + 1 :] if day > days[last])
        rule = EarlierRule(
            number=number,
            from_=days[began].isoformat(),
            to=(until - timedelta(days=1)).isoformat(),
            about=heading,
            now=heirs[0] if heirs else None,
            heirs=heirs,
            kinds=kinds_of(way.bits | (0 if number == next(iter(heirs), number) else RENUMBERED)),
            confidence=round(way.confidence, 4),
            removed=days[way.loss.edition].isoformat() if way.loss and not heirs else None,
        )
        earlier.append(Earlier(rule, some[0] == runs[0], fold_title(heading) == about))
    return earlier


def since_when(subject: "Subject", target: "EditionEntry") -> tuple[str, str, str]:
    """Return the first and the last edition in which a number meant a provision, and what ended that.

    The last is the edition that gave it its name in another edition, merged or removed it; "" if
    it came later.
    """
    base, place = subject.base, subject.edition.place
    names = {stretch: base.states[stretch.state].address for stretch in subject.lineage}
    runs: list[list[int]] = []
    for stretch, name in names.items():
        if name == subject.address and runs and runs[-1][1] + 1 == stretch.first:
            runs[-1][1] = stretch.last
        elif name == subject.address:
            runs.append([stretch.first, stretch.last])
    first, last = next((run for run in runs if run[0] <= place <= run[1]), (place, place))
    way = subject.destination(target)
    since = ""
    if way.states and way.heir is not None:
        heir = base.states[way.heir]._replace(id=way.heir)
        since = base.labels[_since(base, heir, way, place, target.place)]
        parted = [link.edition for link in way.taken if link.bits & SPLIT]
        since = base.labels[parted[-1]] if parted and len(way.states) > 1 else since
    elif way.loss is not None:
        since = base.labels[way.loss.edition]
    return base.labels[first], base.labels[last], since


def day_after(day: str) -> str:
    """Return the day after a day."""
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()


def _about(base: "KnowledgeBase", state: State, place: int) -> str:
    """Return the nearest heading at or above a provision that says what it is about."""
    above: Sequence[State] = path(base.reader, state, place)
    for heading in (state.heading, *[row.heading for row in reversed(above)]):
        if heading and heading != "General":
            # Two sections were left blank, and their headings say so in a sentence.
            return "" if heading[-1] in ".]" else heading.replace("_", "")
    return ""
