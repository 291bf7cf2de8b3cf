"""The rule numbers that a page prints, and the words before which they stand."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from variorum_kb.quoting.page import PageOfWords
from variorum_kb.text.words import set_of

# "702. 37a" and "901.4.All" are misprints of editions. A chapter's number needs its period.
_NUMBER = re.compile(
    r"(?<![\w.$/-])([1-9]\d\d\. ?\d{1,3}(?:[a-z]{1,2})?(?![a-z\d])|[1-9]\d\d(?![\w])|[1-9](?=\.\s))",
    re.ASCII,
)
# Words before a number in a sentence. "Rule 800.4a" heads a rule where a line begins with it.
_CITING = set_of("and by in or rule rules section sections see through to")
_HEADS = re.compile(r"\.?\s*[:—–-]")


class PageNumber(NamedTuple):
    """A rule number on a page.

    Attributes:
        number: Without blanks and its last period.
        start: The first word of the number.
        behind: The word behind it.
    """

    number: str
    start: int
    behind: int


def find_numbers(page: PageOfWords) -> Iterator[PageNumber]:
    """Yield the numbers of a page that may head a rule, in its order."""
    for match in _NUMBER.finditer(page.text):
        start = bisect_left(page.starts, match.start())
        behind = bisect_left(page.starts, match.end())
        if not _is_citation(page, start, match.end()):
            yield PageNumber(match[1].replace(" ", ""), start, behind)


def _is_citation(page: PageOfWords, start: int, end: int) -> bool:
    """Return whether a number ends a reference within a sentence: "see rule 200.3."."""
    if page.begins_line(start) or page.words[start - 1] not in _CITING:
        return False
    before = page.quoted(start - 1, start)
    is_title = before.istitle() and before != "Rule"  # "Multiplayer Rules 800. General"
    return not is_title and not page.begins_line(start - 1) and _HEADS.match(page.text, end) is None
