"""A page of any form as a stream of words; only where a line or a block begins is kept of its layout.

Text, HTML, wikitext, Markdown, JSON, literals of programs, Word, RTF and PDF need no readers of
their own: what is not a word says nothing about the words.
"""

import html
import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from variorum_kb.errors import EncodingError
from variorum_kb.reading.decode import decode
from variorum_kb.reading.originals.original_lines import take_original
from variorum_kb.text.words import set_of

# A minus is part of "-1/-1", which is another word than "+1/+1".
_WORD = re.compile(r"(?:[-−–](?=[\dXx]+/)|(?<=/)[-−–](?=[\dXx]))?[^\W_]+")
_MINUS = re.compile("[−–]")
_TAG = re.compile(
    r"</?(?:html|body|p|div|br|li|td|dd|span|h[1-6]|table|b|i|em|strong|a|pre|font)\b[^<>]*>",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"<!--|-->|<(?P<end>/?)(?P<name>[a-zA-Z][\w:-]*)(?:[\s/][^<>]*)?>")
_ENTITY = re.compile(r"&(?:#\d+|#x[\da-f]+|[a-z]+\d?);", re.IGNORECASE)
_UNPRINTED = re.compile("[\xad\u200b-\u200d\u2060\ufeff]")
# A literal of a program: \n, \", \u2019.
_ESCAPE = re.compile(r"\\(?:u([\da-fA-F]{4})|([nrt])|(['\"/\\]))")
# "606.6aSee rule": a number to which a sentence is glued.
_GLUED = re.compile(r"(?<=\d)([a-z]{0,2})(?=[A-Z][a-z])")
# Markdown shows the first part of [shown](target), wikitext the last of [[target|shown]].
_LINK = re.compile(r"\[\[[^\[\]|\n]*\||(?<=\])\([^()\s]*\)")
_BREAKING = set_of(
    "address article aside blockquote body br caption dd div dl dt figcaption footer form h1 h2 h3 "
    "h4 h5 h6 header hr li main nav ol option p pre section table td th title tr ul"
)
# More than twice today's edition; what comes behind is not looked at.
MOST_WORDS = 400_000
_HEAD, _MOSTLY = 10_000, 0.8
_UNSHOWN = set_of("script style template noscript")
_JSON_NUMBER = re.compile(r"[1-9]\d{0,2}(?:\.\d+[a-z]{0,2})?\.?")


class PageOfWords(NamedTuple):
    """The text of a page, and its words.

    Attributes:
        text: What a reader sees of it.
        words: Folded.
        starts: The offset of each word in the text.
        ends: The offset behind each word.
    """

    text: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def line_of(self, word: int) -> int:
        """Return the number of the line of the text on which a word stands, from 1."""
        return self.text.count("\n", 0, self.starts[word]) + 1

    def begins_line(self, word: int) -> bool:
        """Return whether a line begins with a word, or the page ends before it."""
        return word in (0, len(self.words)) or "\n" in self.between(word - 1, word)

    def between(self, before: int, word: int) -> str:
        """Return what stands between two words; the page's edges are before word 0 and behind the last."""
        start = self.ends[before] if before >= 0 else 0
        return self.text[start : self.starts[word] if word < len(self.words) else None]

    def quoted(self, start: int, end: int) -> str:
        """Return the text of some words, as printed."""
        return self.text[self.starts[start] : self.ends[end - 1]] if start < end else ""

    def behind(self, end: int, most: int) -> str:
        """Return the text behind some words, up to so many characters."""
        return self.text[self.ends[end - 1] : self.ends[end - 1] + most]

    def around(self, start: int, end: int) -> str:
        """Return the text between the words before and behind some words."""
        last = self.starts[end] if end < len(self.words) else len(self.text)
        return self.text[self.ends[start - 1] if start else 0 : last]


