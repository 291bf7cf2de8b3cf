"""Turns the bytes of a document into text and numbered lines.

The editions are ASCII, UTF-8 with and without a byte order mark, UTF-16 of both kinds, Windows-1252,
Mac Roman or CP437. The last three decode almost any bytes, so the characters that result decide:
the byte 83 in "Dand?n" is "â" in CP437 (2006-07-15), but "ƒ" in Windows-1252; 2006-10-01 has the
byte 89, which is "â" in Mac Roman.
"""

import codecs
import html
import re
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from textwrap import dedent
from types import MappingProxyType
from typing import NamedTuple

from variorum.errors import FormatError
from variorum.text import percent

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16, little end first"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16, big end first"),
)
# Wizards used the first most; it wins a tie. A copy of 2018-01-19 is in GBK.
_WITHOUT_MARK = ("cp1252", "mac_roman", "cp437", "gbk")
# The characters beyond ASCII that rules print.
SIGNS = frozenset("—–−‘’“”…•™®©°→∞½×Ææñáâäàéêèëíîïìóôöòúûüù") - {"ë", "ì", "ù"}
# With fewer signs among the characters beyond ASCII, bytes are no text; random ones reach a third.
LEAST_SHARE = 0.8


class Decoded(NamedTuple):
    """A document's text, with its line ends unchanged; by which codec, why by this, and what was mended then.

    Of an original, these are its printed lines in reading order; the encoding is its format: docx, rtf or
    pdf. `glue` has the text between a line and the next, by the number, from 1, of a line that goes on in it.
    The last `repeated` lines are those that repeat on pages, such as page numbers.
    """

    text: str
    encoding: str
    reason: str
    repairs: tuple[str, ...] = ()
    glue: Mapping[int, str] = MappingProxyType({})
    repeated: int = 0


def decode(data: bytes) -> Decoded:
    """Turn a document's bytes into text; FormatError if they are in no encoding that rules documents use."""
    if not data.strip(b"\x00 \t\r\n\x1a"):
        raise FormatError("the document is empty")
    encoding, reason = _encoding_of(data)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        wrong = f"{error.reason} at byte {error.start}"
        raise FormatError(f"not {encoding}, although it begins so: {wrong}") from None
    if "\x00" in text:
        raise FormatError("not a text: it holds zero bytes")
    return _mended(Decoded(text, encoding, reason))


def _encoding_of(data: bytes) -> tuple[str, str]:
    for mark, encoding, name in _MARKS:
        if data.startswith(mark):
            return encoding, f"byte order mark of {name}"
    for encoding, high in ("utf-16-le", data[1::2]), ("utf-16-be", data[::2]):
        if 2 * high.count(0) > len(high):
            return encoding, "no mark, but most letters have a zero byte"
    if data.isascii():
        return "ascii", "every byte is ASCII"
    try:
        many = len(beyond_ascii(data.decode("utf-8")))
    except UnicodeDecodeError as error:
        invalid = error.start
    else:
        return "utf-8", f"no mark, and {many} valid UTF-8 sequences"
    shares: dict[str, float] = {}
    for encoding in _WITHOUT_MARK:
        with suppress(UnicodeDecodeError):
            signs = [sign in SIGNS for sign in beyond_ascii(data.decode(encoding))]
            shares[encoding] = sum(signs) / len(signs)
    best = max(shares, key=shares.__getitem__)
    share, sense = shares.pop(best), "of its characters beyond ASCII make sense"
    if share < LEAST_SHARE:
        raise FormatError(
            f"text in no known encoding: not UTF-8 at byte {invalid}, and as {best}, the likeliest, "
            f"only {percent(share)} {sense}"
        )
    others = [f"{percent(less)} as {name}" for name, less in shares.items()]
    return best, f"not UTF-8; {', '.join([f'{percent(share)} {sense} as {best}', *others])}"


def beyond_ascii(text: str) -> str:
    """Return the characters of a text that are not ASCII."""
    return text.encode().translate(None, bytes(range(0x80))).decode()


# The characters of Windows-1252 that Latin-1 lacks, with their bytes. Web software decodes bytes
# that Windows-1252 does not define as Latin-1.
_AS_LATIN_1 = {
    ord(bytes([byte]).decode("cp1252")): byte
    for byte in range(0x80, 0xA0)
    if byte not in {0x81, 0x8D, 0x8F, 0x90, 0x9D}
}


