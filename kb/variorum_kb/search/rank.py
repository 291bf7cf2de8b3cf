"""Which of the documents that have some words of a query answer it best; pure."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import log
from re import Match
from typing import NamedTuple

from variorum_kb.answers.stored.texts import Body
from variorum_kb.search.query_groups import Group
from variorum_kb.text.search_words import find_words, plain_words
from variorum_kb.text.sentences import sentence_spans
from variorum_kb.text.stems import stem_of

# How much a word tells about a text, by the field of the index in which it stands.
FIELD_WEIGHTS = {"heading": 4.0, "term": 4.0, "above": 1.2, "text": 1.0, "examples": 0.3}
# How soon a word that is repeated tells nothing new, and how much a long text counts less (BM25F).
BM25_K, BM25_B = 1.2, 0.45
# What is neither long nor short, in words; the mean of the index would change with every edition.
USUAL_LENGTH = 45
# How much two words count as being near each other, by the number of words between them.
_DISTANCES = ((0, 1.0), (2, 0.7), (5, 0.4), (12, 0.15))
_SHORTEST_ROW = 2


class Stems(NamedTuple):
    """The stems of a text's words.

    Attributes:
        row: In their order.
        places: Where each stands.
    """

    row: tuple[str, ...]
    places: dict[str, list[int]]


class IndexedText(NamedTuple):
    """A text as ranking needs it.

    Attributes:
        kind: A value of model.Kind.
        heading: The stems of its own heading or headword.
        above: The stems of the nearest heading that it stands under.
        text: The stems of its paragraphs, then of its examples.
        own: How many of the last are of its paragraphs.
        ends: Behind which of them each sentence ends.
        cited: How many provisions cite it.
    """

    kind: str
    heading: Stems
    above: Stems
    text: Stems
    own: int
    ends: tuple[int, ...]
    cited: int


@lru_cache(maxsize=2048)
def stems_in(text: str) -> Stems:
    """Return the stems of a heading's words."""
    return _stems_of(plain_words(text))


def _stems_of(words: Sequence[str]) -> Stems:
    row = tuple(map(stem_of, words))
    places: dict[str, list[int]] = {}
    for place, stem in enumerate(row):
        places.setdefault(stem, []).append(place)
    return Stems(row, places)


class ReadText(NamedTuple):
    """The words of a text, their stems, and where its sentences begin and end."""

    words: list[Match[str]]
    stems: Stems
    sentences: list[tuple[int, int]]


@lru_cache(maxsize=2048)  # a text that is ranked is often shown next
def read_text(text: str) -> ReadText:
    """Return the words and sentences of a text."""
    words = find_words(text)
    stems = _stems_of([word[0].removesuffix("'s") for word in words])
    return ReadText(words, stems, sentence_spans(text))


def document_of(body: Body, above: str, cited: int) -> IndexedText:
    """Return what ranking needs to know about a text.

    Args:
        body: Its words.
        above: The nearest heading that it stands under.
        cited: How many provisions cite it.
    """
    text = read_text(f"{body.text}\n{body.examples}".strip())
    starts = [word.start() for word in text.words]
    return IndexedText(
        kind=body.kind,
        heading=stems_in(body.heading),
        above=stems_in(above),
        text=text.stems,
        own=bisect_left(starts, len(body.text)),
        ends=tuple([bisect_left(starts, stop) for _, stop in text.sentences]),
        cited=cited,
    )


def stands_in(document: IndexedText, words: tuple[str, ...]) -> bool:
    """Return whether a document has a sequence of stems, in its text or a heading."""
    return any(_where(words, part) for part in (document.text, document.heading, document.above))


def _where(words: tuple[str, ...], stems: Stems) -> list[int]:
    """Return where a sequence of stems begins in a text."""
    starts = stems.places.get(words[0], [])
    length = len(words)
    if length == 1:
        return starts
    return [place for place in starts if stems.row[place : place + length] == words]


class Weights(NamedTuple):
    """What the parts of a score weigh; fitted to lab/score/queries/tuning.toml.

    Attributes:
        coverage: How much worse it is to have only some of the words.
        apart: What a name is worth whose words stand apart.
        heading: A heading that names what is asked.
        whole_heading: A heading that names all that is asked, and nothing else.
        near: Words near each other.
        row: Words in a row, as they were asked for.
        sentence: A sentence that says what is asked, beside the headings above it.
        under: A heading above that names what is asked.
        early: Words at the beginning of a text, where it says what it is about.
        cited: Many citations.
        kinds: The kinds of provisions.
    """

    coverage: float = 1.1
    apart: float = 0.85
    heading: float = 1.4
    whole_heading: float = 0.6
    near: float = 0.6
    row: float = 0.75
    sentence: float = 0.8
    under: float = 0.5
    early: float = 0.8
    cited: float = 0.16
    chapter: float = 1.0
    section: float = 1.2
    rule: float = 1.3
    subrule: float = 1.03
    glossary: float = 1.0


FITTED = Weights()


class ScoreParts(NamedTuple):
    """The parts of a document's score, in the order of `Weights`."""

    base: float
    base_apart: float
    covered: float
    covered_apart: float
    titled: float
    fits: float
    near: float
    row: float
    sentence: float
    under: float
    early: float
    cited: float
    kind: str


def score(groups: Sequence[Group], points: Sequence[float], document: IndexedText) -> float:
    """Return how well a document answers a query.

    Args:
        groups: Of the query, in its order.
        points: What each of them tells about the document, from 0 to 1.
        document: The document.
    """
    return weigh(parts_of(groups, points, document), FITTED)


