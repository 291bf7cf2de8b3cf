"""Read many documents into rows, several at once."""

import marshal
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack
from itertools import chain, islice

from variorum_kb.documents.find import Document
from variorum_kb.errors import DocumentError
from variorum_kb.reading.edition import read_edition
from variorum_kb.rows import State
from variorum_kb.store.convert import rows_of

Rows = tuple[tuple[str | int, ...], list[State]]

# What a process sends back: rows as `marshal` packs them, or why there are none.
_Packed = bytes | DocumentError

# Fewer documents are read sooner than a second process has started.
_WORTH_A_POOL = 4


def read_rows(
    documents: Iterable[Document], jobs: int
) -> Iterator[tuple[Document, Rows | DocumentError]]:
    """Read documents; yield each with its columns and states, or why it cannot be read.

    They come in their order, and a few of them are in memory at once, however many there are.

    Args:
        documents: Their addresses, else their names, stand in the errors.
        jobs: How many processes read at once.
    """
    waiting = iter(documents)
    first = list(islice(waiting, _WORTH_A_POOL if jobs > 1 else 0))
    if len(first) < _WORTH_A_POOL:
        for document in chain(first, waiting):
            yield document, _unpack(_read(document.data, document.address or document.name))
        return
    with ExitStack() as stack:
        pool = ProcessPoolExecutor(jobs, initializer=_stay_quiet)
        # Who stops here does not wait for what nobody has begun.
        stack.callback(pool.shutdown, cancel_futures=True)
        begun: deque[tuple[Document, Future[_Packed]]] = deque()
        for document in chain(first, waiting):
            name = document.address or document.name
            begun.append((document, pool.submit(_read, document.data, name)))
            if len(begun) > 2 * jobs:
                done, future = begun.popleft()
                yield done, _unpack(future.result())
        for done, future in begun:
            yield done, _unpack(future.result())


def read_one(document: Document) -> Rows | DocumentError:
    """Read one document, here."""
    return _unpack(_read(document.data, document.address or document.name))


def _read(data: bytes, name: str) -> _Packed:
    try:
        return marshal.dumps(rows_of(read_edition(data, name)))
    except DocumentError as error:
        return error


def _unpack(packed: _Packed) -> Rows | DocumentError:
    if isinstance(packed, DocumentError):
        return packed
    rows: Rows = marshal.loads(packed)  # noqa: S302 - our own process packed it
    return rows


def _stay_quiet() -> None:
    """Leave an interrupt from the keyboard to the process that began, and end when it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
