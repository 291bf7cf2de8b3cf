r"""Defines the ranges and lists of rule numbers that each kind of text writes.

    list     = range ( joiner ( range | letters ) )*     509.1g-h, 107.10-11, and 205.3
    range    = before first [ to ending ] after          603.7d-f, 119.7–8, 212 to 215
    first    = number | chapter
    ending   = number | rule | letters                   `first` has the rest of a rule or letters

`rule_numbers` defines the smallest parts. A `Profile` defines the other parts for one kind of
text.
"""

import re
from dataclasses import dataclass
from functools import cached_property

from variorum_kb.model import RuleNumber
from variorum_kb.rule_numbers import (
    CHAPTER,
    LETTERS,
    NUMBER,
    RULE,
    SECTION,
    SUBRULE_LETTERS,
    range_end,
    stem_of,
)

_LONGEST_RANGE = 200
_LONGEST_WRITTEN_OUT = 150


@dataclass(frozen=True, kw_only=True)
class Profile:
    """How a kind of text writes numbers; each attribute is a pattern.

    Attributes:
        before: The text required before a range.
        first: The first number of a range.
        to: The text between both ends.
        rule: An ending that is a rule of the same section.
        letters: An ending that is a subrule of the same rule.
        letters_apart: The text that may separate the letters of both ends instead of `to`.
        after_ending: The text required after an ending, in addition to `after`.
        after: The text required after a range.
        joiner: The text between the members of a list.
        noun: A word that may follow a joiner.
        letters_alone: A member of a list that is a subrule of the rule before it.
    """

    before: str
    first: str = NUMBER
    to: str
    rule: str = RULE
    letters: str = LETTERS
    letters_apart: str = ""
    after_ending: str = ""
    after: str
    joiner: str = ""
    noun: str = ""
    letters_alone: str = ""

    @property
    def number(self) -> str:
        """Return the pattern of a single number."""
        return f"{self.before}{self.first}{self.after}"

    @cached_property
    def range(self) -> str:
        """Return the pattern of a number or range, without groups."""
        return re.sub(r"\(\?P<\w+>", "(?:", self.named_range)

    @cached_property
    def named_range(self) -> str:
        """Return the pattern of a number or range, with named groups.

        The groups are `first` and, for the end of a range, `whole`, `rule`, `letters` or `apart`.
        """
        ending = f"(?P<whole>{NUMBER})|(?P<rule>{self.rule})|(?P<letters>{self.letters})"
        apart = f"|(?<=[a-z]){self.letters_apart}(?P<apart>(?-i:[b-z]))"
        return (
            f"{self.before}(?P<first>{self.first})"
            f"(?:{self.to}(?:{ending}){self.after_ending}{apart if self.letters_apart else ''})?"
            f"{self.after}"
        )

    @cached_property
    def list(self) -> str:
        """Return the pattern of a list."""
        return f"{self.range}(?:{self.joiner}{self.noun}(?:{self.range}|{self.letters_alone}))*"

    @cached_property
    def _member(self) -> re.Pattern[str]:
        alone = rf"(?<=[\s&,/])(?P<alone>{self.letters_alone})"
        return re.compile(f"{self.named_range}|{alone}")

    def read(self, text: str) -> tuple[str, ...]:
        """Return the numbers of a list, with all numbers of each range.

        >>> BULLETINS.read("509.1g-h, 107.10-11, and 205.3")
        ('509.1g', '509.1h', '107.10', '107.11', '205.3')
        >>> BULLETINS.read("104.4f & g")
        ('104.4f', '104.4g')
        """
        numbers: list[str] = []
        for member in self._member.finditer(text):
            letters = member["alone"]
            if not letters:
                numbers += _written_out(member)
            elif numbers and numbers[-1][-1].isalpha() and letters > numbers[-1][-1]:
                numbers.append(stem_of(numbers[-1]) + letters)
        return tuple(dict.fromkeys(numbers))


# The text of editions, in which a citation may be anywhere.
_DASHES = "[-\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}]"
_UNITS = r"[kmgt]i?b|[kcm]?m|k?g|lbs?|[kmg]?hz|[af]m|percent|pounds|miles|degrees|dollars|euros"
RULES_TEXT = Profile(
    # No letter, digit, currency sign or part of an address may precede, except in "CR702" and
    # "rule702.72" (2021-06-18).
    before=r"(?:(?<![\w.,:@#$£€%&=+~-])(?<!\d[\s-])|(?<=\bCR)|(?<=\brule)|(?<=\brules))",
    first=f"(?:{NUMBER}|{CHAPTER})",
    # 2008-05-01 and 2009-05-01 have "?" for dashes: "212.2h?k". A range in words has blanks.
    to=rf"(?:{_DASHES}|\?(?=[\da-z])|\s+(?:to|through)\s+(?=\d))",
    letters_apart=rf"\s{_DASHES}\s",  # "601.2e - g" (2012-02-01)
    after=rf"(?![\w@]|/(?!{SECTION})|\.\w|,\d|\s?[%°]|\s(?:{_UNITS})\b)",
)

_NOUN = r"(?:(?:sub)?(?:rules?|sections?)\s+)?"
_ALONE = r"(?![\w'’]|\.\w)"
# Announcements of editions write "113 through the old 120", "702.27-31" and "509.1g-h".
BULLETINS = Profile(
    # No letter, digit, dot, hyphen, "#" or currency sign may precede.
    before=r"(?<![\w.$€£#-])",
    to=(
        r"(?:\s?[-\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{EM DASH}]\s?"
        rf"|(?<=\w)\s+(?:to|through)\s+(?:the\s+)?(?:(?:old|new)\s+)?{_NOUN})"
    ),
    rule=r"\d{1,2}",
    letters="[a-z]",
    after_ending=r"(?![\w'’])",
    after=r"(?!\.?\w|['’]\w)",
    joiner=r"(?:\s*(?:,|;|&|\+|/|\band\b|\bor\b)\s*){1,2}",
    noun=_NOUN,
    letters_alone=rf"[a-z]{_ALONE}",
)


def ends_of(match: re.Match[str]) -> tuple[str, str]:
    """Return both ends of a match of `Profile.named_range`; for a single number, the number twice.

    A range may run backwards, or from a rule to a section. The caller must check.
    """
    first = match["first"].casefold()
    kind = str(match.lastgroup)
    ending = match[kind].casefold()
    if kind in {"first", "whole"}:
        return first, ending
    return first, range_end(first, ending) or first


def _written_out(match: re.Match[str]) -> tuple[str, ...]:
    first, last = ends_of(match)
    between = numbers_between(first, last)
    return between if len(between) <= _LONGEST_WRITTEN_OUT else (first, last)


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
