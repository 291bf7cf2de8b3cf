"""Read documents into rows, and align editions, in several processes."""

import marshal
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from importlib import import_module
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeVar

from variorum.documents.find import Document
from variorum.errors import DocumentError
from variorum.record import Record
from variorum.rows import State
from variorum.stored_rows import EditionRow, LinkRow, StepEvidence
from variorum.system.collecting import without_collecting
from variorum.system.processes import interrupts_wait, stay_quiet
from variorum.system.resource_limits import within_limits

if TYPE_CHECKING:
    from concurrent.futures import Future

    from variorum.history.aligning.sides import Side

Asked = TypeVar("Asked")
Done = TypeVar("Done")

Rows = tuple[EditionRow, list[State]]

# The result of a process: rows packed by `marshal`, or the error.
_Packed = bytes | DocumentError

# Fewer documents than this are read before a second process has started.
_WORTH_A_POOL = 4


def read_rows(
    documents: Iterable[Document], jobs: int
) -> Iterator[tuple[Document, Rows | DocumentError]]:
    """Read documents; yield each, in order, with its columns and states, or the error.

    Only a few documents are in memory at once.

    Args:
        documents: The documents; errors name their addresses, else their names.
        jobs: How many processes read at once.
    """
    waiting = iter(documents)
    first = list(islice(waiting, _WORTH_A_POOL if jobs > 1 else 0))
    if len(first) < _WORTH_A_POOL:
        for document in chain(first, waiting):
            yield document, _unpack(_read(document.data, document.origin))
        return
    import_module("variorum.reading.edition")  # once for all processes

    documents = chain(first, waiting)
    named = ((document, (document.data, document.origin)) for document in documents)
    for document, packed in _in_processes(jobs, _read, named, _read_apart):
        yield document, _unpack(packed)


def _in_processes(
    jobs: int,
    work: Callable[..., Done],
    calls: Iterable[tuple[Asked, tuple[Any, ...]]],
    again: Callable[..., Done] | None = None,
) -> Iterator[tuple[Asked, Done]]:
    """Call a function in several processes; yield the key and the result of each call, in order.

    Only a few arguments are in memory at once.

    Args:
        jobs: How many processes work at once.
        work: The function.
        calls: A key each, and the arguments.
        again: Called instead of `work` for all calls that a process which died may have had.
    """
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - imported on first use
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415 - likewise

    def begin() -> ProcessPoolExecutor:
        pool = ProcessPoolExecutor(jobs, initializer=stay_quiet)
        # A caller that stops early does not wait for calls that have not begun.
        stack.callback(pool.shutdown, cancel_futures=True)
        return pool

    def ended(call: "tuple[Asked, tuple[Any, ...], Future[Done]]") -> tuple[Asked, Done]:
        asked, arguments, future = call
        try:
            return asked, future.result()
        except BrokenProcessPool:
            if again is None:
                raise
            return asked, again(*arguments)

    with ExitStack() as stack:
        pool = begin()
        begun: deque[tuple[Asked, tuple[Any, ...], Future[Done]]] = deque()
        for asked, arguments in calls:
            with interrupts_wait():
                try:
                    future = pool.submit(work, *arguments)
                except BrokenProcessPool:
                    pool = begin()
                    future = pool.submit(work, *arguments)
            begun.append((asked, arguments, future))
            if len(begun) > 2 * jobs:
                yield ended(begun.popleft())
        while begun:
            yield ended(begun.popleft())


def read_one(document: Document) -> Rows | DocumentError:
    """Read a document in this process."""
    return _unpack(_read(document.data, document.origin))


def _read(data: bytes, name: str, *, is_apart: bool = False) -> _Packed:
    try:
        return within_limits(_read_packed, data, name, is_apart=is_apart)
    except DocumentError as error:
        return error


def _read_apart(data: bytes, name: str) -> _Packed:
    return _read(data, name, is_apart=True)


def _read_packed(data: bytes, name: str) -> bytes:
    from variorum.reading.edition import read_edition  # noqa: PLC0415 - imported on first use
    from variorum.store.edition_rows import rows_of  # noqa: PLC0415 - imported on first use

    with without_collecting():
        columns, states = rows_of(read_edition(data, name))
    return marshal.dumps((_plain(columns), [_plain(state) for state in states]))


def _plain(record: Record) -> tuple[Any, ...]:
    """Return a record as the plain tuple that `marshal` takes."""
    return tuple(record)


def _unpack(packed: _Packed) -> Rows | DocumentError:
    if isinstance(packed, DocumentError):
        return packed
    columns, states = marshal.loads(packed)  # noqa: S302 - our own process packed it
    return EditionRow(*columns), list(map(State.of, states))


# An edition to be aligned: its effective date, and its states by their places among all states.
Aligned = tuple[str, "array[int]"]

