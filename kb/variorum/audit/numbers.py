"""Reads the numbers that programs and articles print: single ones, ranges and lists.

    list     = citation ( joiner ( citation | letters | rule ) )*    704.5m/n, 613.2/3 and 702.9
    citation = number [ to ending ]                                  702.52a-c, 704.5k–704.5n
    number   = section [ "." rule [ letters ] ] | dotted "(" letters ")"
    ending   = number | rule | letters | "(" letters ")"

The productions extend those of `variorum.citations` by brackets, and by blanks and the signs of
wrapped comments between the parts. Whether a letter belongs to a list depends on the words around
it, which no grammar expresses: "704.5m or a token" and "601.2b - X is chosen" name one rule
each. Ends of ranges and lists that the grammar cannot read ("704.5k -> m") leave a citation open.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from variorum.model import RuleNumber
from variorum.rule_numbers import DOTTED, LETTERS, NUMBER, RULE, SECTION, range_end

COMMENT = r"(?://[/!]?|\*+(?![/\w])|[#>]+|--|;+|%+|\"\"\")"
# Non-breaking spaces may be characters, bytes of Latin-1, or escapes of HTML or JSON.
BLANK = (
    "(?:[ \t\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\udca0]|&nbsp;|&\\#160;"
    r"|\\u00a0|\\u202f|\\xa0)"
)
# Old Macs ended lines with a carriage return alone.
LINE = r"(?:\r\n?|\n)"
# A blank, or the end of a line and the sign that begins the next one in a comment.
GAP = rf"(?:{BLANK}|{LINE}(?:[ \t]*{COMMENT})?)"

DASH = (
    "(?:-{1,3}|[\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{FIGURE DASH}\N{EN DASH}\N{EM DASH}"
    "\N{HORIZONTAL BAR}\N{MINUS SIGN}\udc96\udc97]"
    r"|&[mn]dash;|&\#821[123];|&\#x201[2345];"
    # Escapes of JSON, Python and Rust.
    r"|\\{1,4}(?:u201[0-5]|u\{201[0-5]\}|u2212|x9[67]|N\{E[MN]\ DASH\}))"
)
# A comment that is wrapped after a dash.
WRAP = rf"[ \t]{{0,4}}{LINE}[ \t]{{0,24}}(?:{COMMENT})?[ \t]{{0,24}}"


def lines_of(text: str) -> int:
    """Return the number of line ends in a text."""
    return text.count("\n") + text.count("\r") - text.count("\r\n")


def line_end(text: str, start: int) -> int:
    """Return the offset of the next line feed, or of the end of the text."""
    end = text.find("\n", start)
    return end if end >= 0 else len(text)


# A word, address, version or placeholder ("702.??", "702.*") must not continue the number.
_EXPONENT = r"(?!(?<=e)[-+]\d{1,2}(?![\d.]))"
_END = rf"(?![^\W_]|_\w|@|\.[\da-z?]|\.\*(?!\*)|\s?[%°]){_EXPONENT}"
_UNIT = r"(?!,\d|[ ]?(?:[kmn]?s|px|em|[kmg]i?b|cards?|life|tokens?|points?|times|lines|files|of)\b)"
_NUMBER = re.compile(rf"(?:{DOTTED}|{SECTION}{_UNIT}){_END}", re.ASCII | re.IGNORECASE)
# A number before a dash that makes it a range: "702.52a-c".
_OPEN = re.compile(rf"{NUMBER}(?![^\W_]|_\w|@|\.[\da-z]){_EXPONENT}", re.ASCII | re.IGNORECASE)
_TO = re.compile(
    rf"""
    (?P<left>{BLANK}?) {DASH} (?: (?P<wrap>{WRAP}) | (?P<right>{BLANK}?) )
    | (?P<dots> \.{{2,3}}=? | … )
    | {GAP}{{1,24}}+ (?P<word>to|through|thru) {GAP}{{1,24}}+ (?:(?:CR|rules?)[ ])?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_LETTER = re.compile(rf"(?:{LETTERS}){_END}(?!['’]\w)", re.ASCII | re.IGNORECASE)
