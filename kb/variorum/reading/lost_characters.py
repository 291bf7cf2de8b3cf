"""Finds lost characters of a document and, where the context proves it, what they were.

2008-05-01 and 2009-05-01 print "?" for more than a hundred dashes ("Creature ? Golem", the range
"212.2h?k"). A copy of 2005-10-01 holds U+FFFD in place of every quotation mark and dash; a copy of
2018-01-19 went through GBK, which has no (R) sign: "?" stands for it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from variorum.model import Irregular, Irregularity, Paragraph
from variorum.reading.provisions import ProvisionDraft

_DASHES = ("-", "\N{EN DASH}", "\N{EM DASH}")
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
# Contexts of a question mark in which English has none.
_RANGE = re.compile(r"\d\?\d|\d[a-z]\?([a-z]\b|\d)")
_MINUS = re.compile(r"\d \? \d")
_DASH = re.compile(r"\S \?|[\w)\]\"']\?[\w(\[]")
_MARK = re.compile(r"[A-Za-z]\? [a-z(“]")
_COPYRIGHT = re.compile(r"(^|\s)\?\d{4}\b")
_INSIDE_WORD = re.compile(r"[a-z]\?[a-z]")
# 2001-09-24 lost the eighth bit of its signs: "ExodusT", "Magicr".
_CLIPPED = re.compile(
    r"(?<=[a-z]{2})T(?![\w'])|(?<=\bMagic)r\b|(?<=\bGathering)r\b|(?<=\bCoast)r\b"
)
# The text is searched for these first, because the pattern takes longer than all other reading.
_CLIPPED_NAMES = ("ClassicT", "ExodusT", "OdysseyT", "OracleT", "PortalT", "UngluedT")
_CLIPPED_SIGNS = {"T": "\N{TRADE MARK SIGN}", "r": "\N{REGISTERED SIGN}"}
# In a web address, a question mark begins a query.
_ADDRESS = re.compile(r"\S*(?:https?:|www\.|\.com|\.aspx?)\S*", re.IGNORECASE)
_AROUND = 80
# 2008-07-15 and 2009-07-11 have lost one sign each. A copy with this many losses has lost all signs.
_FEWEST = 5
_BY_PLACE = "the words around it"


class _Suspect(NamedTuple):
    """A character in place of a lost one.

    Attributes:
        start: Its place in the text, in code points.
        meant: The lost character; "" if unproved.
    """

    start: int
    meant: str


def find_lost(drafts: Sequence[ProvisionDraft], text: str) -> tuple[str, ...]:
    """Record lost characters on the provisions; describe the losses, with counts.

    Dashes that the context proves do not count as lost; they are only recorded.
    """
    notes: list[str] = []
    if _REPLACEMENT in text:
        notes.append(f"lost characters, replaced by U+FFFD: {text.count(_REPLACEMENT)}")
        _record(drafts, _replaced)
    # Where real dashes are printed, a "?" amid words stands for another sign.
    has_dashes = "\N{EM DASH}" in text or "\N{EN DASH}" in text
    find = _lost_signs if has_dashes else _lost_dashes_and_signs
    suspects = list(find(text))
    if suspects:
        _record(drafts, find)
    signs = sum(suspect.meant not in _DASHES for suspect in suspects)
    if text.isascii() and any(name in text for name in _CLIPPED_NAMES):
        _record(drafts, _clipped)
    if signs >= _FEWEST:
        notes.append(f"lost signs, such as the registered sign, replaced by ?: {signs}")
    return tuple(notes)


def _clipped(text: str) -> Iterator[_Suspect]:
    for match in _CLIPPED.finditer(text):
        yield _Suspect(match.start(), _CLIPPED_SIGNS[match[0]])


def _replaced(text: str) -> Iterator[_Suspect]:
    return (_Suspect(match.start(), "") for match in re.finditer(_REPLACEMENT, text))


def _lost_dashes_and_signs(text: str) -> Iterator[_Suspect]:
    for start, around, place in _question_marks(text):
        closely = around[max(0, place - 2) : place + 3]
        if _RANGE.search(closely):
            yield _Suspect(start, "\N{EN DASH}")
        elif _MINUS.search(closely):
            yield _Suspect(start, "-")
        elif not (signs := list(_sign(start, around, place))) and _DASH.search(closely):
            yield _Suspect(start, "\N{EM DASH}")
        else:
            yield from signs


def _lost_signs(text: str) -> Iterator[_Suspect]:
    for start, around, place in _question_marks(text):
        if _INSIDE_WORD.match(around, max(0, place - 1)):
            yield _Suspect(start, "")
        else:
            yield from _sign(start, around, place)


def _sign(start: int, around: str, place: int) -> Iterator[_Suspect]:
    if _COPYRIGHT.search(around[max(0, place - 1) : place + 6]):
        yield _Suspect(start, "\N{COPYRIGHT SIGN}")
    elif _MARK.match(around, max(0, place - 1)):
        yield _Suspect(start, "")


def _question_marks(text: str) -> Iterator[tuple[int, str, int]]:
    """Yield the offset of each question mark, the text around it, and its place in that text."""
    start = text.find("?")
    while start >= 0:
        first = max(0, start - _AROUND)
        around, place = text[first : start + _AROUND], start - first
        if not any(m.start() <= place < m.end() for m in _ADDRESS.finditer(around)):
            yield start, around, place
        start = text.find("?", start + 1)


def _record(drafts: Iterable[ProvisionDraft], find: Callable[[str], Iterator[_Suspect]]) -> None:
    for draft in drafts:
        offset = 0
        for paragraph in _in_order(draft.paragraphs):
            for start, meant in find(paragraph.text):
                draft.irregularities.append(
                    Irregularity(
                        Irregular.LOST_CHARACTER,
                        paragraph.text[start],
                        meant,
                        _BY_PLACE if meant else "",
                        offset + start,
                    )
                )
            offset += len(paragraph.text) + 1


def _in_order(paragraphs: Sequence[Paragraph]) -> Iterator[Paragraph]:
    """Yield the paragraphs in the order of offsets: the text first, then the examples."""
    yield from (p for p in paragraphs if not p.marker)
    yield from (p for p in paragraphs if p.marker)
