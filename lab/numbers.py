"""Write `kb/variorum/facts/numbers.tsv.xz`, the numbers that answer without a base, from a base of all editions."""

import lzma
import sys
from contextlib import closing
from itertools import groupby

from variorum.build.numbers import NUMBERS
from variorum.files import FILE, base_folder
from variorum.history.canonical import Folder
from variorum.rows import NO_WORDS, UNKNOWN_WORDS, State
from variorum.rule_numbers import order_of
from variorum.store.reader import Reader
from variorum.text import keys_of


def packed(reader: Reader) -> bytes:
    """Return the rows of `build.numbers.TABLES`; of words they have only titles and headwords."""
    folder, marks, states, own = Folder(), dict[str, int](), dict[State, int](), dict[int, State]()
    for it in sorted(reader.states_by_id().values(), key=printed_place):
        mark = it.body and str(marks.setdefault(folder.canon(it).whole, len(marks)))
        state = it._replace(body=mark and f"{UNKNOWN_WORDS}w{mark}", irregularities="", id=-1)
        while state.body and state in states:  # words that differ in typography alone
            state = state._replace(body=state.body + ".")
        own[it.id], states[state] = state, min(it.id, states.get(state, it.id))
    ids = {it: place for place, it in enumerate(sorted(states, key=states.__getitem__))}  # as there
    places: dict[int | None, object] = {None: ""} | {it: ids[state] for it, state in own.items()}
    bodies = {body: number for number, body in enumerate(dict.fromkeys(it.body for it in states))}
    spans = reader.query("SELECT provision, first, last + 1 FROM span")
    held = sorted({(places[it], n) for it, *ends in spans for n in range(*ends)})
    runs = [[*run] for _, run in groupby(enumerate(held), lambda it: (it[1][0], it[1][1] - it[0]))]
    rows = [row._replace(layout="", encoding="", doubts=NO_WORDS)[:-4] for row in reader.editions()]
    links = reader.query("SELECT * FROM link ORDER BY edition, old, rank, new")
    tables = (
        [(*row, *[""] * 5) for row in rows],
        [(number, body) for body, number in bodies.items()],
        [(ids[it], *it[:4], bodies[it.body], *it[5:-1]) for it in states],
        [(*run[0][1], run[-1][1][1]) for run in runs],
        [(key, ids[it]) for it in states for key in keys_of(it)],
        [(0, "", "", "")],
        [(*it[:2], *map(places.get, it[2:4]), *it[4:7], f"{it[7]:.3f}", 0) for it in links],
    )
    text = "\n\n".join("\n".join("\t".join(map(str, row)) for row in rows) for rows in tables)
    return lzma.compress(text.encode(), preset=9)


def printed_place(it: State) -> tuple[object, ...]:
    """Return what sorts states as they are printed: chapters, each with its sections; the glossary."""
    headword = it.heading.lower().lstrip("\"'“‘") if it.kind == "glossary" else ""
    return bool(headword), it.number[:1], order_of(it.number), headword, it[:4], it[5:7], it.id


if __name__ == "__main__":
    with closing(Reader.open(base_folder(*sys.argv[1:]) / FILE)) as base:
        NUMBERS.write_bytes(packed(base))
