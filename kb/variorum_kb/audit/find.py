"""Find citations of rules in programs and articles, as offsets; the text is never altered.

Numbers abound in programs, so here a citation needs a word before it that says what it is: "CR
702.52a", "rule 704.5k", "Comprehensive Rules 701.28 / 712". The word holds for a whole list. How
people write was looked up in some hundred comments of rules engines: lists with slashes ("CR 702.35 /
508.1d"), letters alone ("704.5m/n"), comments wrapped behind the word ("(CR" at the end of a line,
"// 702.78d" on the next).
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from variorum_kb.model import RuleNumber

# What says by itself that a rule follows.
_WORDS = (
    r"C\.?\s?R\.?s?",
    r"(?:comp(?:rehensive)?\.?\s?)?rules?",
    r"subrules?",
)
# What does only before a number with a dot: laws, too, have sections.
_WEAK_WORDS = (r"sections?", r"§{1,2}")
_COMMENT = r"(?://[/!]?|\*+(?![/\w])|[#>]+|--|;+|%+|\"\"\")"
_SPACE = rf"(?:[ \t]|\r?\n[ \t]*(?:{_COMMENT}[ \t]?)?)"
# Between the word and the number: "CR: 702.9", "CR #702.9", '"rule": "702.9"', "**CR** 702.9".
_JOIN = (
    rf"(?:[*_`\"'”’]{{0,3}}(?:</\w{{1,10}}>)?[.:=~]{{0,2}}{_SPACE}{{0,12}})?"
    rf"(?:(?:no|nr|num|number|numbers|nos)\.?[ ])?[-#§(\[{{<\"'“‘`*_=>]{{0,3}}"
    rf"(?:{_SPACE}{{1,24}}[\"'`-]{{0,2}}[ ]?)?"
)
_LOOK_BACK = 64
# What may stand between the word and the number, and with what such words end ("rules", "no.").
_JOINING = " \t\r\n*_`\"'”’“‘.:=~/!#>;%-§([{<"
_FINAL = "rsemo§"

_DASH = "[-\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}\udc96\udc97]"
_LETTERS = "a?[a-z]"
_DOTTED = rf"[1-9]\d\d\.[1-9]\d{{0,2}}(?:{_LETTERS})?"
_END = r"(?![\w@]|\.[\da-z?*_]|,\d|\s?[%°])"
# The first number of a list: fast to look for, and judged afterwards.
_HEAD = re.compile(r"(?<![0-9.,])[1-9][0-9]{2}(?![0-9])")
_NUMBER = re.compile(rf"(?:{_DOTTED}|[1-9]\d\d){_END}", re.ASCII | re.IGNORECASE)
# The same before a dash that makes it a range: "702.52a-c".
_OPEN = re.compile(rf"(?:{_DOTTED}|[1-9]\d\d)(?![\w@]|\.[\da-z])", re.ASCII | re.IGNORECASE)
_TO = re.compile(
    rf"(?P<dash>[ ]?{_DASH}[ ]?)|{_SPACE}{{1,9}}(?:to|through|thru){_SPACE}{{1,9}}(?:rules?[ ])?",
    re.IGNORECASE,
)
_LETTER = re.compile(rf"(?:{_LETTERS}){_END}(?!['’]\w)", re.ASCII | re.IGNORECASE)
_RULE = re.compile(rf"[1-9]\d{{0,2}}{_END}", re.ASCII)
_BETWEEN = re.compile(
    rf"""
    [*_`\"'”’\])]{{0,2}} {_SPACE}{{0,9}}
    (?: (?P<slash>[/+]) | [,;] {_SPACE}{{0,24}} (?:and/or|and|or|&)\b | (?P<comma>[,;])
      | (?:and/or|and|or)\b | & | \n[ ]{{0,24}}-[ ] )
    {_SPACE}{{0,24}} [*_`\"'“‘\[(]{{0,2}}
    """,
    re.VERBOSE | re.IGNORECASE,
)
# What may follow a letter behind a comma, as in "601.2f, h": no sentence goes on with it.
_ENDS = re.compile(r"[ ]?(?:$|[,;:.)\]/&\"'”`*]|and\b|or\b)", re.MULTILINE)
_ADDRESS = ("://", "www.")
_BARE_BEFORE = re.compile(r"(?<![\w.,:@#$£€%&=+~/-])(?<!\d[ -])|(?<=//)", re.ASCII)
_FULL, _AS_LETTERS, _AS_RULE = "full", "letters", "rule"


class Part(NamedTuple):
    """A number as it is printed.

    Attributes:
        number: In full, in small letters: 702.52c.
        start: In code points from the start of the text.
        end: Likewise, exclusive.
        form: "full"; "letters" of the "c" in 702.52a-c; "rule" of the "55" in 702.52-55.
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


class Finder:
    """Finds citations behind some words."""

    def __init__(
        self, words: Sequence[str] = (), *, with_own: bool = True, bare: bool = False
    ) -> None:
        """Prepare.

        Args:
            words: Further words or signs that a citation may stand behind.
            with_own: Whether those that everybody uses count: CR, rule, Comprehensive Rules.
            bare: Whether a number with a dot needs no word at all.
        """
        more = [_as_pattern(word) for word in words]
        strong = [*(_WORDS if with_own else ()), *more]
        weak = [*strong, *(_WEAK_WORDS if with_own else ())]
        self._strong, self._weak = _prefix(strong), _prefix(weak)
        self._bare = bare
        # Most numbers stand behind another word, which one look at its last letter tells.
        ends = "".join([word.strip()[-1:].casefold() for word in words])
        self._final = "" if ends.strip(_JOINING) != ends else _FINAL + ends

    def find(self, text: str) -> Iterator[Citation]:
        """Yield the citations of a text in the order they are printed.

        >>> [str(one.first.number) for one in Finder().find("// CR 702.35 / 508.1d; at 702.99")]
        ['702.35', '508.1d']
        >>> (one,) = Finder().find("See rules 704.5M–n.")
        >>> one.first.number, one.last.number, one.last.form
        ('704.5m', '704.5n', 'letters')
        """
        reach = 0
        for head in _HEAD.finditer(text):
            start = head.start()
            if start < reach:
                continue
            begin = self._word_before(text, start)
            if begin < 0:
                continue
            for citation in _row(text, start, begin):
                yield citation
                reach = citation.end

    def _word_before(self, text: str, start: int) -> int:
        """Return where the word begins that makes a number a citation; -1 if there is none."""
        is_dotted = text[start + 3 : start + 4] == "."
        pattern = self._weak if is_dotted else self._strong
        found = None
        if pattern is not None and self._may_follow(text[max(0, start - _LOOK_BACK) : start]):
            found = pattern.search(text, max(0, start - _LOOK_BACK), start)
        if found is not None:
            return -1 if _is_address(text, start) else found.start()
        if self._bare and is_dotted and _BARE_BEFORE.match(text, start):
            return -1 if _is_address(text, start) else start
        return -1

    def _may_follow(self, before: str) -> bool:
        """Say in a hurry whether a word that makes a number a citation may stand before it."""
        if not self._final or ("<" in before and ">" in before):
            return True
        last = before.rstrip(_JOINING)[-1:].casefold()
        return last != "" and last in self._final


def _as_pattern(word: str) -> str:
    return r"\s+".join(map(re.escape, word.split()))


def _prefix(words: Sequence[str]) -> re.Pattern[str] | None:
    if not words:
        return None
    # "CR" may not end another word, while signs may follow anything.
    each = [
        rf"(?:(?<![^\W_])|(?<=\\[nrt])){word}" if _begins_with_letter(word) else word
        for word in words
    ]
    return re.compile(rf"(?:{'|'.join(each)}){_JOIN}\Z", re.IGNORECASE)


def _begins_with_letter(pattern: str) -> bool:
    return pattern.lstrip("(?:")[:1].isalnum()


def _is_address(text: str, start: int) -> bool:
    """Recognise a number inside an address or a path."""
    token = text[max(0, start - 200) : start]
    token = token[max(token.rfind(" "), token.rfind("\n"), token.rfind("\t")) + 1 :]
    return any(sign in token for sign in _ADDRESS)


def _row(text: str, start: int, begin: int) -> Iterator[Citation]:
    """Yield a number and all that follow it in one list."""
    citation = _read(text, start, begin)
    while citation is not None:
        yield citation
        between = _BETWEEN.match(text, citation.end)
        if between is None:
            return
        start, before = between.end(), citation.last or citation.first
        citation = _read(text, start, start, before, between.lastgroup or "")


def _read(
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
    if last is None and not _NUMBER.match(text, start) and first.form == _FULL:
        return None  # what follows makes it something else
    return Citation(first, last, begin, (last or first).end)


def _first(text: str, start: int, before: Part | None, sign: str) -> Part | None:
    match = _OPEN.match(text, start)
    if match is not None:
        number = match[0].casefold()
        if before is not None and "." not in number and "." in before.number and sign != "slash":
            return None  # "CR 603.2, 100 of them"
        return Part(number, start, match.end(), _FULL)
    if before is None:
        return None
    letter = _LETTER.match(text, start)
    if letter is None or (sign == "comma" and not _ENDS.match(text, letter.end())):
        return None
    return _lettered(letter, before, text)


def _lettered(letter: re.Match[str], before: Part, text: str) -> Part | None:
    """Return the "n" of "704.5m/n", if it is a letter of that rule and no word."""
    one = RuleNumber.read(before.number)
    if one is None or not one.letters:
        return None
    printed = text[before.end - 1]
    if letter[0].isupper() != printed.isupper():
        return None
    number = f"{one.section}.{one.rule}{letter[0].casefold()}"
    other = RuleNumber.read(number)
    # "704.5m or a token", "601.2b, I think": a list goes forward, and not far.
    if other is None or not one < other:
        return None
    return Part(number, letter.start(), letter.end(), _AS_LETTERS)


def _last(text: str, first: Part) -> Part | None:
    """Return the other end of a range; None if there is none, or if it would run backwards."""
    to = _TO.match(text, first.end)
    if to is None:
        return None
    one = RuleNumber.read(first.number)
    end = _other_end(text, to, one) if one is not None else None
    other = RuleNumber.read(end.number) if end is not None else None
    if one is None or other is None or not one < other:
        return None
    return end


def _other_end(text: str, to: re.Match[str], one: RuleNumber) -> Part | None:
    start, is_tight = to.end(), (to["dash"] or "").strip() == to["dash"]
    full = _NUMBER.match(text, start)
    if full is not None and ("." in full[0]) == bool(one.rule):
        return Part(full[0].casefold(), start, full.end(), _FULL)
    if one.letters and (letter := _LETTER.match(text, start)):
        number = f"{one.section}.{one.rule}{letter[0].casefold()}"
        return Part(number, start, letter.end(), _AS_LETTERS)
    if one.rule and not one.letters and is_tight and (rule := _RULE.match(text, start)):
        return Part(f"{one.section}.{rule[0]}", start, rule.end(), _AS_RULE)
    return None
