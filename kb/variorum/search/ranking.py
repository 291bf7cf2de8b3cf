"""How well a text matches a query: words, headings, phrases, sentences, citations."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import log
from typing import NamedTuple

from variorum.search.groups import Group
from variorum.search.index import StemmedText
from variorum.search.vocabulary import Stems
from variorum.text import placed_words, sentence_spans
from variorum.words import stem_of

MARK = "**"
# Fitted to lab/score/queries/tuning.toml: the loss if only some words match; the weight of words that
# are apart; of a heading that names words of the query; of one that names all and nothing else; of
# words near each other; of words in a row; of a sentence that has them, with the headings above; of a
# heading above; of words at the beginning; of many citations.
_COVERAGE, _APART, _HEADING, _WHOLE_HEADING, _NEAR = 1.1, 0.85, 1.4, 0.6, 0.6
_ROW, _SENTENCE, _UNDER, _EARLY, _CITED = 0.75, 0.8, 0.5, 0.8, 0.16
_KINDS = {"section": 1.2, "rule": 1.3, "subrule": 1.03}
# The nearness of two words by the most words between them. Words in the wrong order, or in an example,
# count as if so many more were between them.
_DISTANCES = ((0, 1.0), (2, 0.7), (5, 0.4), (12, 0.15))
_WRONG_WAY, _IN_EXAMPLE = 1, 3
# The weight of the heading above, relative to a whole heading; of a word that almost all texts have;
# how many words are the beginning; what share of a query in a heading counts as the whole query.
_BESIDE, _SPREAD, _BEGINNING, _WHOLE = 0.8, 0.45, 12, 0.85
# So few words need not be in one sentence.
_FEW = 3

# The heading of a chapter, section or rule that says what the query says leads.
_LEADING, _LEADS = frozenset({"chapter", "section", "rule"}), 1.6
# The rules under such a heading follow.
_FOLLOWS = 1.3
_PART = 0.8

Runs = list[tuple[int, int]]


def runs_of(
    forms: Sequence[Stems], stems: Stems, at: Mapping[str, Sequence[int]] | None = None
) -> Runs:
    """Return where any of some forms stands in stems: the places of the first and the last stem."""
    runs: Runs = []
    for form in forms:
        starts = (
            [place for place, stem in enumerate(stems) if stem == form[0]]
            if at is None
            else at.get(form[0], ())
        )
        length = len(form)
        for start in starts:
            if length == 1 or stems[start : start + length] == form:
                runs.append((start, start + length - 1))
    return runs


def has_any(text: StemmedText, forms: Sequence[Stems]) -> bool:
    """Return whether a text has any of some forms, in its words or a heading."""
    return bool(
        runs_of(forms, text.stems, text.at)
        or runs_of(forms, text.heading)
        or runs_of(forms, text.above)
    )


class _Sought(NamedTuple):
    """A group, its weight in a text, and where it stands in it, in its heading and in the one above."""

    group: Group
    much: float
    there: Runs
    title: Runs
    over: Runs


def score(groups: Sequence[Group], place: int, kind: str, cited: int, text: StemmedText) -> float:
    """Return how well a text matches the groups of a query.

    Args:
        groups: The groups.
        place: The place of the text in the index.
        kind: A value of model.Kind.
        cited: How many provisions cite it.
        text: Its stems.
    """
    whole = sum([group.tells for group in groups]) or 1.0
    sought: list[_Sought] = []
    for group in groups:
        runs = runs_of(group.forms, text.stems, text.at)
        headings = runs_of(group.forms, text.heading), runs_of(group.forms, text.above)
        is_there = bool(runs or any(headings))
        much = _SPREAD if group.is_spread and is_there else group.weights.get(place, 0.0)
        sought.append(_Sought(group, much, runs, *headings))
    base = covered = titled = over = early = 0.0
    for group, much, there, title, high in sought:
        if much:
            is_apart = bool(group.forms) and not (there or title or high)
            tells = group.tells * (_APART if is_apart else 1.0)
            base += tells * much
            covered += tells
            titled += group.tells if title else 0.0
            over += group.tells if high else 0.0
            if there and not group.is_asking:
                early += group.tells * max(0.0, 1 - there[0][0] / _BEGINNING)
    named = {at for each in sought for first, last in each.title for at in range(first, last + 1)}
    fits = len(named) / len(text.heading) if named else 0.0
    if fits == 1.0:
        # "Command" below the heading "Zones" is the command zone.
        beside = sum([each.group.tells for each in sought if each.over and not each.title])
        titled, over = titled + _BESIDE * beside, over - beside
    more = (
        1
        + _HEADING * titled / whole * fits * (_PART if kind == "glossary" and fits < 1 else 1)
        + _WHOLE_HEADING * (fits == 1.0 and titled / whole > _WHOLE)
        + _NEAR * _nearness(sought, text.own) / whole
        + _ROW * _row(groups, text)
        + _SENTENCE * _in_a_sentence(sought, text.ends) / whole
        + _UNDER * over / whole
        + _EARLY * early / whole
        + _CITED * log(1 + cited)
    )
    if fits == 1.0 and titled / whole > _WHOLE and kind in _LEADING:
        more *= _LEADS
    elif kind == "rule" and over / whole > _WHOLE and _covers(sought, len(text.above)):
        more *= _FOLLOWS
    return base * float((covered / whole) ** _COVERAGE) * more * _KINDS.get(kind, 1.0)


def _covers(sought: Sequence[_Sought], length: int) -> bool:
    """Return whether a query names all words of the heading above a text."""
    named = {at for each in sought for first, last in each.over for at in range(first, last + 1)}
    return len(named) == length


def _nearness(sought: Sequence[_Sought], own: int) -> float:
    """Return how close together adjacent words of the query are in a text."""
    telling = [
        each
        for each in sought
        if each.there and not each.group.is_asking and not each.group.is_loose
    ]
    points = 0.0
    for before, after in pairwise(telling):
        gap = min(
            [
                (start - last - 1 if start > last else first - end - 1 + _WRONG_WAY)
                + (0 if start < own else _IN_EXAMPLE)
                for first, last in before.there
                for start, end in after.there
            ]
        )
        near = next((weight for most, weight in _DISTANCES if gap <= most), 0.0)
        points += min(before.group.tells, after.group.tells) * near
    return points


def _in_a_sentence(sought: Sequence[_Sought], ends: Sequence[int]) -> float:
    """Return the points of the best sentence, in addition to the headings above it."""
    if not ends or sum([not each.group.is_loose for each in sought]) <= _FEW:
        return 0.0
    points = [0.0] * len(ends)
    above = 0.0
    for group, _, there, title, high in sought:
        if title or high:
            above += group.tells
        else:
            for sentence in {bisect_right(ends, first) for first, _ in there}:
                points[sentence] += group.tells
    return above + max(points)


def _row(groups: Sequence[Group], text: StemmedText) -> float:
    """Return the share of a query's words that a text has in a row, in the same order."""
    asked = [
        stem for group in groups if not group.is_loose and group.own for stem in group.forms[0]
    ]
    best = 0
    for start in range(len(asked)):
        for place in text.at.get(asked[start], ()):
            length = 0
            while (
                start + length < len(asked)
                and place + length < text.own
                and text.stems[place + length] == asked[start + length]
            ):
                length += 1
            best = max(best, length)
    return best / len(asked) if best > 1 else 0.0


