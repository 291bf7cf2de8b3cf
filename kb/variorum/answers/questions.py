"""Reads the questions of users: CR 704.5k, 508.1d-f, [704.5k], 702.19 M10, a term.

    questions = number-or-range [ edition ] { between number-or-range [ edition ] } | words
    range     = number dash ending
    number    = prefix* section [ "." ( rule [ letters ] | letter ) ] [ "#" digit ]
    ending    = number | rule | letters
    edition   = [ "in" | "as of" | "@" ... ] designator, in parentheses or without
    between   = blanks | "," | ";" | "and" ...

Blanks in a number are allowed: 702. 37a. An edition applies to all preceding numbers without an
edition.
"""

import re
from typing import NamedTuple

from variorum.answers.editions import WORDS as EDITION_WORDS
from variorum.answers.editions import last_day
from variorum.rule_numbers import order_of, range_end
from variorum.text import fold_key

NUMBER, RANGE, WORDS = "number", "range", "words"

# A number may not end before a letter or digit: 2XM, 10th, 2009.
_END = re.compile(r"(?![^\W_]|\.\d)")
# Blanks and periods inside a number are misprints: "702. 37a", "119.1.d". Two letters apart are a word.
_NUMBER = re.compile(
    r"(?P<section>[1-9]\d{0,2})(?!\d)"
    r"(?:\. *(?:(?P<rule>\d+)(?:(?P<letters>[a-z]{1,2})(?![a-z])|[. ]+(?P<apart>[a-z])(?![^\W_]|\.\d))?"
    r"|(?P<letter>[a-z])(?![a-z])))?",
    re.ASCII,
)
_PREFIX = re.compile(
    r"(?:(?:see|cr|c\.r\.|rules|rule|subrule|sections|section|chapter|§§|§)[ :]*)*(?=\d)"
)
_WHICH = re.compile(r"\s*(#\d)")
_DASH = re.compile(r"\s*(?:-|–|—|\.\.\.|\.\.|to |through )\s*")
_LETTERS = re.compile(r"[a-z]{1,2}(?![a-z])")
_AND = re.compile(r"(?:(?:and|or) +)*")
_BEFORE_EDITION = re.compile(r"(?:(?:cr |in |on |at |of |as of |effective |from |@) *)*")
# 704,5j; 704.5(j); 7045j. A list of sections (702,703), a year and a day are none.
_MISTYPED = re.compile(
    r"(?<![\w.,/-])(?:([1-9]\d\d,(?:\d{1,2}[a-z]{0,2}|\d{3}[a-z]{1,2}))"
    r"|([1-9]\d\d\.\d{1,3}\([a-z]{1,2}\))|((?!19\d\d\b|20\d\d\b)[1-9]\d{3,5}[a-z]{0,2}))(?![\w.,/-])",
    re.IGNORECASE | re.ASCII,
)
_ENTRY = re.compile(r"(?:glossary: *)*")  # answers name a glossary entry "glossary: …"
_CLOSING = " .,:;)]"
_BETWEEN = " ,;&+/"


class Asked(NamedTuple):
    """A number, range or term that a user asks for, as `parse_question` reads it, and the designator beside it."""

    question: tuple[str, str, str]
    edition: str


def parse_questions(text: str) -> list[Asked]:
    """Read a user's questions: numbers and ranges with their editions, or a term.

    >>> [tuple(asked) for asked in parse_questions("[CR 704.5K] (2007-10-01)")]
    [(('number', '704.5k', ''), '2007-10-01')]
    >>> [asked.question[1] for asked in parse_questions("704.5k, 704.5j and 7")]
    ['704.5k', '704.5j', '7']
    >>> [asked.question[0] for asked in parse_questions("11 July 2009")]
    ['words']
    >>> [(asked.question[1], asked.edition) for asked in parse_questions("702.19 702.20 July 2009")]
    [('702.19', 'july 2009'), ('702.20', 'july 2009')]
    """
    if last_day(text):
        return [_as_words(text)]
    text = _MISTYPED.sub(_retyped, text)
    rest = text.strip().lower().replace("[", " ").replace("]", " ").strip()
    asked: list[Asked] = []
    while rest:
        question, behind = _take_question(rest)
        # A date such as 11 July 2009 begins with a number.
        if not question[1] or (asked and last_day(" ".join(rest.replace(",", " ").split()[:3]))):
            designator, behind = _take_designator(rest)
            if not designator or all(wish.edition for wish in asked):
                return [_as_words(text)]
            asked = [Asked(wish.question, wish.edition or designator) for wish in asked]
        else:
            asked.append(Asked(question, ""))
        rest = _without(_AND, behind.lstrip(_CLOSING + _BETWEEN))
    return asked or [_as_words(text)]


