"""Finds sweeps: wording replaced throughout the rules.

A word diff contains as few words as possible. If "state-based effects" became "state-based
actions", it contains "effects", which the rules still use often. So a phrase counts only if most
places lost it. If they did not, the phrase is tried with the words around it.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence

from variorum.history.word_diffs.changes import SWEPT_IN, runs_between
from variorum.text import SLOT

_LONGEST = 6
# A phrase was replaced throughout if this share of its places lost it for the same words. By hand.
_SWEPT = 0.6
# How many words before and after a phrase are added to it, in the order of trial.
_AROUND = ((0, 0), (1, 0), (2, 0), (0, 1))

_Span = tuple[int, int]
# A pair of texts by its index, and the words that one of its places lost and got.
_Place = tuple[int, _Span, _Span]


def replaced_throughout(
    pairs: Sequence[tuple[str, str]],
    unchanged: Callable[[], str],
    decode: Callable[[str], list[str]],
) -> list[tuple[str, str, int]]:
    """Return phrases, their replacements and the number of provisions, the most frequent first.

    Pairs are the words of reworded provisions before and after, a character each, which `decode` turns
    into words; `unchanged` returns all other texts of the newer edition, as printed.
    """
    open_ = [
        (number, *spans) for number, pair in enumerate(pairs) for spans in _replacements(*pair)
    ]
    changed = "\n".join([after for _, after in pairs])
    printed: list[str] = []

    def is_rare(phrase: str, most: float) -> bool:
        """Return whether the newer edition has a phrase at most so many times."""
        count = changed.count(phrase)
        if count > most:
            return False
        printed.extend([] if printed else [unchanged().lower()])
        first, *others = map(re.escape, decode(phrase))
        # A pattern is found far faster if it begins with plain words, not with a condition.
        words = r"[\W_]+".join((rf"{first}(?<!\w{first})", *others))
        matches = re.finditer(rf"{words}(?!\w)", printed[0])
        return all(count + number <= most for number, _ in enumerate(matches, start=1))

    counts: dict[tuple[str, str], int] = {}
    for around in _AROUND:
        phrases = [_phrase(pairs, place, *around) for place in open_]
        times = Counter(filter(None, phrases))
        lost: Counter[str] = Counter()
        for (old, _), count in times.items():
            lost[old] += count
        often = [phrase for phrase, count in times.items() if count >= SWEPT_IN]
        rare = {
            old: is_rare(old, lost[old] * (1 / _SWEPT - 1))
            for old in dict.fromkeys(old for old, _ in often)
        }
        provisions: dict[tuple[str, str], set[int]] = defaultdict(set)
        left: list[_Place] = []
        for place, phrase in zip(open_, phrases, strict=True):
            if phrase and times[phrase] >= SWEPT_IN and rare[phrase[0]]:
                provisions[phrase].add(place[0])
            else:
                left.append(place)
        counts |= {phrase: len(places) for phrase, places in provisions.items()}
        open_ = left
    order = sorted(counts.items(), key=lambda counted: (-counted[1], counted[0]))
    return [
        (" ".join(decode(old)), " ".join(decode(new)), count)
        for (old, new), count in order
        if count >= SWEPT_IN
    ]


def _phrase(
    pairs: Sequence[tuple[str, str]], place: _Place, before: int, behind: int
) -> tuple[str, str] | None:
    """Return replaced words and their replacement, each with some words around it.

    Return None if a text has too few words there, or if a phrase is too long or has a slot.
    """
    number, *spans = place
    phrases: list[str] = []
    for text, (start, stop) in zip(pairs[number], spans, strict=True):
        phrase = text[start - before : stop + behind]
        if start < before or stop + behind > len(text) or len(phrase) > _LONGEST or SLOT in phrase:
            return None
        phrases.append(phrase)
    return phrases[0], phrases[1]


def _replacements(old: str, new: str) -> Iterator[tuple[_Span, _Span]]:
    """Yield the words lost and got; two replacements with one kept word between them are one."""
    older, newer = (0, 0), (0, 0)
    for run in (*runs_between(old, new), None):
        if run is not None and not run.is_same:
            is_open = older[1] > older[0] or newer[1] > newer[0]
            older = (older[0] if is_open else run.older[0]), run.older[1]
            newer = (newer[0] if is_open else run.newer[0]), run.newer[1]
        elif run is None or run.older[1] - run.older[0] > 1:
            if older[1] > older[0]:
                yield older, newer
            older, newer = (0, 0), (0, 0)
