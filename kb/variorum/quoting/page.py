"""A page of any form as a stream of words; of its layout only what stands between words is kept.

Text, HTML, wikitext, Markdown, JSON, literals of programs, Word, RTF and PDF need no readers of
their own: what is not a word says nothing about the words.
"""

import html
import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from email import message_from_bytes
from email.policy import default
from itertools import islice
from quopri import decodestring
from typing import NamedTuple

from variorum.errors import FormatError
from variorum.reading.decoding import decode
from variorum.reading.originals import take_original
from variorum.text import set_of

# A minus is part of "-1/-1", which is another word than "+1/+1"; "(TM)" and "_TM" are signs, as "™" is.
_WORD = re.compile(
    r"(?:[-−–](?=[\dXx]+/)|(?<=/)[-−–](?=[\dXx]))?(?<![^\W_])"
    r"(?!(?<=\()(?:[rR]|tm|TM)\)|(?<=_)(?:tm|TM)\b)[^\W_]+"
)
_FOLDED = str.maketrans({"−": "-", "–": "-", "æ": "ae"})
# A mail's head has one of these lines; the lines of its body may be "quoted-printable", and end with "=".
_MAIL = re.compile(
    rb"(?:From .*\n)?[\w-]+: .*\n(?:(?!\r?\n).*\n)*?(?:MIME-Version|Content-T[\w-]+):",
    re.IGNORECASE,
)
_SOFT_BREAK, _LONGEST_QUOTED = re.compile(rb"^[^\n]{59,74}[^=\n]=\r?$", re.MULTILINE), 77
# More than twice today's edition; what comes behind is not looked at.
MOST_WORDS = 400_000
# Signs that part what a page quotes from what it says: markup, cells of a table.
_PARTING = re.compile(r"[\n<>|*#\[\]{}_=`•]")
# "702. 37a" and "901.4.All" are misprints of editions. A chapter's number needs its period. A line of a
# diff begins with a minus.
_NUMBER = re.compile(
    r"(?:(?<![\w.$/-])|(?<=\n-)|(?<=\bCR)|(?<=[a-z)]\.))"
    r"([1-9]\d\d\. ?\d{1,3}(?:[a-z]{1,2}|[A-Z])?(?![a-zA-Z\d?])|[1-9]\d\d(?!\w)|[1-9](?!\w|\.\d))",
    re.ASCII,
)
# A line that begins with a number of any kind, as another game's rules do.
NUMBERED = re.compile(r"^\W{0,4}\d+(?:\.\d+)*[a-z]?[.):]?\s+[A-Z]", re.MULTILINE)
# Where a program is read as prose, and how many such places, by its words, make a text a program:
# of real pages at most 0.07, of real programs hardly one less than 0.13.
_CODE = re.compile(
    r"\w\((?!s\))|[a-z]_[a-z]|[a-z][A-Z]|[=!<>+]=|[-=]>|::|&&|\|\||[;{}]\s*$| = ", re.MULTILINE
)
_PROGRAM, _COMMENT = 0.12, re.compile(r"/\*(?:(?!/\*).)*?\*/|(?<!:)//[^\n]*", re.DOTALL)
# Words before a number in a sentence. "Rule 800.4a" heads a rule where a line begins with it.
_CITING = set_of("and by in or rule rules section sections see through to")
_SENTENCE_END = re.compile("[.:!?]")
_HEADS = re.compile(r"\.?\s*[:—–-]")
# "… until end of turn.” (rule 611.2a)": a number that ends a line belongs to the words before it.
_ENDING_LINE = re.compile(r"\.?[\])][.,;]? *(?:\n|$)")


class Page(NamedTuple):
    """The text that a reader sees, its folded words, the offsets of each word's two ends, and of line feeds.

    A page `is_ours` if this project published it.
    """

    text: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    breaks: tuple[int, ...]
    is_ours: bool = False

    def line_of(self, word: int) -> int:
        """Return the number of the line of the text on which a word stands, from 1."""
        return bisect_left(self.breaks, self.starts[word]) + 1

    def quoted(self, start: int, end: int) -> str:
        """Return the text of some words, as printed."""
        return self.text[self.starts[start] : self.ends[end - 1]] if start < end else ""

    def around(self, start: int, end: int) -> str:
        """Return the text between the words before and behind some words; of none, what stands before one."""
        last = self.starts[end] if end < len(self.words) else None
        return self.text[self.ends[start - 1] if start else 0 : last]

    def begins_line(self, word: int) -> bool:
        """Return whether a line begins with a word, or the page ends before it."""
        return word in (0, len(self.words)) or "\n" in self.around(word, word)

    def is_parted(self, word: int) -> bool:
        """Return whether a line or a piece of markup begins or ends before a word."""
        return word in (0, len(self.words)) or bool(_PARTING.search(self.around(word, word)))


def is_program(text: str) -> bool:
    """Return whether most of a text is a program, but for its comments, or addresses."""
    text = _COMMENT.sub("", text)
    return len(_CODE.findall(text)) > _PROGRAM * len(_WORD.findall(text))


