"""Dates and diffs of all reworded provisions of the sample rulebook."""

from collections.abc import Callable, Iterator
from itertools import groupby, pairwise

import pytest

from variorum_kb.build.build import load_sample
from variorum_kb.history.word_diffs.blame import WordDates, WordSource
from variorum_kb.history.word_diffs.diff import keys_of, word_diff
from variorum_kb.rows import full_text
from variorum_kb.store.edition_rows import rows_of
from variorum_kb.text.words import tokens_of
from variorum_kb.thresholds.blame import MOVED_NEARBY

NEW, OLD, TAKEN = "+", "=", "<"


@pytest.fixture(scope="module")
def rewordings() -> list[list[tuple[str, str, str]]]:
    """Return, for each pair of editions, the provisions that changed: address, words before and after."""
    editions = [
        {state.address: full_text(state.body) for state in rows_of(edition)[1]}
        for edition in load_sample()
    ]
    return [
        [
            (address, words, after[address])
            for address, words in before.items()
            if after.get(address, words) != words
        ]
        for before, after in pairwise(editions)
    ]


def source(text: str, sign: str) -> WordSource:
    """Return a reading whose words all have the same date."""
    return WordSource(text, lambda: [ord(sign)] * len(keys_of(text)), MOVED_NEARBY)


def dated(rows: list[tuple[str, str, str]]) -> Iterator[str]:
    """Yield each reading with the origin of its words: new, old, or taken from the next one."""
    for (address, before, after), (_, other, kept) in zip(rows, [*rows[1:], rows[0]], strict=True):
        dates = WordDates(after, ord(NEW))
        dates.follow(source(before, OLD))
        sought = dates.sought()
        dates.take(source(other, TAKEN), [kept])
        pairs = zip(dates.since(), tokens_of(after), strict=True)
        runs = groupby(pairs, key=lambda pair: pair[0])
        pieces = [(chr(since), "".join(token for _, token in run)) for since, run in runs]
        yield f"{address} {shown(pieces)}{f' ? {sought}' if sought else ''}"


def shown(pieces: list[tuple[str, str]]) -> str:
    """Return pieces of a text, each after its sign."""
    return " ".join(f"{sign}|{words.strip()}|" for sign, words in pieces).replace("\n", "/")


def test_dates(
    rewordings: list[list[tuple[str, str, str]]], golden: Callable[[str, object], None]
) -> None:
    """Old words keep their dates, in place and moved; so do words that come from another rule."""
    lines = [line for rows in rewordings if rows for line in dated(rows)]

    golden("history-dates.txt", "".join(f"{line}\n" for line in lines))


def test_diffs(
    rewordings: list[list[tuple[str, str, str]]], golden: Callable[[str, object], None]
) -> None:
    """Changed words are shown as phrases, and unchanged words once."""
    diffs = [
        f"{address} {shown(word_diff(before, after))}"
        for rows in rewordings
        for address, before, after in rows
    ]

    golden("history-diffs.txt", "".join(f"{line}\n" for line in diffs))
