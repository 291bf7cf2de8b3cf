"""Splits a text into numbered lines, whatever its line ends."""

from collections.abc import Sequence
from dataclasses import dataclass

from variorum.model import LineEnds

# The spaces of `str.isspace` that do not end a line in `str.splitlines`; each becomes U+0020. The
# first release of 2026-08-07 has 4,097 no-break spaces.
_OTHER_BLANKS = "\t\x1f" + "".join(
    map(chr, (0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000))
)


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a document; line number n is `texts[n - 1]`.

    Attributes:
        texts: Without their ends; each kind of blank is U+0020.
        ends: How many lines end in each way, before any repair.
        repairs: What was mended, in our words.
    """

    texts: tuple[str, ...]
    ends: LineEnds
    repairs: tuple[str, ...] = ()


def split_lines(text: str) -> Lines:
    r"""Split a text at every line end that the editions use, mixed or not.

    Lines also end at vertical tabs and U+2028, which are breaks within a paragraph of Word (the
    first release of 2026-08-07 has 38), and at form feeds between pages.

    A copy of 2026-02-27 ends every line with CR CR LF, which would separate each headword from its
    definition. This function then drops the extra CR and reports it. If only
    some CR LF have a CR before them, every CR ends a line: 2019-05-03 ends twelve lines with CR LF
    and 7,077, some of them blank, with CR.

    >>> split_lines("a\r\nb\rc\n").texts
    ('a', 'b', 'c')
    """
    cr, lf = text.count("\r"), text.count("\n")
    crlf = text.count("\r\n") if cr else 0
    ends = LineEnds(crlf, cr - crlf, lf - crlf)
    repairs: tuple[str, ...] = ()
    if crlf > 1 and ends.cr == crlf == text.count("\r\r\n"):
        text = text.replace("\r\r\n", "\r\n")
        repairs = (f"{crlf} line ends were CR CR LF; one CR of each dropped",)
    # Searching first is ten times faster than replacing characters that the text lacks.
    for blank in _OTHER_BLANKS if not text.isascii() else "\t\x1f":
        if blank in text:
            text = text.replace(blank, " ")
    texts = text.splitlines()
    if texts and texts[-1] == "\x1a":
        texts.pop()  # some old text editors add this at the end of a file
    if margin := _margin(texts):
        texts = [line[margin:] for line in texts]
        repairs = (*repairs, f"every line was set in by blanks; {margin} of each dropped")
    return Lines(tuple(texts), ends, repairs)


def _margin(lines: Sequence[str]) -> int:
    """Return the number of spaces with which all lines that are not blank begin."""
    if any(line and line[0] != " " for line in lines):
        return 0
    return min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