def read_page(data: bytes) -> Page:
    """Read a document of any form.

    FormatError: the bytes are no text, or a Word, RTF or PDF document is damaged or locked.
    """
    data = _mail_body(data)
    original = take_original(data)
    try:
        text = original.text if original else decode(data).text
    except FormatError:  # the few characters beyond ASCII tell no encoding
        text = data.decode("cp1252", "replace")
        if "\0" in text:
            raise
    page = page_of(_shown(re.sub("\r\n?|[\u2028\u2029]", "\n", text)))
    return page._replace(is_ours=_OURS in text)


def _mail_body(data: bytes) -> bytes:
    """Return what a mail says, with its subject and day; other bytes as they are."""
    if _MAIL.match(data):
        mail = message_from_bytes(data, policy=default)
        if body := mail.get_body(("plain", "html")):
            with suppress(LookupError, ValueError):  # an encoding that nobody knows
                return f"{mail['subject']}\n{mail['date']}\n\n{body.get_content()}".encode()
    is_quoted = _SOFT_BREAK.search(data) and max(map(len, data.split(b"\n"))) <= _LONGEST_QUOTED
    return decodestring(data) if is_quoted else data


def page_of(text: str) -> Page:
    """Return the page with a text."""
    spans = [match.span() for match in islice(_WORD.finditer(text), MOST_WORDS)]
    if len(spans) == MOST_WORDS:
        text = text[: spans[-1][1]]
    words = tuple([_folded(text[start:end]) for start, end in spans])
    starts, ends = zip(*spans, strict=True) if spans else ((), ())
    return Page(text, words, starts, ends, tuple([it.start() for it in re.finditer("\n", text)]))


def words_of(text: str) -> list[str]:
    """Return the words of a text, folded as a page's: "Æther gets −1/-1" has aether, gets, -1, -1."""
    return _WORD.findall(_folded(text))


def _folded(text: str) -> str:
    return text.lower().translate(_FOLDED)


# What a reader sees ----------------------------------------------------------------------------
_TAG = re.compile(
    r"</?(?:html|body|p|para|div|br|li|td|dd|span|h[1-6]|title|table|b|i|em|strong|a|pre|font)\b[^<>]*>",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"</?([a-zA-Z][\w:-]*)(?:[\s/][^<>]*)?>")
# These break no line; every other tag does.
_INLINE = set_of(
    "a abbr acronym b bdi bdo big cite code dfn em font i ins kbd mark q s samp small span strike "
    "strong sub sup time tt u var wbr"
)
# No reader sees these, with what they hold; what does not end holds the rest of the page. On pages of this
# project, former numbers and words stand beside today's.
_HIDDEN = re.compile(
    r"<!--(?:.*?-->|.*)|<(script|style|template|noscript)\b(?:.*?</\1\s*>|.*)",
    re.DOTALL | re.IGNORECASE,
)
_OURS = '<meta name="generator" content="Variorum">'
_BESIDE = re.compile(
    r'<(\w+)\b[^<>]*\sclass="(?:m|note|old|diff|blame|life|gone)[ "][^<>]*>(?:.*?</\1>|.*)',
    re.DOTALL,
)
_UNPRINTED = re.compile("[\xad\u200b-\u200d\u2060\ufeff]")
# A literal of a program: \n, \", \u2019. Markdown: \-1/\-1.
_ESCAPE = re.compile(r"\\(?:u([\da-fA-F]{4})|([nrt])|([!-/:-@\[-`{-~]))")
# "606.6aSee rule": a number to which a sentence is glued.
_GLUED = re.compile(r"(?<=\d)([a-z]{0,2}(?=[A-Z][a-z])|[a-z]{1,2}(?=[A-Z] ))")
# Between two columns, on so many lines at least.
_GUTTER, _FEWEST_LINES = re.compile(r"(?<=\S) {3,}(?=\S)"), 10
# A line with the number of a page: "Page 3 of 9", "- 4 -", "17"; or the head that so many pages repeat.
_PAGE_BREAK = re.compile(
    r"^[ \t]*(?:(?:page|slide) \d+(?: ?(?:of|/) ?\d+)?|\d+ of \d+|[-–—] ?\d+ ?[-–—]|\d\d)[ \t]*$|\f.*",
    re.IGNORECASE | re.MULTILINE,
)
_FEWEST_PAGES = 3
# Markdown shows the first part of [shown](target), wikitext the last of [[target|shown]].
_LINK = re.compile(r"\[\[[^\[\]|\n]*\||(?<=\])\([^()\s]*\)")
# The tags of a forum: [b], [quote=name]; "[B]" and "[color]" are variables of rules.
_FORUM_TAG = re.compile(r"\[(?:/?(?:b|i|u|quote|url)|/(?:color|size)|[a-z]+=[^\[\]]*)\]")
# In an object of JSON, a number and a headword come before words. A key may name a column.
_JSON_NUMBER = re.compile(r"[1-9]\d{0,2}(?:\.\d+[a-zA-Z]{0,2})?\.?")
_JSON_HEADWORD = re.compile(r"\D{1,60}")
_KEY = re.compile(r"[a-z][a-zA-Z_\d]*")


