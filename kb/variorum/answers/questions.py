r"""Reads the questions of users: CR 704.5k, 508.1d-f, [704.5k], 702.19 M10, a term.

    questions = number-or-range [ edition ] { between number-or-range [ edition ] } | words
    range     = number dash ( number | rule | letters )
    number    = prefix* section [ "." ( rule [ letters ] | letter ) ] [ "#" digit ]
    edition   = [ "in" | "as of" | "@" ... ] designator, in parentheses or without
    between   = blanks | "," | ";" | "and" ...

What a finger or an edition misprints is mended first: 704,5j; 704.5(j); 7045j; 702. 37a; 119.1.d. An
edition applies to all preceding numbers without an edition.
"""

import re
from typing import NamedTuple

from variorum.answers.editions import WORDS as EDITION_WORDS
from variorum.answers.editions import days_of
from variorum.rule_numbers import range_end
from variorum.text import fold_key

NUMBER, RANGE, WORDS = "number", "range", "words"
# A kind, then a number with "#1" or "#2" or "", or both ends of a range, or folded words and "".
Question = tuple[str, str, str]

# What stands for a number, and how editions print it. Lists of sections (702,703), years and days are none.
_ALONE = r"(?<![\w.,/-]){}(?![\w.,/-])"
_MISTYPED = [
    (re.compile(form, re.IGNORECASE | re.ASCII), mended)
    for form, mended in (
        (_ALONE.format(r"([1-9]\d\d),(\d{1,2}[a-z]{0,2}|\d{3}[a-z]{1,2})"), r"\1.\2"),
        (_ALONE.format(r"([1-9]\d\d\.\d{1,3})\(([a-z]{1,2})\)"), r"\1\2"),
        (_ALONE.format(r"(?!19\d\d\b|20\d\d\b)([1-9]\d\d)(\d{1,3}[a-z]{0,2})"), r"\1.\2"),
        (r"\b([1-9]\d{0,2}\.) +(?=\d|[a-z](?![a-z]))", r"\1"),
        (r"\b([1-9]\d{0,2}\.\d+)[. ]+([a-z])(?![^\W_]|\.\d)", r"\1\2"),
    )
]
_SUBRULE = r"(?:\.(?:\d+(?:[a-z]{1,2}(?![a-z]))?|[a-z](?![a-z])))?"
# A number may not end before a letter or digit: 2XM, 10th, 2009.
_END = r"(?![^\W_]|\.\d)"
_DASH = r"(?:\s*(?:-|–|—|\.\.\.?)\s*|\s+(?:to|through)\s+)"
_QUESTION = re.compile(
    r"[( ]*(?:(?:see|cr|c\.r\.|rules|rule|subrule|sections|section|chapter|§)[ :]*)*"
    rf"(?P<first>[1-9](?:\d\d)?(?!\d){_SUBRULE})"
    rf"(?:\s*(?P<which>#\d)|{_DASH}(?P<last>[1-9]\d*{_SUBRULE}|[a-z]{{1,2}}(?![a-z])))?"
    rf"{_END}(?!{_DASH})",
    re.ASCII,
)
# It ends before a number (not the 3 of "Modern Horizons 3") or at a comma (not that of "July 11, 2009").
_DESIGNATOR = re.compile(
    rf"\((?P<inner>[^)]*)\)?|.+?(?=[,;] (?!\d{{4}}\b)| [1-9]\d\d(?!\d){_SUBRULE}{_END}|$)", re.ASCII
)
_BEFORE_EDITION = re.compile(r"(?:(?:cr |in |on |at |of |as of |effective |from |@) *)*")
_BETWEEN = re.compile(r"[ .,:;)&+/]*(?:(?:and|or) +)*")
_ENTRY = re.compile(r"(?:glossary: *)*")  # answers name a glossary entry "glossary: …"


class Asked(NamedTuple):
    """A number, range or term that a user asks for, as `parse_question` reads it, and the designator beside it."""

    question: Question
    edition: str


def parse_questions(text: str) -> list[Asked]:
    """Read a user's questions: numbers and ranges with their editions, or a term.

    >>> [tuple(asked) for asked in parse_questions("[CR 704.5K] (2007-10-01)")]
    [(('number', '704.5k', ''), '2007-10-01')]
    >>> [asked.question[1] for asked in parse_questions("704.5k, 704,5j and 7")]
    ['704.5k', '704.5j', '7']
    >>> [asked.question[0] for asked in parse_questions("11 July 2009")]
    ['words']
    >>> [(asked.question[1], asked.edition) for asked in parse_questions("702.19 702.20 July 2009")]
    [('702.19', 'july 2009'), ('702.20', 'july 2009')]
    """
    if days_of(text)[1]:
        return [_as_words(text)]
    for form, mended in _MISTYPED:
        text = form.sub(mended, text)
    rest = text.lower().replace("[", " ").replace("]", " ").strip()
    asked: list[Asked] = []
    undated = 0  # from this place on, the questions have no edition yet
    while rest:
        match = _QUESTION.match(rest)
        question = _named(match) if match else None
        # A date such as 11 July 2009 begins with a number.
        begin = " ".join(re.split("[, ]+", rest, maxsplit=3)[:3])
        if match and question and not (asked and days_of(begin)[1]):
            asked.append(Asked(question, ""))
        else:
            match = _DESIGNATOR.match(rest)
            words = (match["inner"] or match[0]) if match else ""
            designator = _BEFORE_EDITION.sub("", words.strip(), count=1).strip(" .,:;)&+/")
            if match is None or not designator or not asked[undated:]:
                return [_as_words(text)]
            asked[undated:] = [wish._replace(edition=designator) for wish in asked[undated:]]
            undated = len(asked)
        rest = _BETWEEN.sub("", rest[match.end() :], count=1)
    return asked or [_as_words(text)]


def _named(match: re.Match[str]) -> Question | None:
    """Return the number or range that was matched; None for a range that is none, such as "702-b"."""
    first, last = match["first"], match["last"]
    if not last:
        return NUMBER, first, match["which"] or ""
    # A range of sections must have both numbers in full, not "306-11".
    last = range_end(first, last) if "." in first or last.isalpha() else last
    return (RANGE, first, last) if last else None


def parse_question(text: str) -> Question:
    """Read a question that names one rule, range or term, without an edition.

    >>> parse_question("CR 704.5K."), parse_question("rules 508.1d–f")
    (('number', '704.5k', ''), ('range', '508.1d', '508.1f'))
    """
    first, *others = parse_questions(text)
    return (WORDS, fold_key(text), "") if others or first.edition else first.question


def asked_for(question: Question) -> str:
    """Return a question as messages repeat it."""
    kind, first, last = question
    return f"{first}-{last}" if kind == RANGE else f"{first}{last}"


def _as_words(text: str) -> Asked:
    bare = text.strip().strip("[]")
    words, _, behind = bare.rpartition("(")
    designator = _BEFORE_EDITION.sub("", behind.rstrip(") ").lower(), count=1)
    if not words or not (days_of(designator)[1] or designator in EDITION_WORDS):
        words, designator = bare, ""
    return Asked((WORDS, fold_key(_ENTRY.sub("", words.lower(), count=1)), ""), designator)