def snippet(printed: str, groups: Sequence[Group]) -> str:
    """Return the sentence of a text with most of the query's words, with marks around these words."""
    words = placed_words(printed)
    stems = tuple([stem_of(word.word) for word in words])
    spans = sentence_spans(printed)
    starts = [start for start, _ in spans]
    found = [(group, runs_of(group.forms, stems)) for group in groups]
    points = [0.0] * len(spans)
    for group, runs in found:
        for sentence in {bisect_right(starts, words[first].start) - 1 for first, _ in runs}:
            points[sentence] += group.tells
    start, stop = spans[points.index(max(points))]
    telling = [runs for group, runs in found if not group.is_asking] or [runs for _, runs in found]
    marked = sorted(
        {at for runs in telling for first, last in runs for at in range(first, last + 1)}
    )
    inside = [words[at] for at in marked if start <= words[at].start < stop]
    return _marked(
        printed[start:stop], [(word.start - start, word.stop - start) for word in inside]
    )


def _marked(text: str, words: Sequence[tuple[int, int]]) -> str:
    runs: list[list[int]] = []
    for first, last in words:
        if runs and not text[runs[-1][1] : first].strip(" -\N{HYPHEN}"):
            runs[-1][1] = last
        else:
            runs.append([first, last])
    copied, parts = 0, list[str]()
    for first, last in runs:
        parts += [text[copied:first], MARK, text[first:last], MARK]
        copied = last
    return "".join([*parts, text[copied:]])
