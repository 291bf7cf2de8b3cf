"""Write `kb/variorum/facts/numbers.tsv.xz`, the numbers that answer without a base, from a base of all editions."""

import sys
from contextlib import closing
from pathlib import Path

from variorum.build.numbers import NUMBERS, packed
from variorum.paths import FILE, base_folder
from variorum.store.reader import Reader

if __name__ == "__main__":
    with closing(Reader(base_folder(Path(sys.argv[1]) if sys.argv[1:] else None) / FILE)) as base:
        NUMBERS.write_bytes(packed(base))