_RULE = re.compile(rf"{RULE}{_END}", re.ASCII)
_BETWEEN = re.compile(
    rf"""
    (?: \]\([^()\s]{{0,200}}\) | \]\[[^\[\]\s]{{0,60}}\] )?  # where a link of Markdown leads to
    (?P<close> [*_`\"'”’\])]{{0,2}} ) (?:</a>)? (?:[ ]\([A-Za-z][^()\n]{{0,60}}\)(?=[,;]?[ ](?:and|or|&)[ ]))?
    (?: {LINE}[ \t]{{0,24}}-[ ]
      | {GAP}{{0,48}}
        (?: (?P<slash>[/+])
          | (?:vs\.?(?=\s)|plus\b|then\b|as[ ]well[ ]as\b|but[ ]not\b|see[ ]also\b)
          | (?:and/or|and|or|et|und|y|e|o|ou|oder)\b (?:[ ]then\b|[ ]also\b|[ ]not\b)? | &(?!\#|nbsp)
          | [,;] {GAP}{{0,48}}+ (?:(?:and/or|and|or|then|see[ ]also)\b|&(?!\#|nbsp)) | (?P<comma>[,;]) )
    )
    {GAP}{{0,48}}+ (?:<a\b[^<>\n]{{0,120}}>)? (?:(?:no|nos|nr)\.[ ]?)?
    (?P<quote> [*_`\"'“‘\[(]{{0,2}} [#§]{{0,2}} )
    """,
    re.VERBOSE | re.IGNORECASE,
)
# No citation continues after one of these signs; testing for them first saves time.
_CLOSED = re.compile(r"\)?(?:[,;:?!]|\.(?!\.))")
# What must follow a letter after a comma, as in "601.2f, h". Otherwise the letter may begin a
# clause.
_ENDS = re.compile(r"[ ]?(?:$|[,;:.)\]/&\"'”`*\r]|(?:and|or|see)\b|\()", re.MULTILINE)
_BRACKETED = re.compile(rf"\((?P<letter>{LETTERS})\)|\[(?P<other>{LETTERS})\]", re.IGNORECASE)
# The letter of "704.5 (k)". Not s, as in "rule(s)", and not x, which is an amount.
_APART = re.compile(r"[ ]\((?P<letter>a?[a-rt-wyz])\)(?P<other>)")
# "704.5{k,m}", as in shells.
_NUMBER_BEFORE = re.compile(rf"{SECTION}\.{RULE}(?=\{{)", re.ASCII)
_IN_BRACES = re.compile(
    rf"\{{[ ]?(?:{LETTERS})(?:[ ]?[-–][ ]?(?:{LETTERS}))?"
    rf"(?:[ ]?[,;/|][ ]?(?:{LETTERS})(?:[ ]?[-–][ ]?(?:{LETTERS}))?){{0,8}}[ ]?\}}",
    re.IGNORECASE,
)
_EACH_IN_BRACES = re.compile(
    rf"(?P<first>{LETTERS})(?:[ ]?[-–][ ]?(?P<last>{LETTERS}))?", re.IGNORECASE
)
# The greatest distance between letters or rules of one list.
FAR = 8
# How many line ends one list may contain.
_MOST_LINES = 2
FULL, ONLY_LETTERS, ONLY_RULE, ANCHOR = "full", "letters", "rule", "anchor"
# The brackets around a letter.
BRACKETS = {"(": ")", "[": "]"}


class PrintedNumber(NamedTuple):
    """A number as it is printed."""

    number: str
    start: int
    end: int
    form: str


class Citation(NamedTuple):
    """A citation of a rule, or of a range."""

    first: PrintedNumber
    last: PrintedNumber | None
    start: int
    end: int
    is_open: bool = False
    is_bare: bool = False
    edition: str = ""


def read_list(text: str, start: int, begin: int) -> Iterator[Citation]:
    """Yield the citations of a list of numbers."""
    spread = _spread(text, start, begin)
    if spread:
        yield from spread
        return
    citation = read_citation(text, start, begin)
    while citation is not None:
        if not _is_of_chapters(citation):
            yield citation
        between = _BETWEEN.match(text, citation.end)
        if between is None or lines_of(between[0]) > _MOST_LINES:
            return
        start, before = between.end(), citation.last or citation.first
        sign = "slash" if between["slash"] else "comma" if between["comma"] else ""
        following = read_citation(text, start, start, before, sign)
        if following is not None and _is_outside(between, following):
            return
        citation = following


def _is_of_chapters(citation: Citation) -> bool:
    """Say whether a range is of whole chapters, "100-199": it divides the rules and cites none."""
    first, last = citation.first.number, citation.last.number if citation.last else ""
    return first[1:] == "00" and last[1:] == "99"


