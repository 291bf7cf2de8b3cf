"""Finds printed citations in any text, as offsets into the text.

The number of a rule is a citation anywhere ("704.5k", "601.2f–h"). The number of a section or
chapter is a citation only after a word for it ("rule 702", "rules 212-215", "section 9"). A word
holds for a list of numbers ("rules 702.5, “Enchant,” and 702.6"). Other numbers are not citations:
years, life totals, versions, parts of an address.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from variorum.model import RuleNumber
from variorum.references.ranges import RANGE, ends_of

_NUMBER = re.compile(RANGE, re.ASCII | re.IGNORECASE)
# A citation begins with digits. Finding the digits first is three times as fast.
_DIGITS = re.compile("[1-9][0-9]*")
# After such a word, a number without a dot means a section or chapter.
_WORD = re.compile(
    r"\b(?P<word>rules?|subrules?|sections?|chapters?|see|C\.?\s?R\.?)[\s(]*$", re.IGNORECASE
)
_BETWEEN = re.compile(r"(?:[,;]\s+|\s+)?(?:and/or|and|or|&|/)\s*|[,;]\s*", re.IGNORECASE)
_TITLE = re.compile(r"\s{0,9}[,:]?\s{0,9}(?P<open>[\"“‘'(])")
_CLOSING = {'"': '"', "“": "”", "‘": "’", "'": "'", "(": ")"}
_LONGEST_TITLE = 90
_LOOK_BACK = 16
_LONGEST_ADDRESS = 200


@dataclass(frozen=True, slots=True)
class Reference:
    """A printed citation: 603.7d, 702, or a range such as 603.7d-f.

    Attributes:
        first: The number, or the first number of a range; a chapter has one digit.
        last: The last number of a range; for a single number, the same as `first`.
        start: The start in code points; the word "rule" is not part of the citation.
        end: The end, exclusive.
        title: The heading in quotation marks or brackets after it; "" if there is none.
    """

    first: str
    last: str
    start: int
    end: int
    title: str = ""


def find_references(text: str) -> tuple[Reference, ...]:
    """Return the citations of a text in printed order.

    >>> [(cited.first, cited.last) for cited in find_references("Rules 603.7d-f, 119.7–8 and 702.")]
    [('603.7d', '603.7f'), ('119.7', '119.8'), ('702', '702')]
    >>> find_references("In 2004 a player had 100 life, and then 702 more.")
    ()
    """
    return tuple(_find(text))


def _find(text: str) -> Iterator[Reference]:
    word, reach = "", -1  # the word before a list of numbers, and the end of the list so far
    for match in _numbers(text):
        start = match.start()
        if (
            text[start - 1 : start] == "/"
            and start - 1 != reach
            and not _opens_comment(text, start)
        ):
            continue  # part of a path, a date or a fraction
        if reach < 0 or not _goes_on(text, reach, start):
            before = _WORD.search(text, max(0, start - _LOOK_BACK), start)
            word = before["word"].casefold().rstrip("s") if before else ""
        title, after = _title(text, match.end())
        if not _is_citation(match, "rule" if title and word == "see" else word, text):
            continue
        first, last = _ends(match)
        reach = after
        yield Reference(first, last, start, match.end(), title)


def _numbers(text: str) -> Iterator[re.Match[str]]:
    end = 0
    for digits in _DIGITS.finditer(text):
        if digits.start() < end:
            continue  # the second number of a range
        match = _NUMBER.match(text, digits.start())
        if match is not None:
            end = match.end()
            yield match


def _opens_comment(text: str, start: int) -> bool:
    """Return whether a number directly follows "//", which begins a comment in a program."""
    return text.endswith("//", 0, start) and not text.endswith("://", 0, start)


def _goes_on(text: str, reach: int, start: int) -> bool:
    """Return whether only a comma or "and" separates a number from the number before it."""
    between = _BETWEEN.match(text, reach)
    return between is not None and between.end() == start


def _is_citation(match: re.Match[str], word: str, text: str) -> bool:
    first = match["first"]
    if "." in first:
        return not _is_address(text, match)
    if len(first) == 1:
        is_range = match.lastgroup in {"whole", "letters"}
        return word in {"section", "chapter"} and not is_range
    if match.lastgroup == "letters":
        return False  # "100-a"
    # "See 702" is no citation unless a title follows.
    return word not in {"", "see"}


def _is_address(text: str, match: re.Match[str]) -> bool:
    """Return whether a number is inside a web address or a Windows path."""
    token = text[max(0, match.start() - _LONGEST_ADDRESS) : match.start()]
    token = token[max(token.rfind(" "), token.rfind("\n")) + 1 :]
    return "://" in token or "www." in token or "\\" in token


def _ends(match: re.Match[str]) -> tuple[str, str]:
    """Return both ends of a range.

    A range that runs backwards, or from a rule to a section, counts as its first number.
    """
    first, last = ends_of(match)
    if first == last:
        return first, first
    begin, end = RuleNumber.read(first), RuleNumber.read(last)
    is_range = begin is not None and end is not None and begin < end
    return first, last if is_range and ("." in last or "." not in first) else first


def _title(text: str, end: int) -> tuple[str, int]:
    """Return the title after a number and the title's end, or "" and the number's end."""
    match = _TITLE.match(text, end)
    if match is None:
        return "", end
    closing = _CLOSING[match["open"]]
    close = text.find(closing, match.end(), match.end() + _LONGEST_TITLE)
    while close >= 0 and closing in "'’" and text[close + 1 : close + 2].isalpha():  # apostrophe
        close = text.find(closing, close + 1, match.end() + _LONGEST_TITLE)
    title = text[match.end() : max(close, 0)].strip().rstrip(".,;:")
    # A title begins with a capital or a sign. Quoted words in small letters are not a title.
    if not title or title[0].islower() or (match["open"] == "(" and not _is_titled(title)):
        return "", end
    return title, close + 1


def _is_titled(words: str) -> bool:
    return all(word[0].isupper() for word in words.split() if len(word) > 3)  # noqa: PLR2004
