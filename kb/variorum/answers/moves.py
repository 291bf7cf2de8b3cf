"""What a number means besides: the other rules that had it before, and the one that has it today."""

from collections.abc import Collection
from datetime import date, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from variorum.answers.editions import EditionEntry
from variorum.answers.finding import find_states, since_named
from variorum.answers.questions import NUMBER
from variorum.answers.stored import Stored
from variorum.history.lineages import walk
from variorum.records.provision import EarlierRule, Moved
from variorum.rows import RENUMBERED, SPLIT, UNCERTAIN, State, headword_of, kinds_of, name_of
from variorum.text import fold_title

if TYPE_CHECKING:
    from variorum.answers.subject import Subject


class Earlier(NamedTuple):
    """Another provision that a number meant for a while.

    `is_first`: nothing had the number before; `is_alike`: the provision shown has the same heading.
    """

    rule: EarlierRule
    is_first: bool
    is_alike: bool


class Namesake(NamedTuple):
    """Today's bearer of a number that another provision has in the edition asked about.

    `heirs` are its names in that edition, or only candidates; the edition may lack it.
    """

    kind: str
    name: str
    edition: str
    heirs: tuple[str, ...]
    is_uncertain: bool
    confidence: float


def find_namesakes(
    base: Stored, question: tuple[str, str, str], shown: Collection[int], edition: EditionEntry
) -> list[Namesake]:
    """Return today's provisions of a number that means other ones, with these ids, in an edition."""
    current = base.current
    if question[0] != NUMBER or current is None or current == edition:
        return []
    states = {state.id: state for state in find_states(base, question, current.place)}
    today = [id_ for id_ in states if id_ not in shown]
    namesakes: list[Namesake] = []
    for id_, way in walk(base.lineages, today, current.place, edition.place).items():
        if set(shown).isdisjoint(way.states):
            heirs = tuple([name_of(base.states[heir]) for heir in way.states])
            about = states[id_].kind, name_of(states[id_]), edition.label, heirs
            namesakes.append(Namesake(*about, bool(way.bits & UNCERTAIN), way.confidence))
    return namesakes


def find_earlier(base: Stored, state: State, move: Moved | None, place: int) -> list[Earlier]:
    """Return the other provisions that the number asked for meant before an edition, newest first.

    The provision shown has this state in the edition at `place`; the move says which number it had if
    another was asked for.
    """
    name = name_of(state) if move is None else move.asked
    if headword_of(name):
        return []
    shown = {state.id, *(twin.id for twin in base.named(state.number, place) if state.number)}
    return _meanings(base, name.partition("#")[0], place, shown, _about(base, state, place))


def find_meanings(base: Stored, number: str) -> list[Earlier]:
    """Return all provisions that a number meant before the edition in force, newest first."""
    return [] if base.current is None else _meanings(base, number, base.current.place, set(), "")


def _meanings(
    base: Stored, number: str, place: int, shown: set[int], heading_shown: str
) -> list[Earlier]:
    """Return what a number meant before an edition, but for the provisions shown."""
    today = max(place, place if base.current is None else base.current.place)
    runs = sorted(
        (*it, run.state) for run in base.runs(number) for it in base.lineages.divided(*run)
    )

    def lineage_of(run: tuple[int, int, int]) -> tuple[int, int] | None:
        """Return the end of a provision's history; None for the provision shown."""
        _, last, held = run
        if not shown.isdisjoint(walk(base.lineages, [held], last, place)[held].states):
            return None
        end = base.lineages.life(held, last)[-1]
        return end.state, end.first

    days = [entry.effective for entry in base.editions]
    earlier: list[Earlier] = []
    for lineage, same in groupby([run for run in runs if run[1] < place], lineage_of):
        if lineage is None:
            continue
        some = [*same]
        (began, _, state_then), (_, last, held) = some[0], some[-1]
        way = walk(base.lineages, [held], last, today)[held]
        if not way.states:  # parts may have been split off before it was removed
            way = walk(base.lineages, [state_then], began, today)[state_then]
        heirs = [name_of(base.states[heir]) for heir in way.states]
        about = _about(base, base.states[held], last)
        until = next(day for day in days[last + 1 :] if day > days[last])
        rule = EarlierRule(
            number=number,
            from_=days[began].isoformat(),
            to=(until - timedelta(days=1)).isoformat(),
            about=about,
            now=heirs[0] if heirs else None,
            heirs=heirs,
            kinds=kinds_of(way.bits | (0 if [number] == heirs[:1] or not heirs else RENUMBERED)),
            confidence=round(way.confidence, 4),
            removed=days[way.loss.edition].isoformat() if way.loss and not heirs else None,
        )
        is_alike = fold_title(about) == fold_title(heading_shown)
        earlier.insert(0, Earlier(rule, some[0] == runs[0], is_alike))
    return earlier


def since_when(subject: "Subject", target: EditionEntry) -> tuple[str, str, str]:
    """Return the first and the last edition in which a number meant a provision, and what ended that.

    The last is the edition that gave it its name in another edition, merged or removed it; "" if
    it came later.
    """
    base, place = subject.base, subject.edition.place
    runs: list[list[int]] = []
    for stretch in subject.lineage:
        if base.states[stretch.state].address == subject.address:
            if runs and runs[-1][1] + 1 == stretch.first:
                runs[-1][1] = stretch.last
            else:
                runs.append([stretch.first, stretch.last])
    first, last = next((run for run in runs if run[0] <= place <= run[1]), (place, place))
    way = subject.destination(target)
    since = "" if way.loss is None else base.labels[way.loss.edition]
    if way.states and way.heir is not None:
        since = base.labels[since_named(base, base.states[way.heir], way, place, target.place)]
        parted = [link.edition for link in way.taken if link.bits & SPLIT]
        since = base.labels[parted[-1]] if parted and len(way.states) > 1 else since
    return base.labels[first], base.labels[last], since


def day_after(day: str) -> str:
    """Return the day after a day."""
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()


def _about(base: Stored, state: State, place: int) -> str:
    """Return the nearest heading at or above a provision that says what it is about."""
    headings = [row.heading for row in (state, *base.above(state, place))]
    heading = next((words for words in headings if words and words != "General"), "")
    # Two sections were left blank, and their headings say so in a sentence.
    return "" if heading[-1:] in {".", "]"} else heading.replace("_", "")
