"""Find what a number or headword of other editions is now: the provision that it meant there.

A look-up comes here where an edition has no such number, so that this imports next to nothing.
"""

from variorum_kb.answers.lookup import find_states, label_of, states_by_id
from variorum_kb.answers.questions import NUMBER, RANGE
from variorum_kb.answers.stored.links import StoredLinks
from variorum_kb.history.lineages import Lineages
from variorum_kb.history.walks import walk
from variorum_kb.record import Record
from variorum_kb.rows import MERGED, RENUMBERED, UNCERTAIN, Row, kinds_of, name_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from sqlite3 import Connection

    from variorum_kb.forms.provision import MovedJson
    from variorum_kb.history.walks import Destination, Loss

_RUNS = (
    "SELECT s.first, s.last FROM lookup l JOIN span s ON s.provision = l.provision WHERE l.word = ?"
)
_EDITIONS = "SELECT count(*) FROM edition"


class Move(Record):
    """How a provision came to have another name than the one it was asked for by.

    Attributes:
        asked: The number or headword that an edition printed.
        edition: The label of that edition: the last one before, else the first one after, the
            edition in which it is shown.
        since: The label of the edition since which the provision has its present name, or since
            which it is part of what has it.
        bits: What happened on the way, see `rows.STEP_KINDS`.
        confidence: The chance that this is right.
        heirs: The names of all that continues it, the one shown first; of what is uncertain, all
            candidates.
        is_back: It is shown in an edition before the one that printed it.
    """

    __slots__ = ()
    asked: str
    edition: str
    since: str
    bits: int
    confidence: float
    heirs: tuple[str, ...]
    is_back: bool

    def as_json(self) -> "MovedJson":
        """Return it as `cr show --json` tells it."""
        return {
            "asked": self.asked,
            "edition": self.edition,
            "since": self.since,
            "kinds": kinds_of(self.bits | RENUMBERED),
            "confidence": round(self.confidence, 4),
            "heirs": list(self.heirs),
        }


class Found(Record):
    """A provision that a question names.

    Attributes:
        state: As the edition has it.
        move: How it came to be called otherwise than it was asked for; None of what was not moved.
    """

    __slots__ = ()
    state: Row
    move: "Move | None"


class Lost(Record):
    """What a question named in an edition that printed it, and that another one does not have.

    Attributes:
        state: Its last words; of what came later, its first.
        edition: The label of the edition that printed these.
        since: The label of the first edition on the way that lacks it.
    """

    __slots__ = ()
    state: Row
    edition: str
    since: str


def find_anywhere(
    connection: "Connection", question: tuple[str, str, str], place: int
) -> "tuple[list[Found], list[Lost]]":
    """Return the provisions that a question names in an edition, or that it names in another.

    Args:
        connection: To the base.
        question: As `parse_question` gives it.
        place: Of the edition in which they are shown.

    Returns:
        What the edition has; and what it lacks, where it lacks all.
    """
    states = find_states(connection, question, place)
    if states:
        return [Found(state, None) for state in states], []
    nearest = _nearest(connection, question, place)
    found: dict[int, Found] = {}
    lost: list[Lost] = []
    if nearest is not None:
        way = _Way(connection, nearest, place)
        for state in find_states(connection, question, nearest):
            there = way.destination(state)
            for one in way.onward(state, there):
                found.setdefault(one.state.id, one)
            if not there.states:
                lost.append(way.lost(state, there.loss))
    return list(found.values()), lost


class Namesake(Record):
    """The provision that has a number today, where another one has it in the edition asked about.

    Attributes:
        kind: "chapter", "section", "rule" or "subrule".
        name: The number.
        edition: The label of the edition asked about.
        heirs: The names of what it is in that edition, as of a `Move`; empty if that lacks it.
        bits: What happened between, see `rows.STEP_KINDS`.
    """

    __slots__ = ()
    kind: str
    name: str
    edition: str
    heirs: tuple[str, ...]
    bits: int


def find_namesakes(
    connection: "Connection",
    question: tuple[str, str, str],
    shown: "Collection[int]",
    current: int,
    place: int,
) -> list[Namesake]:
    """Return what has a number today, where an edition means something else by it.

    Args:
        connection: To the base.
        question: As `parse_question` gives it.
        shown: The ids of the states that answer it in the edition.
        current: The place of the edition in force.
        place: The place of the edition.
    """
    if question[0] != NUMBER or current == place:
        return []
    today = [one for one in find_states(connection, question, current) if one.id not in shown]
    way = _Way(connection, current, place)
    found: list[Namesake] = []
    for state in today:
        there = way.destination(state)
        if not set(shown) & set(there.states):
            heirs = way.names(there)
            label = label_of(connection, place)
            found.append(Namesake(state.kind, name_of(state), label, heirs, there.bits))
    return found


