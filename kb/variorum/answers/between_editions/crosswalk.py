"""Finds the provisions of one edition in any other, earlier or later."""

from functools import lru_cache

from variorum.answers.between_editions.change_kinds import kinds_between
from variorum.history.lineages import Lineages
from variorum.history.walks import Destination, walk
from variorum.record import Record
from variorum.rows import (
    GONE,
    MERGED,
    NEW,
    REWORDED,
    UNCERTAIN,
    State,
    full_text,
    headword_of,
    kinds_of,
)
from variorum.text.words import words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from variorum.answers.edition_entry import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.records.lineage import CrosswalkRowJson, ReadStepJson


class Crosswalk(Record):
    """The destination of each state of an edition in another edition.

    Attributes:
        destinations: The destinations, by the ids of the first edition's states in printed order.
        arrivals: The same, seen from the other edition, for its states that the first edition
            lacks.
    """

    __slots__ = ()
    destinations: "Mapping[int, Destination]"
    arrivals: "Mapping[int, Destination]"


def lineages_between(
    base: "KnowledgeBase", start: "EditionEntry", stop: "EditionEntry"
) -> Lineages:
    """Return the lineages between two editions, given in any order."""
    first, last = sorted((start.place, stop.place))
    return Lineages(base.links.between(first, last), last)


def walk_between(base: "KnowledgeBase", start: "EditionEntry", stop: "EditionEntry") -> Crosswalk:
    """Return the destinations of an edition's provisions in another, earlier or later."""
    lineages = lineages_between(base, start, stop)
    destinations = walk(lineages, base.reader.states_of(start.place), start.place, stop.place)
    reached = {state for destination in destinations.values() for state in destination.states}
    there = base.reader.states_of(stop.place)
    arrived = [state for state in there if state not in reached]
    return Crosswalk(destinations, walk(lineages, arrived, stop.place, start.place))


def crosswalk_rows(
    base: "KnowledgeBase",
    start: "str | EditionEntry",
    stop: "str | EditionEntry" = "current",
    *,
    glossary: bool = False,
) -> "list[CrosswalkRowJson]":
    """Return where the numbers of one edition are in another, earlier or later.

    Args:
        base: The base that has both editions.
        start: The edition whose numbers are followed.
        stop: The edition of the destinations.
        glossary: Also return rows that name only glossary entries.

    Returns:
        A row for each number of the first edition in printed order, then a row for each new number
        of the other edition.

    Raises:
        NoEditionError: A designator names no edition.
    """
    start_edition, stop_edition = base.edition(start), base.edition(stop)
    crosswalk = walk_between(base, start_edition, stop_edition)
    is_backwards = start_edition.place > stop_edition.place
    read = read_steps(base, (*crosswalk.destinations.values(), *crosswalk.arrivals.values()))
    rows = [
        *rows_of(base, crosswalk.destinations, read, is_backwards=is_backwards),
        *_arrived(base, crosswalk.arrivals, read, GONE if is_backwards else NEW),
    ]
    if glossary:
        return rows
    # Keep a row if one side has a number: an entry became a rule, or a rule became an entry.
    return [
        row
        for row in rows
        if not all(headword_of(name) for name in (row["old"], *row["new"]) if name)
    ]


def read_steps(
    base: "KnowledgeBase", destinations: "Iterable[Destination]"
) -> "Callable[[Destination], list[ReadStepJson]]":
    """Return a function that gives the steps to a destination on which readers decided."""
    readings = base.links.readings_of(link for way in destinations for link in way.taken)

    def read(destination: Destination) -> "list[ReadStepJson]":
        return [
            {"edition": base.labels[link.edition], "readings": reading[0], "reason": reading[1]}
            for link in destination.taken
            if (reading := readings.get(link.evidence))
        ]

    return read


def _arrived(
    base: "KnowledgeBase",
    arrivals: "Mapping[int, Destination]",
    read: "Callable[[Destination], list[ReadStepJson]]",
    kind: int,
) -> "Iterator[CrosswalkRowJson]":
    """Yield the rows of provisions without an ancestor in the first edition."""
    names = base.reader.names_by_id(list(arrivals))
    for state, origin in arrivals.items():
        yield {
            "old": None,
            "new": [names[state]],
            "kinds": kinds_of(kind | origin.bits & UNCERTAIN),
            "confidence": round(origin.confidence, 4),
            "read": read(origin),
        }


def rows_of(
    base: "KnowledgeBase",
    destinations: "Mapping[int, Destination]",
    read: "Callable[[Destination], list[ReadStepJson]]",
    *,
    is_backwards: bool,
) -> "Iterator[CrosswalkRowJson]":
    """Yield the destinations of provisions, in the form of `cr crosswalk --json`.

    Args:
        base: The base that has both editions.
        destinations: The destinations in the other edition, by the states in the first.
        read: Returns the steps to a destination on which readers decided.
        is_backwards: Whether the other edition is earlier.
    """
    heirs = [heir for destination in destinations.values() for heir in destination.states]
    names = base.reader.names_by_id(list(dict.fromkeys([*destinations, *heirs])))
    # Only the words of reworded provisions are read.
    reworded = {
        state: destination.states[0]
        for state, destination in destinations.items()
        if destination.states and destination.bits & (REWORDED | MERGED)
    }
    states = base.states.of([*reworded, *reworded.values()])
    for state, destination in destinations.items():
        old, new = names[state], [names[heir] for heir in destination.states]
        is_same_text = state not in reworded or _is_same_text(
            states[state], states[reworded[state]]
        )
        bits = kinds_between(
            destination,
            is_same_place=bool(new) and old == new[0],
            is_same_text=bool(new) and is_same_text,
            is_backwards=is_backwards,
        )
        yield {
            "old": old,
            "new": new,
            "kinds": kinds_of(bits),
            "confidence": round(destination.confidence, 4),
            "read": read(destination),
        }


def _is_same_text(old: State, new: State) -> bool:
    """Return whether two texts differ only in typography and cited numbers.

    Citations are looked for only if the texts differ in nothing but numbers.
    """
    before, after = (_words(f"{row.heading}\n{full_text(row.body)}") for row in (old, new))
    if before == after:
        return True
    # A different letter may be the end of a range such as "508.1d-f".
    if not all(word[0].isdigit() or len(word) == 1 for word in set(before) ^ set(after)):
        return False
    from variorum.history.canonical import Folder  # noqa: PLC0415 - it finds citations, which takes long to import

    folder = Folder()
    return folder.canon(old).whole == folder.canon(new).whole


@lru_cache(maxsize=16384)
def _words(text: str) -> list[str]:
    return words_of(text)
