"""Find citations of rules in programs and articles, as offsets; the text is never altered.

Programs contain many numbers, so a citation needs a word for rules before it: "CR 702.52a", "rule
704.5k", "Comprehensive Rules 701.28 / 712". One word is enough for a list. A list may have slashes
("CR 702.35 / 508.1d") and letters alone ("704.5m/n"). A comment may be wrapped after the word:
"(CR" at the end of a line, "// 702.78d" on the next.
"""

import re
from collections.abc import Iterator, Sequence

from variorum.audit.numbers import (
    DASH,
    GAP,
    Citation,
    is_lettered,
    lines_of,
    reach_of_range,
    read_list,
    share_doubt,
)
from variorum.rule_numbers import SECTION

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
# A number without a dot may be anything: "MAX_RULES = 300", "rules[100]", "all rules:\n200 OK".
_OF_CARD = re.compile(
    r"(?:[\"'`/_#=-]|\b(?:cards?|number|collector|set|id)\W{1,4})\Z", re.IGNORECASE
)
# '"rules": ["605-607", ...]': in an array, a number without a dot counts only in a range.
_IN_ARRAY = re.compile(rf"[\"']?[ ]?[:=][ ]?\[{GAP}{{0,48}}[\"']")
_RANGE_OF_SECTIONS = re.compile(rf"{SECTION}{DASH}{SECTION}[\"']")
_CLOSE_JOIN = re.compile(
    rf"[*_`\"'”’]{{0,2}}:?(?:[ \t]{{0,2}}|{GAP}{{1,24}}+(?:(?<=[/*#;!>-])|(?<=[/*#;!>-][ ]))|\xa0|&nbsp;)"
    r"(?:(?:no|nr|number|numbers|nos)\.?[ ]?)?[#§\"'“‘`*_]{0,3}"
)
# A quoted value assigned to a name for rules: 'rules: List<String> = ["702.9"]'.
_ASSIGNED = (
    r"(?P<join>[\"'`\]]{0,2}(?:[ ]?:[ ]?[\w&.|?* ]{0,24}(?:[<\[][^<>=\n]{0,24}[>\]]{1,2})?)?"
    rf"[ \t]{{0,8}}(?::?=>?|<-){GAP}{{0,48}}+"
    r"(?:&|new[ ])?(?:[\w.:!<>\[\]]{0,24}[\[({])?[\[({]{0,2}"
    rf"{GAP}{{0,48}}+[bfru]?[\"'`]{{1,3}})"
)
# Programs compare and calculate with variables called "cr", or assign numbers to them.
_OPERATOR = re.compile(
    r"[ \t]*(?:[<>]=|={2,3}|~=|[-*]=)[ \t]*-?|[ \t]+[-*][ \t]+|[ \t]*=[ \t]*-|[ \t]*>[ \t]*"
)
_TAG = re.compile(r"</?[\w:.-]*(?:[ ][\w-]*)?\Z")
_LITERAL = re.compile(r"[0-9]{3}\.[0-9]+[dfm]?[ \t]*[;)]", re.IGNORECASE)
_DECLARED = re.compile(
    r"\b(?:float|double|f32|f64|decimal|real|number|auto|const|let|va[lr]|mut)[ \t]+[\w.]{0,16}\Z",
    re.IGNORECASE,
)
_DECIMAL = re.compile(r"[0-9]{3}\.[0-9]+[dfm]?(?![0-9a-z–-])", re.IGNORECASE)
# Most citations have one of these before the number. Only the built-in word "CR" ends like this.
_PLAIN = {"(CR ", " CR "}
_QUOTES = ('"', "'", "`", "“", "‘")
_LITERAL_QUOTES = {'"', "'", "`"}
_LOOK_BACK, _LOOK_FAR_BACK, _SHORT_LOOK = 64, 120, 16
# The most characters of the words before a number, such as "Comprehensive Rules (CR) numbers" or
# "rule no.".
_LONGEST = 40
# Signs between the word and the number, and the last letters of such words ("rules", "no.").
_JOINING = " \t\r\n*_`\"'”’“‘.:=~/!#>;%—–-([{<)\\\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\udca0"
_FINALS = (
    *("cr", "c.r", "c. r", "c r", "crs", "rule", "rules", "section", "sections", "§", "mtg"),
    *("no", "nos", "nr", "num", "number", "numbers", "id", "ref", "&nbsp", "&#160", "\udca7"),
    *("refs", "reference", "references", "cite", "cites", "citation", "citations"),
    *("u00a0", "u202f", "xa0", "u00a7", "xa7", "&sect", "&#167"),
    *("regle", "regles", "règle", "règles", "regla", "reglas", "regra", "regras"),
    *("regel", "regeln", "regola", "regole"),
)
_LONGEST_NUMBER = 12
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
_LONGEST_ADDRESS = 200
_BARE_BEFORE = re.compile(r"(?<![\w.,:@#$£€%&=+~/-])(?<!\d[ -])|(?<=//)", re.ASCII)