def _nearest(connection: "Connection", question: tuple[str, str, str], place: int) -> "int | None":
    """Return the nearest edition that prints what is asked for, rather an earlier one."""
    kind, word, more = question
    runs = connection.execute(_RUNS, (word,)).fetchall()
    if kind == RANGE:
        ends = connection.execute(_RUNS, (more,)).fetchall()
        both = [(max(a, c), min(b, d)) for a, b in runs for c, d in ends]
        runs = [(first, last) for first, last in both if first <= last]
    before = [last for _, last in runs if last < place]
    after = [first for first, _ in runs if first > place]
    return max(before) if before else min(after, default=None)


class _Way:
    """The way from one edition to another."""

    def __init__(self, connection: "Connection", start: int, stop: int) -> None:
        self._connection, self._start, self._stop = connection, start, stop
        ((count,),) = connection.execute(_EDITIONS)
        links = StoredLinks(
            lambda statement, values: connection.execute(statement, values).fetchall()
        )
        self._lineages = Lineages(links, count - 1)

    def destination(self, state: Row) -> "Destination":
        """Return where a provision is in the other edition."""
        return walk(self._lineages, [state.id], self._start, self._stop)[state.id]

    def names(self, way: "Destination") -> tuple[str, ...]:
        """Return the names of all that continues a provision in the other edition."""
        states = states_by_id(self._connection, way.states)
        return tuple([name_of(states[state]) for state in way.states])

    def onward(self, state: Row, way: "Destination") -> "Iterator[Found]":
        """Yield what a provision is in the other edition; of what is uncertain, all candidates."""
        states = states_by_id(self._connection, way.states)
        heirs = [states[one] for one in way.states]
        if way.heir is not None and not way.bits & UNCERTAIN:
            heirs.sort(key=lambda one: one.id != way.heir)
        names = tuple([name_of(one) for one in heirs])
        for heir in heirs if way.bits & UNCERTAIN else heirs[:1]:
            move = Move(
                name_of(state),
                label_of(self._connection, self._start),
                label_of(self._connection, self._since(heir, way)),
                way.bits,
                way.confidence,
                names,
                self._start > self._stop,
            )
            yield Found(heir, move)

    def lost(self, state: Row, loss: "Loss | None") -> Lost:
        """Return a provision that goes on nowhere."""
        last, since = self._start, self._stop
        if loss is not None:
            last = loss.edition + (1 if self._start > self._stop else -1)
            since = loss.edition
            state = states_by_id(self._connection, [loss.state])[loss.state]
        return Lost(state, label_of(self._connection, last), label_of(self._connection, since))

    def _since(self, heir: Row, way: "Destination") -> int:
        """Return the edition since which a provision is what it is called now."""
        for link in reversed(way.taken):
            if link.bits & MERGED and self._start < self._stop:
                return link.edition
        since = self._on_the_way(heir, way)
        if since is not None:
            return since
        life = [one for one in self._lineages.life(heir.id, self._stop) if one.first <= self._stop]
        addresses = self._addresses([stretch.state for stretch in life])
        since = self._stop
        for stretch in reversed(life):
            if addresses[stretch.state] != heir.address:
                break
            since = stretch.first
        return since

    def _on_the_way(self, heir: Row, way: "Destination") -> int | None:
        """Return the same, if it got its name on the way here, which has been read already."""
        taken = way.taken
        if not taken or taken[-1].new != heir.id or not all(link.is_main for link in taken):
            return None
        ends = [link.new for link in taken if link.new is not None]
        addresses = self._addresses([taken[0].old or 0, *ends])
        for link in reversed(taken):
            if addresses.get(link.old or 0) != heir.address:
                return link.edition
        return None

    def _addresses(self, states: "Sequence[int]") -> dict[int, str]:
        """Return the addresses of some states by their ids."""
        statement = (
            f"SELECT id, address FROM provision WHERE id IN ({', '.join('?' * len(states))})"  # noqa: S608
        )
        return dict(self._connection.execute(statement, tuple(states)))
