"""Split a text into lines that know their number, whatever ends them."""

from dataclasses import dataclass

from variorum_kb.model import LineEnds

# U+2028 and the vertical tab are breaks within a paragraph of Word; the first release of
# 2026-08-07 has 38 of them. The form feed parts pages.
_OTHER_ENDS = "\r\v\f\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}"
# All else that `str.isspace` accepts becomes the one blank there is: runs of blanks are collapsed
# in any case. The first release of 2026-08-07 has 4,097 no-break spaces.
_OTHER_BLANKS = "\t\x1c\x1d\x1e\x1f" + "".join(
    map(chr, (0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000))
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

    A copy of 2026-02-27 has every line end doubled (CR CR LF), which would part each headword from
    its definition; there the extra CR is dropped, and said so. A lone CR before some CR LF is no
    such thing: 2019-05-03 ends twelve lines by CR LF, the other 7,077 by CR, blank ones too.

    >>> split_lines("a\r\nb\rc\n").texts
    ('a', 'b', 'c')
    """
    crlf = text.count("\r\n")
    ends = LineEnds(crlf, text.count("\r") - crlf, text.count("\n") - crlf)
    repairs: tuple[str, ...] = ()
    if crlf > 1 and ends.cr == crlf == text.count("\r\r\n"):
        text = text.replace("\r\r\n", "\r\n")
        repairs = (f"{crlf} line ends were CR CR LF; one CR of each dropped",)
    text = text.replace("\r\n", "\n")
    # Asking first is ten times faster than replacing what is not there.
    for end in _OTHER_ENDS:
        if end in text:
            text = text.replace(end, "\n")
    for blank in _OTHER_BLANKS:
        if blank in text:
            text = text.replace(blank, " ")
    texts = text.split("\n")
    if texts[-1].strip("\x1a") == "":
        texts.pop()
    return Lines(tuple(texts), ends, repairs)