_SET_OFF = re.compile(r"(?:[\[(\"'`“]|^[ \t]*(?:[-/*#|>]+[ \t]*)?)\Z", re.MULTILINE)
# A number that may belong to the list before it: "rules 704.5k, which is like 704.5m".
_FURTHER = re.compile(rf"[^\n.;!?:]{{0,40}}?(?<![\w.,])(?P<number>{SECTION}\.[1-9])", re.ASCII)


class CitationFinder:
    """Finds citations in a text."""

    def __init__(
        self,
        words: Sequence[str] = (),
        *,
        with_own: bool = True,
        bare: bool = False,
        lettered: bool = False,
    ) -> None:
        self._lettered = lettered
        words = [word for word in words if word.strip()]
        self._is_plain = with_own and not words
        own, weak = (_WORDS, _WEAK_WORDS) if with_own else ((), ())
        strong = [*map(_begun, own), *map(_as_pattern, words)]
        self._strong = _prefix(strong)
        self._weak = _prefix([*strong, *map(_begun, weak)])
        self._assigned = _prefix([*strong, *map(_begun, weak)], _ASSIGNED)
        self._bare = bare
        # How many numbers with a letter the last text has without a word before them.
        self.passed = 0
        # Most numbers follow a word that is not for rules. Its last letters show this quickly.
        ends = tuple(word.casefold().split()[-1] for word in words)
        is_word = all(end.strip(_JOINING) == end for end in ends)
        self._finals = (*_FINALS, *ends) if is_word else ()
        last = {end[-1] for end in (*self._finals, *words)}
        self._last_signs = {*last, *[sign.upper() for sign in last]}
        self._longest = max([_LONGEST, *[2 * len(word) for word in words]])

    def find(self, text: str) -> Iterator[Citation]:
        """Return the citations of a text in the order they are printed.

        >>> text = "// CR 702.35 / 508.1d; at 702.99"
        >>> [citation.first.number for citation in CitationFinder().find(text)]
        ['702.35', '508.1d']
        >>> (citation,) = CitationFinder().find("See rules 704.5m–n.")
        >>> citation.first.number, citation.last.number, citation.last.form
        ('704.5m', '704.5n', 'letters')
        """
        return share_doubt(self._find(text))

    def _find(self, text: str) -> Iterator[Citation]:
        reach = ahead = self.passed = 0
        for head in _HEAD.finditer(text):
            start = head.start()
            if start < reach:
                continue
            begin = self._word_before(text, start)
            is_bare = begin is None
            if begin is None:
                if not _stands_alone(text, start):
                    continue
                self.passed += 1
                if not self._lettered or not _is_set_off(text, start):
                    continue
                begin = start
            citations = list(read_list(text, start, begin))
            is_cut = bool(citations) and not is_bare and self._goes_on(text, citations[-1])
            for citation in citations:
                # In "CR 704.5k up to CR 704.5n", neither end is a citation by itself.
                is_open = citation.is_open or citation.start < ahead or is_cut
                yield citation._replace(is_open=is_open, is_bare=is_bare)
                reach = citation.end
                if citation.is_open:
                    ahead = reach_of_range(text, citation.first.number, citation.first.end)

    def _goes_on(self, text: str, last: Citation) -> bool:
        """Say whether a list goes on with a number that was not read."""
        further = _FURTHER.match(text, last.end)
        if further is None or not _stands_alone(text, further.start("number")):
            return False
        return self._word_before(text, further.start("number")) is None

    def _word_before(self, text: str, start: int) -> int | None:
        """Return the start of the word that makes a number a citation; None if there is none."""
        is_dotted = text[start + 3 : start + 4] == "."
        marker = self._joined(text, start, is_dotted=is_dotted)
        if marker is not None and (is_dotted or _is_close(marker, text)):
            is_apart = lines_of(marker["join"]) > 1 or _is_address(text, start)
            return None if is_apart or _is_reckoned(marker, text, start) else marker.start()
        if self._bare and is_dotted and _BARE_BEFORE.match(text, start):
            return None if _is_address(text, start) else start
        return None

    def _joined(self, text: str, start: int, *, is_dotted: bool) -> re.Match[str] | None:
        """Return the word before a number, with the text between the two."""
        pattern = self._weak if is_dotted else self._strong
        if pattern is None:
            return None
        begin = start - len("CR ")
        if self._is_plain and text[begin - len("(") : start] in _PLAIN:
            return pattern.match(text, begin, start)
        reach = self._reach(text[max(0, start - _LOOK_BACK) : start])
        marker = pattern.search(text, start - reach, start) if reach else None
        if marker is None and is_dotted and text[start - 1 : start] in _LITERAL_QUOTES:
            begin = max(0, start - _LOOK_FAR_BACK)
            if self._assigned is not None and text.find("=", begin, start) >= 0:
                marker = self._assigned.search(text, begin, start)
        return marker

    def _reach(self, before: str) -> int:
        """Return how many characters before a number to search for a word for rules."""
        if not self._finals or ("<" in before and ">" in before):
            return len(before)
        words = before.rstrip(_JOINING)
        # The first test is much faster, and rules out most words.
        if words[-1:] not in self._last_signs or not words.casefold().endswith(self._finals):
            return 0
        return min(len(before), len(before) - len(words) + self._longest)


