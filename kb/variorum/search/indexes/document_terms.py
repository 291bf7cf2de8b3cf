"""Stores the terms of each document of a part, so that obsolete documents' terms can be left out.

An index lists only the documents of each term.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain
from pathlib import Path

from variorum.search.indexes.number_files import load_array, save_array

_TERMS, _ENDS = "terms.bin", "terms-ends.bin"
_SHORT, _LONG = "H", "I"
_MOST_SHORT = 2**16


def save_terms(folder: Path, documents: Sequence[Sequence[int]], count: int) -> None:
    """Write the terms of documents into a folder.

    Args:
        folder: The folder of the part.
        documents: For each document, the places of its terms in the list of terms.
        count: How many terms there are.
    """
    size = _SHORT if count <= _MOST_SHORT else _LONG
    save_array(folder / _TERMS, array(size, chain.from_iterable(documents)))
    save_array(folder / _ENDS, array(_LONG, accumulate(map(len, documents))))


def count_terms(folder: Path, documents: Iterable[int]) -> Counter[int]:
    """Return how many of some documents have each term, by its place in the list of terms."""
    ends = load_array(folder / _ENDS, _LONG)
    starts = array(_LONG, [0]) + ends
    data = (folder / _TERMS).stat().st_size
    is_short = data == starts[-1] * array(_SHORT).itemsize
    terms = load_array(folder / _TERMS, _SHORT if is_short else _LONG)
    return Counter(chain.from_iterable([terms[starts[place] : ends[place]] for place in documents]))
