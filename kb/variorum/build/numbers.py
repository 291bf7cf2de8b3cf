"""The numbers of all known editions without their words, which answer before anything is downloaded.

`facts/numbers.tsv.xz` has three tables, a blank line between them: the editions; the numbers, titles and
headwords with the editions that print them, the editions of each wording apart; the steps between them.
A base is made of them in the user's cache, so that look-ups need no second way to answer. In place of
words it has marks that tell which words are the same. `lab/numbers.py` writes the file from a real base.
"""

import hashlib
import lzma
from collections import Counter, defaultdict
from datetime import date
from pathlib import Path
from shutil import rmtree

from variorum.build.settle import Text, set_facts
from variorum.facts import known_editions
from variorum.files import locked
from variorum.history.canonical import Folder
from variorum.model import Kind
from variorum.paths import FILE, cache_folder
from variorum.rows import BY_FACTS, NO_WORDS, EditionRow, State, unknown_words, words_or_mark
from variorum.rule_numbers import order_of
from variorum.store.reader import Reader
from variorum.store.writer import Cells, Writer, new_file
from variorum.text import words_of
from variorum.versions import current_meta

NUMBERS = Path(__file__).parents[1] / "facts" / "numbers.tsv.xz"
# Stands in place of a mark where a provision has no words but its heading.
_NO_WORDS = "none"
_STEPS = (
    "SELECT edition, source, old, new, rank, kinds, class, confidence FROM link "
    "ORDER BY edition, old, rank, new"
)


def numbers_folder() -> Path:
    """Return the folder of the base that has numbers alone; make it, if this program has not yet.

    Raises:
        NotWritableError: The user's cache cannot be written.
    """
    data = NUMBERS.read_bytes()
    version = hashlib.blake2b(data + repr(current_meta()).encode(), digest_size=8).hexdigest()
    folder = cache_folder() / f"numbers-{version}"
    with locked(folder):
        if not (folder / FILE).exists():
            for other in folder.parent.glob("numbers-*"):
                if other != folder:
                    rmtree(other, ignore_errors=True)
            with new_file(folder / FILE) as new:
                _unpack(data, new)
    return folder


def packed(reader: Reader) -> bytes:
    """Return the numbers, days and steps of a base; of its words only titles and headwords."""
    spans: dict[int, list[str]] = defaultdict(list)
    for number, first, last in reader.query("SELECT * FROM span ORDER BY provision, first"):
        spans[number].append(f"{first}-{last}")
    states, wordings = reader.all_states(), defaultdict[State, list[int]](list)
    for number, state in states.items():
        wordings[state._replace(body="", irregularities="")].append(number)
    provisions = sorted(wordings, key=_place)
    order = [number for provision in provisions for number in wordings[provision]]
    places = {number: place for place, number in enumerate(order)}
    # Equal marks stand for equal words; the marks that are new in their places need not be said.
    folder, marks = Folder(), dict[tuple[str, frozenset[str]], int]()
    for number in order:
        state, before = states[number], len(marks)
        words = {*words_of(words_or_mark(state))}
        named = frozenset(word for word in words if len(word) > 1 and not word[0].isdigit())
        mark = marks.setdefault((folder.canon(state).whole, named), before)
        if mark < before or not state.body:
            spans[number].append(str(mark) if state.body else _NO_WORDS)
    tables: list[list[Cells]] = [
        [(row.effective, row.issue, row.condition) for row in reader.editions()],
        [
            (*row[:4], *row[5:7], ";".join([" ".join(spans[number]) for number in wordings[row]]))
            for row in provisions
        ],
        [
            (edition, source, *(places.get(end, "") for end in (old, new)), *step, f"{chance:.3f}")
            for edition, source, old, new, *step, chance in reader.query(_STEPS)
        ],
    ]
    text = "\n".join("".join(["\t".join(map(str, row)) + "\n" for row in rows]) for rows in tables)
    return lzma.compress(text.encode(), preset=9)


def _place(state: State) -> tuple[object, ...]:
    """Return what sorts states as they are printed: chapters, each with its sections; the glossary."""
    if state.kind == Kind.GLOSSARY.value:
        return True, state.heading.lower().lstrip("\"'“‘"), state
    return False, state.number[:1], *order_of(state.number), state


def _unpack(data: bytes, new: Writer) -> None:
    """Write what `packed` packed into a new file."""
    tables = [
        [line.split("\t") for line in table.splitlines()]
        for table in lzma.decompress(data).decode().split("\n\n")
    ]
    held: list[list[State]] = [[] for _ in tables[0]]
    states, known = list[State](), set[State]()
    marks = 0
    for *columns, wordings in tables[1]:
        for wording in wordings.split(";"):
            *spans, mark = wording.split()
            if "-" in mark:
                spans, mark, marks = [*spans, mark], str(marks), marks + 1
            body = "" if mark == _NO_WORDS else unknown_words(mark)
            kind, number, address, heading, parent, meant = columns
            state = State(kind, number, address, heading, body, parent, meant, "")
            while body and state in known:  # words that differ in typography alone
                state = state._replace(body=state.body + ".")
            known.add(state)
            states.append(state)
            for first, last in (map(int, span.split("-")) for span in spans):
                for edition in range(first, last + 1):
                    held[edition].append(state)
    texts = [
        Text(_edition_row(day, int(issue), condition, printed), printed)
        for (day, issue, condition), printed in zip(tables[0], held, strict=True)
    ]
    set_facts(texts)
    ids = dict[State, int]()
    new.add_editions([(text.row, text.states) for text in texts], ids)
    places = {str(place): ids[state] for place, state in enumerate(states)}
    new.add_links(
        [
            (*editions, places.get(old), places.get(new), *step, ("", "", ""))
            for *editions, old, new, rank, kinds, change, chance in tables[2]
            for step in [(rank, kinds, change, chance)]
        ]
    )


def _edition_row(day: str, issue: int, condition: str, states: list[State]) -> EditionRow:
    kinds = Counter(state.kind for state in states)
    known: dict[str, str | int] = {
        "effective": day,
        "sha256": known_editions()[date.fromisoformat(day)].issues[issue - 1],
        "sections": kinds[Kind.SECTION.value],
        "rules": kinds[Kind.RULE.value] + kinds[Kind.SUBRULE.value],
        "glossary": kinds[Kind.GLOSSARY.value],
        "condition": condition,
        "attested": BY_FACTS,
        "doubts": NO_WORDS,
    }
    unknown = {name: kind() for name, kind in EditionRow.__annotations__.items()}
    return EditionRow(**{**unknown, **known})
