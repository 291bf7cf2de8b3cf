"""How another text of an edition differs from it: missing and added provisions, words, signs."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import NamedTuple

from variorum.history.holes import missing_line
from variorum.history.word_diffs.diff import GONE, SAME, word_diff
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
        return len(self.missing) + len(self.added) + len(self.in_words) + len(self.in_signs)


def compare_texts(there: Sequence[State], here: Sequence[State]) -> TextDifferences:
    """Compare the provisions of an edition with those of another text, by number or headword."""
    held = dict(zip(_keys(there), there, strict=True))
    copied = dict(zip(_keys(here), here, strict=True))
    pairs = [
        (state, copied[key])
        for key, state in held.items()
        if key in copied and words_of(state) != words_of(copied[key])
    ]
    return TextDifferences(
        len(held.keys() | copied.keys()),
        [state for key, state in held.items() if key not in copied],
        [state for key, state in copied.items() if key not in held],
        [pair for pair in pairs if _letters(words_of(pair[0])) != _letters(words_of(pair[1]))],
        [pair for pair in pairs if _letters(words_of(pair[0])) == _letters(words_of(pair[1]))],
    )


def describe(there: Sequence[State], here: Sequence[State]) -> str:
    """Return a short phrase on how another text differs from an edition; "" if it does not."""
    differences = compare_texts(there, here)
    parts = [
        missing_line(differences.missing, there),
        missing_line(differences.added, here).replace(" missing:", " added:"),
    ]
    if differences.in_words:
        number = sum([_count_changed(held, copied) for held, copied in differences.in_words])
        verb = "differs" if number == 1 else "differ"
        parts.append(f"{counted(number, 'word')} {verb}{_where(differences.in_words)}")
    if differences.in_signs:
        parts.append(f"signs differ{_where(differences.in_signs)}")
    return "; ".join(filter(None, parts))


def words_of(state: State) -> str:
    """Return the heading of a provision and all its words."""
    return "\n".join([part for part in (state.heading, full_text(state.body)) if part])


def _keys(states: Iterable[State]) -> Iterator[tuple[str, str, int]]:
    """Yield the keys that pair provisions: kind, number or headword, and a counter."""
    counts: dict[tuple[str, str], Iterator[int]] = {}
    for state in states:
        is_entry = state.kind == "glossary"
        name = (state.kind, _letters(state.heading) if is_entry else state.number)
        yield *name, next(counts.setdefault(name, count()))


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
