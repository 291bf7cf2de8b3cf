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


def holes_in(here: Sequence[State], before: Sequence[State], after: Sequence[State]) -> str:
    """Return a line on the provisions missing from a document, as in an adjacent edition; "" if none is.

    `before` is empty for the first edition, `after` for the last.
    """
    beside = before or after
    keys = set(map(_key, here))
    gone = {_key(state): state for state in beside if _key(state) not in keys}
    if before and after:
        later = {_key(state): _words(state) for state in after}
        gone = {key: state for key, state in gone.items() if _words(state) == later.get(key)}
    elif gone:
        places = {_key(state): place for place, state in enumerate(beside)}
        numbered = [state for state in here if state.kind not in {"chapter", "glossary"}]
        in_gaps = {
            _key(state)
            for earlier, later in pairwise(numbered)
            if _key(earlier) in places and _key(later) in places
            if _is_gap(earlier.number, later.number)
            for state in beside[places[_key(earlier)] + 1 : places[_key(later)]]
        }
        gone = {key: state for key, state in gone.items() if key in in_gaps}
    words = set(map(_words, here)) if gone else set()
    missing = [state for state in gone.values() if _words(state) not in words]
    # One missing provision is weak evidence: an edition may omit a glossary entry or skip a number.
    is_telling = before and any(state.kind != "glossary" for state in missing)
    return missing_line(missing, beside) if is_telling or len(missing) > 1 else ""


def _key(state: State) -> tuple[str, str]:
    if state.kind != "glossary":
        return state.kind, state.number
    return state.kind, "".join(filter(str.isalnum, state.heading)).casefold()


def _words(state: State) -> str:
    return " ".join(words_of(f"{state.heading} {state.body}"))


def _is_gap(earlier: str, later: str) -> bool:
    """Return whether numbers are missing between two numbers."""
    before, after = RuleNumber.read(earlier), RuleNumber.read(later)
    if before is None or after is None or after <= before:
        return False
    if after.rule:
        return not after.follows(before)
    is_same_chapter = before.section // 100 == after.section // 100
    return is_same_chapter and after.section > before.section + 1


def missing_line(gone: Iterable[State], beside: Sequence[State]) -> str:
    """Return a line that lists provisions that only `beside` has, in runs; "" if there are none."""
    names, parts = set(map(_key, gone)), list[str]()
    for is_entry, noun in ((False, "rule"), (True, "glossary entry")):
        states = [state for state in beside if (state.kind == "glossary") is is_entry]
        grouped = groupby(states, lambda state: _key(state) in names)
        runs = [list(run) for is_gone, run in grouped if is_gone]
        if runs:
            kinds = [state.kind for run in runs for state in run]
            count = sum(kind in {"rule", "subrule", "glossary"} for kind in kinds)
            many = counted(count, noun) if count else counted(len(kinds), "heading")
            ends = [dict.fromkeys((run[0].address, run[-1].address)) for run in runs]
            parts.append(f"{many} missing: {listed([' to '.join(it) for it in ends], _SHOWN)}")
    return ", ".join(parts)


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
    if nearest:
        there = held[nearest]
        if max(len(here - there), len(there - here)) <= _SAME_TEXT * len(here):
            return nearest
        before = max((held_day for held_day in held if held_day < day), default="")
        after = min((held_day for held_day in held if held_day > day), default="")
        near = max(like.get(before, 0), like.get(after, 0))
        if like[nearest] - near <= _OUT_OF_TIME * len(here):
            return ""
    return nearest