def _spread(text: str, start: int, begin: int) -> list[Citation]:
    """Return the citations of "704.5{k,m}" or "704.5{k-m}"; they are never rewritten."""
    number = _NUMBER_BEFORE.match(text, start)
    letters = _IN_BRACES.match(text, number.end()) if number else None
    if number is None or letters is None:
        return []
    citations: list[Citation] = []
    for part in _EACH_IN_BRACES.finditer(text, letters.start(), letters.end()):
        first, last = [
            PrintedNumber(
                f"{number[0]}{letter.casefold()}",
                part.start(),
                part.end(),
                ONLY_LETTERS,
            )
            if letter
            else None
            for letter in (part["first"], part["last"])
        ]
        if first is not None:
            place = part.start() if citations else begin
            citations.append(Citation(first, last, place, part.end(), is_open=True))
    return citations


def share_doubt(citations: Iterable[Citation]) -> Iterator[Citation]:
    """Yield citations; if one is open, mark as open all that share its printed rule.

    In "704.5m/n -> p", "m" and "n" are both open.
    """
    sharing: list[Citation] = []
    for citation in citations:
        if citation.first.form not in {ONLY_LETTERS, ONLY_RULE}:
            yield from _as_one(sharing)
            sharing = []
        sharing.append(citation)
    yield from _as_one(sharing)


def _as_one(sharing: Sequence[Citation]) -> Iterator[Citation]:
    is_open = any(citation.is_open for citation in sharing)
    return (citation._replace(is_open=True) if is_open else citation for citation in sharing)


def read_citation(
    text: str, start: int, begin: int, before: PrintedNumber | None = None, sign: str = ""
) -> Citation | None:
    """Return the citation that begins at a place; None if there is none."""
    first = _first(text, start, before, sign)
    if first is None:
        return None
    last = _last(text, first)
    if last is None and first.form == FULL and not _NUMBER.match(text, start):
        return None  # the following text continues the number
    is_open = first.form in BRACKETS and " " in text[first.start : first.end]
    if last is None and not is_open and not _CLOSED.match(text, first.end):
        is_open = goes_on(text, first.number, first.end)
    return Citation(first, last, begin, (last or first).end, is_open)


def _is_outside(between: re.Match[str], following: Citation) -> bool:
    """Say whether a number follows a string literal: `f("CR 702.9", 702.9, n)`."""
    is_literal = any(sign in between["close"] for sign in "\"'")
    is_quoted = any(sign in between["quote"] for sign in "\"'")
    return is_literal and (not is_quoted or following.first.form in {ONLY_LETTERS, ONLY_RULE})


def is_lettered(text: str, start: int) -> bool:
    """Say whether a number such as 702.52a is at a place."""
    match = _NUMBER.match(text, start)
    return match is not None and match[0][-1].isalpha()


def _first(text: str, start: int, before: PrintedNumber | None, sign: str) -> PrintedNumber | None:
    match = _OPEN.match(text, start)
    if match is not None:
        if before is not None and not _goes_on(text, match, before, sign):
            return None
        return _bracketed(match, text) or PrintedNumber(
            match[0].casefold(), start, match.end(), FULL
        )
    if before is None:
        return None
    letter = _LETTER.match(text, start)
    if letter is not None:
        is_open = sign == "comma" and not _ENDS.match(text, letter.end())
        is_word = sign != "slash" and letter[0].casefold() in WORDS
        return None if is_open or is_word else _lettered(letter, before, text)
    rule = _RULE.match(text, start) if sign == "slash" and text[start - 1] == "/" else None
    return _ruled(rule, before) if rule is not None else None


def _goes_on(text: str, match: re.Match[str], before: PrintedNumber, sign: str) -> bool:
    """Say whether a number without a dot belongs to a list; not in "CR 603.2, 100 of them"."""
    if "." in match[0] or sign == "slash":
        return True
    return "." not in before.number and (sign != "comma" or bool(_ENDS.match(text, match.end())))


def _bracketed(match: re.Match[str], text: str) -> PrintedNumber | None:
    """Return a number whose letter is in brackets: "420.5(e)"."""
    letter = _BRACKETED.match(text, match.end()) or _APART.match(text, match.end())
    if letter is None or match[0][-1].isalpha() or "." not in match[0]:
        return None
    number = f"{match[0]}{(letter['letter'] or letter['other']).casefold()}"
    return PrintedNumber(number, match.start(), letter.end(), letter[0].strip()[0])


