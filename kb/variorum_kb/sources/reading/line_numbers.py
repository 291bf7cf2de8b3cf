"""Recognises numbers of lines, list points and pages, which are not rule numbers."""

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from variorum_kb.reading.unwrap import EXAMPLE
from variorum_kb.sources.reading.openers import CITING_END, is_titled, open_headed, open_numbered

_PAGE = re.compile(
    r"(?:(?P<sure>page )(?P<number>\d{1,4})(?: (?:of|/) \d{1,4})?"
    r"|(?:[-–—] ?)?(?P<bare>\d{1,2})(?: ?[-–—])?)",
    re.IGNORECASE,
)
_DAY = r"(?:\d{1,2}/\d{1,2}/\d{2,4}|\d{4}-\d\d-\d\d|[A-Z][a-z]{2,8} \d{1,2}, \d{4})"
_TITLE = r"(?:Magic(?:: ?The Gathering)?[®™]? )?(?:Comprehensive|Complete) (?:Game )?Rules"
_BARE_TITLE = re.compile(_TITLE, re.IGNORECASE)
_RUNNING = re.compile(
    rf"(?:{_DAY}\W{{1,9}})?(?:{_TITLE}\W{{1,9}}(?:page |p\. ?)?[1-3]?\d{{1,2}}|[1-3]?\d{{1,2}}\W{{1,9}}{_TITLE})"
    rf"(?:(?: ?/ ?| of )\d{{1,3}})?(?:\W{{1,9}}{_DAY}|\W{{1,9}})?",
    re.IGNORECASE,
)
# "41/180", also behind an address, as browsers print it; "2/2" is the power of a creature.
_PAGE_OF = re.compile(r"(?:https?://\S+\s+)?(?P<page>\d{1,4}) ?(?:/|of) ?(?P<all>\d{1,4})")
_FEWEST_SHEETS = 20
_REPEATED = re.compile(r"(?P<first>\d{1,3}\b)?\W*(?P<words>[^\W\d]\D*?)\W*(?P<last>\b\d{1,3})?")
_FEWEST_REPEATED = 3
_LONGEST_RUNNING = 100
# "   1  705.1. …", "812:705.1. …": a listing numbers each line.
_LISTING = re.compile(r"\s*(?P<number>\d{1,6})(?:\s?[:|│]\s?|\s{1,2}|$)")
_FEWEST_LISTED, _FEWEST_RULES = 10, 2
# "1) 705.1. …", "(1) …", "1. …": the number of a point of a list.
_POINT = re.compile(
    r"(?P<before>(?:>[ ]?)*\s*)(?P<sign>[(\[]?)(?P<number>\d{1,5})(?P<end>\.\s+|[)\]:]\s*)(?=\S)"
)
_FIRST_SECTION = 100


# Numbers of lines and of points -------------------------------------------------------------------


def without_line_numbers(texts: Sequence[str]) -> Sequence[str]:
    """Remove line numbers: each line has one, they count up, and rules follow."""
    matches: list[re.Match[str]] = []
    for line in texts:
        match = _LISTING.match(line)
        if match:
            if matches and int(match["number"]) != int(matches[-1]["number"]) + 1:
                return texts
            matches.append(match)
        elif line.strip():
            return texts
    rests = [match.string[match.end() :].strip() for match in matches]
    numbered = sum(open_numbered(rest) is not None for rest in rests)
    is_long = len([rest for rest in rests if rest]) * 3 >= len(rests) >= _FEWEST_LISTED
    is_whole = is_long and (int(matches[0]["number"]) == 1 or "" in rests)
    if numbered < _FEWEST_RULES and not is_whole:
        return texts
    return [line[match.end() :] if (match := _LISTING.match(line)) else line for line in texts]


class _Point(NamedTuple):
    """A line that may be a point of a list.

    Attributes:
        place: The index of the line, from 0.
        before: The text before its number: blanks and mail quotation marks.
        style: The punctuation around its number.
        number: The number of the point.
        words: The text after it.
        is_ruled: The text begins with the number of a rule or heading.
    """

    place: int
    before: str
    style: str
    number: int
    words: str
    is_ruled: bool


