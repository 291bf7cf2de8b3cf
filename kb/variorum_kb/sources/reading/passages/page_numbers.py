"""Recognises page numbers, which are not rule numbers."""

import itertools
import re
from collections import defaultdict
from collections.abc import Sequence

_PAGE = re.compile(
    r"(?:(?P<sure>page )(?P<number>\d{1,4})(?: (?:of|/) \d{1,4})?"
    r"|(?:[-–—] ?)?(?P<bare>\d{1,2})(?: ?[-–—])?)",
    re.IGNORECASE,
)
_DAY = r"(?:\d{1,2}/\d{1,2}/\d{2,4}|\d{4}-\d\d-\d\d|[A-Z][a-z]{2,8} \d{1,2}, \d{4})"
_TITLE = r"(?:Magic(?:: ?The Gathering)?[®™]? )?(?:Comprehensive|Complete) (?:Game )?Rules"
_RUNNING = re.compile(
    rf"(?:{_DAY}\W{{1,9}})?(?:{_TITLE}\W{{1,9}}(?:page |p\. ?)?[1-3]?\d{{1,2}}|[1-3]?\d{{1,2}}\W{{1,9}}{_TITLE})"
    rf"(?:(?: ?/ ?| of )\d{{1,3}})?(?:\W{{1,9}}{_DAY}|\W{{1,9}})?",
    re.IGNORECASE,
)
# "41/180", also after an address, as browsers print it. "2/2" is a creature's power.
_PAGE_OF = re.compile(r"(?:https?://\S+\s+)?(?P<page>\d{1,4}) ?(?:/|of) ?(?P<all>\d{1,4})")
_FEWEST_SHEETS = 20
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
    return alone | running | _find_pages_of(short)


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
