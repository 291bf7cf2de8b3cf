"""The numbers, titles and days of all known editions, which answer before anything is downloaded.

`facts/numbers.sql.xz`, by `lab/numbers.py`, fills the tables of a base, with marks in place of words. The base
is made in the user's cache, and answers as any other.
"""

import lzma
from contextlib import suppress
from pathlib import Path
from shutil import rmtree

from variorum import errors
from variorum.files import FILE, cache_folder, current_meta, locked
from variorum.model import sha256_of
from variorum.store import reader, writer

NUMBERS = Path(__file__).parents[1] / "facts" / "numbers.sql.xz"


def numbers_folder() -> Path:
    """Return the folder of the base that has numbers alone, in the user's cache; make it at first use."""
    data, meta = NUMBERS.read_bytes(), current_meta()
    folder = cache_folder() / f"numbers-{sha256_of(data + repr(meta).encode())[:16]}"
    with locked(folder):
        with suppress(errors.BaseError):  # there is none yet, or it is damaged
            reader.Reader.open(folder / FILE).close()
            return folder
        for other in {*folder.parent.glob("numbers-*")} - {folder}:
            rmtree(other, ignore_errors=True)
        with writer.new_file(folder / FILE, meta) as (base, _):
            base.executescript(lzma.decompress(data).decode())
    return folder
