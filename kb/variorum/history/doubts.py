"""Compares a document with the editions around it: provisions cut out of it, and a wrong date.

A rule that an edition removes is also missing from later editions. So a rule was cut out of the
document if the editions before and after have it in the same words and the document lacks both its
number and its words. If there is an edition on one side only, the rule must also fall into a
gap in the document's numbers.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from variorum.history.word_diffs.diff import common_ends
from variorum.model import RuleNumber
from variorum.rows import State
from variorum.text import counted, listed, plain_signs, words_of

# At most this many runs of missing provisions are named.
_SHOWN = 3
# A smaller loss, in characters, is an ordinary change.
_LEAST_CUT = 60
# If an edition has this many more of a text's provisions than the editions around the text's
# date, that date is wrong. Measured: 0.047 at most in 120 editions.
_OUT_OF_TIME = 0.08
# If another edition lacks no more than this of a text's provisions, the text is that edition
# under another date. Measured: 0.0011 at least in 120 editions.
_SAME_TEXT = 0.0005

_Key = tuple[str, str]


def hole_lines(here: Sequence[State], before: Sequence[State], after: Sequence[State]) -> list[str]:
    """Return what a document lacks, compared with adjacent editions: lines for people."""
    missing = missing_line(find_holes(here, before, after), before or after)
    cut = ", ".join([state.address for state in find_cuts(here, before, after)])
    return [line for line in (missing, cut and f"words missing in {cut}") if line]


def find_holes(
    here: Sequence[State], before: Sequence[State], after: Sequence[State]
) -> list[State]:
    """Return the provisions missing from a document, as in an adjacent edition, in order.

    `before` is empty for the first edition, `after` for the last.
    """
    keys = set(map(_key, here))
    gone = [state for state in before or after if _key(state) not in keys]
    if before and after:
        later = {_key(state): _words(state) for state in after}
        gone = [state for state in gone if _words(state) == later.get(_key(state))]
    elif gone:
        in_gaps = set(_in_gaps(here, before or after))
        gone = [state for state in gone if _key(state) in in_gaps]
    words = set(map(_words, here)) if gone else set()
    gone = [state for state in gone if _words(state) not in words]
    # One missing provision is weak evidence: an edition may omit a glossary entry or skip a number.
    is_telling = before and any(state.kind != "glossary" for state in gone)
    return gone if is_telling or len(gone) > 1 else []


def _key(state: State) -> _Key:
    if state.kind != "glossary":
        return state.kind, state.number
    return state.kind, "".join(filter(str.isalnum, state.heading)).casefold()


def _words(state: State) -> str:
    return " ".join(words_of(f"{state.heading} {state.body}"))


def _in_gaps(here: Sequence[State], beside: Sequence[State]) -> Iterator[_Key]:
    """Yield the keys of an adjacent edition's provisions that fall into gaps of numbers here."""
    places = {_key(state): place for place, state in enumerate(beside)}
    numbered = [state for state in here if state.kind not in {"chapter", "glossary"}]
    for earlier, later in pairwise(numbered):
        start, stop = places.get(_key(earlier)), places.get(_key(later))
        if start is not None and stop is not None and _is_gap(earlier.number, later.number):
            yield from map(_key, beside[start + 1 : stop])


def _is_gap(earlier: str, later: str) -> bool:
    """Return whether numbers are missing between two numbers."""
    before, after = RuleNumber.read(earlier), RuleNumber.read(later)
    if before is None or after is None or after <= before:
        return False
    if after.rule:
        return not after.follows(before)
    is_same_chapter = before.section // 100 == after.section // 100
    return is_same_chapter and after.section > before.section + 1


def find_cuts(
    here: Sequence[State], before: Sequence[State], after: Sequence[State]
) -> list[State]:
    """Return the provisions here whose words were cut, in printed order.

    Such a provision has the same words before and after, without a piece that begins or ends within
    a word.
    """
    later = {_key(state): state.body for state in after}
    bodies = {_key(it): it.body for it in before if later.get(_key(it)) == it.body}
    return [state for state in here if _is_cut(state.body, bodies.get(_key(state), state.body))]


def _is_cut(cut: str, whole: str) -> bool:
    start, lost = common_ends(cut, whole)[0], len(whole) - len(cut)
    if lost < _LEAST_CUT or not whole.endswith(cut[start:]):
        return False
    ends = (start, start + lost)
    return any(whole[end - 1 : end + 1].isalnum() for end in ends if 0 < end < len(whole))


def missing_line(gone: Iterable[State], beside: Sequence[State]) -> str:
    """Return a line that lists provisions that only `beside` has, in runs; "" if there are none."""
    names, parts = set(map(_key, gone)), list[str]()
    for is_entry, noun in ((False, "rule"), (True, "glossary entry")):
        states = [state for state in beside if (state.kind == "glossary") is is_entry]
        runs = [
            list(run)
            for is_gone, run in groupby(states, lambda state: _key(state) in names)
            if is_gone
        ]
        missing = [state for run in runs for state in run]
        if missing:
            count = sum(state.kind in {"rule", "subrule", "glossary"} for state in missing)
            many = counted(count, noun) if count else counted(len(missing), "heading")
            ends = [dict.fromkeys((run[0].address, run[-1].address)) for run in runs]
            parts.append(f"{many} missing: {listed([' to '.join(it) for it in ends], _SHOWN)}")
    return ", ".join(parts)


# The date ----------------------------------------------------------------------------------------


class Wordings:
    """Numbers the wordings of provisions: equal words at the same address have one number.

    Quotes and dashes do not matter.
    """

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str], int] = {}

    def of(self, states: Iterable[State]) -> set[int]:
        """Return the numbers of some provisions' wordings."""
        known = self._numbers
        return {known.setdefault((it.address, plain_signs(it.body)), len(known)) for it in states}


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
