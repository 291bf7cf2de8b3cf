"""Finds the characters that a document has lost.

2008-05-01 and 2009-05-01 print "?" for more than a hundred dashes ("Creature ? Golem", the range
"212.2h?k"). A copy of 2005-10-01 holds U+FFFD in place of every quotation mark and dash; a copy of
2018-01-19 went through GBK, which has no (R) sign: "?" stands for it.
"""

import re
from collections.abc import Iterator, Sequence

from variorum.model import Provision
from variorum.reading.decoding import LEAST_SHARE, SIGNS, beyond_ascii

_DASHES = {"-", "\N{EN DASH}", "\N{EM DASH}"}
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
# Where English has no question mark, by what it stands for; "" is not known. Where real dashes are
# printed, a "?" is none; amid words it is another sign.
_LOST = (
    (False, r"(?<=\d)\?(?=\d)|(?<=\d[a-z])\?(?=[a-z]\b|\d)", "\N{EN DASH}"),
    (False, r"(?<=\d )\?(?= \d)", "-"),
    (True, r"(?<=[a-z])\?(?=[a-z])", ""),
    (None, r"(?<!\S)\?(?=\d{4}\b)", "\N{COPYRIGHT SIGN}"),
    (None, r"(?<=[A-Za-z])\?(?= [a-z(“])", ""),
    (False, r"(?<=\S )\?|(?<=[\w)\]\"'])\?(?=[\w(\[])", "\N{EM DASH}"),
)
# 2001-09-24 lost the eighth bit of its signs: "ExodusT", "Magicr".
_CLIPPED = re.compile(
    r"(?<=[a-z]{2})T(?![\w'])|(?<=\bMagic)r\b|(?<=\bGathering)r\b|(?<=\bCoast)r\b"
)
_CLIPPED_NAME = re.compile(r"ClassicT|ExodusT|OdysseyT|OracleT|PortalT|UngluedT")
_CLIPPED_SIGNS = {"T": "\N{TRADE MARK SIGN}", "r": "\N{REGISTERED SIGN}"}
# In a web address, a question mark begins a query.
_ADDRESS = re.compile(r"\S*(?:https?:|www\.|\.com|\.aspx?)\S*", re.IGNORECASE)
_AROUND = 80
# 2008-07-15 and 2009-07-11 have lost one sign each. A copy with this many losses has lost all signs.
_FEWEST = 5
# A text may have so many characters that no known edition prints, as the rules of Netrunner do.
_MOST_ODD = 20


def find_lost(drafts: Sequence[Provision], text: str) -> tuple[str, ...]:
    """Record lost characters on the provisions; count those that the context does not prove to be dashes."""
    has_dashes = "\N{EM DASH}" in text or "\N{EN DASH}" in text
    is_clipped = text.isascii() and _CLIPPED_NAME.search(text) is not None
    for draft in drafts:
        offset = 0
        for words, _, _ in sorted(draft.paragraphs, key=lambda paragraph: bool(paragraph.marker)):
            lost = [(match.start(), "") for match in re.finditer(_REPLACEMENT, words)]
            lost += _questioned(words, has_dashes=has_dashes) if "?" in words else ()
            clipped = _CLIPPED.finditer(words) if is_clipped else ()
            lost += [(match.start(), _CLIPPED_SIGNS[match[0]]) for match in clipped]
            for start, meant in lost:
                evidence = "the words around it" if meant else ""
                place = offset + start
                draft.note("lost character", words[start], meant, evidence, place)
            offset += len(words) + 1
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
    rows = [(re.compile(it), sign) for where, it, sign in _LOST if where in {None, has_dashes}]
    for found in re.finditer(r"\?", text):
        place = found.start()
        addresses = _ADDRESS.finditer(text, max(0, place - _AROUND), place + _AROUND)
        meant = next((meant for pattern, meant in rows if pattern.match(text, place)), None)
        if meant is not None and not any(it.start() <= place < it.end() for it in addresses):
            yield place, meant
