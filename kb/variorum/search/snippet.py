"""Finds the sentence of a text that matches a query best, and marks its matching words."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from variorum.search.indexes.text_table import IndexedText, lone_text
from variorum.search.queries.query_groups import Group
from variorum.search.queries.rank import sought_words
from variorum.text import placed_words

MARK = "**"


def snippet(
    text: str, groups: Sequence[Group], mark: str = MARK, indexed: IndexedText | None = None
) -> str:
    """Return the sentence with most of the query's words, with marks around these words.

    Args:
        text: The text.
        groups: The groups of the query.
        mark: The mark.
        indexed: The text in the form for ranking; if None, it is converted.
    """
    indexed = indexed or lone_text(text)
    placed = sought_words(tuple(groups), indexed.alphabet).places(indexed.text)
    ends = indexed.ends
    points = [0.0] * len(ends)
    for group, there in zip(groups, placed, strict=True):
        for sentence in {bisect_right(ends, first) for first, _ in there}:
            points[sentence] += group.tells
    best = points.index(max(points))
    start, stop = indexed.spans[best]
    telling = [
        there for group, there in zip(groups, placed, strict=True) if not group.is_asking
    ] or placed
    marked = {
        place for there in telling for first, last in there for place in range(first, last + 1)
    }
    before = ends[best - 1] if best else 0
    words = placed_words(text[start:stop])
    spans = [
        (word.start, word.stop) for place, word in enumerate(words, start=before) if place in marked
    ]
    return _marked(text[start:stop], spans, mark)


def _marked(text: str, words: Iterable[tuple[int, int]], mark: str) -> str:
    runs: list[list[int]] = []
    for first, last in words:
        if runs and not text[runs[-1][1] : first].strip(" -\N{HYPHEN}"):
            runs[-1][1] = last
        else:
            runs.append([first, last])
    parts: list[str] = []
    copied = 0
    for first, last in runs:
        parts += [text[copied:first], mark, text[first:last], mark]
        copied = last
    return "".join([*parts, text[copied:]])
