"""Finds today's bearer of a number that meant another provision in an edition."""

from variorum.answers.lookup import find_states, label_of
from variorum.answers.numbers_elsewhere import Way
from variorum.answers.question_parser import NUMBER
from variorum.record import Record
from variorum.rows import name_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from sqlite3 import Connection


class Namesake(Record):
    """Today's bearer of a number that another provision has in the edition asked about.

    Attributes:
        kind: "chapter", "section", "rule" or "subrule".
        name: The number.
        edition: The label of the edition asked about.
        heirs: Its names in that edition, as in a `Move`; empty if the edition lacks it.
        bits: The kinds of the steps between, see `rows.STEP_KINDS`.
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
    """Return today's provisions of a number that meant something else in an edition.

    Args:
        connection: To the base.
        question: As `parse_question` gives it.
        shown: The ids of the states that the question names in the edition.
        current: The place of the edition in force.
        place: The place of the edition.
    """
    if question[0] != NUMBER or current == place:
        return []
    today = [state for state in find_states(connection, question, current) if state.id not in shown]
    way = Way(connection, current, place)
    destinations = way.destinations([state.id for state in today])
    label = label_of(connection, place)
    return [
        Namesake(state.kind, name_of(state), label, way.names(there), there.bits)
        for state, there in zip(today, destinations.values(), strict=True)
        if not set(shown) & set(there.states)
    ]
