"""What an edition lacks that the editions before and after it have: the mark of a document with holes.

An edition that loses a rule closes the gap or says nothing of it later on. A rule that stands before
and after in the same words, and of which this document has neither number nor words, was cut out.
Where there is no edition on one side, only what falls into a gap of the document's own numbers counts.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from variorum_kb.model import RuleNumber
from variorum_kb.rows import State
from variorum_kb.text.counts import counted
from variorum_kb.text.folding import fold_words

_GLOSSARY, _RULES = "glossary", ("rule", "subrule")
_UNNUMBERED = ("chapter", _GLOSSARY)
# More runs than these are not named.
_SHOWN = 3
# Fewer characters than these get lost between two editions by themselves.
_LEAST_CUT = 60

_Key = tuple[str, str]


def find_holes(
    here: Sequence[State], before: Sequence[State], after: Sequence[State]
) -> list[State]:
    """Return what is missing here, as an edition beside it has it, in printed order.

    Args:
        here: The provisions of the document.
        before: Those of the edition before it; none of the first.
        after: Those of the edition after it; none of the last.
    """
    keys = set(map(_key, here))
    gone = [one for one in before or after if _key(one) not in keys]
    if before and after:
        later = {_key(one): one for one in after}
        gone = [one for one in gone if _is_same(one, later.get(_key(one)))]
    elif gone:
        in_gaps = _in_gaps(here, before or after)
        gone = [one for one in gone if _key(one) in in_gaps]
    if not gone:
        return []
    words = set(map(_words, here))
    gone = [one for one in gone if _words(one) not in words]
    # A single entry may be forgotten, and a number skipped in the first edition be used later.
    is_telling = before and not all(one.kind == _GLOSSARY for one in gone)
    return gone if is_telling or len(gone) > 1 else []


def _is_same(one: State, other: State | None) -> bool:
    return other is not None and _words(one) == _words(other)


def _key(one: State) -> _Key:
    if one.kind != _GLOSSARY:
        return one.kind, one.number
    return one.kind, "".join(filter(str.isalnum, one.heading)).casefold()


def _words(one: State) -> str:
    return fold_words(f"{one.heading} {one.body}")


def _in_gaps(here: Sequence[State], beside: Sequence[State]) -> set[_Key]:
    """Return what an edition beside has where numbers are skipped here."""
    places = {_key(one): place for place, one in enumerate(beside)}
    found: set[_Key] = set()
    numbered = [one for one in here if one.kind not in _UNNUMBERED]
    for one, other in pairwise(numbered):
        start, stop = places.get(_key(one)), places.get(_key(other))
        if start is not None and stop is not None and _is_gap(one.number, other.number):
            found |= {_key(between) for between in beside[start + 1 : stop]}
    return found


def _is_gap(one: str, other: str) -> bool:
    """Say whether a number cannot follow another."""
    before, after = RuleNumber.read(one), RuleNumber.read(other)
    if before is None or after is None or after <= before:
        return False
    if not after.rule:
        is_same_chapter = before.section // 100 == after.section // 100
        return is_same_chapter and after.section > before.section + 1
    return not after.follows(before)


def find_cuts(
    here: Sequence[State], before: Sequence[State], after: Sequence[State]
) -> list[State]:
    """Return the provisions here whose words were cut, in printed order.

    Such a provision begins as before and after, breaks off within a word, and goes on with the end
    of these words.
    """
    later = {_key(one): one for one in after}
    whole = {
        _key(one): one.body
        for one in before
        if (other := later.get(_key(one))) and other.body == one.body
    }
    odd = [one for one in here if whole.get(_key(one), one.body) != one.body]
    return [one for one in odd if _is_cut(one.body, whole[_key(one)])]


def _is_cut(cut: str, whole: str) -> bool:
    """Say whether words are others without a piece that begins or ends within a word."""
    pairs = zip(cut, whole, strict=False)
    length = next((at for at, (one, other) in enumerate(pairs) if one != other), len(cut))
    lost = len(whole) - len(cut)
    if lost < _LEAST_CUT or not whole.endswith(cut[length:]):
        return False
    ends = (length, length + lost)
    return any(whole[end - 1 : end + 1].isalnum() for end in ends if 0 < end < len(whole))


def missing_line(gone: Iterable[State], beside: Sequence[State]) -> str:
    """Return what is missing in one line, "" of nothing.

    Args:
        gone: What is missing, in printed order.
        beside: The edition that has it.
    """
    names = set(map(_key, gone))
    parts: list[str] = []
    rules = [one for one in beside if one.kind != _GLOSSARY]
    entries = [one for one in beside if one.kind == _GLOSSARY]
    for states, noun in ((rules, "rule"), (entries, "glossary entry")):
        missing = [one for one in states if _key(one) in names]
        if missing:
            count = sum(one.kind in _RULES or noun != "rule" for one in missing)
            many = counted(count, noun) if count else counted(len(missing), "heading")
            parts.append(f"{many} missing: {_listed(list(_runs(states, names)))}")
    return ", ".join(parts)


def _runs(states: Sequence[State], names: set[_Key]) -> Iterator[str]:
    """Yield what is missing in a row as "405 to 405.4"."""
    run: list[str] = []
    for one in states:
        if _key(one) in names:
            run.append(one.address)
        elif run:
            yield _span(run)
            run = []
    if run:
        yield _span(run)


def _span(run: Sequence[str]) -> str:
    return run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}"


def _listed(runs: Sequence[str]) -> str:
    more = len(runs) - _SHOWN
    return ", ".join(runs[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
