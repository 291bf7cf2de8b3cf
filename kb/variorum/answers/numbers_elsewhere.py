"""Finds the provision that a number or headword meant in other editions."""

from variorum.answers.lookup import find_states, label_of, states_by_id
from variorum.answers.question_parser import RANGE
from variorum.answers.stored.links import StoredLinks
from variorum.history.lineages import Lineages
from variorum.history.walks import walk
from variorum.record import Record
from variorum.records.provision import Moved
from variorum.rows import MERGED, RENUMBERED, UNCERTAIN, Row, kinds_of, name_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from sqlite3 import Connection

    from variorum.answers.not_found import Lost
    from variorum.history.walks import Destination, Loss

_RUNS = (
    "SELECT s.first, s.last FROM lookup l JOIN span s ON s.provision = l.provision WHERE l.word = ?"
)


class Move(Record):
    """How a provision came to have another name than the name asked for.

    Attributes:
        asked: The number or headword that an edition printed.
        edition: The label of the last such edition before the edition in which the provision is
            shown; if there is none, of the first such edition after it.
        since: The label of the edition that gave the provision its present name, or merged it into
            the provision of that name.
        bits: The kinds of the steps between, see `rows.STEP_KINDS`.
        confidence: The chance that this is right.
        heirs: The names of all heirs, the shown heir first; if uncertain, all candidates.
        is_back: Whether the provision is shown in an edition before `edition`.
    """

    __slots__ = ()
    asked: str
    edition: str
    since: str
    bits: int
    confidence: float
    heirs: tuple[str, ...]
    is_back: bool

    def as_json(self) -> "Moved":
        """Return the move in the form of `cr show --json`."""
        return Moved(
            asked=self.asked,
            edition=self.edition,
            since=self.since,
            kinds=kinds_of(self.bits | RENUMBERED),
            confidence=round(self.confidence, 4),
            heirs=list(self.heirs),
        )


def find_anywhere(
    connection: "Connection", question: tuple[str, str, str], place: int
) -> "tuple[list[tuple[Row, Move | None]], list[Lost]]":
    """Return the provisions that a question names in an edition, or else in another edition.

    Args:
        connection: To the base.
        question: As `parse_question` gives it.
        place: The place of the edition in which they are shown.

    Returns:
        The provisions in the edition, each with its move (None if it has the name asked for), and
        the provisions of other editions that have no heir here.
    """
    states = find_states(connection, question, place)
    if states:
        return [(state, None) for state in states], []
    moved, lost = find_elsewhere(connection, question, place)
    return [*moved], lost


def find_elsewhere(
    connection: "Connection", question: tuple[str, str, str], place: int
) -> "tuple[list[tuple[Row, Move]], list[Lost]]":
    """Return the result of `find_anywhere` for a name that the edition lacks."""
    nearest = _nearest(connection, question, place)
    if nearest is None:
        return [], []
    moved: dict[int, tuple[Row, Move]] = {}
    lost: list[Lost] = []
    way = Way(connection, nearest, place)
    states = find_states(connection, question, nearest)
    destinations = way.destinations([state.id for state in states])
    for state in states:
        destination = destinations[state.id]
        for heir, move in way.onward(state, destination):
            moved.setdefault(heir.id, (heir, move))
        if not destination.states:
            lost.append(way.lost(state, destination.loss))
    return list(moved.values()), lost


def _nearest(connection: "Connection", question: tuple[str, str, str], place: int) -> "int | None":
    """Return the nearest edition that prints the name asked for, preferably an earlier edition."""
    kind, word, more = question
    runs = connection.execute(_RUNS, (word,)).fetchall()
    if kind == RANGE:
        ends = connection.execute(_RUNS, (more,)).fetchall()
        both = [(max(a, c), min(b, d)) for a, b in runs for c, d in ends]
        runs = [(first, last) for first, last in both if first <= last]
    before = [last for _, last in runs if last < place]
    after = [first for first, _ in runs if first > place]
    return max(before) if before else min(after, default=None)


