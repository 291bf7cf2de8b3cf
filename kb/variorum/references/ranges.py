"""Defines the ranges of rule numbers that rules and texts about them write.

    range    = before first [ to ending ] after          603.7d-f, 119.7–8, 212 to 215
    first    = number | chapter
    ending   = number | rule | letters                   `first` has the rest of a rule or letters

`rule_numbers` defines the smallest parts.
"""

import re

from variorum.model import RuleNumber
from variorum.rule_numbers import (
    CHAPTER,
    LETTERS,
    NUMBER,
    RULE,
    SECTION,
    SUBRULE_LETTERS,
    range_end,
)

_LONGEST_RANGE = 200
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
# A number or a range. The groups are `first` and, for its end, `whole`, `rule`, `letters` or `apart`.
RANGE = rf"{_BEFORE}(?P<first>{NUMBER}|{CHAPTER})(?:{_TO}(?:{_ENDING})|{_APART})?{_AFTER}"


def ends_of(match: re.Match[str]) -> tuple[str, str]:
    """Return both ends of a match of `RANGE`; for a single number, the number twice.

    A range may run backwards, or from a rule to a section. The caller must check.
    """
    first = match["first"].casefold()
    kind = str(match.lastgroup)
    ending = match[kind].casefold()
    if kind in {"first", "whole"}:
        return first, ending
    return first, range_end(first, ending) or first


def numbers_between(first: str, last: str) -> tuple[str, ...]:
    """Return all numbers that a range may name, whether an edition prints them or not.

    >>> numbers_between("603.7d", "603.7f")
    ('603.7d', '603.7e', '603.7f')
    >>> numbers_between("306", "309")
    ('306', '307', '308', '309')
    """
    begin, end = RuleNumber.read(first), RuleNumber.read(last)
    if begin is None or end is None or first == last:
        return (first,)
    between = [begin]
    while between[-1] != end and len(between) < _LONGEST_RANGE:
        between.append(_next(between[-1], end))
    return tuple(map(str, between)) if between[-1] == end else (first, last)


def _next(number: RuleNumber, last: RuleNumber) -> RuleNumber:
    """Return the next number in a range: a section, rule or subrule, as `last` is."""
    if not last.rule:
        return RuleNumber(number.section + 1)
    if not last.letters or number.rule != last.rule:
        return RuleNumber(number.section, number.rule + 1)
    following, lettered = number.successors()
    return lettered if lettered.letters[0] in SUBRULE_LETTERS else following
