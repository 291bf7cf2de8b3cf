"""Other texts of an edition, copies and originals: in which provisions they differ from it."""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import starmap, zip_longest

from msgspec import structs

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.witnesses import BARE
from variorum.errors import LayoutError
from variorum.history.word_diffs import word_diff
from variorum.records.answer import Piece
from variorum.records.document import Witness
from variorum.rows import COPY, ORIGINAL, EditionRow, State, name_of, words_or_mark
from variorum.store.reader import PassageRow, WitnessRows
from variorum.text import listed

# Another text may spell a registered name's sign in letters, and a damaged one keep only ASCII.
_LOST = re.compile(r"\((?:r|tm)\)|[^a-z0-9+]")
# A provision of an edition, and that of another text; None where one has no such provision.
_Pair = tuple[State | None, State | None]


def describe(there: Sequence[State], here: Sequence[State]) -> str:
    """Return a short phrase on how another text differs from an edition; "" if it does not."""
    names: dict[str, list[str]] = defaultdict(list)
    for held, copied in _differences(there, here):
        how = "other signs in" if _is_of_signs((held, copied)) else "other words in"
        how = "without" if copied is None else "with the additional" if held is None else how
        names[how] += [state.address for state in (held or copied,) if state]
    return "; ".join([f"{how} {listed(some, 3)}" for how, some in names.items()])


def compared(
    base: KnowledgeBase, row: EditionRow, states: Sequence[State], copy_of: str, file: str
) -> WitnessRows:
    """Return the rows of a copy, or of an original, compared with the edition of a day.

    Of several issues, it is compared with the one that is most like it, the last if equal.
    `row` and `states` are its own, as an edition's; `copy_of` is the edition's day, "" of an original.

    Raises:
        LayoutError: The base has no edition of that day.
    """
    day = copy_of or row.effective
    texts = [
        (entry, [match.state for match in base.provisions(entry)])
        for entry in reversed(base.editions)
        if entry.effective.isoformat() == day
    ]
    if not texts:
        raise LayoutError(f"another text of {day}, of which the base has no edition", file)
    entry, there = min(texts, key=lambda text: len(_differences(text[1], states)))
    pairs = _differences(there, states)
    rows = [
        PassageRow(
            held and held.id,
            None,
            held and entry.place,
            structs.replace(
                BARE,
                number=state.number or None,
                headword=state.heading if state.kind == "glossary" else None,
                verdict="differs",
                stands=held and name_of(held),
                edition=held and entry.label,
                words=_wording(state),
                pieces=[*starmap(Piece, word_diff(_wording(held), _wording(copied)))],
            ),
        )
        for held, copied in pairs
        for state in filter(None, [copied or held])
        if not _is_of_signs((held, copied))
    ]
    of = len(there) + sum(held is None for held, _ in pairs)
    dated = "" if row.effective == day else f", dated {row.effective}"
    text = f"copy of {entry.label}{dated}" if copy_of else f"compared with {entry.label}"
    evidence = [f"{text}: {describe(there, states) or 'the same rules and glossary'}"]
    about = Witness(
        sha256=row.sha256,
        kind=COPY if copy_of else f"{ORIGINAL}{row.layout}",
        title="",
        author="",
        dated=row.effective,
        edition=entry.label,
        from_=entry.label,
        to=entry.label,
        matched=of - len(rows),
        of=of,
        evidence=[*evidence, *([] if row.condition == "sound" else [row.condition])],
    )
    return WitnessRows(about, tuple(rows))


def _differences(there: Sequence[State], here: Sequence[State]) -> list[_Pair]:
    """Return the provisions that differ between an edition and another text of it."""
    named: dict[tuple[str, str], tuple[list[State], list[State]]] = defaultdict(lambda: ([], []))
    for side, states in enumerate((there, here)):
        for state in states:
            name = _letters(state.heading) if state.kind == "glossary" else state.number
            named[state.kind, name][side].append(state)
    pairs = [pair for both in named.values() for pair in zip_longest(*both)]
    return [pair for pair in pairs if _wording(pair[0]) != _wording(pair[1])]


def _wording(state: State | None) -> str:
    return words_or_mark(state).strip() if state else ""


def _letters(text: str) -> str:
    return _LOST.sub("", text.lower())


def _is_of_signs(pair: _Pair) -> bool:
    """Return whether two provisions differ in punctuation and foreign letters only."""
    return None not in pair and _letters(_wording(pair[0])) == _letters(_wording(pair[1]))
