"""Read printed numbers: single ones, ranges, lists, whose later members may be letters alone."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from variorum_kb.model import RuleNumber

_COMMENT = r"(?://[/!]?|\*+(?![/\w])|[#>]+|--|;+|%+|\"\"\")"
# Blanks that do not break are written as such, or as HTML does.
_BLANK = r"(?:[ \t\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}]|&nbsp;|&\#160;)"
# A blank, or the end of a line and the sign that begins the next one in a comment.
GAP = rf"(?:{_BLANK}|\r?\n(?:[ \t]*{_COMMENT})?)"

_DASH = "[-\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}\udc96\udc97]"
_LETTERS = "a?[a-z]"
_DOTTED = rf"[1-9]\d\d\.[1-9]\d{{0,2}}(?:{_LETTERS})?"
# No word, address, version or placeholder ("702.??", "702.*") goes on with it.
_END = r"(?![^\W_]|_\w|@|\.[\da-z?]|\.\*(?!\*)|\s?[%°])"
_UNIT = r"(?!,\d|[ ]?(?:[kmn]?s|px|em|[kmg]i?b|cards?|life|tokens?|points?|times|lines|files|of)\b)"
_NUMBER = re.compile(rf"(?:{_DOTTED}|[1-9]\d\d{_UNIT}){_END}", re.ASCII | re.IGNORECASE)
# The same before a dash that makes it a range: "702.52a-c".
_OPEN = re.compile(rf"(?:{_DOTTED}|[1-9]\d\d)(?![^\W_]|_\w|@|\.[\da-z])", re.ASCII | re.IGNORECASE)
_TO = re.compile(
    rf"(?P<dash>[ ]?{_DASH}[ ]?|\.\.=?|…)|{GAP}{{1,24}}+(?:to|through|thru){GAP}{{1,24}}+(?:rules?[ ])?",
    re.IGNORECASE,
)
_LETTER = re.compile(rf"(?:{_LETTERS}){_END}(?!['’]\w)", re.ASCII | re.IGNORECASE)
_RULE = re.compile(rf"[1-9]\d{{0,2}}{_END}", re.ASCII)
_BETWEEN = re.compile(
    rf"""
    [*_`\"'”’\])]{{0,2}}
    (?: \r?\n[ \t]{{0,24}}-[ ]
      | {GAP}{{0,48}}
        (?: (?P<slash>[/+]) | vs\.?(?=\s) | (?:and/or|and|or|et|und|y|e|o|ou|oder)\b | &(?!\#|nbsp)
          | [,;] {GAP}{{0,48}}+ (?:(?:and/or|and|or)\b|&(?!\#|nbsp)) | (?P<comma>[,;]) )
    )
    {GAP}{{0,48}}+ [*_`\"'“‘\[(]{{0,2}}
    """,
    re.VERBOSE | re.IGNORECASE,
)
# What may follow a letter behind a comma, as in "601.2f, h": no sentence goes on with it.
_ENDS = re.compile(r"[ ]?(?:$|[,;:.)\]/&\"'”`*\r]|(?:and|or|see)\b|\()", re.MULTILINE)
_BRACKETED = re.compile(rf"\((?P<letter>{_LETTERS})\)|\[(?P<other>{_LETTERS})\]", re.IGNORECASE)
# How far apart letters and rules of one list are at most.
FAR = 8
# Words, not the letters that come after z.
_WORDS = {"an", "as", "at", "am", "ad", "ah", "ax"}
# How many ends of lines may stand within one list.
_MOST_LINES = 2
FULL, LETTERS, RULE = "full", "letters", "rule"


class Part(NamedTuple):
    """A number as it is printed.

    Attributes:
        number: In full, in small letters: 702.52c.
        start: In code points from the start of the text.
        end: Likewise, exclusive.
        form: "full"; "letters" of the "c" in 702.52a-c; "rule" of the "55" in 702.52-55; "(" or
            "[" of 702.52(a), whose letter stands in brackets.
    """

    number: str
    start: int
    end: int
    form: str


class Citation(NamedTuple):
    """A citation of a rule, or of a range.

    Attributes:
        first: Its number.
        last: The other end of a range; None of a single number.
        start: Where its words begin: the "CR" of the first in a list, else its number.
        end: In code points, exclusive.
    """

    first: Part
    last: Part | None
    start: int
    end: int


def read_list(text: str, start: int, begin: int) -> Iterator[Citation]:
    """Yield a number and all that follow it in one list.

    Args:
        text: All of it.
        start: Where the first number begins.
        begin: Where the word before it does.
    """
    citation = read_citation(text, start, begin)
    while citation is not None:
        yield citation
        between = _BETWEEN.match(text, citation.end)
        if between is None or between[0].count("\n") > _MOST_LINES:
            return
        start, before = between.end(), citation.last or citation.first
        citation = read_citation(text, start, start, before, between.lastgroup or "")


def read_citation(
    text: str, start: int, begin: int, before: Part | None = None, sign: str = ""
) -> Citation | None:
    """Return the citation that begins at a place; None if none does.

    Args:
        text: All of it.
        start: Where its number begins.
        begin: Where its word begins.
        before: The number before it in a list, whose rule a letter alone is of.
        sign: What parts the two: "slash", "comma", "" of a word.
    """
    first = _first(text, start, before, sign)
    if first is None:
        return None
    last = _last(text, first)
    if last is None and first.form == FULL and not _NUMBER.match(text, start):
        return None  # what follows makes it something else
    return Citation(first, last, begin, (last or first).end)


def is_lettered(text: str, start: int) -> bool:
    """Say whether a number such as 702.52a stands at a place."""
    match = _NUMBER.match(text, start)
    return match is not None and match[0][-1].isalpha()


def _first(text: str, start: int, before: Part | None, sign: str) -> Part | None:
    match = _OPEN.match(text, start)
    if match is not None:
        if before is not None and not _goes_on(text, match, before, sign):
            return None
        return _bracketed(match, text) or Part(match[0].casefold(), start, match.end(), FULL)
    if before is None:
        return None
    letter = _LETTER.match(text, start)
    if letter is not None:
        is_open = sign == "comma" and not _ENDS.match(text, letter.end())
        is_word = sign != "slash" and letter[0].casefold() in _WORDS
        return None if is_open or is_word else _lettered(letter, before, text)
    rule = _RULE.match(text, start) if sign == "slash" and text[start - 1] == "/" else None
    return _ruled(rule, before) if rule is not None else None


def _goes_on(text: str, match: re.Match[str], before: Part, sign: str) -> bool:
    """Say whether a number without a dot belongs to a list: not "CR 603.2, 100 of them"."""
    if "." in match[0] or sign == "slash":
        return True
    return "." not in before.number and (sign != "comma" or bool(_ENDS.match(text, match.end())))


def _bracketed(match: re.Match[str], text: str) -> Part | None:
    """Return the "420.5(e)" of those who set letters in brackets."""
    letter = _BRACKETED.match(text, match.end())
    if letter is None or match[0][-1].isalpha() or "." not in match[0]:
        return None
    number = f"{match[0]}{(letter['letter'] or letter['other']).casefold()}"
    return Part(number, match.start(), letter.end(), letter[0][0])


def _lettered(letter: re.Match[str], before: Part, text: str) -> Part | None:
    """Return the "n" of "704.5m/n", if it is a letter of that rule and no word."""
    one = RuleNumber.read(before.number)
    if one is None or not one.letters or _is_louder(letter[0], text[before.end - 1]):
        return None
    # "704.5m or a token", "601.2b, I think", "702.16h, x": a list goes forward, and not far.
    if not is_near(one.letters, letter[0].casefold()):
        return None
    number = f"{one.section}.{one.rule}{letter[0].casefold()}"
    return Part(number, letter.start(), letter.end(), LETTERS)


def _is_louder(letter: str, before: str) -> bool:
    """Say whether a capital stands behind a small letter: it is another thing."""
    return letter.isupper() and not before.isupper()


def is_near(one: str, other: str) -> bool:
    """Say whether letters may follow others in a list without their rule.

    >>> is_near("m", "n"), is_near("b", "x"), is_near("n", "m"), is_near("z", "aa")
    (True, False, False, True)
    """
    if len(one) != len(other):
        return len(one) < len(other) and one >= "m"
    return one < other and ord(other[-1]) - ord(one[-1]) <= FAR


def _ruled(rule: re.Match[str], before: Part) -> Part | None:
    """Return the "3" of "613.2/3", if it is a rule of that section."""
    one = RuleNumber.read(before.number)
    if one is None or one.letters or not one.rule or not 0 < int(rule[0]) - one.rule <= FAR:
        return None
    return Part(f"{one.section}.{rule[0]}", rule.start(), rule.end(), RULE)


def _last(text: str, first: Part) -> Part | None:
    """Return the other end of a range; None if there is none, or if it would run backwards."""
    to = _TO.match(text, first.end)
    one = RuleNumber.read(first.number)
    if to is None or one is None:
        return None
    end = _other_end(text, to, one)
    other = RuleNumber.read(end.number) if end is not None else None
    return end if other is not None and one < other else None


def _other_end(text: str, to: re.Match[str], one: RuleNumber) -> Part | None:
    start, is_tight = to.end(), (to["dash"] or "").strip() == to["dash"]
    full = _NUMBER.match(text, start)
    if full is not None and ("." in full[0]) == bool(one.rule):
        return Part(full[0].casefold(), start, full.end(), FULL)
    if one.letters and (letter := _LETTER.match(text, start)):
        # "601.2b - X is chosen", "107.3a – I think"
        is_quiet = not _is_louder(letter[0], text[to.start() - 1])
        if is_quiet and (is_tight or not to["dash"] or _ENDS.match(text, letter.end())):
            number = f"{one.section}.{one.rule}{letter[0].casefold()}"
            return Part(number, start, letter.end(), LETTERS)
    if one.rule and not one.letters and is_tight and (rule := _RULE.match(text, start)):
        return Part(f"{one.section}.{rule[0]}", start, rule.end(), RULE)
    return None