def parse_question(text: str) -> tuple[str, str, str]:
    """Read a question that names one rule, range or term, without an edition.

    It is (NUMBER, "704.5k", "#1" or "#2" for a number printed twice, else ""); (RANGE, "508.1d",
    "508.1f"), both included; or (WORDS, folded words, "").

    >>> parse_question("CR 704.5K.")
    ('number', '704.5k', '')
    >>> parse_question("rules 508.1d–f")
    ('range', '508.1d', '508.1f')
    >>> parse_question("State-Based Actions")
    ('words', 'state-based actions', '')
    """
    text = _MISTYPED.sub(_retyped, text)
    question, rest = _take_question(text.strip().lower())
    return _words_question(text) if not question[1] or rest.strip(_CLOSING) else question


def _retyped(match: re.Match[str]) -> str:
    """Return a number as editions print it: 704,5j and 704.5(j) and 7045j are 704.5j."""
    comma, bracketed, run = match.groups()
    if comma:
        return comma.replace(",", ".")
    return re.sub("[()]", "", bracketed) if bracketed else f"{run[:3]}.{run[3:]}"


def asked_for(question: tuple[str, str, str]) -> str:
    """Return a question as messages repeat it.

    >>> asked_for(parse_question("CR 704.5K.")), asked_for(parse_question("508.1d–f"))
    ('704.5k', '508.1d-508.1f')
    """
    kind, first, last = question
    return f"{first}-{last}" if kind == RANGE else f"{first}{last}"


def runs_backwards(question: tuple[str, str, str]) -> bool:
    """Return whether a question is a range whose end comes before its beginning.

    >>> runs_backwards(parse_question("704.5n-k")), runs_backwards(parse_question("704.5k-n"))
    (True, False)
    """
    kind, first, last = question
    return kind == RANGE and order_of(last) < order_of(first)


def _as_words(text: str) -> Asked:
    bare = text.strip().strip("[]")
    words, _, behind = bare.rpartition("(")
    designator = _without(_BEFORE_EDITION, behind.rstrip(") ").lower())
    if words and (last_day(designator) or designator in EDITION_WORDS):
        return Asked(_words_question(words), designator)
    return Asked(_words_question(bare), "")


def _words_question(text: str) -> tuple[str, str, str]:
    return WORDS, fold_key(_without(_ENTRY, text.lower())), ""


def _take_question(text: str) -> tuple[tuple[str, str, str], str]:
    """Split a text into the number or range that it begins with, and the rest, as the next two do."""
    none = (NUMBER, "", ""), text
    number, rest = _take_number(_without(_PREFIX, text.lstrip("( ")))
    if not number:
        return none
    if which := _WHICH.match(rest):
        rest = rest[which.end() :]
        return ((NUMBER, number, which[1]), rest) if _END.match(rest) else none
    if not _END.match(rest):
        return none
    dash = _DASH.match(rest)
    if not dash:
        return (NUMBER, number, ""), rest
    rest = rest[dash.end() :]
    ending, after = _take_number(rest)
    # A range of sections must have both numbers in full, not "306-11".
    last = range_end(number, ending) if "." in number and ending else ending
    if not ending and (letters := _LETTERS.match(rest)):
        last, after = range_end(number, letters[0]), rest[letters.end() :]
    return ((RANGE, number, last), after) if last and _END.match(after) else none


def _take_number(text: str) -> tuple[str, str]:
    match = _NUMBER.match(text)
    if match is None:
        return "", text
    rule = match["rule"] or match["letter"]
    letters = match["letters"] or match["apart"] or ""
    return f"{match['section']}.{rule}{letters}" if rule else match["section"], text[match.end() :]


def _take_designator(text: str) -> tuple[str, str]:
    if text[0] == "(":
        inner, _, rest = text[1:].partition(")")
        return _without(_BEFORE_EDITION, inner.strip()).strip(), rest
    taken: list[str] = []
    words = _without(_BEFORE_EDITION, text).strip().split(" ")
    while words and not (taken and _ends_designator(taken[-1], words[0])):
        taken.append(words.pop(0))
    return " ".join(taken).rstrip(_CLOSING), " ".join(words)


def _ends_designator(word: str, after: str) -> bool:
    """Return whether a designator ends after a word: before a number, or at a comma."""
    number, behind = _take_number(after)
    is_number = len(number) > 2 and _END.match(behind)  # noqa: PLR2004 - not the 3 of "Modern Horizons 3"
    return bool(is_number) or (word[-1:] in {",", ";"} and not last_day(after))


def _without(opening: re.Pattern[str], text: str) -> str:
    return text[match.end() :] if (match := opening.match(text)) else text