def _shown(text: str) -> str:
    for values in (text, f"[{text.strip().replace(chr(10), ',')}]"):  # JSON, or JSON lines
        if values.lstrip()[:1] in {"{", "["}:
            with suppress(ValueError, RecursionError):
                text = _as_text(json.loads(values, object_pairs_hook=_object_as_text))
                break
    is_html = len(_TAG.findall(text, 0, 200_000)) > 1
    text = _between_tags(text) if is_html else html.unescape(text)
    text = _columns_apart(text) if _GUTTER.search(text) else text
    heads = Counter(_PAGE_BREAK.findall(text))
    text = _PAGE_BREAK.sub(
        lambda at: at[0] if at[0][0] == "\f" and heads[at[0]] < _FEWEST_PAGES else "", text
    )
    text = _ESCAPE.sub(lambda it: chr(int(it[1], 16)) if it[1] else "\n" if it[2] else it[3], text)
    text = _FORUM_TAG.sub("", _LINK.sub("", text))
    return _UNPRINTED.sub("", _GLUED.sub(r"\1 ", text))


def _columns_apart(text: str) -> str:
    """Return the text of two columns one after the other; other text as it is."""
    lines = text.split("\n")
    starts = Counter([gap.end() for line in lines for gap in _GUTTER.finditer(line)])
    start, count = max(starts.items(), key=lambda item: item[1], default=(0, 0))
    wide = [line for line in lines if len(line) > start]
    is_crossed = any(line[start - 2 : start].strip() for line in wide)
    if is_crossed or count < _FEWEST_LINES or 2 * count < len(wide):
        return text
    return "\n".join([*[line[:start] for line in lines], *[line[start:] for line in lines]])


def _as_text(value: object) -> str:
    if isinstance(value, list):
        return "\n".join(map(_as_text, value))
    return value if isinstance(value, str) else ""


def _object_as_text(pairs: list[tuple[str, object]]) -> str:
    parts: list[tuple[int, str]] = []
    for key, value in pairs:
        text = _as_text(value)
        rank = 0 if _JSON_NUMBER.fullmatch(text) else 1 if _JSON_HEADWORD.fullmatch(text) else 2
        parts.append((rank, text if _KEY.fullmatch(key) or not rank else f"{key}\n{text}"))
    return "\n".join([text for _, text in sorted(parts, key=lambda part: part[0])])


def _between_tags(text: str) -> str:
    """Return the text between tags, with a line feed where a block begins or ends.

    A parser of HTML takes minutes for a page of tags that do not end; here no tag holds another.
    """
    text = _BESIDE.sub("\0", text) if _OURS in text else text
    text = _MARKUP.sub(
        lambda tag: "\0" if tag[1].lower() in _INLINE else "\n", _HIDDEN.sub("\n", text)
    )
    # Where a word in capitals follows another one, only the tag between keeps them apart.
    return html.unescape(re.sub(r"(?<=\w)\0+(?=[A-Z])", " ", text).replace("\0", ""))


# Numbers -----------------------------------------------------------------------------------------


class PageNumber(NamedTuple):
    """A rule number without blanks and its last period, its first word, and the word behind it."""

    number: str
    start: int
    behind: int


def find_numbers(page: Page) -> Iterator[PageNumber]:
    """Yield the numbers of a page that may head a rule, in its order."""
    for match in _NUMBER.finditer(page.text):
        start = bisect_left(page.ends, match.start() + 1)
        behind = bisect_left(page.starts, match.end())
        # In "the cost is 3." a digit is none, in "all cards. 3. Card Types" it is.
        before = page.around(start, start)
        is_behind = page.text.startswith(".", match.end()) and _SENTENCE_END.search(before)
        is_digit = len(match[1]) == 1 and not (is_behind or page.is_parted(start))
        if is_digit or _is_citation(page, start, match.end()):
            continue
        if start and page.words[start - 1] in {"cr", "rule"} and page.is_parted(start - 1):
            start -= 1
        yield PageNumber(match[1].replace(" ", "").lower(), start, behind)


def _is_citation(page: Page, start: int, end: int) -> bool:
    """Return whether a number ends a reference within a sentence: "see rule 200.3."."""
    if page.begins_line(start):
        return False
    if _ENDING_LINE.match(page.text, end):
        return True
    if page.words[start - 1] not in _CITING or _SENTENCE_END.search(page.around(start, start)):
        return False
    before = page.quoted(start - 1, start)
    is_title = before.istitle() and before not in {"Rule", "See"}  # "Multiplayer Rules 800."
    return not is_title and not page.begins_line(start - 1) and _HEADS.match(page.text, end) is None
