"""Permalinks of provisions on the website, for all rooms; docs/library.md promises them."""

import re
import unicodedata
from functools import lru_cache

_LIGATURES = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ß": "ss", "ł": "l"})
# The names that Windows allows for no folder.
_RESERVED = re.compile(r"con|prn|aux|nul|(?:com|lpt)[1-9]")
# Of an address, as a browser shows it: scheme and host; the path, without "//", "." and "..".
_ADDRESS = re.compile(
    r"""(https?://(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?|\[[0-9a-f:.]+\](?::\d{1,5})?))
    ((?:/(?!\.{1,2}(?:/|$))(?:[a-z0-9._~!$&'()*+,;=:@-]|%[0-9a-f]{2})+)*)/?""",
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)


def dated_permalink(label: str, number: str, headword: str = "") -> str:
    """Return the permalink of a provision as an edition prints it, from the root of the website.

    It takes the edition's label, and an address or, of a glossary entry, "" and the headword.

    >>> dated_permalink("2007-10-01", "600.4a"), dated_permalink("2007-10-01", "600")
    ('2007-10-01/6/#600.4a', '2007-10-01/6/#600')
    >>> dated_permalink("2007-10-01", "6"), dated_permalink("2007-10-01", "", "Flip a Coin")
    ('2007-10-01/6/', '2007-10-01/glossary/#flip-a-coin')
    """
    if not number:
        return f"{label}/glossary/#{slug_of(headword)}"
    chapter = f"{label}/{number[:1]}/"
    return chapter if len(number) == 1 else f"{chapter}#{anchor_of(number)}"


def anchor_of(address: str) -> str:
    """Return the anchor of a number in its section; numbers printed twice have one for each bearer.

    >>> anchor_of("600.4a"), anchor_of("702.175#1"), anchor_of("702.175#2")
    ('600.4a', '702.175', '702.175-2')
    """
    return address.removesuffix("#1").replace("#", "-")


@lru_cache(maxsize=4096)
def slug_of(headword: str) -> str:
    """Return the slug of a headword, for addresses and anchors.

    Headwords that differ only in punctuation, quotes or case share one. It depends on the headword
    alone, so that no later edition can change it.

    >>> slug_of("Bury (Obsolete)"), slug_of("City’s Blessing"), slug_of("Æther, “Ring”"), slug_of("∞")
    ('bury-obsolete', 'citys-blessing', 'aether-ring', 'u221e')
    """
    folded = re.sub("[\"'_“”‘’]", "", headword).casefold().translate(_LIGATURES)
    plain = unicodedata.normalize("NFKD", folded).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    if not slug:
        return "-".join(f"u{ord(sign):x}" for sign in headword if not sign.isspace()) or "blank"
    return f"{slug}-" if _RESERVED.fullmatch(slug) else slug


def base_url_of(text: str) -> str:
    """Return an address in our form: small letters before the path, a final slash; else raise ValueError.

    >>> base_url_of("HTTPS://Example.org/rules")
    'https://example.org/rules/'
    """
    match = _ADDRESS.fullmatch(text.strip())
    if not match:
        how = "as a browser shows it, without ? and #"
        raise ValueError(f"{text!r}: takes https://host or https://host/path, {how}")
    return f"{match[1].lower()}{match[2]}/"