def parts_of(groups: Sequence[Group], points: Sequence[float], document: IndexedText) -> ScoreParts:
    """Return the parts of a document's score."""
    whole = sum([group.tells for group in groups]) or 1.0
    asked = [stem for group in groups if not group.is_loose for stem in group.asked_stems]
    places = [_places(group, document.text) for group in groups]
    heading = [_places(group, document.heading) for group in groups]
    above = [_places(group, document.above) for group in groups]
    base = covered = titled = over = early = base_apart = covered_apart = 0.0
    for group, much, there, title, high in zip(groups, points, places, heading, above, strict=True):
        if group.is_spread and (there or title or high):
            much = _SPREAD  # noqa: PLW2901
        if not much:
            continue
        if there or title or high or not group.stems:
            base += group.tells * much
            covered += group.tells
        else:
            base_apart += group.tells * much
            covered_apart += group.tells
        titled += group.tells if title else 0.0
        over += group.tells if high else 0.0
        if there and not group.is_asking:
            early += group.tells * max(0.0, 1 - there[0][0] / _EARLY)
    fits = _fit(document.heading, heading)
    if fits == 1.0:
        # "Command" under "Zones" is the command zone.
        both = zip(groups, heading, above, strict=True)
        beside = sum([group.tells for group, title, high in both if high and not title])
        titled, over = titled + _BESIDE * beside, over - beside
    return ScoreParts(
        base,
        base_apart,
        covered / whole,
        covered_apart / whole,
        titled / whole,
        fits,
        _nearness(groups, places, document.own, whole),
        _row(asked, document.text, document.own),
        _in_a_sentence(
            groups,
            places,
            [bool(a or b) for a, b in zip(heading, above, strict=True)],
            document.ends,
        )
        / whole,
        over / whole,
        early / whole,
        log(1 + document.cited),
        document.kind,
    )


def weigh(parts: ScoreParts, weights: Weights) -> float:
    """Return the score of its parts."""
    base = parts.base + parts.base_apart * weights.apart
    covered = parts.covered + parts.covered_apart * weights.apart
    more = (
        1
        + weights.heading * parts.titled * parts.fits
        + weights.whole_heading * (parts.fits == 1.0 and parts.titled > _WHOLE)
        + weights.near * parts.near
        + weights.row * parts.row
        + weights.sentence * parts.sentence
        + weights.under * parts.under
        + weights.early * parts.early
        + weights.cited * parts.cited
    )
    kind = float(getattr(weights, parts.kind))
    return float(base * covered**weights.coverage) * more * kind


# What the heading above tells beside one that is named as a whole.
_BESIDE = 0.8
# What a word tells that nearly all documents have.
_SPREAD = 0.45
# A query of more words is a question or a phrase.
_FEW = 3
# Behind so many words, a text no longer begins.
_EARLY = 12
# From which share of a query on a heading counts as all of it.
_WHOLE = 0.85


def _places(group: Group, stems: Stems) -> list[tuple[int, int]]:
    """Return where a group occurs in a text: its first and last word."""
    runs: list[tuple[int, int]] = []
    for words in group.stems:
        if words[0] in stems.places:
            last = len(words) - 1
            runs += [(place, place + last) for place in _where(words, stems)]
    return runs


def _fit(heading: Stems, places: Sequence[list[tuple[int, int]]]) -> float:
    """Return how much of a heading the query names."""
    if not heading.row:
        return 0.0
    named = {
        position for there in places for first, last in there for position in range(first, last + 1)
    }
    return len(named) / len(heading.row)


def _nearness(
    groups: Sequence[Group], places: Sequence[list[tuple[int, int]]], own: int, whole: float
) -> float:
    """Return how close together adjacent words of the query are in a text."""
    telling = [
        (group.tells, there)
        for group, there in zip(groups, places, strict=True)
        if there and not group.is_asking and not group.is_loose
    ]
    points = 0.0
    for (tells, before), (tells_too, after) in pairwise(telling):
        gap = min(
            (next_ - last - 1 if next_ > last else first - end - 1 + _WRONG_WAY)
            + (0 if next_ < own else _IN_EXAMPLE)
            for first, last in before
            for next_, end in after
        )
        weight = next((weight for most, weight in _DISTANCES if gap <= most), 0.0)
        points += min(tells, tells_too) * weight
    return points / whole


# As if so many more words were between them.
_WRONG_WAY, _IN_EXAMPLE = 1, 3


def _in_a_sentence(
    groups: Sequence[Group],
    places: Sequence[list[tuple[int, int]]],
    is_above: Sequence[bool],
    ends: Sequence[int],
) -> float:
    """Return the score of the best sentence, in addition to the headings above it."""
    if sum(1 for group in groups if not group.is_loose) <= _FEW:
        return 0.0  # few words need no sentence to belong together
    points = [0.0] * (len(ends) + 1)
    above = 0.0
    for group, there, is_named in zip(groups, places, is_above, strict=True):
        if is_named:
            above += group.tells
            continue
        for sentence in {bisect_right(ends, first) for first, _ in there}:
            points[sentence] += group.tells
    return above + max(points)


def _row(asked: Sequence[str], stems: Stems, own: int) -> float:
    """Return the share of a query's words that a text has in a row, in the order asked for."""
    # Words that stand in the text as they stand in the query lie as far from it in both.
    rows: dict[int, list[int]] = {}
    for at, stem in enumerate(asked):
        for place in stems.places.get(stem, ()):
            if place < own:
                rows.setdefault(place - at, []).append(at)
    best = 0
    for row in rows.values():
        run = 0
        for before, at in zip([-1, *row], row, strict=False):
            run = run + 1 if at == before + 1 else 1
            best = max(best, run)
    return best / len(asked) if best >= _SHORTEST_ROW else 0.0
