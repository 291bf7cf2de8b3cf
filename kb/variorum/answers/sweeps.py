"""Wording that was replaced throughout the rules: phrases and their replacements, from the word diffs of provisions."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.stored import kept
from variorum.history.word_diffs import GONE, SAME, SWEPT_IN
from variorum.records.answer import Piece
from variorum.text import fold
from variorum.words import SILENT

# A phrase, its replacement, and the number of provisions.
Swept = tuple[str, str, int]
# A replacement in one provision: which of `_AROUND` was tried, the phrase, and what replaced it.
Phrase = tuple[int, str, str]

# The most words of a phrase; which share of its places must have lost it; how many words before and after a
# replacement are added to it, in the order of trial. By hand.
_LONGEST, _SWEPT = 6, 0.6
_AROUND = ((0, 0), (1, 0), (2, 0), (0, 1))
_WORD = re.compile(r"[{\w][\w'/{}-]*")
_FAR = 60  # characters; only words beside a replacement, or short ones, are of interest
_MOST_SHOWN, _SHORTEST_WORD = 5, 3  # phrases, letters


def replaced_throughout(
    base: KnowledgeBase, newer: int, provisions: Iterable[Sequence[Sequence[Phrase]]]
) -> list[Swept]:
    """Return phrases, their replacements and the number of provisions, the most frequent first.

    Given are the newer edition's place and the replacements in each provision. A word diff has as few words
    as possible: of "state-based effects", only "effects", which the rules still use. So a phrase counts only
    if most places lost it; if they did not, it is tried with the words around it.
    """
    places = [(nth, tried) for nth, replaced in enumerate(provisions) for tried in replaced]
    times = Counter([phrase for _, tried in places for phrase in tried])
    lost = Counter([phrase[:2] for _, tried in places for phrase in tried])

    def is_swept(it: Phrase) -> bool:
        most = lost[it[:2]] * (1 / _SWEPT - 1)
        return times[it] >= SWEPT_IN and _counter_of(base, newer)(it[1]) <= most

    first = {(nth, next((it[1:] for it in tried if is_swept(it)), None)) for nth, tried in places}
    counts = Counter([words for _, words in first if words])
    often_first = sorted(counts.items(), key=lambda it: (-it[1], it[0]))
    return [(*words, count) for words, count in often_first if count >= SWEPT_IN]


def replacements(pieces: Sequence[Piece]) -> Iterator[list[Phrase]]:
    """Yield each phrase and its replacement in a word diff, with words around them by the trial; no numbers."""
    short = [
        f"{text[:_FAR]} {text[-_FAR:]}" if len(text) > 2 * _FAR else text for _, text in pieces
    ]
    words = [_WORD.findall(text) for text in fold("\0".join(short)).split("\0")]
    before, old, new, kept = [list[str]() for _ in range(4)]
    is_begun = False
    for (sign, _), some in zip((*pieces, ("", "")), (*words, []), strict=True):
        if sign == SAME:
            kept = some
            continue
        if sign and len(kept) <= 1 and is_begun:  # one kept word joins two replacements
            old += kept
            new += kept
        else:
            if old and not any(word[0].isdigit() for word in old):
                yield [
                    (trial, " ".join([*begin, *old, *end]), " ".join([*begin, *new, *end]))
                    for trial, (least, most) in enumerate(_AROUND)
                    for begin, end in [(before[len(before) - least :], kept[:most])]
                    if (len(begin), len(end)) == (least, most)
                    if max(len(old), len(new)) + least + most <= _LONGEST
                ]
            before, old, new = kept[-2:], [], []
        (old if sign == GONE else new).extend(some)
        kept, is_begun = [], True


@kept
def _counter_of(base: KnowledgeBase, place: int) -> Callable[[str], int]:
    """Return what counts how often an edition has a phrase of folded words."""
    bodies = "\n".join([state.body for state in base.held(place)])
    text = f" {' '.join(_WORD.findall(fold(bodies)))} "
    return cache(lambda phrase: text.count(f" {phrase} "))


def recognisable(swept: Sequence[Swept]) -> list[Swept]:
    """Return the phrases replaced throughout that a reader recognises, at most five.

    Words around a replacement are left out, and what remains is counted together.

    >>> recognisable([("permanent enters the battlefield", "permanent enters", 9), ("en us", "en", 8)])
    [('enters the battlefield', 'enters', 9)]
    """
    counts: Counter[tuple[str, str]] = Counter()
    for before, after, count in swept:
        old, new = before.split(), after.split()
        while len(old) > 1 and len(new) > 1 and old[:2] == new[:2]:
            old, new = old[1:], new[1:]
        is_plain = "/" not in before  # no part of a web address
        if is_plain and all(len(word) >= _SHORTEST_WORD or word in SILENT for word in old):
            counts[" ".join(old), " ".join(new)] += count
    chosen: dict[frozenset[str], Swept] = {}
    for (before, after), count in counts.most_common():
        words = frozenset(word.rstrip("s") for word in before.split())
        content = words - SILENT or words
        if not any(it <= content or content <= it for it in chosen):
            chosen[content] = before, after, count
    return [*chosen.values()][:_MOST_SHOWN]
