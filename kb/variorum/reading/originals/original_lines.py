"""Reads the lines of an original: a document in Word, RTF or PDF.

The first bytes decide the format, never the file's name. An `Original` has the printed lines and
the facts that only the original shows, such as continued lines. Afterwards the program treats it
like a text. Each format has its own module, imported on first use.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from variorum.errors import EncodingError, OriginalError
from variorum.model import Decoding
from variorum.rule_numbers import HEADED, SECTION
from variorum.system.file_signatures import OLE, PDF, RTF, ZIP

_LIGATURES: Mapping[str, str] = {
    "\N{LATIN SMALL LIGATURE FF}": "ff",
    "\N{LATIN SMALL LIGATURE FI}": "fi",
    "\N{LATIN SMALL LIGATURE FL}": "fl",
    "\N{LATIN SMALL LIGATURE FFI}": "ffi",
    "\N{LATIN SMALL LIGATURE FFL}": "ffl",
}
# Characters that control the layout and are not printed.
_UNPRINTED: Mapping[str, str] = dict.fromkeys(
    (
        "\N{SOFT HYPHEN}",
        "\N{ZERO WIDTH SPACE}",
        "\N{ZERO WIDTH NON-JOINER}",
        "\N{ZERO WIDTH JOINER}",
        "\N{WORD JOINER}",
        "\N{ZERO WIDTH NO-BREAK SPACE}",
    ),
    "",
)
# The signs that the fonts Symbol and Wingdings print for a byte, as far as rules use them.
SYMBOLS: Mapping[int, str] = MappingProxyType(
    {
        0x20: " ",
        0x2D: "\N{MINUS SIGN}",
        0xA5: "∞",
        0xA7: "•",
        0xA8: "•",
        0xAE: "\N{RIGHTWARDS ARROW}",
        0xB1: "±",
        0xB3: "≥",
        0xA3: "≤",
        0xB4: "\N{MULTIPLICATION SIGN}",
        0xB7: "•",
        0xBC: "…",
        0xD2: "®",
        0xD3: "©",
        0xD4: "™",
        0xE2: "®",
        0xE3: "©",
        0xE4: "™",
    }
)
# PDF programs look for the signature within this many bytes.
_AHEAD = 1024
_BEFORE_RTF = b"\xef\xbb\xbf \t\r\n"
_CONTENTS = "Contents"
_FIRST_RULE = re.compile(rf"\s*{SECTION}\. ?\d", re.ASCII)
_ONLY_NUMBER = re.compile(rf"\s*{HEADED}\.(?: ?\d{{1,4}}[a-z]{{0,2}}\.?)?\s*", re.ASCII)
_PAGE_NUMBERED = re.compile(
    rf"(?P<text>\s*(?:{HEADED}\. \D.*?|[A-Z][a-z]+))"
    r"(?P<leader>\s*(?:\.\s?){3,}\s*|\s*…+\s*|\s*\t\s*)(?P<page>\d{1,3})\s*",
    re.ASCII,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Original:
    """The printed text of an original; line number n is `lines[n - 1]`.

    Attributes:
        format: The name of the layout: docx, rtf or pdf.
        lines: The printed lines in reading order; page furniture stands at the end.
        reason: What the document is, in our words.
        repairs: What was left out or replaced, in our words, with counts.
        glue: The text between a line and the next, by the number of a line that continues.
        repeated: How many lines at the end repeat on pages, such as page numbers.
    """

    format: str
    lines: tuple[str, ...]
    reason: str
    repairs: tuple[str, ...] = ()
    glue: Mapping[int, str] = field(default_factory=dict[int, str])
    repeated: int

    @property
    def furniture(self) -> range:
        """Return the numbers of the lines that repeat on pages."""
        count = len(self.lines)
        return range(count - self.repeated + 1, count + 1)

    @property
    def decoding(self) -> Decoding:
        """Return a description of how the bytes became lines."""
        return Decoding(self.format, self.reason, self.repairs)


def take_original(data: bytes, file: str) -> Original | None:
    """Return the lines of a Word, RTF or PDF document; None for any other.

    Raises:
        EncodingError: It is a ZIP without a Word document, or has no text.
        OriginalError: It is cut off, damaged or locked, or holds far more than any edition.
    """
    take = _taker(data)
    if take is None:
        return None
    original = take(data, file)
    if not any(line.strip() for line in original.lines):
        raise EncodingError(f"a document in {original.format} without text", file)
    return _tidied(original)


def _taker(data: bytes) -> Callable[[bytes, str], Original] | None:
    """Choose by the first bytes; RTF and PDF may begin after a few others."""
    if data.startswith(ZIP):
        from variorum.reading.originals.docx import take_docx  # noqa: PLC0415 - imported on first use

        return take_docx
    if data[:_AHEAD].lstrip(_BEFORE_RTF).startswith(RTF):
        from variorum.reading.originals.rtf import take_rtf  # noqa: PLC0415 - likewise

        return take_rtf
    if PDF in data[:_AHEAD]:
        from variorum.reading.originals.pdf import take_pdf  # noqa: PLC0415 - likewise

        return take_pdf
    if data.startswith(OLE):
        return _refuse_ole
    return None


def _refuse_ole(data: bytes, file: str) -> Original:
    """Refuse Word documents from before 2007, and those locked with a password."""
    if "EncryptedPackage".encode("utf-16-le") in data:
        raise OriginalError("a Word document locked with a password", file)
    raise EncodingError("an old Word document, not a text; its format can't be read yet", file)


def _tidied(original: Original) -> Original:
    """Replace ligatures, and leave out layout characters that are not printed."""
    lines = original.lines
    repairs = list(original.repairs)
    everything = "".join(lines)
    for repair, table in (
        ("ligatures spelled out", _LIGATURES),
        ("soft hyphens and other unprinted signs left out", _UNPRINTED),
    ):
        count = sum(everything.count(character) for character in table)
        if count:
            translation = str.maketrans(dict(table))
            lines = tuple([line.translate(translation) for line in lines])
            repairs.append(f"{count} {repair}")
    lines, numbers = without_page_numbers(lines)
    if numbers:
        repairs.append(f"the page numbers of {numbers} lines of the contents left out")
    return replace(original, lines=lines, repairs=tuple(repairs))


def without_page_numbers(lines: Sequence[str]) -> tuple[tuple[str, ...], int]:
    r"""Remove dots, tabs and page numbers at the ends of contents lines; return also how many.

    >>> without_page_numbers(("Tides\t7", "Contents", "100. General.....5", "101. Tides\t 7"))
    (('Tides\t7', 'Contents', '100. General', '101. Tides'), 2)
    """
    end = next((n for n, line in enumerate(lines) if _FIRST_RULE.match(line)), len(lines))
    start = next((n for n, line in enumerate(lines[:end]) if line.strip() == _CONTENTS), 0)
    matches = [_PAGE_NUMBERED.fullmatch(line) for line in lines[start:end]]
    tidied = [
        line if match is None else match["text"]
        for line, match in zip(lines[start:end], matches, strict=True)
    ]
    return (*lines[:start], *tidied, *lines[end:]), sum(map(bool, matches))


def counted(counts: Counter[str]) -> tuple[str, ...]:
    """Describe counts, in the order of the words.

    >>> counted(Counter({"footnotes set at the end": 2, "hidden characters left out": 0}))
    ('2 footnotes set at the end',)
    """
    return tuple([f"{number} {noun}" for noun, number in sorted(counts.items()) if number])


def row_of(paragraphs: Sequence[str]) -> list[str]:
    r"""Return the paragraphs of a table row; a number in its own cell is joined to its words.

    >>> row_of(["100.1.", "The tide turns.", "Example: An ebb."])
    ['100.1. The tide turns.', 'Example: An ebb.']
    """
    if not any(map(_ONLY_NUMBER.fullmatch, paragraphs)):
        return list(paragraphs)
    joined: list[str] = []
    for text in filter(str.strip, paragraphs):
        if joined and _ONLY_NUMBER.fullmatch(joined[-1]):
            joined[-1] = f"{joined[-1].strip()} {text}"
        elif joined and text.strip().isdecimal():  # a page number in the contents
            joined[-1] += f"\t{text.strip()}"
        else:
            joined.append(text)
    return joined


def lines_of(paragraphs: Iterable[str]) -> list[str]:
    r"""Return the lines of paragraphs, at least one of each.

    >>> lines_of(["Tide", "", "1. A flow.\n2. An ebb."])
    ['Tide', '', '1. A flow.', '2. An ebb.']
    """
    return [line for paragraph in paragraphs for line in paragraph.splitlines() or [""]]
