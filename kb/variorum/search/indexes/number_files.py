"""Writes numbers to files and reads them, in the same byte order on every machine."""

import sys
from array import array
from pathlib import Path


def save_array(file: Path, numbers: "array[int]") -> None:
    """Write numbers into a file for `load_array`."""
    file.write_bytes(_ordered(numbers).tobytes())


def load_array(file: Path, size: str = "I") -> "array[int]":
    """Return the numbers in a file; `size` is a type code of `array`."""
    return _ordered(array(size, file.read_bytes()))


def _ordered(numbers: "array[int]") -> "array[int]":
    """Change this machine's order of bytes to that of the files, or back."""
    if sys.byteorder == "little":
        return numbers
    swapped = array(numbers.typecode, numbers)
    swapped.byteswap()
    return swapped