def _mended(decoded: Decoded) -> Decoded:
    """Undo wrong decoding: in a copy of 2019-05-03, somebody read UTF-8 as Latin-1 and saved it.

    A text beyond ASCII whose characters are the bytes of valid UTF-8 is no other text by chance.
    """
    text = decoded.text
    signs = beyond_ascii(text)
    in_bytes = signs.translate(_AS_LATIN_1)
    if not signs or not decoded.encoding.startswith("utf"):
        return decoded
    try:
        in_bytes.encode("latin-1").decode("utf-8")  # quicker than with all of the text
        mended = text.translate(_AS_LATIN_1).encode("latin-1").decode("utf-8")
    except UnicodeError:
        return decoded
    wrong = "latin-1" if in_bytes == signs else "cp1252"
    repair = f"utf-8 read as {wrong} and saved as UTF-8: {len(signs)} characters decoded once more"
    mended = mended.removeprefix("\N{BYTE ORDER MARK}")
    return _mended(decoded._replace(text=mended, repairs=(*decoded.repairs, repair)))


# The spaces of `str.isspace` that do not end a line in `str.splitlines`; each becomes U+0020. The
# first release of 2026-08-07 has 4,097 no-break spaces.
_BLANKS = re.compile(r"[\t\x1f\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
# Signs that tell programs where a line may end; they print nothing.
_UNPRINTED = re.compile(r"[\xad\u200b-\u200d\u2060\ufeff]")
_ENTITY = re.compile(r"&(?:[A-Za-z]{2,6}|#\d{2,5});")
_PAGE_NUMBER = re.compile(r"\W*page \d{1,3}(?: of \d{1,3})?\W*", re.IGNORECASE)
_FEWEST = 10  # of these, each of which may be an accident


class Lines(NamedTuple):
    """The lines of a document, without their ends; line number n is `texts[n - 1]`."""

    texts: tuple[str, ...]
    ends: tuple[int, int, int]  # CRLF, CR, LF
    repairs: tuple[str, ...] = ()


def split_lines(text: str, *, is_paged: bool = False) -> Lines:
    r"""Split a text at every line end that the editions use, mixed or not.

    Lines also end at vertical tabs and U+2028, which are breaks within a paragraph of Word (the
    first release of 2026-08-07 has 38), and at form feeds between pages.

    A copy of 2026-02-27 ends every line with CR CR LF; the extra CR is dropped. If only some CR LF
    have a CR before them, every CR ends a line: 2019-05-03 ends twelve lines with CR LF and 7,077,
    some of them blank, with CR. What programs that copy or convert a text do to all of it is undone,
    but for the page numbers of a PDF, which are known.

    >>> split_lines("a\r\nb\rc\n").texts
    ('a', 'b', 'c')
    """
    crlf, cr, lf = text.count("\r\n"), text.count("\r"), text.count("\n")
    ends, repairs = (crlf, cr - crlf, lf - crlf), list[str]()
    if crlf > 1 and cr - crlf == crlf == text.count("\r\r\n"):
        text = text.replace("\r\r\n", "\r\n")
        repairs.append(f"{crlf} line ends were CR CR LF; one CR of each dropped")
    if len(entities := _ENTITY.findall(text)) >= _FEWEST:
        text = html.unescape(text)
        repairs.append(f"{len(entities)} characters were written as in HTML")
    text, unprinted = _UNPRINTED.subn("", text)
    if unprinted:
        repairs.append(f"{unprinted} characters that print nothing dropped")
    if not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
        repairs.append("letters and their accents joined")
    texts = _BLANKS.sub(" ", text).splitlines()
    if texts and texts[-1] == "\x1a":
        texts.pop()  # some old text editors add this at the end of a file
    if len(pages := [*filter(_PAGE_NUMBER.fullmatch, texts)]) >= _FEWEST and not is_paged:
        texts = ["" if _PAGE_NUMBER.fullmatch(line) else line for line in texts]
        repairs.append(f"{len(pages)} page numbers dropped")
    if texts[1:] and not any(map(str.strip, texts[1::2])):
        texts = texts[::2]
        repairs.append("every second line was blank; dropped")
    if not any(line[:1].strip() for line in texts):
        texts = dedent("\n".join(texts)).split("\n")
        repairs.append("every line was set in by blanks; dropped")
    return Lines(tuple(texts), ends, tuple(repairs))
