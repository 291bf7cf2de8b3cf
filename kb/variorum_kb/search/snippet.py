"""The sentence of a text that answers a query best, with the match marked; pure."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from variorum_kb.search.query_groups import Group
from variorum_kb.search.rank import ReadText, read_text

MARK = "**"


def snippet(text: str, groups: Sequence[Group], mark: str = MARK) -> str:
    """Return the sentence with most of what was asked, the words that match between marks."""
    read = read_text(text)
    spans = [(group, _spans(group, read)) for group in groups]
    starts = [start for start, _ in read.sentences]
    points = [0.0] * len(starts)
    for group, there in spans:
        for sentence in {bisect_right(starts, read.words[run[0]].start()) - 1 for run in there}:
            points[max(sentence, 0)] += group.tells
    best = read.sentences[points.index(max(points))]
    telling = [span for span in spans if not span[0].is_asking] or spans
    marked = {place for _, there in telling for run in there for place in run}
    return _marked(text, best, [read.words[place].span() for place in sorted(marked)], mark)


def _spans(group: Group, read: ReadText) -> list[range]:
    """Return where a group's words occur; separated words of a name do not count."""
    return [
        range(place, place + len(wanted))
        for wanted in group.stems
        for place in read.stems.places.get(wanted[0], ())
        if read.stems.row[place : place + len(wanted)] == wanted
    ]


def _marked(
    text: str, sentence: tuple[int, int], words: Iterable[tuple[int, int]], mark: str
) -> str:
    start, stop = sentence
    parts: list[str] = []
    done = start
    runs: list[list[int]] = []
    for first, last in words:
        if not start <= first < stop:
            continue
        if runs and not text[runs[-1][1] : first].strip(" -\N{HYPHEN}"):
            runs[-1][1] = last
        else:
            runs.append([first, last])
    for first, last in runs:
        parts += [text[done:first], mark, text[first:last], mark]
        done = last
    return "".join([*parts, text[done:stop]])
