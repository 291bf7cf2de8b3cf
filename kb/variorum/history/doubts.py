"""Compares a document with the editions around it: provisions cut out of it, and a wrong date.

A rule that an edition removes is also missing from later editions. So a rule was cut out of the
document if the editions before and after have it in the same words and the document lacks both its
number and its words. If there is an edition on one side only, the rule must also fall into a
gap in the document's numbers.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, pairwise

from variorum.rows import State
from variorum.rule_numbers import RuleNumber
from variorum.text import counted, listed, plain_signs, words_of

# At most this many runs of missing provisions are named.
_SHOWN = 3
# If an edition has this many more of a text's provisions than the editions around the text's
# date, that date is wrong. Measured: 0.047 at most in 120 editions.
_OUT_OF_TIME = 0.08
# If another edition lacks no more than this of a text's provisions, the text is that edition
# under another date. Measured: 0.0011 at least in 120 editions.
_SAME_TEXT = 0.0005

_Key = tuple[bool, str]


def holes_in(here: Sequence[State], before: Sequence[State], after: Sequence[State]) -> str:
    """Return a line on the provisions missing from a document, as in an adjacent edition; "" if none is.

    `before` is empty for the first edition, `after` for the last.
    """
    beside = {_key(state): state for state in before or after}
    order, held, words = list(beside), set(map(_key, here)), set(map(_words, here))
    gone = beside.keys() - held
    if before and after:
        later = {_key(state): _words(state) for state in after}
        gone = {key for key in gone if _words(beside[key]) == later.get(key)}
    elif gone:
        numbered = [state for state in here if state.kind not in {"chapter", "glossary"}]
        gaps = [
            order[order.index(_key(first)) + 1 : order.index(_key(last))]
            for first, last in pairwise(numbered)
            if {_key(first), _key(last)} <= beside.keys() and _is_gap(first.number, last.number)
        ]
        gone &= {key for gap in gaps for key in gap}
    gone = {key for key in gone if _words(beside[key]) not in words}
    # One missing provision is weak evidence: an edition may omit a glossary entry or skip a number.
    if len(gone) < 1 + (not before or all(is_entry for is_entry, _ in gone)):
        return ""
    parts = list[str]()
    for is_entry, noun in ((False, "rule"), (True, "glossary entry")):
        grouped = groupby([key for key in order if key[0] is is_entry], gone.__contains__)
        if runs := [[beside[key] for key in run] for is_gone, run in grouped if is_gone]:
            kinds = [state.kind for run in runs for state in run]
            count = len(kinds) - kinds.count("chapter") - kinds.count("section")
            many = counted(count, noun) if count else counted(len(kinds), "heading")
            ends = [" to ".join(dict.fromkeys((run[0].address, run[-1].address))) for run in runs]
            parts.append(f"{many} missing: {listed(ends, _SHOWN)}")
    return ", ".join(parts)


def _key(state: State) -> _Key:
    if state.kind != "glossary":
        return False, state.number
    return True, "".join(filter(str.isalnum, state.heading)).casefold()


def _words(state: State) -> str:
    return " ".join(words_of(f"{state.heading} {state.body}"))


def _is_gap(before: str, after: str) -> bool:
    """Return whether a document skips numbers between two that follow each other; not between chapters."""
    first, last = RuleNumber.read(before), RuleNumber.read(after)
    if not (first and last and first < last):
        return False
    if last.rule:
        return not last.follows(first)
    return last.section > first.section + 1 and first.section // 100 == last.section // 100


def wordings_of(states: Iterable[State]) -> set[int]:
    """Return numbers for the wordings of provisions: equal words at the same address have the same.

    Quotes and dashes do not matter.
    """
    return {hash((state.address, plain_signs(state.body))) for state in states}


def nearest_elsewhere(day: str, here: set[int], held: Mapping[str, set[int]]) -> str:
    """Return the day of the edition that is most like a text of some day, if that day is doubtful.

    `here` are the text's wordings, and `held` those of the editions by their days. A text with almost the
    same words as an edition gets this edition's day, even if the edition is adjacent.
    """
    like = {held_day: len(here & there) for held_day, there in held.items()}
    nearest = max(like, key=lambda held_day: (like[held_day], held_day), default="")
    if not nearest or max(len(here - held[nearest]), len(held[nearest] - here)) <= (
        _SAME_TEXT * len(here)
    ):
        return nearest
    before = max((held_day for held_day in held if held_day < day), default="")
    after = min((held_day for held_day in held if held_day > day), default="")
    near = max(like.get(before, 0), like.get(after, 0))
    return nearest if like[nearest] - near > _OUT_OF_TIME * len(here) else ""