def _is_set_off(text: str, start: int) -> bool:
    """Say whether a number begins its line or comment, or is in brackets or quotation marks."""
    return _SET_OFF.search(text, max(0, start - _SHORT_LOOK), start) is not None


def _stands_alone(text: str, start: int) -> bool:
    """Say whether a number such as 702.52a begins at a place, and not inside a longer word."""
    is_bare = is_lettered(text, start) and _BARE_BEFORE.match(text, start)
    return bool(is_bare) and not _is_address(text, start)


def _begun(pattern: str) -> str:
    r"""Return a pattern that matches only at the start of a word: "\nCR 702", not "scr 702"."""
    return rf"(?:(?<![^\W_])|(?<=\\[nrt]))(?:{pattern})"


def _as_pattern(word: str) -> str:
    pattern = r"\s+".join(map(re.escape, word.split()))
    return _begun(pattern) if word.strip()[:1].isalnum() else pattern


def _prefix(words: Sequence[str], join: str = _JOIN) -> re.Pattern[str] | None:
    return re.compile(rf"(?:{'|'.join(words)}){join}\Z", re.IGNORECASE) if words else None


def _is_close(marker: re.Match[str], text: str) -> bool:
    """Say whether a word is close enough to make a number without a dot the number of a rule."""
    if text[marker.start() - 1 : marker.start()] == "_":
        return False
    join = marker["join"]
    if _IN_ARRAY.fullmatch(join) and _RANGE_OF_SECTIONS.match(text, marker.end()):
        return True
    if (
        not join
        and marker[0].islower()
        and _OF_CARD.search(text, max(0, marker.start() - _SHORT_LOOK), marker.start())
    ):
        return False  # "cr317" is the number of a card
    if join.startswith(".") and marker[0][: -len(join)].casefold().endswith(("no", "nr", "nos")):
        join = join[1:]
    if ":" in join and join[-1:] not in _QUOTES:
        # "rules: 150" and '"rule": 150' count something.
        word = marker[0][: -len(marker["join"])]
        if word[-1:] in "sS" or join[0] in _QUOTES:
            return False
    return _CLOSE_JOIN.fullmatch(join) is not None


def _is_reckoned(marker: re.Match[str], text: str, start: int) -> bool:
    """Say whether a program compares or assigns a number: "cr > 702.52"."""
    join, begin = marker["join"], marker.start()
    sign = join.strip()
    if not sign:
        return False
    if sign == ">" and "\n" not in join:
        # "<rule>702.9</rule>"
        return _TAG.search(text, max(0, begin - _LOOK_BACK), begin) is None
    if sign == "<":
        return text.find(">", start, start + _LONGEST_NUMBER) < 0
    if sign == "*" and join[0] == "*":
        # "*CR* 702.9"
        return text[begin - 1 : begin] != "*"
    if sign != "=":
        return _OPERATOR.fullmatch(join) is not None
    is_declared = _DECLARED.search(text, max(0, begin - _LOOK_BACK), begin) is not None
    return (_DECIMAL if is_declared else _LITERAL).match(text, start) is not None


def _is_address(text: str, start: int) -> bool:
    """Recognise a number inside an address."""
    return _ADDRESS.search(text, max(0, start - _LONGEST_ADDRESS), start) is not None
