"""Finds the other provisions that a number meant before an edition."""

from itertools import groupby

from variorum.answers.lookup import matches, path, states_by_id
from variorum.answers.stored.links import StoredLinks
from variorum.history.lineages import Lineages
from variorum.history.walks import walk
from variorum.record import Record
from variorum.records.provision import EarlierRule
from variorum.rows import RENUMBERED, Row, headword_of, kinds_of, name_of
from variorum.text.keys import fold_title

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Connection

    from variorum.answers.numbers_elsewhere import Move

    # The first and the last edition in which a provision had the number, and its state there.
    Run = tuple[int, int, int]

_STATES = (
    "SELECT l.provision, min(s.first) FROM lookup l JOIN span s ON s.provision = l.provision "
    "WHERE l.word = ? GROUP BY l.provision"
)


class Earlier(Record):
    """Another provision that a number meant for a while.

    Attributes:
        number: The number.
        first: The first day on which the provision had it.
        last: The last such day.
        until: The day after.
        about: The heading at or above the provision then; "" if there is none.
        heirs: The names of its heirs today, the main heir first; if uncertain, all candidates.
        bits: The kinds of the steps since, see `rows.STEP_KINDS`.
        confidence: The chance that the main heir is right.
        removed: The first day without the provision; "" if it has heirs.
        is_first: Whether nothing had the number before.
        is_alike: Whether the provision shown has the same heading.
    """

    __slots__ = ()
    number: str
    first: str
    last: str
    until: str
    about: str
    heirs: tuple[str, ...]
    bits: int
    confidence: float
    removed: str
    is_first: bool
    is_alike: bool

    def as_json(self) -> "EarlierRule":
        """Return it in the form of `cr show --json`."""
        return EarlierRule(
            number=self.number,
            from_=self.first,
            to=self.last,
            about=self.about,
            now=self.heirs[0] if self.heirs else None,
            heirs=list(self.heirs),
            kinds=kinds_of(self.bits),
            confidence=round(self.confidence, 4),
            removed=self.removed or None,
        )


def find_earlier(
    connection: "Connection", state: Row, move: "Move | None", place: int, today: int
) -> list[Earlier]:
    """Return the other provisions that the number asked for meant before an edition, newest first.

    Args:
        connection: To the base.
        state: The provision shown.
        move: How it came to have another number than the number asked for.
        place: The place of the edition in which it is shown.
        today: The place of the edition in force.
    """
    name = name_of(state) if move is None else move.asked
    if headword_of(name):
        return []
    number = name.partition("#")[0]
    twins = matches(connection, state.number, place) if state.number else []
    shown = {state.id, *(twin.id for twin in twins)}
    today = max(today, place)
    links = StoredLinks(lambda statement, values: connection.execute(statement, values).fetchall())
    lineages = Lineages(links, today)
    runs = [
        run
        for run in _runs(lineages, connection.execute(_STATES, (number,)).fetchall(), today)
        if run[1] < place
    ]

    def lineage_of(run: "Run") -> tuple[int, int] | None:
        """Return the end of a provision's history; None for the provision shown."""
        _, last, held = run
        if not shown.isdisjoint(walk(lineages, [held], last, place)[held].states):
            return None
        end = lineages.life(held, last)[-1]
        return end.state, end.first

    meanings = [[*some] for lineage, some in groupby(runs, lineage_of) if lineage]
    if not meanings:
        return []
    days = [
        day for (day,) in connection.execute("SELECT effective FROM edition ORDER BY id").fetchall()
    ]
    about = fold_title(_about(connection, state, place))
    found: list[Earlier] = []
    for some in reversed(meanings):
        _, last, held = some[-1]
        way = walk(lineages, [held], last, today)[held]
        if not way.states:  # parts may have been split off before it was removed
            began, _, state_then = some[0]
            way = walk(lineages, [state_then], began, today)[state_then]
        rows = states_by_id(connection, [held, *way.states])
        heirs = tuple([name_of(rows[heir]) for heir in way.states])
        heading = _about(connection, rows[held], last)
        until = next(day for day in days[last + 1 :] if day > days[last])
        found.append(
            Earlier(
                number,
                days[some[0][0]],
                _day_before(until),
                until,
                heading,
                heirs,
                way.bits | (0 if number == next(iter(heirs), number) else RENUMBERED),
                way.confidence,
                days[way.loss.edition] if way.loss and not heirs else "",
                some[0] == runs[0],
                fold_title(heading) == about,
            )
        )
    return found


def _runs(lineages: Lineages, states: "Sequence[tuple[int, int]]", today: int) -> "list[Run]":
    """Return the runs of editions in which the same provision had a number, the oldest first.

    Args:
        lineages: The lineages of all provisions.
        states: The states that have the number, each with its first edition.
        today: The end of a run that has not ended.
    """
    runs: list[Run] = []
    for state, first in states:
        # Two provisions may have equal states one after the other, such as a heading "General".
        for begin in {*lineages.begins(state), *([] if first else [0])}:
            onward = lineages.out_of(state, begin)
            runs.append((begin, onward[0].source if onward else today, state))
    return sorted(runs)


def _about(connection: "Connection", state: Row, place: int) -> str:
    """Return the nearest heading at or above a provision that says what it is about."""
    above = [heading for _, heading in path(connection, state.parent, place)]
    for heading in (state.heading, *reversed(above)):
        if heading and heading != "General":
            # Two sections were left blank, and their headings say so in a sentence.
            return "" if heading[-1] in ".]" else heading.replace("_", "")
    return ""


def _day_before(day: str) -> str:
    from datetime import date, timedelta  # noqa: PLC0415 - most look-ups do not need it

    return (date.fromisoformat(day) - timedelta(days=1)).isoformat()
