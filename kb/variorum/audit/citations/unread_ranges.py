"""Recognises the ends of ranges and lists that the grammar cannot read: "704.5k -> m"."""

import re

from variorum.audit.citations.separators import BLANK, DASH, GAP, WRAP
from variorum.model import RuleNumber
from variorum.rule_numbers import LETTERS, SECTION

_WAVES = "\N{WAVE DASH}\N{FULLWIDTH TILDE}"
# Signs of an unread range: "704.5k up to 704.5n", "704.5k -> 704.5m".
_ONWARD = re.compile(
    rf"""
    [*_`\"'”’\])}}]{{0,3}} (?: \([^()\s]{{0,200}}\) | \[[^\[\]\s]{{0,60}}\] )?
    (?: (?P<left>{BLANK}{{0,2}})
        (?: {DASH}>? | <-> | ={{1,2}}> | \.{{2,4}}[=<]? | […~→⇒↔{_WAVES}] | &rarr; )
        (?P<right> {WRAP} | {BLANK}{{0,2}} )
      | {GAP}{{1,24}}+ (?P<word> (?:up[ ])?to | until | till? | through | thru )
        (?:[ ]and[ ]including)? {GAP}{{1,24}}+ )
    (?P<cited> (?:CR|rules?) {BLANK}? )? [*_`\"'“‘\[({{]{{0,3}}
    (?: (?P<dotted> {SECTION}\.[1-9] ) | (?P<digits> [1-9]\d* )
      | (?P<letters> {LETTERS} ) (?![^\W_]|['’]\w) )
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
# Several letters of one rule: "704.5[km]", "704.5 (k, m)".
_SPREAD = re.compile(
    r"[ ]?[(\[{][a-z](?:(?:[ ]?[-–,;/|&][ ]?|[ ](?:and|or|to)[ ])[a-z]){0,8}[)\]}]"
    r"|[\[{][a-z]{2,8}[\]}]"
)
# Two letters that are a word. Others may be a subrule's: "aa" follows "z".
WORDS = {"an", "as", "at", "am", "ad", "ah", "al", "au", "ax"}


def reach_of_range(text: str, number: str, end: int) -> int:
    """Return the offset of the end of an unread range after a number; 0 if there is none.

    Args:
        text: The whole text.
        number: A number that was read as a single number.
        end: Where it ends in the text.
    """
    onward = _ONWARD.match(text, end)
    start = RuleNumber.read(number) if onward is not None else None
    if onward is None or start is None:
        return 0
    is_tight = not onward["word"] and not onward["left"] and not onward["right"]
    if onward["letters"]:
        is_next = _may_end(onward["letters"], start, text[end - 1], is_tight=is_tight)
    else:
        # "702.9 - 3 cards", "704.5k to 2 players"
        is_next = bool(onward["dotted"] or onward["cited"]) or (is_tight and not start.letters)
    return onward.end() if is_next else 0


def _may_end(letters: str, start: RuleNumber, before: str, *, is_tight: bool) -> bool:
    """Say whether letters may be the end of a range that begins with a number."""
    small = letters.casefold()
    if not start.letters:
        return is_tight and bool(start.rule)
    if (is_word(small, start) or is_louder(letters, before)) and not is_tight:
        return False
    return (len(start.letters), start.letters) < (len(small), small)


def is_word(letters: str, start: RuleNumber) -> bool:
    """Say whether small letters after a number are a word, not a double letter such as "aa"."""
    return letters in WORDS and len(start.letters) == 1


def goes_on(text: str, number: str, end: int) -> bool:
    """Say whether an unread range or several letters continue a number."""
    return reach_of_range(text, number, end) > 0 or _is_spread(text, number, end)


def _is_spread(text: str, number: str, end: int) -> bool:
    """Say whether several letters in brackets follow a rule."""
    is_rule = "." in number and number[-1].isdigit()
    return is_rule and _SPREAD.match(text, end) is not None


def is_louder(letter: str, before: str) -> bool:
    """Say whether a capital follows a small letter. No rule's number has that."""
    return letter.isupper() and not before.isupper()
