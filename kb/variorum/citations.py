"""Finds printed citations of rules in any text, as offsets into the text. Pure.

    range    = before first [ to ending ] after          603.7d-f, 119.7–8, 212 to 215
    first    = number | chapter
    ending   = number | rule | letters                   `first` has the rest of a rule or letters

The number of a rule is a citation anywhere ("704.5k", "601.2f–h"). The number of a section or
chapter is a citation only after a word for it ("rule 702", "rules 212-215", "section 9"). A word
holds for a list of numbers ("rules 702.5, “Enchant,” and 702.6"). Other numbers are not citations:
years, life totals, versions, parts of an address. `rule_numbers` defines the smallest parts.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from variorum.rule_numbers import CHAPTER, LETTERS, NUMBER, RULE, SECTION, RuleNumber, range_end

_DASHES = "[-\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}]"
_UNITS = r"[kmgt]i?b|[kcm]?m|k?g|lbs?|[kmg]?hz|[af]m|percent|pounds|miles|degrees|dollars|euros"
# No letter, digit, currency sign or part of an address may precede, except in "CR702" and
# "rule702.72" (2021-06-18).
_BEFORE = r"(?:(?<![\w.,:@#$£€%&=+~-])(?<!\d[\s-])|(?<=\bCR)|(?<=\brule)|(?<=\brules))"
# 2008-05-01 and 2009-05-01 have "?" for dashes: "212.2h?k". A range in words has blanks.
_TO = rf"(?:{_DASHES}|\?(?=[\da-z])|\s+(?:to|through)\s+(?=\d))"
_ENDING = f"(?P<whole>{NUMBER})|(?P<rule>{RULE})|(?P<letters>{LETTERS})"
_APART = rf"(?<=[a-z])\s{_DASHES}\s(?P<apart>(?-i:[b-z]))"  # "601.2e - g" (2012-02-01)
_AFTER = rf"(?![\w@]|/(?!{SECTION})|\.\w|,\d|\s?[%°]|\s(?:{_UNITS})\b)"
_RANGE = re.compile(
    rf"{_BEFORE}(?P<first>{NUMBER}|{CHAPTER})(?:{_TO}(?:{_ENDING})|{_APART})?{_AFTER}",
    re.ASCII | re.IGNORECASE,
)
# A citation begins with digits. Finding the digits first is three times as fast.
_DIGITS = re.compile("[1-9][0-9]*")
# After such a word, a number without a dot means a section or chapter.
_WORD = re.compile(
    r"\b(?P<word>rule|subrule|section|chapter|see|C\.?\s?R\.?)s?[\s(]*$", re.IGNORECASE
)
_BETWEEN = re.compile(r"(?:[,;]\s+|\s+)?(?:and/or|and|or|&|/)\s*|[,;]\s*", re.IGNORECASE)
_TITLE = re.compile(
    r"""\s{0,9}[,:]?\s{0,9}(?:"([^"]{1,89})"|“([^”]{1,89})”|\(([^)]{1,89})\)"""
    r"""|'((?:[^']|'(?=[^\W\d_])){1,89})'|‘((?:[^’]|’(?=[^\W\d_])){1,89})’)"""
)
_LOOK_BACK = 16
_LONGEST_ADDRESS = 200
_LONGEST_RANGE = 200


@dataclass(frozen=True, slots=True)
class Reference:
    """A printed citation: 603.7d, 702, or a range such as 603.7d-f.

    `last` is the same as `first` for a single number; a chapter has one digit. The word "rule" is not
    part of the citation. `title` is the heading in quotation marks or brackets after it, or "".
    """

    first: str
    last: str
    start: int
    end: int
    title: str = ""


def find_references(text: str) -> Iterator[Reference]:
    """Yield the citations of a text in printed order."""
    word = ""  # the word before a list of numbers
    end, reach = 0, -1  # of the last number, and of the list so far
    for digits in _DIGITS.finditer(text):
        start = digits.start()
        match = _RANGE.match(text, start) if start >= end else None
        if match is None:
            continue
        end = match.end()
        # Part of a path, a date or a fraction; but "//" begins a comment in a program.
        is_comment = text.endswith("//", 0, start) and not text.endswith("://", 0, start)
        if text[start - 1 : start] == "/" and start - 1 != reach and not is_comment:
            continue
        between = _BETWEEN.match(text, reach) if reach >= 0 else None
        if between is None or between.end() != start:
            before = _WORD.search(text, max(0, start - _LOOK_BACK), start)
            word = before["word"].casefold() if before else ""
        title, after = _title(text, end)
        if _is_citation(match, "rule" if title and word == "see" else word, text):
            reach = after
            yield Reference(*_ends(match), start, end, title)


def _is_citation(match: re.Match[str], word: str, text: str) -> bool:
    first = match["first"]
    if "." in first:  # no part of a web address or a Windows path
        token = text[max(0, match.start() - _LONGEST_ADDRESS) : match.start()]
        token = token[max(token.rfind(" "), token.rfind("\n")) + 1 :]
        return not any(sign in token for sign in ("://", "www.", "\\"))
    if len(first) == 1:
        return word in {"section", "chapter"} and match.lastgroup not in {"whole", "letters"}
    # "100-a" is none, nor is "see 702" unless a title follows.
    return match.lastgroup != "letters" and word not in {"", "see"}


def _ends(match: re.Match[str]) -> tuple[str, str]:
    """Return both ends of a range.

    A range that runs backwards, or from a rule to a section, counts as its first number.
    """
    first, ending = match["first"].casefold(), match[str(match.lastgroup)].casefold()
    last = ending if match.lastgroup in {"first", "whole"} else range_end(first, ending)
    begin, end = RuleNumber.read(first), RuleNumber.read(last)
    is_range = begin is not None and end is not None and begin < end
    return first, last if is_range and ("." in last or "." not in first) else first


def _title(text: str, end: int) -> tuple[str, int]:
    """Return the title after a number and the title's end, or "" and the number's end."""
    match = _TITLE.match(text, end)
    if match is None:
        return "", end
    title = match[match.lastindex or 0].strip().rstrip(".,;:")
    # A title begins with a capital or a sign, and in brackets so does each of its longer words.
    long = [word for word in title.split() if len(word) > 3]  # noqa: PLR2004
    is_titled = match[0][-1] != ")" or all(word[0].isupper() for word in long)
    is_title = title and not title[0].islower() and is_titled
    return (title, match.end()) if is_title else ("", end)


def numbers_between(first: str, last: str) -> tuple[str, ...]:
    """Return all numbers that a range may name, whether an edition prints them or not."""
    number, end = RuleNumber.read(first), RuleNumber.read(last)
    if number is None or end is None:
        return (first,)
    between = [number]
    while (number := between[-1]) != end and len(between) < _LONGEST_RANGE:
        is_lettered, section = bool(end.letters) and number.rule == end.rule, number.section + 1
        following = RuleNumber(section, 0, 0, "")
        between.append(number.successors()[is_lettered] if end.rule else following)
    return tuple(map(str, between)) if number == end else (first, last)
