"""Reads parts of an index without Whoosh, whose import takes longer than a search.

A part is a file that contains several files, in the format of whoosh.codec.whoosh3. `.trm` lists
the terms of all fields in order, each with the offset of its postings in `.pst`. A `.col` file has
a value for each document. Numbers are big-endian.
"""

import codecs
import io
import pickle
import struct
import sys
import zlib
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import accumulate, chain
from pathlib import Path
from typing import Any

# The only name that the pickles in a part may use. They need it for bytes.
ALLOWED = {("_codecs", "encode"): codecs.encode}
_TERMS_MARK, _POSTINGS_MARK = b"HSH3", b"W3Bl"
_PLACE_AND_LENGTH = struct.Struct("!qi")
_INTEGER = struct.Struct("!i")
_LENGTHS = struct.Struct("!ii")
_FIELD = struct.Struct("!H")
# A length is rounded and stored in a byte. This table, like `whoosh.util.numeric`, decodes it.
LENGTH_OF_BYTE = [round((1.033**byte - 1) * 27) for byte in range(256)]
# The facts of a term: whether its postings follow, total weight, documents, least and greatest
# length, greatest weight, first and last document, offset of its postings.
_TERM = struct.Struct("!BfIBBfIIq")
# The size of the facts of a term, with the length of its postings.
_FACTS = _TERM.size + _INTEGER.size
# After a binary search, this many terms of the list are searched in order.
_STRETCH = 64


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> object:
        """Return the class that a pickle names, if it is allowed.

        Raises:
            UnpicklingError: The class is not allowed.
        """
        try:
            return ALLOWED[module, name]
        except KeyError:
            raise pickle.UnpicklingError(f"an index names {module}.{name}") from None


def _load(data: bytes, offset: int) -> tuple[Any, int]:
    """Return the value of the pickle at an offset, and the offset of its end."""
    file = io.BytesIO(data)
    file.seek(offset)
    return _Unpickler(file).load(), file.tell()


