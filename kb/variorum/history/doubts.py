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
# If another edition lacks no more than this of a text's provisions, the text is that edition
# under another date. Measured: 0.0011 at least in 120 editions.
_SAME_TEXT = 0.0005


def holes_in(here: Sequence[State], before: Sequence[State], after: Sequence[State]) -> str:
    """Return a line on the provisions missing from a document, as in an adjacent edition; "" if none is.

    `before` is empty for the first edition, `after` for the last.
    """
    held, later = {*map(_key, here), *map(_words, here)}, {_key(it): _words(it) for it in after}
    is_between = bool(before and after)

    def is_gone(state: State) -> bool:
        key, words = _key(state), _words(state)
        return held.isdisjoint((key, words)) and (not is_between or later.get(key) == words)

    runs = [[*run] for _, run in groupby(before or after, is_gone)]
    around = zip(runs[:1] + runs, runs, runs[1:] + runs[-1:], strict=False)
    holes = [
        run
        for above, run, below in around
        if is_gone(run[0]) and (is_between or _is_gap(above[-1].number, below[0].number))
    ]
    numbers = [state.number for state in chain(*holes)]
    # One missing provision is weak evidence: an edition may omit a glossary entry or skip a number.
    if len(numbers) < (1 if before and any(numbers) else 2):
        return ""
    many = counted(len(numbers), "rule" if any(numbers) else "glossary entry")
    ends = [" to ".join(dict.fromkeys((run[0].address, run[-1].address))) for run in holes]
    return f"{many} missing: {listed(ends, _SHOWN)}"


def _key(state: State) -> str:
    return state.number or "".join(filter(str.isalnum, state.heading)).casefold()


def _words(state: State) -> str:
    return " ".join(["", *words_of(f"{state.heading} {state.body}")])  # never a key


def _is_gap(before: str, after: str) -> bool:
    """Return whether a document skips numbers between two that follow each other; not between chapters."""
    first, last = RuleNumber.read(before), RuleNumber.read(after)
    if not (first and last and first < last):
        return False
    if last.rule:
        return not last.follows(first)
    return last.section > first.section + 1 and first.section // 100 == last.section // 100


def wordings_of(states: Iterable[State]) -> set[int]:
    """Return numbers for the wordings of provisions, in which quotes and dashes do not matter, by their addresses."""
    return {hash((state.address, plain_signs(state.body))) for state in states}


def same_elsewhere(here: set[int], held: Mapping[str, set[int]]) -> str:
    """Return the day of the edition with almost the same wordings as a text, if there is one; else "".

    `here` are the text's wordings, and `held` those of the editions of other days.
    """
    shared, nearest = max(
        [(len(here & there), day) for day, there in held.items()], default=(0, "")
    )
    is_same = max(len(here), len(held.get(nearest, ()))) - shared <= _SAME_TEXT * len(here)
    return nearest if is_same else ""
