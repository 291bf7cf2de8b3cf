"""Other texts of an edition, copies and originals: in which provisions they differ from it."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from variorum.rows import State, full_text
from variorum.text import listed

# The most differing provisions to name.
_NAMED = 3
# Another text may spell a registered name's sign in letters.
_LOST = re.compile(r"\((?:r|tm)\)|[^a-z0-9+]")
# A provision of an edition, and that of another text; None where one has no such provision.
Pair = tuple[State | None, State | None]


def differences(there: Sequence[State], here: Sequence[State]) -> list[Pair]:
    """Return the provisions that differ between an edition and another text of it."""
    held, copied = _by_name(there), _by_name(here)
    pairs = [(held.get(name), copied.get(name)) for name in held | copied]
    return [pair for pair in pairs if wording(pair[0]) != wording(pair[1])]


def describe(there: Sequence[State], here: Sequence[State]) -> str:
    """Return a short phrase on how another text differs from an edition; "" if it does not."""
    names: dict[str, list[str]] = {}
    for held, copied in differences(there, here):
        how = "other signs in" if is_of_signs((held, copied)) else "other words in"
        how = "without" if copied is None else "with the additional" if held is None else how
        names.setdefault(how, []).extend([state.address for state in (held or copied,) if state])
    return "; ".join([f"{how} {listed(some, _NAMED)}" for how, some in names.items()])


def _by_name(states: Iterable[State]) -> dict[tuple[str, str, int], State]:
    """Return provisions by kind, number or headword, and a counter."""
    counts, by_name = Counter[tuple[str, str]](), dict[tuple[str, str, int], State]()
    for state in states:
        is_entry = state.kind == "glossary"
        name = state.kind, _letters(state.heading) if is_entry else state.number
        counts[name] += 1
        by_name[*name, counts[name]] = state
    return by_name


def wording(state: State | None) -> str:
    """Return the heading of a provision and all its words."""
    parts = (state.heading, full_text(state.body)) if state else ()
    return "\n".join(filter(None, parts))


def _letters(text: str) -> str:
    """Return the ASCII letters, digits and plus signs of a text: a damaged encoding keeps them."""
    return _LOST.sub("", text.lower())


def is_of_signs(pair: Pair) -> bool:
    """Return whether two provisions differ in punctuation and foreign letters only."""
    return None not in pair and _letters(wording(pair[0])) == _letters(wording(pair[1]))