def read_page(data: bytes, file: str) -> PageOfWords:
    """Read a document of any form.

    Raises:
        EncodingError: The bytes are no text and no original.
        OriginalError: A Word, RTF or PDF document is damaged or locked.
    """
    original = take_original(data, file)
    text = "\n".join(original.lines) if original else _decoded(data, file)
    return page_of(_shown(text.replace("\r\n", "\n").replace("\r", "\n")))


def _decoded(data: bytes, file: str) -> str:
    """Decode a page; one whose few other characters tell no encoding is read for its ASCII."""
    try:
        return decode(data, file).text
    except EncodingError:
        text = data.decode("cp1252", "replace")
        if "\0" in text or sum(map(str.isascii, text[:_HEAD])) < _MOSTLY * len(text[:_HEAD]):
            raise
        return text


def page_of(text: str) -> PageOfWords:
    """Return the page with a text."""
    spans = [match.span() for match in islice(_WORD.finditer(text), MOST_WORDS)]
    if len(spans) == MOST_WORDS:
        text = text[: spans[-1][1]]
    return PageOfWords(
        text,
        tuple([fold_word(text[start:end]) for start, end in spans]),
        tuple([start for start, _ in spans]),
        tuple([end for _, end in spans]),
    )


def fold_word(word: str) -> str:
    """Fold a word, so that spellings of one word are equal."""
    word = word.lower()
    return word if word.isascii() else _folded(word)


def words_of(text: str) -> list[str]:
    """Return the words of a text, folded as a page's.

    >>> words_of("Each player’s Æther gets −1/-1.")
    ['each', 'player', 's', 'aether', 'gets', '-1', '-1']
    """
    return _WORD.findall(_folded(text.lower()))


def folded_words(text: str) -> str:
    """Return the words of a text, folded, with a blank between them."""
    return " ".join(words_of(text))


def _folded(small: str) -> str:
    return _MINUS.sub("-", small).replace("æ", "ae")


def _shown(text: str) -> str:
    """Return the text that a reader sees."""
    if text.lstrip()[:1] in {"{", "["}:
        text = _json_text(text)
    if len(_TAG.findall(text, 0, 200_000)) > 1:
        text = _html_text(text)
    elif "&" in text and _ENTITY.search(text):
        text = html.unescape(text)
    if "\\" in text:
        text = _ESCAPE.sub(_unescaped, text)
    if "[" in text:
        text = _LINK.sub("", text)
    return _UNPRINTED.sub("", _GLUED.sub(r"\1 ", text))


def _unescaped(escape: re.Match[str]) -> str:
    code, blank, sign = escape.groups()
    return chr(int(code, 16)) if code else "\n" if blank else sign


def _json_text(text: str) -> str:
    """Return the strings of a JSON document, a line each; the text itself if it is none."""
    try:
        return "\n".join(_strings(json.loads(text)))
    except (ValueError, RecursionError):
        return text


def _strings(value: object) -> Iterator[str]:
    """Yield all strings; the number of an object comes before its words."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
    elif isinstance(value, dict):
        for key, item in sorted(value.items(), key=lambda pair: not _is_number(pair[1])):
            if _is_number(key) and not _is_number(item):
                yield key
            yield from _strings(item)


def _is_number(value: object) -> bool:
    return isinstance(value, str) and _JSON_NUMBER.fullmatch(value) is not None


def _html_text(text: str) -> str:
    """Return the text between tags, with a line feed where a block begins or ends.

    A parser of HTML takes minutes for a page of tags that do not end; here no tag holds another.
    """
    parts: list[str] = []
    shown_from, hidden_until = 0, ""
    for tag in _MARKUP.finditer(text):
        name = tag["name"].lower() if tag["name"] else tag[0]
        if hidden_until:
            if name == hidden_until and (tag["end"] or not tag["name"]):
                shown_from, hidden_until = tag.end(), ""
            continue
        parts += [text[shown_from : tag.start()], "\n" if name in _BREAKING else ""]
        shown_from = tag.end()
        if not tag["end"]:
            hidden_until = "-->" if name == "<!--" else name if name in _UNSHOWN else ""
    return html.unescape("".join([*parts, "" if hidden_until else text[shown_from:]]))
