"""Finds holes in a document: provisions that it lacks but adjacent editions have.

A rule that an edition removes is also missing from later editions. So a rule was cut out of the
document if the editions before and after have it in the same words and the document lacks both its
number and its words. If there is an edition on one side only, the rule must also fall into a
gap in the document's numbers.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from variorum.model import RuleNumber
from variorum.rows import State
from variorum.text import counted, listed, words_of

_GLOSSARY, _RULES = "glossary", ("rule", "subrule")
_UNNUMBERED = ("chapter", _GLOSSARY)
# At most this many runs are named.
_SHOWN = 3
# A smaller loss, in characters, is an ordinary change.
_LEAST_CUT = 60

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

    Args:
        here: The provisions of the document.
        before: The provisions of the edition before it; empty for the first.
        after: The provisions of the edition after it; empty for the last.
    """
    keys = set(map(_key, here))
    gone = [state for state in before or after if _key(state) not in keys]
    if before and after:
        later = {_key(state): state for state in after}
        gone = [state for state in gone if _is_same(state, later.get(_key(state)))]
    elif gone:
        in_gaps = _in_gaps(here, before or after)
        gone = [state for state in gone if _key(state) in in_gaps]
    if not gone:
        return []
    words = set(map(_words, here))
    gone = [state for state in gone if _words(state) not in words]
    # One missing provision is weak evidence: an edition may omit a glossary entry or skip a number.
    is_telling = before and not all(state.kind == _GLOSSARY for state in gone)
    return gone if is_telling or len(gone) > 1 else []


def _is_same(state: State, later: State | None) -> bool:
    return later is not None and _words(state) == _words(later)


def _key(state: State) -> _Key:
    if state.kind != _GLOSSARY:
        return state.kind, state.number
    return state.kind, "".join(filter(str.isalnum, state.heading)).casefold()


def _words(state: State) -> str:
    return " ".join(words_of(f"{state.heading} {state.body}"))


def _in_gaps(here: Sequence[State], beside: Sequence[State]) -> set[_Key]:
    """Return the keys of an adjacent edition's provisions that fall into gaps of numbers here."""
    places = {_key(state): place for place, state in enumerate(beside)}
    in_gaps: set[_Key] = set()
    numbered = [state for state in here if state.kind not in _UNNUMBERED]
    for earlier, later in pairwise(numbered):
        start, stop = places.get(_key(earlier)), places.get(_key(later))
        if start is not None and stop is not None and _is_gap(earlier.number, later.number):
            in_gaps |= {_key(between) for between in beside[start + 1 : stop]}
    return in_gaps


def _is_gap(earlier: str, later: str) -> bool:
    """Return whether numbers are missing between two numbers."""
    before, after = RuleNumber.read(earlier), RuleNumber.read(later)
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

    Such a provision has the same words before and after, without a piece that begins or ends within
    a word.
    """
    later = {_key(state): state for state in after}
    bodies = {
        _key(state): state.body
        for state in before
        if (same_later := later.get(_key(state))) and same_later.body == state.body
    }
    odd = [state for state in here if bodies.get(_key(state), state.body) != state.body]
    return [state for state in odd if _is_cut(state.body, bodies[_key(state)])]


def _is_cut(cut: str, whole: str) -> bool:
    """Return whether a text is the whole without a piece that begins or ends within a word."""
    pairs = zip(cut, whole, strict=False)
    length = next(
        (at for at, (cut_sign, whole_sign) in enumerate(pairs) if cut_sign != whole_sign), len(cut)
    )
    lost = len(whole) - len(cut)
    if lost < _LEAST_CUT or not whole.endswith(cut[length:]):
        return False
    ends = (length, length + lost)
    return any(whole[end - 1 : end + 1].isalnum() for end in ends if 0 < end < len(whole))


def missing_line(gone: Iterable[State], beside: Sequence[State]) -> str:
    """Return a line that lists missing provisions; "" if there are none.

    Args:
        gone: The missing provisions, in printed order.
        beside: The provisions of the edition that has them.
    """
    names = set(map(_key, gone))
    parts: list[str] = []
    rules = [state for state in beside if state.kind != _GLOSSARY]
    entries = [state for state in beside if state.kind == _GLOSSARY]
    for states, noun in ((rules, "rule"), (entries, "glossary entry")):
        missing = [state for state in states if _key(state) in names]
        if missing:
            count = sum(state.kind in _RULES or noun != "rule" for state in missing)
            many = counted(count, noun) if count else counted(len(missing), "heading")
            parts.append(f"{many} missing: {listed(list(_runs(states, names)), _SHOWN)}")
    return ", ".join(parts)


def _runs(states: Sequence[State], names: set[_Key]) -> Iterator[str]:
    """Yield each run of missing provisions, such as "405 to 405.4"."""
    run: list[str] = []
    for state in states:
        if _key(state) in names:
            run.append(state.address)
        elif run:
            yield _span(run)
            run = []
    if run:
        yield _span(run)


def _span(run: Sequence[str]) -> str:
    return run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}"
