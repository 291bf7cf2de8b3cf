"""Finds what is doubtful in an edition: lost characters, and parts that are missing.

2008-05-01 and 2009-05-01 print "?" for more than a hundred dashes ("Creature ? Golem", the range
"212.2h?k"). A copy of 2005-10-01 holds U+FFFD in place of every quotation mark and dash; a copy of
2018-01-19 went through GBK, which has no (R) sign: "?" stands for it.
"""

import re
from collections.abc import Iterator, Sequence

from variorum.facts import is_known
from variorum.model import Condition, Edition, Irregular, Kind, RuleNumber
from variorum.reading.decoding import LEAST_SHARE, SIGNS, beyond_ascii
from variorum.reading.rules import Draft

_DASHES = {"-", "\N{EN DASH}", "\N{EM DASH}"}
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
# Contexts of a question mark in which English has none, within two characters around it.
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
_CLIPPED_NAME = re.compile(r"ClassicT|ExodusT|OdysseyT|OracleT|PortalT|UngluedT")
_CLIPPED_SIGNS = {"T": "\N{TRADE MARK SIGN}", "r": "\N{REGISTERED SIGN}"}
# In a web address, a question mark begins a query.
_ADDRESS = re.compile(r"\S*(?:https?:|www\.|\.com|\.aspx?)\S*", re.IGNORECASE)
_AROUND = 80
_BY_PLACE = "the words around it"
# 2008-07-15 and 2009-07-11 have lost one sign each. A copy with this many losses has lost all signs.
_FEWEST = 5
# A text may have so many characters that no known edition prints, as the rules of Netrunner do.
_MOST_ODD = 20
# Real editions skip one letter (214.8k after 214.8i) or one rule; l and o are never used as letters.
_LETTERS, _RULES = 4, 3


def find_lost(drafts: Sequence[Draft], text: str) -> tuple[str, ...]:
    """Record lost characters on the provisions; describe the losses, with counts.

    Dashes that the context proves do not count as lost; they are only recorded.
    """
    # Where real dashes are printed, a "?" amid words stands for another sign.
    has_dashes = "\N{EM DASH}" in text or "\N{EN DASH}" in text
    is_clipped = text.isascii() and _CLIPPED_NAME.search(text) is not None
    for draft in drafts:
        offset = 0
        for text_of, _, _ in sorted(draft.paragraphs, key=lambda paragraph: bool(paragraph.marker)):
            lost = [(match.start(), "") for match in re.finditer(_REPLACEMENT, text_of)]
            lost += _questioned(text_of, has_dashes=has_dashes) if "?" in text_of else ()
            if is_clipped:
                clipped = _CLIPPED.finditer(text_of)
                lost += [(match.start(), _CLIPPED_SIGNS[match[0]]) for match in clipped]
            for start, meant in lost:
                draft.note(
                    Irregular.LOST_CHARACTER,
                    text_of[start],
                    meant,
                    _BY_PLACE if meant else "",
                    offset + start,
                )
            offset += len(text_of) + 1
    notes: list[str] = []
    if replaced := text.count(_REPLACEMENT):
        notes.append(f"lost characters, replaced by U+FFFD: {replaced}")
    signs = sum(meant not in _DASHES for _, meant in _questioned(text, has_dashes=has_dashes))
    if signs >= _FEWEST:
        notes.append(f"lost signs, such as the registered sign, replaced by ?: {signs}")
    odd = [sign for sign in beyond_ascii(text) if sign not in SIGNS and sign != _REPLACEMENT]
    if len(odd) > max(_MOST_ODD, (1 - LEAST_SHARE) * len(beyond_ascii(text))):
        notes.append(f"characters that no edition prints, as of a wrong encoding: {len(odd)}")
    return tuple(notes)


def _questioned(text: str, *, has_dashes: bool) -> Iterator[tuple[int, str]]:
    """Yield the place of each question mark that stands for a lost character, and that one or ""."""
    for found in re.finditer(r"\?", text):
        start = found.start()
        first = max(0, start - _AROUND)
        around, place = text[first : start + _AROUND], start - first
        if any(m.start() <= place < m.end() for m in _ADDRESS.finditer(around)):
            continue
        closely = around[max(0, place - 2) : place + 3]
        if not has_dashes and _RANGE.search(closely):
            yield start, "\N{EN DASH}"
        elif not has_dashes and _MINUS.search(closely):
            yield start, "-"
        elif has_dashes and _INSIDE_WORD.match(around, max(0, place - 1)):
            yield start, ""
        elif _COPYRIGHT.search(around[max(0, place - 1) : place + 6]):
            yield start, "\N{COPYRIGHT SIGN}"
        elif _MARK.match(around, max(0, place - 1)):
            yield start, ""
        elif not has_dashes and _DASH.search(closely):
            yield start, "\N{EM DASH}"


def gaps_in(edition: Edition) -> Iterator[str]:
    """Yield the missing parts of an edition that can be noticed without another edition."""
    previous: RuleNumber | None = None
    for provision in edition.provisions:
        number = provision.meant
        if number is None:
            continue
        if previous is not None and provision.kind is not Kind.SECTION and number > previous:
            skips = any(odd.kind is Irregular.NUMBERS_SKIPPED for odd in provision.irregularities)
            if number.section != previous.section or (skips and _is_wide(previous, number)):
                yield f"rules missing between {previous} and {number}"
        previous = number
    for odd in edition.irregularities:
        if odd.kind is Irregular.ONLY_IN_CONTENTS:
            yield f"missing, but in the contents: {odd.printed}"


def _is_wide(before: RuleNumber, after: RuleNumber) -> bool:
    """Return whether more numbers are skipped between two than in any real edition."""
    if before.rule == after.rule:
        return bool(before.letters) and ord(after.letters[-1]) - ord(before.letters[-1]) >= _LETTERS
    return bool(after.letters) or after.rule - before.rule >= _RULES


def doubts_of(edition: Edition) -> list[str]:
    """Return the doubts about an edition, without comparing it with others."""
    if is_known(edition.effective, edition.sha256):
        return []
    lossy = [edition.condition.value] if edition.condition is Condition.LOSSY else []
    return ["one source", *lossy, *gaps_in(edition)]
