"""Permalinks of provisions on the website, for all rooms; docs/library.md promises them."""

import re
import unicodedata
from functools import lru_cache
from urllib.parse import urlsplit

_QUOTES = str.maketrans(
    "",
    "",
    "\"'_\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}"
    "\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}",
)
_LIGATURES = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ß": "ss", "ł": "l"})
_NO_WORD = re.compile(r"[^a-z0-9]+")
# The names that Windows allows for no folder.
_RESERVED = {"con", "prn", "aux", "nul"} | {
    f"{port}{n}" for port in ("com", "lpt") for n in "123456789"
}
# The characters that a path has unchanged; all others are written %XX.
_PATH = re.compile(r"(?:/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*)*", re.ASCII)
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?|\[[0-9a-f:.]+\](?::\d{1,5})?")


def dated_permalink(label: str, number: str, headword: str = "") -> str:
    """Return the permalink of a provision as an edition prints it, from the root of the website.

    Args:
        label: The label of the edition.
        number: Its address; "" of a glossary entry.
        headword: The headword of a glossary entry.

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
    number, _, bearer = address.partition("#")
    return number if bearer in {"", "1"} else f"{number}-{bearer}"


@lru_cache(maxsize=4096)
def slug_of(headword: str) -> str:
    """Return the slug of a headword, for addresses and anchors.

    Headwords that differ only in punctuation, quotes or case share one. It depends on the headword
    alone, so that no later edition can change it.

    >>> slug_of("Bury (Obsolete)"), slug_of("City’s Blessing"), slug_of("Æther, “Ring”"), slug_of("∞")
    ('bury-obsolete', 'citys-blessing', 'aether-ring', 'u221e')
    """
    folded = headword.translate(_QUOTES).casefold().translate(_LIGATURES)
    plain = unicodedata.normalize("NFKD", folded).encode("ascii", "ignore").decode()
    slug = _NO_WORD.sub("-", plain).strip("-")
    if not slug:
        return "-".join(f"u{ord(sign):x}" for sign in headword if not sign.isspace()) or "blank"
    return f"{slug}-" if slug in _RESERVED else slug


def base_url_of(text: str) -> str:
    """Return an address in our form: small letters before the path, a final slash.

    >>> base_url_of("HTTPS://Example.org/rules")
    'https://example.org/rules/'

    Raises:
        ValueError: It is not an address; the message says why, in one line.
    """
    message = f"{text!r}: takes https://host or https://host/path"
    try:
        parts = urlsplit(text.strip())
    except ValueError:
        raise ValueError(message) from None
    scheme, host = parts.scheme.lower(), parts.netloc.lower()
    if scheme not in {"http", "https"} or not _HOST.fullmatch(host):
        raise ValueError(message)
    if "?" in text or "#" in text:
        raise ValueError(f"{message}, without ? and #")
    if not _PATH.fullmatch(parts.path) or "//" in parts.path or _climbs(parts.path):
        raise ValueError(f"{message}; its path is written as a browser would show it")
    return f"{scheme}://{host}{parts.path.rstrip('/')}/"


def _climbs(path: str) -> bool:
    return any(part in {".", ".."} for part in path.split("/"))
