"""Compares a document with the editions around it: provisions cut out of it, and a wrong date.

A rule that an edition removes is also missing from later editions. So a rule was cut out of the
document if the editions before and after have it in the same words and the document lacks both its
number and its words. If there is an edition on one side only, the rule must also fall into a
gap in the document's numbers.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, groupby

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
    held, words = set(map(_key, here)), set(map(_words, here))
    later = {_key(state): _words(state) for state in after}

    def sort_of(state: State) -> tuple[str, bool]:
        is_gone = _key(state) not in held and _words(state) not in words
        is_gone = is_gone and (not before or not after or later.get(_key(state)) == _words(state))
        return "glossary entry" if state.kind == "glossary" else "rule", is_gone

    runs: dict[str, list[list[State]]] = {"rule": [], "glossary entry": []}
    beside = [(*sort, [*run]) for sort, run in groupby(before or after, sort_of)]
    for nth, (noun, is_gone, run) in enumerate(beside):
        first, last = beside[max(nth - 1, 0)][2][-1], beside[nth + 1 :][:1] or beside[nth:]
        if is_gone and ((before and after) or _is_gap(first.number, last[0][2][0].number)):
            runs[noun].append(run)
    # One missing provision is weak evidence: an edition may omit a glossary entry or skip a number.
    if len([*chain(*chain(*runs.values()))]) < 1 + (not before or not runs["rule"]):
        return ""
    parts = list[str]()
    for noun, some in runs.items():
        kinds = [state.kind for state in chain(*some)]
        count = len([kind for kind in kinds if kind not in {"chapter", "section"}])
        many = counted(count, noun) if count else counted(len(kinds), "heading")
        ends = [" to ".join(dict.fromkeys((run[0].address, run[-1].address))) for run in some]
        parts += [f"{many} missing: {listed(ends, _SHOWN)}"] if some else []
    return ", ".join(parts)


def _key(state: State) -> str:
    return state.number or "".join(filter(str.isalnum, state.heading)).casefold()


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
