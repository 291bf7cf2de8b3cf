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
from variorum.words import SILENT

_LONGEST = 6
# A phrase was replaced throughout if this share of its places lost it for the same words. By hand.
_SWEPT = 0.6
# How many words before and after a phrase are added to it, in the order of trial.
_AROUND = ((0, 0), (1, 0), (2, 0), (0, 1))
_MOST_SHOWN, _SHORTEST_WORD = 5, 3
# A word and a hyphen that so many places print before a phrase belong to it. By hand.
_MOSTLY = 0.8

_Span = tuple[int, int]


def replaced_throughout(
    pairs: Sequence[tuple[str, str]],
    unchanged: Callable[[], str],
    decode: Callable[[str], list[str]],
) -> list[tuple[str, str, int]]:
    """Return phrases, their replacements and the number of provisions, the most frequent first.

    Pairs are the words of reworded provisions before and after, a character each, which `decode` turns
    into words; `unchanged` returns all other texts of the newer edition, as printed.
    """
    changed, printed = "\n".join([after for _, after in pairs]), list[str]()

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

    left = [(number, *spans) for number, pair in enumerate(pairs) for spans in _replacements(*pair)]
    provisions: dict[tuple[str, str], set[int]] = defaultdict(set)
    for around in _AROUND:
        phrases = [_phrase(pairs[number], spans, *around) for number, *spans in left]
        times, lost = Counter(filter(None, phrases)), Counter[str]()
        for (old, _), count in times.items():
            lost[old] += count
        often = {phrase for phrase, count in times.items() if count >= SWEPT_IN}
        rare = {
            old: is_rare(old, lost[old] * (1 / _SWEPT - 1)) for old in {old for old, _ in often}
        }
        places, left = left, []
        for place, phrase in zip(places, phrases, strict=True):
            if phrase in often and rare[phrase[0]]:
                provisions[phrase].add(place[0])
            else:
                left.append(place)
    counts = [(-len(some), phrase) for phrase, some in provisions.items() if len(some) >= SWEPT_IN]
    return [
        (" ".join(decode(old)), " ".join(decode(new)), -count)
        for count, (old, new) in sorted(counts)
    ]


def _phrase(
    pair: tuple[str, str], spans: Sequence[_Span], before: int, behind: int
) -> tuple[str, str] | None:
    """Return replaced words and their replacement, each with some words around it.

    Return None if a text has too few words there, or if a phrase is too long or has a slot.
    """
    phrases: list[str] = []
    for text, (start, stop) in zip(pair, spans, strict=True):
        phrase = text[start - before : stop + behind]
        if start < before or stop + behind > len(text) or len(phrase) > _LONGEST or SLOT in phrase:
            return None
        phrases.append(phrase)
    return phrases[0], phrases[1]


def _replacements(old: str, new: str) -> Iterator[tuple[_Span, _Span]]:
    """Yield the words lost and got; two replacements with one kept word between them are one."""
    older, newer = (0, 0), (0, 0)
    for run in (*runs_between(old, new), None):
        is_open = older[1] > older[0] or newer[1] > newer[0]
        if run is not None and not run.is_same:
            older = (older[0] if is_open else run.older[0]), run.older[1]
            newer = (newer[0] if is_open else run.newer[0]), run.newer[1]
        elif run is None or run.older[1] - run.older[0] > 1:
            if older[1] > older[0]:
                yield older, newer
            older, newer = (0, 0), (0, 0)


def recognisable(
    swept: Sequence[tuple[str, str, int]], texts: str = ""
) -> list[tuple[str, str, int]]:
    """Return the phrases replaced throughout that a reader recognises, at most five.

    Words around a replacement are left out, and what remains is counted together. What the `texts`
    print before a hyphen belongs to a phrase: "state-based effects".

    >>> recognisable([("permanent enters the battlefield", "permanent enters", 9), ("en us", "en", 8)])
    [('enters the battlefield', 'enters', 9)]
    """
    counts: Counter[tuple[str, str]] = Counter()
    for before, after, count in swept:
        old, new = before.split(), after.split()
        while len(old) > 1 and len(new) > 1 and old[:2] == new[:2]:
            old, new = old[1:], new[1:]
        if all(len(word) >= _SHORTEST_WORD or word in SILENT for word in old):
            phrase = " ".join(old)
            begun = Counter(re.findall(rf"((?:\w+-)?)\b{re.escape(phrase)}\b", texts))
            begin, times = next(iter(begun.most_common(1)), ("", 0))
            begin = begin if times > _MOSTLY * begun.total() else ""
            counts[begin + phrase, begin + " ".join(new)] += count
    chosen: list[tuple[str, str, int]] = []
    said: list[set[str]] = []
    for (before, after), count in counts.most_common():
        words = {word.rstrip("s") for word in before.split()}
        content = words - SILENT or words
        if len(chosen) < _MOST_SHOWN and not any(it <= content or content <= it for it in said):
            chosen.append((before, after, count))
            said.append(content)
    return chosen