# Fewer provisions than this are aligned before a second process has started.
_WORTH_A_POOL_OF_ALIGNERS = 12_000
# A process gets this many pairs at once, since adjacent editions share most of their texts.
_PAIRS_AT_ONCE = 10


def align_editions(
    states: Sequence[State],
    editions: Sequence[Aligned],
    pairs: Sequence[tuple[int, int]],
    jobs: int,
) -> Iterator[tuple[tuple[int, int], list[LinkRow]]]:
    """Align pairs of editions; yield each pair with its links.

    Args:
        states: All distinct states.
        editions: The editions, in order.
        pairs: The pairs to align, the older edition of each first.
        jobs: How many processes align at once.

    Returns:
        The ids in the links are places among the states.
    """
    work = sum([len(editions[old][1]) for old, _ in pairs])
    if jobs < 2 or work < _WORTH_A_POOL_OF_ALIGNERS:  # noqa: PLR2004 - one is no pool
        sides = _Sides(states, editions)
        for pair in pairs:
            yield pair, _align(sides, pair)
        return
    batches = [
        list(pairs[start : start + _PAIRS_AT_ONCE])
        for start in range(0, len(pairs), _PAIRS_AT_ONCE)
    ]
    import_module("variorum.history.links")  # once for all processes

    packed = ((batch, (marshal.dumps(_needed(states, editions, batch)),)) for batch in batches)
    for batch, links in _in_processes(jobs, _align_batch, packed):
        results = marshal.loads(links)  # noqa: S302 - our own process packed it
        for pair, cells in zip(batch, results, strict=True):
            yield pair, [_link_of(*cells_of_link) for cells_of_link in cells]


_Batch = tuple[dict[int, tuple[Any, ...]], list[tuple[int, int]], dict[int, tuple[str, bytes]]]


def _needed(
    states: Sequence[State], editions: Sequence[Aligned], pairs: list[tuple[int, int]]
) -> _Batch:
    """Return the data that a process needs to align some pairs."""
    places = sorted({place for pair in pairs for place in pair})
    ids = {state for place in places for state in editions[place][1]}
    held = {place: (editions[place][0], editions[place][1].tobytes()) for place in places}
    return {state: _plain(states[state]) for state in sorted(ids)}, pairs, held


def _align_batch(packed: bytes) -> bytes:
    batch: _Batch = marshal.loads(packed)  # noqa: S302 - our own process packed it
    cells, pairs, held = batch
    states = {state: State.of(cells[state]) for state in cells}
    editions = {place: (date, _unpacked(ids)) for place, (date, ids) in held.items()}
    sides = _Sides(states, editions)
    return marshal.dumps([[_cells_of(link) for link in _align(sides, pair)] for pair in pairs])


_Cells = tuple[tuple[Any, ...], tuple[Any, ...]]


def _cells_of(link: LinkRow) -> _Cells:
    """Return a link and its evidence as plain tuples."""
    return _plain(link)[:-1], _plain(link.evidence)


def _link_of(cells: tuple[Any, ...], evidence: tuple[Any, ...]) -> LinkRow:
    return LinkRow.of((*cells, StepEvidence.of(evidence)))


def _unpacked(packed: bytes) -> "array[int]":
    ids = array("I")
    ids.frombytes(packed)
    return ids


class _Sides:
    """Prepares editions to be aligned; keeps the last two, to align each with the next."""

    def __init__(
        self,
        states: Sequence[State] | Mapping[int, State],
        editions: Sequence[Aligned] | Mapping[int, Aligned],
    ) -> None:
        from variorum.history.canonical import Folder  # noqa: PLC0415 - imported on first use

        self.editions = editions
        self._states = states
        self._folder = Folder()
        self._sides: dict[int, Side] = {}

    def side(self, place: int) -> "Side":
        """Return an edition."""
        from variorum.history.aligning.sides import Side  # noqa: PLC0415 - imported on first use

        if place not in self._sides:
            self._sides = {
                held_place: side
                for held_place, side in self._sides.items()
                if held_place >= place - 1
            }
            states = [self._states[state] for state in self.editions[place][1]]
            self._sides[place] = Side(states, self._folder)
        return self._sides[place]


def _align(sides: _Sides, pair: tuple[int, int]) -> list[LinkRow]:
    from variorum.facts import verdicts_between  # noqa: PLC0415 - imported on first use
    from variorum.history.links import links_between  # noqa: PLC0415 - imported on first use

    (old_date, old), (new_date, new) = (sides.editions[place] for place in pair)
    with without_collecting():
        verdicts = verdicts_between(old_date, new_date)
        links = links_between(sides.side(pair[0]), sides.side(pair[1]), verdicts)
    return [link.led_by(old, new) for link in links]
