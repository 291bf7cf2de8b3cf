"""Recognises page numbers, which are not rule numbers."""

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from variorum_kb.sources.reading.passages.openers import CITING_END

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
# "41/180", also after an address, as browsers print it. "2/2" is a creature's power.
_PAGE_OF = re.compile(r"(?:https?://\S+\s+)?(?P<page>\d{1,4}) ?(?:/|of) ?(?P<all>\d{1,4})")
_FEWEST_SHEETS = 20
_REPEATED = re.compile(r"(?P<first>\d{1,3}\b)?\W*(?P<words>[^\W\d]\D*?)\W*(?P<last>\b\d{1,3})?")
_FEWEST_REPEATED = 3
_LONGEST_RUNNING = 100


def find_pages(texts: Sequence[str]) -> frozenset[int]:
    """Return the lines with a page number, with or without a running title."""
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
    """Return the lines such as "41/180", if there are many pages or several such lines.

    The pages must count up.
    """
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
    """Return the lines that repeat some words, each time with a page number one or two higher."""
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
