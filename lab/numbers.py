"""Write `kb/variorum/facts/numbers.tsv.xz`, the numbers that answer without a base, from a base of all editions."""

import lzma
import sys
from collections import defaultdict
from contextlib import closing

from variorum.build.numbers import NUMBERS
from variorum.files import FILE, base_folder
from variorum.history.canonical import Folder
from variorum.rows import State
from variorum.rule_numbers import order_of
from variorum.store.reader import Reader


def packed(reader: Reader) -> bytes:
    """Return the numbers, days and steps of a base; of its words only titles and headwords."""
    spans, marks, folder = defaultdict[int, list[str]](list), dict[str, int](), Folder()
    for number, first, last in reader.query("SELECT * FROM span ORDER BY provision, first"):
        spans[number].append(f"{first}-{last}")
    provisions, places = list[tuple[object, ...]](), dict[int | None, object]({None: ""})
    for number, it in sorted(reader.states_by_id().items(), key=printed_place):
        places[number] = len(provisions)
        mark = marks.setdefault(folder.canon(it).whole, len(marks)) if it.body else ""
        provisions.append((*it[:4], *it[5:7], mark, " ".join(spans[number])))
    tables: list[list[tuple[object, ...]]] = [
        [(row.effective, row.issue, row.condition) for row in reader.editions()],
        provisions,
        [
            (*it[:2], places[it[2]], places[it[3]], *it[4:7], f"{it[7]:.3f}")
            for it in reader.query("SELECT * FROM link ORDER BY edition, old, rank, new")
        ],
    ]
    text = "\n".join("".join(["\t".join(map(str, row)) + "\n" for row in rows]) for rows in tables)
    return lzma.compress(text.encode(), preset=9)


def printed_place(item: tuple[int, State]) -> tuple[object, ...]:
    """Return what sorts states as they are printed: chapters, each with its sections; the glossary."""
    number, it = item
    headword = it.heading.lower().lstrip("\"'“‘") if it.kind == "glossary" else ""
    return bool(headword), it.number[:1], order_of(it.number), headword, it[:4], it[5:7], number


if __name__ == "__main__":
    with closing(Reader.open(base_folder(*sys.argv[1:]) / FILE)) as base:
        NUMBERS.write_bytes(packed(base))
