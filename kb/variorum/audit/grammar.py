"""Reads the numbers that programs and articles print: single ones, ranges and lists.

    list     = citation ( joiner ( citation | letters | rule ) )*    704.5m/n, 613.2/3 and 702.9
    citation = number [ to ending ]                                  702.52a-c, 704.5k–704.5n
    number   = section [ "." rule [ letters ] ]
    ending   = number | rule | letters

The productions extend those of `variorum.citations` by blanks and the signs of wrapped comments
between the parts. Whether a letter belongs to a list depends on the words around
it, which no grammar expresses: "704.5m or a token" and "601.2b - X is chosen" name one rule
each. A list that goes on in a way that the grammar cannot read ("704.5k -> m") is open.
"""

import re
from typing import NamedTuple

from variorum.rule_numbers import LETTERS, RULE, SECTION, RuleNumber, range_end

COMMENT = r"(?://[/!]?|\*+(?![/\w])|[#>]+|--|;+|%+|\"\"\")"
# Non-breaking spaces may be characters, bytes of Latin-1, or escapes of HTML or JSON.
BLANK = (
    "(?:[ \t\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\udca0]|&nbsp;|&\\#160;"
    r"|\\u00a0|\\u202f|\\xa0)"
)
# Old Macs ended lines with a carriage return alone.
_LINE = r"(?:\r\n?|\n)"
# A blank, or the end of a line and the sign that begins the next one in a comment.
GAP = rf"(?:{BLANK}|{_LINE}(?:[ \t]*{COMMENT})?)"
DASH = (
    "(?:-{1,3}|[\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{FIGURE DASH}\N{EN DASH}\N{EM DASH}"
    "\N{HORIZONTAL BAR}\N{MINUS SIGN}\udc96\udc97]"
    r"|&[mn]dash;|&\#821[123];|&\#x201[2345];"
    # Escapes of JSON, Python and Rust.
    r"|\\{1,4}(?:u201[0-5]|u\{201[0-5]\}|u2212|x9[67]|N\{E[MN]\ DASH\}))"
)
# A comment that is wrapped after a dash.
_WRAP = rf"[ \t]{{0,4}}{_LINE}[ \t]{{0,24}}(?:{COMMENT})?[ \t]{{0,24}}"

# A word, address, version or placeholder ("702.??", "702.*") must not continue the number.
_EXPONENT = r"(?!(?<=e)[-+]\d{1,2}(?![\d.]))"
_END = rf"(?![^\W_]|_\w|@|\.[\da-z?]|\.\*(?!\*)|\s?[%°]){_EXPONENT}"
_UNIT = r"(?!,\d|[ ]?(?:[kmn]?s|px|em|[kmg]i?b|cards?|life|tokens?|points?|times|lines|files|of)\b)"
# Two small letters that no rule has are a mistake, unless they are a unit.
_DOTTED = rf"{SECTION}\.{RULE}(?:{LETTERS}|(?-i:(?![kmnu]s|[kmg]b|px|em)[a-z]{{2}}))?"
_WHOLE = rf"(?:{_DOTTED}|{SECTION}{_UNIT}){_END}"
WHOLE_NUMBER = re.compile(_WHOLE, re.ASCII | re.IGNORECASE)
# A number before a dash that makes it a range: "702.52a-c".
_BEGUN = re.compile(
    rf"(?:{_DOTTED}|{SECTION})(?![^\W_]|_\w|@|\.[\da-z]){_EXPONENT}", re.ASCII | re.IGNORECASE
)
_LETTER = re.compile(rf"(?:{LETTERS}){_END}(?!['’]\w)", re.ASCII | re.IGNORECASE)
_RULE = re.compile(rf"{RULE}{_END}", re.ASCII)
# What must follow a letter after a comma, as in "601.2f, h"; else the letter may begin a clause.
_ENDS = re.compile(r"[ ]?(?:$|[,;:.)\]/&\"'”`*\r]|(?:and|or|see)\b|\()", re.MULTILINE)
# Two letters that are a word. Others may be a subrule's: "aa" follows "z".
_WORDS = {"an", "as", "at", "am", "ad", "ah", "al", "au", "ax"}
# The greatest distance between letters or rules of one list, and the most line ends in one.
FAR, _MOST_LINES = 8, 2