class Part:
    """A part of an index."""

    def __init__(self, folder: Path) -> None:
        """Open the part in a folder.

        Raises:
            FileNotFoundError: Another process has just removed the part.
            UnpicklingError: The part is not in the format of Whoosh.
        """
        file = next(folder.glob("*.seg"), folder / "part.seg")
        self._data = file.read_bytes()
        names, _ = _load(self._data, _PLACE_AND_LENGTH.unpack_from(self._data)[0])
        self._files: dict[str, tuple[int, int]] = {
            name.partition(".")[2]: (extent["offset"], extent["length"])
            for name, extent in names.items()
        }
        self._start, length = self._files["trm"]
        if self._data[self._start : self._start + 4] != _TERMS_MARK:
            raise pickle.UnpicklingError(f"{file}: no list of terms")
        end = self._start + length - _INTEGER.size
        extras, place = _load(self._data, end - _INTEGER.unpack_from(self._data, end)[0])
        self._fields: dict[str, int] = extras["fieldmap"]
        kind: str = extras["indextype"]
        self._offsets = self._numbers(place, kind, extras["indexlen"])

    def _numbers(self, place: int, kind: str, count: int) -> "array[int]":
        numbers: array[int] = array(kind)
        numbers.frombytes(self._data[place : place + count * numbers.itemsize])
        if sys.byteorder == "little":
            numbers.byteswap()
        return numbers

    # Terms ---------------------------------------------------------------------------------------

    def _at(self, index: int) -> tuple[bytes, int]:
        """Return a term of the list, preceded by its field, and the offset of its facts."""
        start = self._start + self._offsets[index]
        length, _ = _LENGTHS.unpack_from(self._data, start)
        start += _LENGTHS.size
        return self._data[start : start + length], start + length

    def terms(self, field: str, prefix: str = "") -> Iterator[tuple[str, int]]:
        """Yield the terms of a field with a prefix, in order, with their numbers of documents."""
        if field not in self._fields:
            return
        wanted = _FIELD.pack(self._fields[field]) + prefix.encode()
        for index in range(self._first(wanted), len(self._offsets)):
            term, facts = self._at(index)
            if not term.startswith(wanted):
                return
            _, _, documents, *_ = _TERM.unpack_from(self._data, facts)
            yield term[_FIELD.size :].decode(), documents

    def all_terms(self) -> Iterator[tuple[str, str, int]]:
        """Yield the field of each term, the term, and its number of documents, in order."""
        names = {_FIELD.pack(number): name for name, number in self._fields.items()}
        for index in range(len(self._offsets)):
            term, facts = self._at(index)
            _, _, documents, *_ = _TERM.unpack_from(self._data, facts)
            yield names[term[: _FIELD.size]], term[_FIELD.size :].decode(), documents

    def _first(self, wanted: bytes) -> int:
        """Return the index of the first term that is not before a given term."""
        return bisect_left(range(len(self._offsets)), wanted, key=lambda index: self._at(index)[0])

    def postings(self, field: str, term: str) -> Iterable[tuple[int, float]]:
        """Return the places of the documents with a term, and its number of occurrences in each."""
        if field not in self._fields:
            return ()
        wanted = _FIELD.pack(self._fields[field]) + term.encode()
        facts = self._facts(wanted)
        if facts is None:
            return ()
        *_, offset = _TERM.unpack_from(self._data, facts)
        return chain.from_iterable(self._blocks(offset))

    @cached_property
    def _signposts(self) -> list[bytes]:
        """Return the first term of each stretch, for a faster binary search."""
        return [self._at(index)[0] for index in range(0, len(self._offsets), _STRETCH)]

    def _facts(self, wanted: bytes) -> int | None:
        """Return the offset of the facts of a term, preceded by its field; None without facts."""
        first = max(bisect_right(self._signposts, wanted) - 1, 0) * _STRETCH
        offsets = self._offsets[first : first + _STRETCH]
        if not offsets:
            return None
        entry = _LENGTHS.pack(len(wanted), _FACTS) + wanted
        place = self._data.find(
            entry, self._start + offsets[0], self._start + offsets[-1] + len(entry)
        )
        return place + len(entry) if place - self._start in offsets else None

    def _blocks(self, offset: int) -> Iterator[Iterable[tuple[int, float]]]:
        """Yield the blocks of postings from an offset on; the last block has a negative length.

        Raises:
            UnpicklingError: There are no postings at that offset.
        """
        data = self._data
        start = self._files["pst"][0] + offset
        if data[start : start + len(_POSTINGS_MARK)] != _POSTINGS_MARK:
            raise pickle.UnpicklingError("no postings where a term has them")
        start += len(_POSTINGS_MARK)
        length = 1
        while length > 0:
            (length,) = _INTEGER.unpack_from(data, start)
            start += _INTEGER.size
            file = io.BytesIO(data)
            file.seek(start)
            pickled = _Unpickler(file)
            count, _, _, is_compressed, _, _ = pickled.load()
            start += abs(length)
            if is_compressed:
                block = zlib.decompress(data[file.tell() : start])
                # Without a buffer, the unpickler reads byte by byte, in thrice the time.
                buffered = io.BufferedReader(io.BytesIO(block))
                steps, often, _ = _Unpickler(buffered).load()
            else:
                steps, often, _ = pickled.load()
            if often is None or isinstance(often, float):
                often = (1.0 if often is None else often,) * count
            weights: tuple[float, ...] = often
            places: tuple[int, ...] = tuple(accumulate(steps))
            yield zip(places, weights, strict=True)

    # Documents -----------------------------------------------------------------------------------

    def column(self, name: str, kind: str, count: int) -> "array[int]":
        """Return a number for each document; 0 for a document without a number."""
        start, length = self._files.get(f"{name}.col", (0, 0))
        numbers = self._numbers(start, kind, length // array(kind).itemsize)
        numbers.extend([0] * (count - len(numbers)))
        return numbers

    def lengths(self, field: str, count: int) -> "array[int]":
        """Return the length of a field of each document, in words as in `LENGTH_OF_BYTE`."""
        return self.column(f"_{field}_len", "B", count)
