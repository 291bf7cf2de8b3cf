"""Other texts of an edition, copies and originals: in which provisions they differ from it."""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import zip_longest

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.reading.paragraphs import ORIGINALS
from variorum.records.document import Witness
from variorum.rows import COPY, ORIGINAL, EditionRow, State, words_or_mark
from variorum.store.reader import WitnessRows
from variorum.text import listed

# Another text may spell a registered name's sign in letters, and a damaged one keep only ASCII.
_LOST = re.compile(r"\((?:r|tm)\)|(?<=_)tm\b|[^a-z0-9+]")
_SIGNS = "other signs in"


def describe(there: Sequence[State], here: Sequence[State]) -> str:
    """Return a short phrase on how another text differs from an edition; "" if it does not."""
    differing = _differences(there, here)
    return "; ".join([f"{how} {listed(names, 3)}" for how, names in differing.items()])


def compared(
    base: KnowledgeBase, row: EditionRow, states: Sequence[State], day: str
) -> WitnessRows:
    """Return what is said of a copy, or of an original, compared with the edition of a day.

    `row` and `states` are its own, as an edition's.
    """
    edition, is_original = base.edition(day), row.layout in ORIGINALS
    label, there = edition.label, base.held(edition.place)
    dated = "" if row.effective == day else f", dated {row.effective}"
    told = f"compared with {label}" if is_original else f"copy of {label}{dated}"
    told += f": {describe(there, states) or 'the same rules and glossary'}"
    evidence = [told, *([] if row.condition == "sound" else [row.condition])]
    others = sum(map(len, (_differences(there, states) | {_SIGNS: []}).values()))
    about = row.sha256, f"{ORIGINAL}{row.layout}" if is_original else COPY, "", "", row.effective
    counts = max(len(there) - others, 0), len(there)
    return Witness(*about, label, label, label, *counts, evidence), []


def _differences(there: Sequence[State], here: Sequence[State]) -> dict[str, list[str]]:
    """Return the addresses of provisions in which another text differs from an edition, by how they differ."""
    sides: dict[str, tuple[list[State], list[State]]] = defaultdict(lambda: ([], []))
    for side, states in enumerate((there, here)):
        for state in states:
            headword = _LOST.sub("", state.heading.lower())
            sides[state.number or f"={headword}"][side].append(state)
    differing: dict[str, list[str]] = defaultdict(list)
    for held, copied in (pair for both in sides.values() for pair in zip_longest(*both)):
        old, new = (words_or_mark(state).strip() if state else "" for state in (held, copied))
        is_of_signs = len({_LOST.sub("", text.lower()) for text in (old, new)}) == 1
        how = _SIGNS if is_of_signs else "other words in"
        how = "with the additional" if held is None else how if copied else "without"
        if old != new:
            differing[how].append((held or copied).address)
    return differing