def _lettered(letter: re.Match[str], before: PrintedNumber, text: str) -> PrintedNumber | None:
    """Return the "n" of "704.5m/n", if it is a subrule's letter and not a word."""
    ruled = RuleNumber.read(before.number)
    if ruled is None or not ruled.letters or is_louder(letter[0], text[before.end - 1]):
        return None
    # Not lists: "704.5m or a token", "601.2b, I think", "702.16h, x". A list ascends in small
    # steps.
    if not is_near(ruled.letters, letter[0].casefold()):
        return None
    number = range_end(before.number, letter[0].casefold())
    return PrintedNumber(number, letter.start(), letter.end(), ONLY_LETTERS)


def is_near(before: str, after: str) -> bool:
    """Say whether a list may go on from one subrule to another: "704.5m/n".

    >>> is_near("m", "n"), is_near("b", "x"), is_near("n", "m"), is_near("z", "aa")
    (True, False, False, True)
    >>> is_near("m", "aa"), is_near("l", "aa")
    (True, False)
    """
    if len(before) != len(after):
        return len(before) < len(after) and before >= "m"
    return before < after and ord(after[-1]) - ord(before[-1]) <= FAR


def _ruled(rule: re.Match[str], before: PrintedNumber) -> PrintedNumber | None:
    """Return the "3" of "613.2/3", if it can be a rule of the section."""
    ruled = RuleNumber.read(before.number)
    if ruled is None or ruled.letters or not ruled.rule or not 0 < int(rule[0]) - ruled.rule <= FAR:
        return None
    return PrintedNumber(range_end(before.number, rule[0]), rule.start(), rule.end(), ONLY_RULE)


def _last(text: str, first: PrintedNumber) -> PrintedNumber | None:
    """Return the last number of a range; None if there is no range, or if it runs backwards."""
    to = _TO.match(text, first.end)
    start = RuleNumber.read(first.number) if to is not None else None
    if to is None or start is None:
        return None
    end = _other_end(text, to, start, first)
    stop = RuleNumber.read(end.number) if end is not None else None
    return end if stop is not None and start < stop else None


def _other_end(
    text: str, to: re.Match[str], begin: RuleNumber, first: PrintedNumber
) -> PrintedNumber | None:
    start = to.end()
    full = _NUMBER.match(text, start)
    if full is not None and ("." in full[0]) == bool(begin.rule):
        return _bracketed(full, text) or PrintedNumber(full[0].casefold(), start, full.end(), FULL)
    if begin.letters and first.form in BRACKETS and (bracketed := _BRACKETED.match(text, start)):
        letters = (bracketed["letter"] or bracketed["other"]).casefold()
        return PrintedNumber(
            range_end(first.number, letters), start, bracketed.end(), bracketed[0][0]
        )
    if begin.letters and (letter := _LETTER.match(text, start)):
        if not _ends_range(text, to, begin, letter):
            return None
        number = range_end(first.number, letter[0].casefold())
        return PrintedNumber(number, start, letter.end(), ONLY_LETTERS)
    if begin.rule and not begin.letters and (rule := _RULE.match(text, start)):
        is_end = _is_tight(to) or (_is_wrapped(to) and bool(_ENDS.match(text, rule.end())))
        return (
            PrintedNumber(range_end(first.number, rule[0]), start, rule.end(), ONLY_RULE)
            if is_end
            else None
        )
    return None


def _ends_range(text: str, to: re.Match[str], begin: RuleNumber, letter: re.Match[str]) -> bool:
    """Say whether a letter ends a range; not in "601.2b - X is chosen", "107.3a – I think"."""
    small = letter[0].casefold()
    if is_louder(letter[0], text[to.start() - 1]) or is_word(small, begin):
        return False
    if to["word"] or (_is_tight(to) and to["dots"] != "...") or _ENDS.match(text, letter.end()):
        return True
    # A comment may be wrapped after the dash: "704.5k–", and "n apply" on the next line.
    return _is_wrapped(to) and is_near(begin.letters, small)


def _is_tight(to: re.Match[str]) -> bool:
    """Say whether the sign of a range has no space beside it."""
    return bool(to["dots"]) or not (to["word"] or to["wrap"] or to["left"] or to["right"])


def _is_wrapped(to: re.Match[str]) -> bool:
    """Say whether a line ends right after the dash of a range."""
    return bool(to["wrap"]) and not to["left"]


# What is not read ---------------------------------------------------------------------------------

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
    """Return the offset of the end of an unread range after a number; 0 if there is none."""
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
