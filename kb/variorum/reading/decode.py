"""Decide on evidence which encoding a document is in, and record why.

The editions are ASCII, UTF-8 with and without a byte order mark, UTF-16 of both kinds,
Windows-1252, Mac Roman or CP437. The last three decode almost any bytes, so `decode` compares the
resulting words: the byte 83 in "Dand?n" is "â" in CP437 (2006-07-15) but "ƒ" in Windows-1252;
2006-10-01 has the byte 89, which is "â" in Mac Roman.
"""

import codecs
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from variorum.errors import EncodingError
from variorum.model import Decoding
from variorum.reading.encoding_evidence import (
    TYPOGRAPHIC,
    Plausibility,
    characters_beyond_ascii,
    plausibility_of,
    word_around,
)
from variorum.system.file_signatures import OLE, PDF, RTF, ZIP
from variorum.text.counts import percent
from variorum.thresholds.documents import TEXT_PLAUSIBLE, TEXT_SENSIBLE, UTF8_BROKEN

_SINGLE_BYTE = ("cp1252", "mac_roman", "cp437")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_CONTEXTS_AT_A_GLANCE = 4
_GLANCE = 100_000
_ASCII_TO_BLANKS = b" " * 0x80 + bytes(range(0x80, 0x100))
_UTF8_LEAD = re.compile(rb"[\xc2-\xf4][\x80-\xbf]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A document's text, with its line ends unchanged, and how it was decoded."""

    text: str
    decoding: Decoding


def decode(data: bytes, file: str) -> Decoded:
    """Turn a document's bytes into text.

    Raises:
        EncodingError: The bytes are text in no encoding that rules documents use.
    """
    if not data.strip(b"\x00 \t\r\n\x1a"):
        raise EncodingError("the document is empty", file)
    for magic, name in _NOT_TEXT:
        if data.startswith(magic):
            raise EncodingError(f"{name}, not a text; its format can't be read yet", file)
    decoded = _by_mark(data, file) or _by_zero_bytes(data, file) or _without_mark(data, file)
    # Searching the bytes is faster than searching the text, but UTF-16 has zero bytes in letters.
    is_utf16 = decoded.decoding.encoding.startswith("utf-16")
    if "\x00" in decoded.text if is_utf16 else 0 in data:
        raise EncodingError("not a text: it holds zero bytes", file)
    return mend(decoded)


_NOT_TEXT = (
    (ZIP, "a ZIP or a Word document"),
    (PDF.removesuffix(b"-"), "a PDF document"),
    (RTF, "an RTF document"),
    (OLE, "an old Word document"),
)


def _by_mark(data: bytes, file: str) -> Decoded | None:
    for mark, encoding, name in (
        (codecs.BOM_UTF8, "utf-8-sig", "UTF-8"),
        (codecs.BOM_UTF16_LE, "utf-16", "UTF-16, little end first"),
        (codecs.BOM_UTF16_BE, "utf-16", "UTF-16, big end first"),
    ):
        if data.startswith(mark):
            text = _strictly(data, encoding, file, "although its byte order mark says so")
            return Decoded(text, Decoding(encoding, f"byte order mark of {name}"))
    return None


def _by_zero_bytes(data: bytes, file: str) -> Decoded | None:
    """Recognise UTF-16 without a byte order mark: every other byte of English text is zero."""
    start = data[:2000]
    for offset, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        half = start[offset::2]
        if half and half.count(0) > 0.9 * len(half) and start[1 - offset :: 2].count(0) == 0:
            text = _strictly(data, encoding, file, "although every other byte is zero")
            return Decoded(text, Decoding(encoding, "no byte order mark; every other byte is zero"))
    return None


def _strictly(data: bytes, encoding: str, file: str, although: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise EncodingError(
            f"not {encoding}, {although}: {error.reason} at byte {error.start}", file
        ) from None


def _without_mark(data: bytes, file: str) -> Decoded:
    if data.isascii():
        return Decoded(data.decode("ascii"), Decoding("ascii", "every byte is ASCII"))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        # Only these lines tell the encodings apart; no sequence of bytes crosses the end of a line.
        lines = [line for line in data.splitlines(keepends=True) if not line.isascii()]
        beyond_ascii = b"".join(lines)
        return _mostly_utf8(data, beyond_ascii, error) or _by_words(
            data, beyond_ascii, file, error.start
        )
    many = len(characters_beyond_ascii(text))
    return Decoded(text, Decoding("utf-8", f"no mark, and {many} valid UTF-8 sequences"))


def _mostly_utf8(data: bytes, beyond_ascii: bytes, error: UnicodeDecodeError) -> Decoded | None:
    """Recognise UTF-8 broken in a few places, which become U+FFFD.

    A text in a single-byte encoding has hardly any valid UTF-8 sequence.
    """
    runs = beyond_ascii.translate(_ASCII_TO_BLANKS).split()
    many = len(_UTF8_LEAD.findall(b" ".join(runs)))
    broken = beyond_ascii.decode("utf-8", "replace").count("\N{REPLACEMENT CHARACTER}")
    if broken > UTF8_BROKEN * many:
        return None
    reason = f"no mark, and nearly all of {many} UTF-8 sequences are valid"
    repair = f"not valid UTF-8 in {broken} places, the first at byte {error.start}"
    return Decoded(data.decode("utf-8", "replace"), Decoding("utf-8", reason, (repair,)))


def _by_words(data: bytes, beyond_ascii: bytes, file: str, invalid: int) -> Decoded:
    """Choose among the single-byte encodings and GBK by the words that result."""
    readings = dict(_readings(beyond_ascii))
    scores = {encoding: plausibility_of(text) for encoding, text in readings.items()}
    # The first of equally good encodings wins, so the one that Wizards used most is first.
    best = max(scores, key=lambda encoding: scores[encoding].points)
    if scores[best].share < TEXT_PLAUSIBLE:
        raise EncodingError(
            f"text in no known encoding: not UTF-8 at byte {invalid}, and as {best}, the "
            f"likeliest, only {percent(scores[best].share)} of its characters beyond ASCII make sense",
            file,
        )
    second = max((e for e in scores if e != best), key=lambda encoding: scores[encoding].points)
    return Decoded(data.decode(best), Decoding(best, _why(best, second, readings, scores)))


def _readings(data: bytes) -> Iterator[tuple[str, str]]:
    for encoding in (*_SINGLE_BYTE, "gbk"):
        try:
            yield encoding, data.decode(encoding)
        except UnicodeDecodeError:
            continue


def _why(best: str, second: str, readings: dict[str, str], scores: dict[str, Plausibility]) -> str:
    words = scores[best].words or _some_words(readings[best])
    shown = words[:3]
    places = [readings[best].index(word) for word in shown]
    # In all of these encodings a byte is a character, so a character has the same place in each.
    others = (
        [readings[second][p : p + len(w)] for p, w in zip(places, shown, strict=True)]
        if best in _SINGLE_BYTE and second in _SINGLE_BYTE
        else []
    )
    reason = f"not UTF-8; as {best} words read {', '.join(shown)}"
    return reason + (f", as {second} {', '.join(map(repr, others))}" if others else "")


def _some_words(text: str) -> tuple[str, ...]:
    places = (match.start() for match in _BEYOND_ASCII.finditer(text))
    some = itertools.islice(places, 9)
    return tuple(dict.fromkeys(word_around(text, place) for place in some))


# Texts that programs have decoded wrongly and saved as UTF-8 -------------------------------------

_WRONGLY = ("latin-1", "cp1252", "mac_roman", "cp437")
_RIGHTLY = ("utf-8", *_SINGLE_BYTE)
# The most rounds of undoing wrong decoding; noise could otherwise alternate for ever.
_MOST_OFTEN = 8


def mend(decoded: Decoded) -> Decoded:
    """Undo wrong decoding, even if it happened several times.

    In a copy of 2019-05-03, somebody decoded UTF-8 as Latin-1 and encoded it again, with its byte
    order mark. A text changes only if its characters are implausible in their places, and the
    characters of the other decoding are plausible.
    """
    seen: set[str] = set()
    for _ in range(_MOST_OFTEN):
        mended = _mend_once(decoded)
        if mended is None:
            break
        seen.add(decoded.text)
        if mended.text in seen:
            break
        decoded = mended
    return decoded


def _likelihood(attempt: tuple[str, str, str]) -> tuple[bool, float]:
    text, _, right = attempt
    return right == "utf-8", plausibility_of(text).share


def _mend_once(decoded: Decoded) -> Decoded | None:
    if not decoded.decoding.encoding.startswith("utf") or decoded.text.isascii():
        return None
    score = plausibility_of(decoded.text[:_GLANCE], _CONTEXTS_AT_A_GLANCE)
    if score.share >= TEXT_SENSIBLE:
        return None
    tries = [
        (text, wrong, right)
        for wrong in _WRONGLY
        for right in _RIGHTLY
        if right != wrong
        for text in _decoded_anew(decoded.text, wrong, right)
    ]
    best = max(tries, key=_likelihood, default=None)
    if best is None:
        return None
    text, wrong, right = best
    # That bytes are valid UTF-8 is proof enough, even if the text was wrongly decoded twice.
    is_likelier = _signs(text) > _signs(decoded.text) or len(plausibility_of(text).words) > len(
        score.words
    )
    if right != "utf-8" and not (is_likelier and plausibility_of(text).share >= TEXT_SENSIBLE):
        return None
    places = len(characters_beyond_ascii(decoded.text))
    repair = f"{right} read as {wrong} and saved as UTF-8: {places} characters decoded once more"
    decoding = decoded.decoding
    return Decoded(
        text.removeprefix("\N{BYTE ORDER MARK}"),
        Decoding(decoding.encoding, decoding.reason, (*decoding.repairs, repair)),
    )


def _signs(text: str) -> int:
    """Count dashes, quotation marks and the like: rules have more of them than accents."""
    return sum(character in TYPOGRAPHIC for character in characters_beyond_ascii(text[:_GLANCE]))


def _decoded_anew(text: str, wrong: str, right: str) -> Iterator[str]:
    try:
        # Web software decodes bytes that Windows-1252 does not define as Latin-1.
        data = text.encode(wrong, "c1" if wrong == "cp1252" else "strict")
        yield data.decode(right)
    except UnicodeError:
        return


def _c1(error: UnicodeError) -> tuple[bytes, int]:
    if isinstance(error, UnicodeEncodeError):
        return error.object[error.start : error.end].encode("latin-1"), error.end
    raise error


codecs.register_error("c1", _c1)
