"""The numbers, titles and days of all known editions, which answer before anything is downloaded.

`facts/numbers.tsv.xz` has three tables, a blank line between them: the editions; the states of provisions,
as printed, with the editions that have them; the steps between them. A base is made of them in the user's
cache, so that look-ups need no second way to answer. In place of words it has marks that tell which words
are the same. `lab/numbers.py` writes the file from a real base.
"""

import hashlib
import lzma
from collections import Counter
from datetime import date
from pathlib import Path
from shutil import rmtree
from sqlite3 import Connection

from variorum.build.editions import Text, set_facts
from variorum.facts import known_editions
from variorum.files import FILE, cache_folder, locked
from variorum.rows import BY_FACTS, NO_WORDS, EditionRow, State, unknown_words
from variorum.store import writer
from variorum.versions import current_meta

NUMBERS = Path(__file__).parents[1] / "facts" / "numbers.tsv.xz"


def numbers_folder() -> Path:
    """Return the folder of the base that has numbers alone, in the user's cache; make it at first use."""
    data, meta = NUMBERS.read_bytes(), current_meta()
    version = hashlib.blake2b(data + repr(meta).encode(), digest_size=8).hexdigest()
    folder = cache_folder() / f"numbers-{version}"
    with locked(folder):
        if not (folder / FILE).exists():
            for other in {*folder.parent.glob("numbers-*")} - {folder}:
                rmtree(other, ignore_errors=True)
            with writer.new_file(folder / FILE, meta) as (base, _):
                _unpack(data, base)
    return folder


def _unpack(data: bytes, base: Connection) -> None:
    """Write what `data` holds into a new file."""
    editions, provisions, steps = [
        [line.split("\t") for line in table.splitlines()]
        for table in lzma.decompress(data).decode().split("\n\n")
    ]
    printed, states, known = [list[State]() for _ in editions], list[State](), set[State]()
    for kind, number, address, heading, parent, meant, mark, spans in provisions:
        body = unknown_words(mark) if mark else ""
        state = State(kind, number, address, heading, body, parent, meant, "")
        while body and state in known:  # words that differ in typography alone
            state = state._replace(body=state.body + ".")
        states.append(state)
        known.add(state)
        for first, last in (map(int, span.split("-")) for span in spans.split()):
            for held in printed[first : last + 1]:
                held.append(state)
    texts = list[Text]()
    for (day, issue, condition), held in zip(editions, printed, strict=True):
        kinds = Counter(state.kind for state in held)
        row = EditionRow(
            effective=day,
            sha256=known_editions()[date.fromisoformat(day)].issues[int(issue) - 1],
            sections=kinds["section"],
            rules=kinds["rule"] + kinds["subrule"],
            glossary=kinds["glossary"],
            condition=condition,
            attested=BY_FACTS,
            doubts=NO_WORDS,
        )
        texts.append(Text(row, held))
    set_facts(texts)
    ids = writer.add_editions(base, [(text.row, text.states) for text in texts])
    places = {str(place): ids[state] for place, state in enumerate(states)}
    links = [
        (edition, source, places.get(old), places.get(new), *how, ("", "", ""))
        for edition, source, old, new, *how in steps
    ]
    writer.add_links(base, links)
