"""Find citations of rules in programs and articles, as offsets; the text is never altered.

Programs contain many numbers, so a citation needs a word for rules before it: "CR 702.52a", "rule
704.5k", "Comprehensive Rules 701.28 / 712". One word is enough for a list. A comment may be wrapped
after the word: "(CR" at the end of a line, "// 702.78d" on the next. In a column called "rule", and
in a link to a rule, the number needs no word.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from variorum.audit.grammar import (
    ANCHOR,
    DASH,
    FULL,
    GAP,
    WHOLE_NUMBER,
    Citation,
    PrintedNumber,
    lines_in,
    read_list,
)
from variorum.audit.tables import tables_of
from variorum.rule_numbers import DOTTED, SECTION

_NOUN = r"(?:refs?|references?|citations?|cites?)"
# Words that by themselves announce a rule.
_WORDS = (
    rf"(?<!\w\.)C\.?\s?R\.?s?(?:_?{_NOUN})?",  # not "S.C.R. 506"
    rf"(?:comp(?:rehensive)?\.?\s?)?rules?(?:[ ]\(CR\))?(?:[ _]?(?:numbers?|nos?|id|{_NOUN}))?",
    r"subrules?",
)
# Words that announce a rule only before a number with a dot, because laws also have sections. A
# section sign may be a byte of Latin-1, or an escape of JSON or HTML.
_WEAK_WORDS = (
    r"(?:(?:CR|rules?)\s)?sections?",
    "(?:CR\\s?)?(?:[§\udca7]|\\\\u00a7|\\\\xa7|&sect;|&\\#167;){1,2}",
    r"MTG",
    r"r[eè]gles?|reglas?|regras?|regeln?|regol[ae]",
)
# Between the word and the number: "CR: 702.9", "CR #702.9", '"rule": "702.9"', "**CR** 702.9".
_JOIN = (
    rf"(?P<join>(?:!(?=\())?(?:[*_`\"'”’]{{0,3}}(?:</\w{{1,10}}>)?[.:=~]{{0,2}}{GAP}{{0,48}}+)?"
    rf"(?:(?:no|nr|num|number|numbers|nos)\.?(?:[ ]|{GAP}{{1,48}}+))?"
    rf"[-—–#§(\[\\{{<\"'“‘`*_=>]{{0,3}}(?:{GAP}{{1,48}}+[\"'`-]{{0,2}}[ ]?)?)"
)
# A quoted value assigned to a name for rules: 'rules: List<String> = ["702.9"]'.
_ASSIGNED = (
    r"(?P<join>[\"'`\]]{0,2}(?:[ ]?:[ ]?[\w&.|?* ]{0,24}(?:[<\[][^<>=\n]{0,24}[>\]]{1,2})?)?"
    rf"[ \t]{{0,8}}(?::?=>?|<-){GAP}{{0,48}}+"
    r"(?:&|new[ ])?(?:[\w.:!<>\[\]]{0,24}[\[({])?[\[({]{0,2}"
    rf"{GAP}{{0,48}}+[bfru]?[\"'`]{{1,3}})"
)
# A number without a dot may be anything: "MAX_RULES = 300", "rules[100]", "all rules:\n200 OK". So
# the word must be close, and in an array, as '"rules": ["605-607", ...]', only a range counts.
_CLOSE_JOIN = re.compile(
    rf"[*_`\"'”’]{{0,2}}:?(?:[ \t]{{0,2}}|{GAP}{{1,24}}+(?:(?<=[/*#;!>-])|(?<=[/*#;!>-][ ]))|\xa0|&nbsp;)"
    r"(?:(?:no|nr|number|numbers|nos)\.?[ ]?)?[#§\"'“‘`*_]{0,3}"
)
_OF_CARD = re.compile(
    r"(?:[\"'`/_#=-]|\b(?:cards?|number|collector|set|id)\W{1,4})\Z", re.IGNORECASE
)
_IN_ARRAY = re.compile(rf"[\"']?[ ]?[:=][ ]?\[{GAP}{{0,48}}[\"']")
_RANGE_OF_SECTIONS = re.compile(rf"{SECTION}{DASH}{SECTION}[\"']")
# Programs compare and calculate with variables called "cr", or assign numbers to them.
_OPERATOR = re.compile(
    r"[ \t]*(?:[<>]=|={2,3}|~=|[-*]=)[ \t]*-?|[ \t]+[-*][ \t]+|[ \t]*=[ \t]*-|[ \t]*>[ \t]*"
)
_TAG = re.compile(r"</?[\w:.-]*(?:[ ][\w-]*)?\Z")
_DECLARED = re.compile(
    r"\b(?:float|double|f32|f64|decimal|real|number|auto|const|let|va[lr]|mut)[ \t]+[\w.]{0,16}\Z",
    re.IGNORECASE,
)
_DECIMAL = re.compile(r"[0-9]{3}\.[0-9]+[dfm]?(?![0-9a-z–-])", re.IGNORECASE)
_LITERAL = re.compile(r"[0-9]{3}\.[0-9]+[dfm]?[ \t]*[;)]", re.IGNORECASE)
# How far before a number its word is looked for; an assignment may be longer. A word of the user's
# may be as long as it likes, so it is looked for further away.
_LOOK_BACK, _LOOK_FAR_BACK, _SHORT_LOOK = 64, 120, 16
# The last letters of the words, behind signs that may stand between word and number. Most numbers
# follow something else, which this shows quickly.
_JOINING = " \t\r\n*_`\"'”’“‘.:=~/!#>;%—–-([{<)\\\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\udca0"
_LAST_SIGNS = frozenset("aAdDeEfFgGlLmMnNoOpPrRsStT§07\udca7")
# The first number of a list. Testing what precedes it after the match, not in the pattern, is three
# times as fast.
_HEAD = re.compile(
    rf"{SECTION}(?![0-9])"
    # Digits may precede it at the end of "\u00a0" or "\u00a7".
    r"(?:(?<![0-9,][0-9]{3})|(?<=\\u00[aA][07][0-9]{3})|(?<=\\x[aA][07][0-9]{3}))"
    r"(?<![0-9]\.[0-9]{3})",
    re.ASCII,
)
_ADDRESS = re.compile(r"(?:://|www\.)[^ \n\r\t]*\Z")
_LONGEST_ADDRESS, _LONGEST_NUMBER = 200, 12
_BARE_BEFORE = re.compile(r"(?<![\w.,:@#$£€%&=+~/-])(?<!\d[ -])|(?<=//)", re.ASCII)
_SET_OFF = re.compile(
    r"(?:[\[(\"'`“]|\b(?:[Ss]ee|[Pp]er) |^[ \t]*(?:[-/*#|>]+[ \t]*)?)\Z", re.MULTILINE
)
# A number that may belong to the list before it: "rules 704.5k, which is like 704.5m".
_FURTHER = re.compile(rf"[^\n.;!?:]{{0,40}}?(?<![\w.,])(?P<number>{SECTION}\.[1-9])", re.ASCII)


class CitationFinder:
    """Finds citations in a text: after our own words for rules, those of the user, or bare ones."""

    def __init__(self, words: Sequence[str] = (), *, bare: bool = False) -> None:
        words = [word for word in words if word.strip()]
        strong = [*map(_begun, _WORDS), *map(_as_pattern, words)]
        every = [*strong, *map(_begun, _WEAK_WORDS)]
        self._strong, self._weak = _before_number(strong), _before_number(every)
        self._assigned = _before_number(every, _ASSIGNED)
        self._bare, self._is_own = bare, not words
        self._look_back = max([_LOOK_BACK, *[2 * len(word) for word in words]])

    def find(self, text: str) -> Iterator[Citation]:
        """Return the citations of a text in the order they are printed.

        A number with a letter that begins its line, is in brackets or behind "see" is a bare one.

        >>> text = "// CR 702.35 / 508.1d; at 702.99"
        >>> [citation.first.number for citation in CitationFinder().find(text)]
        ['702.35', '508.1d']
        """
        end = ahead = 0
        for head in _HEAD.finditer(text):
            start = head.start()
            if start < end:
                continue
            begin = self._word_before(text, start)
            is_bare = begin is None
            if begin is None:
                if not _stands_alone(text, start):
                    continue
                if not _SET_OFF.search(text, max(0, start - _SHORT_LOOK), start):
                    continue
                begin = start
            citations, reach = read_list(text, start, begin)
            if not citations:
                continue
            end = citations[-1].end
            # In "CR 704.5k up to CR 704.5n", neither end is a citation by itself.
            is_open = begin < ahead or (not is_bare and self._goes_on(text, end))
            ahead = max(ahead, reach)
            for citation in citations:
                if is_open or is_bare:
                    yield citation._replace(is_open=is_open or citation.is_open, is_bare=is_bare)
                else:
                    yield citation

    def _goes_on(self, text: str, end: int) -> bool:
        """Say whether a list goes on with a number that was not read."""
        further = _FURTHER.match(text, end)
        if further is None or not _stands_alone(text, further.start("number")):
            return False
        return self._word_before(text, further.start("number")) is None

    def _word_before(self, text: str, start: int) -> int | None:
        """Return the start of the word that makes a number a citation; None if there is none."""
        is_dotted = text[start + 3 : start + 4] == "."
        marker = self._joined(text, start, is_dotted=is_dotted)
        if marker is not None and (is_dotted or _is_close(marker, text)):
            is_apart = lines_in(marker["join"]) > 1 or _is_address(text, start)
            return None if is_apart or _is_reckoned(marker, text, start) else marker.start()
        is_bare = self._bare and is_dotted and _BARE_BEFORE.match(text, start) is not None
        return start if is_bare and not _is_address(text, start) else None

    def _joined(self, text: str, start: int, *, is_dotted: bool) -> re.Match[str] | None:
        """Return the word before a number, with the text between the two."""
        pattern = self._weak if is_dotted else self._strong
        before = text[max(0, start - self._look_back) : start]
        marker = None
        if self._is_own and before[-4:] in {"(CR ", " CR "}:  # most citations
            return pattern.match(text, start - 3, start)
        is_tagged = "<" in before and ">" in before
        if not self._is_own or is_tagged or before.rstrip(_JOINING)[-1:] in _LAST_SIGNS:
            marker = pattern.search(text, start - len(before), start)
        is_quoted = before[-1:] in {'"', "'", "`"}
        if marker is None and is_dotted and is_quoted:
            begin = max(0, start - _LOOK_FAR_BACK)
            if text.find("=", begin, start) >= 0:
                marker = self._assigned.search(text, begin, start)
        return marker


def _stands_alone(text: str, start: int) -> bool:
    number = WHOLE_NUMBER.match(text, start)
    is_bare = number and number[0][-1].isalpha() and _BARE_BEFORE.match(text, start)
    return bool(is_bare) and not _is_address(text, start)


def _begun(pattern: str) -> str:
    r"""Return a pattern that matches only at the start of a word: "\nCR 702", not "scr 702"."""
    return rf"(?:(?<![^\W_])|(?<=\\[nrt]))(?:{pattern})"


def _as_pattern(word: str) -> str:
    pattern = r"\s+".join(map(re.escape, word.split()))
    return _begun(pattern) if word.strip()[:1].isalnum() else pattern


def _before_number(words: Sequence[str], join: str = _JOIN) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(words)}){join}\Z", re.IGNORECASE)


def _is_close(marker: re.Match[str], text: str) -> bool:
    """Say whether a word is close enough to make a number without a dot the number of a rule."""
    join, begin = marker["join"], marker.start()
    word = marker[0][: len(marker[0]) - len(join)]
    if text[begin - 1 : begin] == "_":
        return False
    if _IN_ARRAY.fullmatch(join):
        return _RANGE_OF_SECTIONS.match(text, marker.end()) is not None
    if not join and marker[0].islower():
        # "cr317" is the number of a card.
        return _OF_CARD.search(text, max(0, begin - _SHORT_LOOK), begin) is None
    if join.startswith(".") and word.casefold().endswith(("no", "nr", "nos")):
        join = join[1:]
    # "rules: 150" and '"rule": 150' count something.
    is_count = (
        ":" in join and join[-1:] not in "\"'`“‘" and (word[-1:] in "sS" or join[0] in "\"'`")
    )
    return not is_count and _CLOSE_JOIN.fullmatch(join) is not None


def _is_reckoned(marker: re.Match[str], text: str, start: int) -> bool:
    """Say whether a program compares or assigns a number: "cr > 702.52"."""
    join, begin = marker["join"], marker.start()
    sign = join.strip()
    if not sign:
        return False
    before = text[max(0, begin - _LOOK_BACK) : begin]
    if sign == ">" and "\n" not in join:  # not in "<rule>702.9</rule>"
        return _TAG.search(before) is None
    if sign == "<":
        return text.find(">", start, start + _LONGEST_NUMBER) < 0
    if sign == "*" and join[0] == "*":  # not in "*CR* 702.9"
        return not before.endswith("*")
    if sign != "=":
        return _OPERATOR.fullmatch(join) is not None
    return (_DECIMAL if _DECLARED.search(before) else _LITERAL).match(text, start) is not None


def _is_address(text: str, start: int) -> bool:
    return _ADDRESS.search(text, max(0, start - _LONGEST_ADDRESS), start) is not None


# Tables and links ---------------------------------------------------------------------------------

_COLUMN = re.compile(
    r"\W*(?:(?:cr|comp(?:rehensive)?)[ _-]*)?(?:rules?|cr|citations?|cites?|refs?|references?)"
    r"(?:[ _-]*(?:no|nos|nr|numbers?|refs?|cited))?\W*",
    re.IGNORECASE,
)
# Columns of these names may hold other things, so a number in them needs a dot.
_VAGUE_COLUMN = re.compile(r"\W*(?:refs?|references?|cites?|citations?)\W*", re.IGNORECASE)
_BETWEEN_NUMBERS = re.compile(r"[\s\"';|/&+,`*]*")

_NUMBER = rf"(?:{DOTTED}|{SECTION})(?![\w-]|\.\d)"
_PATH = r"[^\s\"'`<>()\[\]{}#?]"
# Addresses of rules: Yawgatog's anchors, those of Academy Ruins, and our own permalinks of today's rule
# with a number ("rule/704.5k/"). A permalink of an edition's ("2007-10-01/6/#600.4a") never goes stale.
_LINK = re.compile(
    rf"""
    yawgatog\.com/ {_PATH}{{0,80}} \#R (?P<anchor> (?P<section>[1-9]\d\d)
        (?: (?P<rule>\d{{1,3}}) (?P<letters>[a-z]{{0,2}}) )? ) (?!\w)
    | academyruins\.com/ (?:{_PATH}{{0,80}}[/])? (?:[?\#](?:\w+=)?)? (?P<number>{_NUMBER})
    | https?:// [^\s\"'`<>()\[\]{{}}]{{0,300}} /rule/ (?P<ours>{_NUMBER})
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)


def find_in_tables(text: str, suffix: str) -> Iterator[Citation]:
    """Yield the numbers in those columns of tables that are called "rule", "cr" or the like.

    A cell may have several numbers, separated by spaces, commas, semicolons or bars. If a cell also
    has other words, a number in it needs a word before it, as elsewhere.
    """
    for table in tables_of(text, suffix):
        headings = next(table, {})
        columns = {
            column: _VAGUE_COLUMN.fullmatch(text, *cell) is None
            for column, cell in headings.items()
            if _COLUMN.fullmatch(text, *cell)
        }
        for row in table if columns else ():
            for column in columns.keys() & row.keys():
                cited = _in_cell(text, *row[column])
                yield from [each for each in cited if columns[column] or "." in each.first.number]


def _in_cell(text: str, start: int, end: int) -> list[Citation]:
    # A list of the next cell is none of this one.
    cell, place, cited = text[start:end], 0, list[Citation]()
    while True:
        between = _BETWEEN_NUMBERS.match(cell, place)
        place = between.end() if between else place
        if place >= len(cell):
            return [_moved(citation, start) for citation in cited]
        citations, _ = read_list(cell, place, place)
        if not citations:
            return []  # prose
        cited += citations
        place = citations[-1].end


def _moved(citation: Citation, by: int) -> Citation:
    first, last = [
        part and part._replace(start=part.start + by, end=part.end + by)
        for part in (citation.first, citation.last)
    ]
    start, end = citation.start + by, citation.end + by
    return citation._replace(first=first or citation.first, last=last, start=start, end=end)


def find_links(text: str) -> Iterator[Citation]:
    """Yield the links to rules in a text."""
    small = text.casefold()
    for link in _LINK.finditer(text) if ".com/" in small or "/rule/" in small else ():
        number, form, group = link[link.lastgroup or 0], FULL, link.lastgroup or 0
        if link["anchor"]:
            rule = f".{link['rule']}{link['letters']}" if link["rule"] else ""
            number, form, group = f"{link['section']}{rule}", ANCHOR, "anchor"
        start, end = link.span(group)
        yield Citation(PrintedNumber(number.casefold(), start, end, form), None, start, end)


def merged(first: Iterable[Citation], second: Iterable[Citation]) -> list[Citation]:
    """Return two lists of citations in order, without any of the second that the first has."""
    every = list(first)
    taken = {part.start for each in every for part in (each.first, each.last) if part}
    every += [citation for citation in second if citation.first.start not in taken]
    return sorted(every, key=lambda citation: citation.start)