class Way:
    """The lineages from one edition to another."""

    def __init__(self, connection: "Connection", start: int, stop: int) -> None:
        self._connection, self._start, self._stop = connection, start, stop
        links = StoredLinks(
            lambda statement, values: connection.execute(statement, values).fetchall()
        )
        # Editions later than these two do not matter.
        self._lineages = Lineages(links, max(start, stop))
        self._labels: dict[int, str] = {}
        self._rows: dict[int, Row] = {}
        self._addresses: dict[int, str] = {}

    def destinations(self, states: "Sequence[int]") -> "Mapping[int, Destination]":
        """Return the destinations of provisions in the other edition, by their ids."""
        destinations = walk(self._lineages, states, self._start, self._stop)
        heirs = {heir for destination in destinations.values() for heir in destination.states}
        self._rows |= states_by_id(self._connection, [*heirs])
        taken = [link for destination in destinations.values() for link in destination.taken]
        self._read_addresses([end or 0 for link in taken for end in (link.old, link.new)])
        return destinations

    def names(self, destination: "Destination") -> tuple[str, ...]:
        """Return the names of a provision's heirs in the other edition."""
        return tuple([name_of(self._rows[state]) for state in destination.states])

    def onward(self, state: Row, destination: "Destination") -> "Iterator[tuple[Row, Move]]":
        """Yield the heirs of a provision in the other edition; if uncertain, all candidates."""
        heirs = [self._rows[heir] for heir in destination.states]
        if destination.heir is not None and not destination.bits & UNCERTAIN:
            heirs.sort(key=lambda heir: heir.id != destination.heir)
        names = tuple([name_of(heir) for heir in heirs])
        for heir in heirs if destination.bits & UNCERTAIN else heirs[:1]:
            yield (
                heir,
                Move(
                    name_of(state),
                    self._label(self._start),
                    self._label(self._since(heir, destination)),
                    destination.bits,
                    destination.confidence,
                    names,
                    self._start > self._stop,
                ),
            )

    def _label(self, edition: int) -> str:
        if edition not in self._labels:
            self._labels[edition] = label_of(self._connection, edition)
        return self._labels[edition]

    def lost(self, state: Row, loss: "Loss | None") -> "Lost":
        """Return a provision that the other edition lacks."""
        from variorum.answers.not_found import Lost  # noqa: PLC0415 - most provisions have heirs

        last, since = self._start, self._stop
        if loss is not None:
            last = loss.edition + (1 if self._start > self._stop else -1)
            since = loss.edition
            state = states_by_id(self._connection, [loss.state])[loss.state]
        return Lost(state, self._label(last), self._label(since))

    def _since(self, heir: Row, way: "Destination") -> int:
        """Return the edition that gave a provision its present name."""
        for link in reversed(way.taken):
            if link.bits & MERGED and self._start < self._stop:
                return link.edition
        since = self._on_the_way(heir, way)
        if since is not None:
            return since
        life = [
            stretch
            for stretch in self._lineages.life(heir.id, self._stop)
            if stretch.first <= self._stop
        ]
        self._read_addresses([stretch.state for stretch in life])
        since = self._stop
        for stretch in reversed(life):
            if self._addresses[stretch.state] != heir.address:
                break
            since = stretch.first
        return since

    def _on_the_way(self, heir: Row, way: "Destination") -> int | None:
        """Return the edition that gave the present name; None if the links read do not show it."""
        taken = way.taken
        if not taken or taken[-1].new != heir.id or not all(link.is_main for link in taken):
            return None
        for link in reversed(taken):
            if self._addresses.get(link.old or 0) != heir.address:
                return link.edition
        return None

    def _read_addresses(self, states: "Sequence[int]") -> None:
        """Read the addresses of some states."""
        statement = (
            f"SELECT id, address FROM provision WHERE id IN ({', '.join('?' * len(states))})"  # noqa: S608
        )
        self._addresses |= dict(self._connection.execute(statement, tuple(states)))
