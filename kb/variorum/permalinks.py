"""Permalinks of provisions on the website, for all rooms; docs/library.md promises them."""

import re
import unicodedata
from functools import lru_cache


def dated_permalink(label: str, number: str, headword: str = "") -> str:
    """Return the permalink of a provision as an edition prints it, from the root of the website.

    It takes the edition's label, and an address or, of a glossary entry, "" and the headword.

    >>> dated_permalink("2007-10-01", "600.4a")
    '2007-10-01/6/#600.4a'
    >>> dated_permalink("2007-10-01", "6"), dated_permalink("2007-10-01", "", "Flip a Coin")
    ('2007-10-01/6/', '2007-10-01/glossary/#flip-a-coin')
    """
    if not number:
        return f"{label}/glossary/#{slug_of(headword)}"
    chapter = f"{label}/{number[:1]}/"
    return chapter if len(number) == 1 else f"{chapter}#{anchor_of(number)}"


def anchor_of(address: str) -> str:
    """Return the anchor of a number in its section: of 702.175#1 and #2, "702.175" and "702.175-2"."""
    return address.removesuffix("#1").replace("#", "-")


@lru_cache(maxsize=4096)
def slug_of(headword: str) -> str:
    """Return the slug of a headword, for addresses and anchors.

    Headwords that differ only in punctuation, quotes or case share one. It depends on the headword
    alone, so that no later edition can change it.

    >>> slug_of("Bury (Obsolete)"), slug_of("City’s Blessing"), slug_of("Dandân, “Ring”")
    ('bury-obsolete', 'citys-blessing', 'dandan-ring')
    """
    folded = re.sub("[\"'_“”‘’]", "", headword).casefold()
    plain = unicodedata.normalize("NFKD", folded).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "blank"


def base_url_of(text: str) -> str:
    """Return an address in our form: small letters before the path, a final slash; else raise ValueError.

    >>> base_url_of("HTTPS://Example.org/rules")
    'https://example.org/rules/'
    """
    match = re.fullmatch(r"(?i:(https?://[^/?#\s\"<>]+))((?:/[^/?#\s\"<>]+)*)/?", text.strip())
    if not match:
        how = "as a browser shows it, without ? and #"
        raise ValueError(f"{text!r}: takes https://host or https://host/path, {how}")
    return f"{match[1].lower()}{match[2]}/"
