"""The numbers, titles and days of all known editions, which answer before anything is downloaded.

`facts/numbers.tsv.xz`, by `lab/numbers.py`, has the rows of some tables of a base, a blank line between two
tables, with marks in place of words. A base is made of them in the user's cache, which answers as any other.
"""

import lzma
from array import array
from pathlib import Path
from shutil import rmtree
from sqlite3 import Connection

from variorum.files import FILE, cache_folder, current_meta, locked
from variorum.model import sha256_of
from variorum.store import writer

NUMBERS = Path(__file__).parents[1] / "facts" / "numbers.tsv.xz"
TABLES = ("edition", "reading", "provision", "span", "lookup", "evidence", "link")


def numbers_folder() -> Path:
    """Return the folder of the base that has numbers alone, in the user's cache; make it at first use."""
    data, meta = NUMBERS.read_bytes(), current_meta()
    folder = cache_folder() / f"numbers-{sha256_of(data + repr(meta).encode())[:16]}"
    with locked(folder):
        if not (folder / FILE).exists():
            for other in {*folder.parent.glob("numbers-*")} - {folder}:
                rmtree(other, ignore_errors=True)
            with writer.new_file(folder / FILE, meta) as (base, _):
                _unpack(data, base)
    return folder


def _unpack(data: bytes, base: Connection) -> None:
    """Write rows into a new file; an edition prints the states that it has in the order of their rows."""
    tables = lzma.decompress(data).decode().split("\n\n")
    for name, table in zip(TABLES, tables, strict=True):
        null = None if name == "link" else ""
        rows = [tuple(cell or null for cell in line.split("\t")) for line in table.split("\n")]
        writer.insert(base, name, rows)
    printed = {int(line.partition("\t")[0]): n for n, line in enumerate(tables[2].split("\n"))}
    for edition in base.execute("SELECT id FROM edition").fetchall():
        held = base.execute("SELECT provision FROM span WHERE ? BETWEEN first AND last", edition)
        states = array("I", sorted([state for (state,) in held], key=printed.__getitem__))
        base.execute("UPDATE edition SET states = ? WHERE id = ?", [states.tobytes(), *edition])
