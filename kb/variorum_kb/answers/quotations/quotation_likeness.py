"""Measures how like a quotation is to the words of states that may be its source."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from variorum_kb.answers.quotations.quotation_matching import Folded, Wanted
from variorum_kb.rows import State
from variorum_kb.text.folding import fold_words
from variorum_kb.text.likeness import likeness, likest, part_likeness
from variorum_kb.thresholds.quotations import QUOTED_LIKE

# A part is compared with at most `_MOST_COMPARED` texts: those that have most of its `_SHARED`
# longest words.
_MOST_COMPARED, _SHARED = 60, 16


@dataclass(frozen=True, slots=True)
class HeldState:
    """A state, with the editions that have it as bits by their places."""

    number: int
    state: State
    words: Folded
    editions: int


class Nearest(NamedTuple):
    """The provision most like a quotation.

    Attributes:
        state: Its id.
        likeness: The likeness, from 0 to 1.
    """

    state: int
    likeness: float


def name_of_state(held: HeldState) -> str:
    """Return the number of a state, or the headword of an entry."""
    is_entry = held.state.kind == "glossary"
    return _name(held.state.number, fold_words(held.state.heading) if is_entry else "")


def name_of_quoted(wanted: Wanted) -> str:
    """Return the number of a quotation, or its headword; "" if it has neither."""
    return _name(wanted.quoted.number, wanted.heading)


def _name(number: str, headword: str) -> str:
    return number or (f"entry {headword}" if headword else "")


def likeness_to(wanted: Wanted, words: Folded) -> float:
    """Return the likeness of a quotation to a state's words; 0 for an unlikely part."""
    if wanted.quoted.is_part:
        return part_likeness(wanted.words.whole, words.whole, QUOTED_LIKE)
    if wanted.words.text:
        return likeness(wanted.words.text, words.text)
    return likeness(wanted.words.whole, words.whole)


def likest_of(wanted: Wanted, among: Sequence[HeldState]) -> Nearest | None:
    """Return the state most like a quotation; for a part, the state that contains it best."""
    quoted, text = wanted.quoted, wanted.words.text
    texts = [held.words.text for held in among]
    if quoted.is_part:
        text = wanted.words.whole
        long = [held for held in among if len(held.words.whole) >= QUOTED_LIKE * len(text)]
        among = _sharing_most(text, long)
        texts = [held.words.whole for held in among]
    best = likest(text, texts, QUOTED_LIKE, is_part=quoted.is_part) if text else None
    return None if best is None else Nearest(among[best[0]].number, best[1])


def _sharing_most(text: str, among: Sequence[HeldState]) -> list[HeldState]:
    """Return the states with the most of a text's longest words; comparing all is slow."""
    words = sorted(set(text.split()), key=lambda word: (-len(word), word))[:_SHARED]
    counts = [(-sum(word in held.words.whole for word in words), held) for held in among]
    return [held for _, held in sorted(counts, key=lambda count: count[0])[:_MOST_COMPARED]]