_LINK = r"(?:\]\([^()\s]{0,200}\)|\]\[[^\[\]\s]{0,60}\])"  # where a link of Markdown leads to
_JOINER = re.compile(
    rf"""
    {_LINK}? (?P<close> [*_`\"'”’\])]{{0,2}} ) (?:</a>)?
    (?:[ ]\([A-Za-z][^()\n]{{0,60}}\)(?=[,;]?[ ](?:and|or|&)[ ]))?
    (?: {_LINE}[ \t]{{0,24}}-[ ]
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
_WAVES = "\N{WAVE DASH}\N{FULLWIDTH TILDE}"
# The sign of a range, with what may be its end. A range with brackets, arrows or a second word for
# rules between its ends is not read: it is open.
_TO = re.compile(
    rf"""
    (?P<odd> [*_`\"'”’\])}}]{{0,3}} (?:\([^()\s]{{0,200}}\)|\[[^\[\]\s]{{0,60}}\])? )
    (?: (?P<left>{BLANK}{{0,2}})
        (?: (?P<arrow> {DASH}> | <-> | ={{1,2}}> | \.{{4}} | \.{{2,3}}< | [~→⇒↔{_WAVES}]
            | &rarr; )
          | {DASH} | (?P<dots> \.{{2,3}}=? | … ) )
        (?: (?P<wrap>{_WRAP}) | (?P<right>{BLANK}{{0,2}}) )
      | {GAP}{{1,24}}+ (?: (?P<word>to|through|thru) | (?P<until>up[ ]to|until|till?) )
        (?P<including>[ ]and[ ]including)? {GAP}{{1,24}}+ )
    (?P<cited> (?:CR|rules?) {BLANK}? )?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_QUOTE = re.compile(r"[*_`\"'“‘\[({]{0,3}")
_MAY_END = re.compile(
    rf"(?P<dotted>{SECTION}\.[1-9])|(?P<digits>[1-9]\d*)|(?P<letters>{LETTERS})(?![^\W_]|['’]\w)",
    re.ASCII | re.IGNORECASE,
)
# Several letters of one rule: "704.5[km]", "704.5 (k, m)", "704.5{k-m}".
_SPREAD = re.compile(
    r"[ ]?[(\[{][ ]?[a-z](?:(?:[ ]?[-–,;/|&][ ]?|[ ](?:and|or|to)[ ])[a-z]){0,8}[ ]?[)\]}]"
    r"|[\[{][a-z]{2,8}[\]}]"
)
# No range goes on after one of these signs; testing for them first saves time.
_CLOSED = re.compile(r"\)?(?:[,;:?!]|\.(?!\.))")

# How a number is printed: whole, as letters or a rule alone, or in an anchor ("#R7045k").
FULL, ONLY_LETTERS, ONLY_RULE, ANCHOR = "full", "letters", "rule", "anchor"


class PrintedNumber(NamedTuple):
    """A number as it is printed."""

    number: str
    start: int
    end: int
    form: str = FULL


class Citation(NamedTuple):
    """A citation of a rule or of a range, from its word on; a bare one has none.

    An open one is not understood fully.
    """

    first: PrintedNumber
    last: PrintedNumber | None
    start: int
    end: int
    is_open: bool = False
    is_bare: bool = False

    @property
    def is_member(self) -> bool:
        """Return whether a number has no word of its own, as the second of a list."""
        return self.start == self.first.start and not self.is_bare


def lines_in(text: str) -> int:
    """Return the number of line ends in a text."""
    return text.count("\n") + text.count("\r") - text.count("\r\n")


def read_list(text: str, start: int, begin: int) -> tuple[list[Citation], int]:
    """Return the citations of a list of numbers, and how far an end that was not read reaches.

    >>> read_list("CR 704.5m/n, 702.9", 3, 0)[0][1].first
    PrintedNumber(number='704.5n', start=10, end=11, form='letters')
    """
    cited: list[Citation] = []
    reach = 0
    before: PrintedNumber | None = None
    joiner: re.Match[str] | None = None
    while (first := _first(text, start, before, joiner)) is not None:
        last, further = _ending(text, first)
        if last is None and first.form == FULL and not WHOLE_NUMBER.match(text, start):
            break  # the following text continues the number
        end = (last or first).end
        is_rule = "." in first.number and first.number[-1].isdigit()
        is_spread = is_rule and last is None and _SPREAD.match(text, end) is not None
        if first.number[1:] != "00" or last is None or last.number[1:] != "99":
            # A range of whole chapters, "100-199", divides the rules and cites none.
            cited.append(Citation(first, last, start if cited else begin, end, is_spread))
        reach, before = max(reach, further), last or first
        joiner = _JOINER.match(text, end)
        if joiner is None or lines_in(joiner[0]) > _MOST_LINES:
            break
        start = joiner.end()
    # In "704.5m/n -> p", neither "m" nor "n" is certain.
    if reach or any(citation.is_open for citation in cited):
        cited = [citation._replace(is_open=True) for citation in cited]
    return cited, reach


def _first(
    text: str, start: int, before: PrintedNumber | None, joiner: re.Match[str] | None
) -> PrintedNumber | None:
    """Return the number at a place, which after a joiner may be letters or a rule alone."""
    match = _BEGUN.match(text, start)
    if joiner is None or before is None:
        return _whole(match) if match else None
    # After a string literal: `f("CR 702.9", 702.9, n)`.
    is_literal = any(sign in joiner["close"] for sign in "\"'")
    is_quoted = any(sign in joiner["quote"] for sign in "\"'")
    is_clause = bool(joiner["comma"])
    if is_literal and not (is_quoted and match):
        return None
    if match is not None:
        # Not in "CR 603.2, 100 of them".
        is_section = "." not in before.number and not (
            is_clause and not _ENDS.match(text, match.end())
        )
        return _whole(match) if "." in match[0] or joiner["slash"] or is_section else None
    ruled = RuleNumber.read(before.number)
    if ruled is None or not ruled.rule:
        return None
    if letter := _LETTER.match(text, start):
        small = letter[0].casefold()
        # Not lists: "704.5m or a token", "601.2b, I think", "702.16h, x".
        is_word = not joiner["slash"] and small in _WORDS
        if is_word or (is_clause and not _ENDS.match(text, letter.end())):
            return None
        if _is_louder(letter[0], text[before.end - 1]) or not is_near(ruled.letters, small):
            return None
        number = range_end(before.number, small)
        return PrintedNumber(number, start, letter.end(), ONLY_LETTERS)
    rule = _RULE.match(text, start) if text[start - 1] == "/" and not ruled.letters else None
    if rule is None or not 0 < int(rule[0]) - ruled.rule <= FAR:
        return None
    return PrintedNumber(range_end(before.number, rule[0]), start, rule.end(), ONLY_RULE)


def _whole(match: re.Match[str]) -> PrintedNumber:
    return PrintedNumber(match[0].casefold(), match.start(), match.end())


def is_near(before: str, after: str) -> bool:
    """Say whether a list may go on from one subrule to another: it ascends in small steps.

    >>> is_near("m", "n"), is_near("b", "x"), is_near("n", "m"), is_near("z", "aa")
    (True, False, False, True)
    >>> is_near("m", "aa"), is_near("l", "aa"), is_near("", "a")
    (True, False, False)
    """
    if len(before) != len(after):
        return 0 < len(before) < len(after) and before >= "m"
    return before < after and ord(after[-1]) - ord(before[-1]) <= FAR


def _is_louder(letter: str, before: str) -> bool:
    """Say whether a capital follows a small letter. No rule's number has that."""
    return letter.isupper() and not before.isupper()


# Ranges -------------------------------------------------------------------------------------------


def _ending(text: str, first: PrintedNumber) -> tuple[PrintedNumber | None, int]:
    """Return the last number of a range; or None, and how far an end reaches that cannot be read."""
    if _CLOSED.match(text, first.end):
        return None, 0
    to = _TO.match(text, first.end)
    begin = RuleNumber.read(first.number) if to else None
    if to is None or begin is None:
        return None, 0
    is_tight = not (to["word"] or to["until"] or to["left"] or to["wrap"] or to["right"])
    is_read = not (to["odd"] or to["arrow"] or to["until"] or to["including"])
    if is_read and (to["word"] or not to["cited"]) and (end := _end(text, first, begin, to)):
        stop = RuleNumber.read(end.number)
        if stop is not None and begin < stop:
            return end, 0
    opening = _QUOTE.match(text, to.end())
    onward = _MAY_END.match(text, opening.end() if opening else to.end())
    if onward is None:
        return None, 0
    if letters := onward["letters"]:
        small = letters.casefold()
        is_word = _is_word(small, begin) or _is_louder(letters, text[first.end - 1])
        is_apart = bool(begin.letters) and not is_word
        ascends = (len(begin.letters), begin.letters) < (len(small), small)
        is_end = bool(begin.rule) and ascends and (is_tight or is_apart)
    else:
        # Not "702.9 - 3 cards", "704.5k to 2 players".
        is_end = bool(onward["dotted"] or to["cited"]) or (is_tight and not begin.letters)
    return None, onward.end() if is_end else 0


def _end(
    text: str, first: PrintedNumber, begin: RuleNumber, to: re.Match[str]
) -> PrintedNumber | None:
    """Return what ends a range right after its sign."""
    start = to.end()
    is_tight = not (to["word"] or to["left"] or to["wrap"] or to["right"])
    is_wrapped = bool(to["wrap"]) and not to["left"]
    whole = WHOLE_NUMBER.match(text, start)
    if whole is not None and ("." in whole[0]) == bool(begin.rule):
        return _whole(whole)
    if not begin.rule:
        return None
    if begin.letters and (letter := _LETTER.match(text, start)):
        small, ends = letter[0].casefold(), _ENDS.match(text, letter.end())
        # Not in "601.2b - X is chosen", "107.3a – I think". A comment may be wrapped after the dash.
        if _is_louder(letter[0], text[first.end - 1]) or _is_word(small, begin):
            return None
        is_end = to["word"] or (is_tight and to["dots"] != "...") or ends
        if not is_end and not (is_wrapped and is_near(begin.letters, small)):
            return None
        return PrintedNumber(range_end(first.number, small), start, letter.end(), ONLY_LETTERS)
    rule = None if begin.letters else _RULE.match(text, start)
    if rule and (is_tight or (is_wrapped and _ENDS.match(text, rule.end()))):
        return PrintedNumber(range_end(first.number, rule[0]), start, rule.end(), ONLY_RULE)
    return None


def _is_word(letters: str, begin: RuleNumber) -> bool:
    """Say whether letters after a number are a word, not a double letter such as "aa"."""
    return letters in _WORDS and len(begin.letters) == 1
