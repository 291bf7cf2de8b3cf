"""How another text of an edition differs from it: missing and added provisions, words, signs."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from variorum.history.doubts import missing_line
from variorum.history.word_diffs import GONE, SAME, word_diff
from variorum.rows import State, full_text
from variorum.text import counted, listed

# The most differing provisions to name.
_NAMED = 3
# Another text may spell a registered name's sign in letters.
_LOST = re.compile(r"\((?:r|tm)\)|[^a-z0-9+]")
_Pair = tuple[State, State]


class TextDifferences(NamedTuple):
    """The differences between an edition and another text of it, each in printed order.

    `total` counts the provisions of both. Those missing only the edition has, those added only the
    other text. Pairs begin with the edition's; those in signs have the same words, but for
    punctuation and foreign letters.
    """

    total: int
    missing: list[State]
    added: list[State]
    in_words: list[_Pair]
    in_signs: list[_Pair]

    @property
    def size(self) -> int:
        """Return in how many provisions they differ."""
        return sum([len(states) for states in self[1:]])


def compare_texts(there: Sequence[State], here: Sequence[State]) -> TextDifferences:
    """Compare the provisions of an edition with those of another text, by number or headword."""
    held, copied = _by_name(there), _by_name(here)
    pairs = [(held[key], copied[key]) for key in held if key in copied]
    different = [pair for pair in pairs if words_of(pair[0]) != words_of(pair[1])]
    are_signs = [_letters(words_of(one)) == _letters(words_of(other)) for one, other in different]
    return TextDifferences(
        len(held.keys() | copied.keys()),
        [state for key, state in held.items() if key not in copied],
        [state for key, state in copied.items() if key not in held],
        [pair for pair, is_sign in zip(different, are_signs, strict=True) if not is_sign],
        [pair for pair, is_sign in zip(different, are_signs, strict=True) if is_sign],
    )


def describe(there: Sequence[State], here: Sequence[State]) -> str:
    """Return a short phrase on how another text differs from an edition; "" if it does not."""
    _, missing, added, in_words, in_signs = compare_texts(there, here)
    parts = [
        missing_line(missing, there),
        missing_line(added, here).replace(" missing:", " added:"),
    ]
    if in_words:
        number = sum([_count_changed(held, copied) for held, copied in in_words])
        verb = "differs" if number == 1 else "differ"
        parts.append(f"{counted(number, 'word')} {verb}{_where(in_words)}")
    if in_signs:
        parts.append(f"signs differ{_where(in_signs)}")
    return "; ".join(filter(None, parts))


def words_of(state: State) -> str:
    """Return the heading of a provision and all its words."""
    return "\n".join([part for part in (state.heading, full_text(state.body)) if part])


def _by_name(states: Iterable[State]) -> dict[tuple[str, str, int], State]:
    """Return provisions by kind, number or headword, and a counter."""
    counts, named = Counter[tuple[str, str]](), dict[tuple[str, str, int], State]()
    for state in states:
        is_entry = state.kind == "glossary"
        name = (state.kind, _letters(state.heading) if is_entry else state.number)
        counts[name] += 1
        named[*name, counts[name]] = state
    return named


def _letters(text: str) -> str:
    """Return the ASCII letters, digits and plus signs of a text: a damaged encoding keeps them."""
    return _LOST.sub("", text.lower())


def _where(pairs: Sequence[_Pair]) -> str:
    names = [held.address for held, _ in pairs]
    many = f" in {len(names):,} provisions" if len(names) > _NAMED else ""
    return f"{many}: {listed(names, _NAMED)}"


def _count_changed(held: State, copied: State) -> int:
    """Return the number of words removed or added; a replaced word counts once."""
    number = went = came = 0
    for operation, text in (*word_diff(words_of(held), words_of(copied)), (SAME, "")):
        if operation == SAME:
            number, went, came = number + max(went, came), 0, 0
        elif operation == GONE:
            went += len(text.split())
        else:
            came += len(text.split())
    return max(number, 1)
