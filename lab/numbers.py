"""Write `kb/variorum/facts/numbers.sql.xz`, the numbers that answer without a base, from a base of all editions."""

import lzma
import sys
from contextlib import closing

from variorum.build.numbers import NUMBERS
from variorum.files import FILE, base_folder
from variorum.history.canonical import Folder
from variorum.rows import NO_WORDS, UNKNOWN_WORDS, EditionRow, State
from variorum.store.reader import Reader, empty_base
from variorum.store.writer import add_editions, add_links


def packed(reader: Reader) -> bytes:
    """Return the statements that fill an empty base; of words it has only titles and headwords."""
    folder, marks, own, states = Folder(), dict[str, int](), dict[int, State](), set[State]()
    for id_, it in reader.states_by_id().items():
        mark = it.body and str(marks.setdefault(folder.canon(it).whole, len(marks)))
        state = it._replace(body=mark and f"{UNKNOWN_WORDS}w{mark}", irregularities="", id=-1)
        while state.body and state in states:  # words that differ in typography alone
            state = state._replace(body=state.body + ".")
        own[id_] = state
        states.add(state)
    with closing(empty_base()) as base:
        editions = [
            (bare(row), [own[it] for it in reader.states_of(row.place)])
            for row in reader.editions()
        ]
        ids = add_editions(base, editions)
        places = {None: None} | {id_: ids[state] for id_, state in own.items()}
        links = reader.query("SELECT * FROM link ORDER BY edition, old, rank, new")
        said = ("", "", "")
        add_links(
            base,
            [(it[0], *map(places.get, it[1:3]), *it[3:6], round(it[6], 3), said) for it in links],
        )
        base.commit()
        statements = [it for it in base.iterdump() if not it.startswith("CREATE")]
    return lzma.compress("\n".join(statements).encode(), preset=9)


def bare(row: EditionRow) -> EditionRow:
    """Return the row of an edition without what concerns its document."""
    row = row._replace(layout="", encoding="", doubts=NO_WORDS)
    return row._replace(introduction="", index_lines="", credits="", ledger="")


if __name__ == "__main__":
    with closing(Reader.open(base_folder(*sys.argv[1:]) / FILE)) as base:
        NUMBERS.write_bytes(packed(base))