def without_points(texts: Sequence[str]) -> Sequence[str]:
    """Remove a list's own numbers if they count up and most precede rule numbers."""
    listed = [
        _point(place, match) for place, line in enumerate(texts) if (match := _POINT.match(line))
    ]
    style = next((point.style for point in listed if point.is_ruled), "")
    listed = [point for point in listed if point.style == style]
    ruled = [point.number for point in listed if point.is_ruled]
    if not ruled or not _counts_up(ruled):
        return texts
    points = {point.place: point for point in _points(listed, is_repeated=ruled[1:2] == [1])}
    count = sum(EXAMPLE.match(point.words) is None for point in points.values())
    if len(ruled) * 2 <= count:
        return texts
    return [
        points[place].before + points[place].words if place in points else line
        for place, line in enumerate(texts)
    ]


def _point(place: int, match: re.Match[str]) -> _Point:
    words = match.string[match.end() :].strip()
    is_ruled = open_numbered(words) is not None or open_headed(words) is not None
    style = match["sign"] + match["end"].strip()
    return _Point(place, match["before"], style, int(match["number"]), words, is_ruled)


def _points(listed: Sequence[_Point], *, is_repeated: bool) -> Iterator[_Point]:
    """Yield the points of the list; "2. Parts of a Card" has a chapter number instead."""
    last = 0
    for point in listed:
        is_next = point.number == (1 if is_repeated else last + 1)
        if point.is_ruled or (is_next and not is_titled(point.words)):
            last = point.number
            yield point


def _counts_up(numbers: Sequence[int]) -> bool:
    """Say whether numbers count up, possibly restarting at 1."""
    if len(numbers) == 1:
        return numbers[0] < _FIRST_SECTION
    return all(first < second or second == 1 for first, second in itertools.pairwise(numbers))


# Pages --------------------------------------------------------------------------------------------


def find_pages(texts: Sequence[str]) -> frozenset[int]:
    """Return the lines with a page number, alone or with a running title."""
    short = [
        (number, line.strip())
        for number, line in enumerate(texts, start=1)
        if line.strip() and len(line.strip()) < _LONGEST_RUNNING
    ]
    alone = _find_bare_pages(short)
    running = frozenset(number for number, line in short if _RUNNING.fullmatch(line))
    page_lines = alone | running | _find_pages_of(short) | _find_repeated(short)
    return page_lines | frozenset(_titles_beside(texts, page_lines))


def _find_bare_pages(short: Sequence[tuple[int, str]]) -> frozenset[int]:
    matches = [(number, match) for number, line in short if (match := _PAGE.fullmatch(line))]
    numbers = [int(match["number"] or match["bare"]) for _, match in matches]
    is_counted = numbers == list(range(numbers[0], numbers[0] + len(numbers))) if numbers else False
    return frozenset(number for number, match in matches if match["sure"] or is_counted)


def _find_pages_of(short: Sequence[tuple[int, str]]) -> frozenset[int]:
    """Return the lines that say "41/180": one page of many, or several that count up."""
    pages_by_count: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, line in short:
        if match := _PAGE_OF.fullmatch(line):
            pages_by_count[int(match["all"])].append((number, int(match["page"])))
    return frozenset(
        number
        for count, pages in pages_by_count.items()
        if (len(pages) > 1 or count >= _FEWEST_SHEETS)
        and pages[-1][1] <= count
        and all(first < second for (_, first), (_, second) in itertools.pairwise(pages))
        for number, _ in pages
    )


def _find_repeated(short: Sequence[tuple[int, str]]) -> frozenset[int]:
    """Return the lines repeated with the next page number each time."""
    heads: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, line in short:
        match = _REPEATED.fullmatch(line) if line[:1].isdigit() or line[-1:].isdigit() else None
        if match is None or bool(match["first"]) is bool(match["last"]):
            continue
        if " " in match["words"] and not CITING_END.search(match["words"]):
            page = int(match["first"] or match["last"])
            heads[match["words"].casefold()].append((number, page))
    return frozenset(
        number
        for pages in heads.values()
        if len(pages) >= _FEWEST_REPEATED
        and all(second - first in {1, 2} for (_, first), (_, second) in itertools.pairwise(pages))
        for number, _ in pages
    )


def _titles_beside(texts: Sequence[str], pages: frozenset[int]) -> Iterator[int]:
    """Yield the lines with the title of the rules next to a page number."""
    shown = [number for number, line in enumerate(texts, start=1) if line.strip()]
    for before, number, after in zip([0, *shown], shown, [*shown[1:], 0], strict=False):
        is_beside = before in pages or after in pages
        if is_beside and before and _BARE_TITLE.fullmatch(texts[number - 1].strip()):
            yield number
