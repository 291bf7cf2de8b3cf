"""Compares a document with the editions around it: provisions cut out of it, and a wrong date.

A rule that an edition removes is also missing from later editions. So a rule was cut out of the
document if the editions before and after have it in the same words and the document lacks both its
number and its words. If there is an edition on one side only, the rule must also fall into a
gap in the document's numbers.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
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

_Key = tuple[str, str]


def holes_in(here: Sequence[State], before: Sequence[State], after: Sequence[State]) -> str:
    """Return a line on the provisions missing from a document, as in an adjacent edition; "" if none is.

    `before` is empty for the first edition, `after` for the last.
    """
    beside, words = {_key(state): state for state in before or after}, set(map(_words, here))
    gone = beside.keys() - set(map(_key, here))
    if before and after:
        later = {_key(state): _words(state) for state in after}
        gone = {key for key in gone if _words(beside[key]) == later.get(key)}
    elif gone:
        gone &= _in_gaps(here, beside)
    gone = {key for key in gone if _words(beside[key]) not in words}
    # One missing provision is weak evidence: an edition may omit a glossary entry or skip a number.
    is_telling = before and any(kind != "glossary" for kind, _ in gone)
    return _missing(gone, beside.values()) if is_telling or len(gone) > 1 else ""


def _key(state: State) -> _Key:
    if state.kind != "glossary":
        return state.kind, state.number
    return state.kind, "".join(filter(str.isalnum, state.heading)).casefold()


def _words(state: State) -> str:
    return " ".join(words_of(f"{state.heading} {state.body}"))


def _in_gaps(here: Sequence[State], beside: Mapping[_Key, State]) -> set[_Key]:
    """Return the provisions of an edition whose numbers a document skips, between two that both have."""
    order, found = list(beside), set[_Key]()
    places = {key: place for place, key in enumerate(order)}
    numbered = [state for state in here if state.kind not in {"chapter", "glossary"}]
    for earlier, later in pairwise(numbered):
        first, last = RuleNumber.read(earlier.number), RuleNumber.read(later.number)
        if first and last and first < last and {_key(earlier), _key(later)} <= places.keys():
            is_next = last.follows(first) if last.rule else last.section <= first.section + 1
            if not is_next and (last.rule or first.section // 100 == last.section // 100):
                found.update(order[places[_key(earlier)] + 1 : places[_key(later)]])
    return found


def _missing(gone: Collection[_Key], beside: Collection[State]) -> str:
    """Return a line that lists missing provisions among those of an edition, in runs."""
    parts = list[str]()
    for is_entry, noun in ((False, "rule"), (True, "glossary entry")):
        states = [state for state in beside if (state.kind == "glossary") is is_entry]
        grouped = groupby(states, lambda state: _key(state) in gone)
        if runs := [list(run) for is_gone, run in grouped if is_gone]:
            kinds = [state.kind for run in runs for state in run]
            count = len(kinds) - kinds.count("chapter") - kinds.count("section")
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
    if not nearest or max(len(here - held[nearest]), len(held[nearest] - here)) <= (
        _SAME_TEXT * len(here)
    ):
        return nearest
    before = max((held_day for held_day in held if held_day < day), default="")
    after = min((held_day for held_day in held if held_day > day), default="")
    near = max(like.get(before, 0), like.get(after, 0))
    return nearest if like[nearest] - near > _OUT_OF_TIME * len(here) else ""
