"""Addresses on the web: brought into one form, or refused."""

import re
from urllib.parse import SplitResult, quote, urlsplit, urlunsplit

from variorum_crawler.errors import SourceError

# What may stand in a path or a query as it is; a percent sign only where it encodes something.
_SAFE = "%/:@!$&'()*+,;=~-._?"
_LONE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
# Browsers leave these out of a link, wherever they stand.
_LEFT_OUT = str.maketrans("", "", "\t\n\r")


def tidy_address(text: str) -> str:
    """Return an address of http or https as servers and archives spell it.

    Scheme and host are in small letters, blanks and other signs are encoded, no fragment is left.

    >>> tidy_address(" HTTPS://Media.Example.com/2023/MagicCompRules 20230414.txt#top ")
    'https://media.example.com/2023/MagicCompRules%2020230414.txt'

    Raises:
        SourceError: It is none; the message gives the reason and the text.
    """
    text = text.translate(_LEFT_OUT).strip()
    parts = _split(text)
    if parts.scheme not in {"http", "https"}:
        raise SourceError(f"neither http nor https: {text!r}")
    return urlunsplit((parts.scheme, _place(parts, text), _quoted(parts.path), _query(parts), ""))


def host_of(address: str) -> str:
    """Return the host of a tidy address, in small letters and without its port."""
    return urlsplit(address).hostname or ""


def _split(text: str) -> SplitResult:
    try:
        text.encode()
        return urlsplit(text)
    except ValueError:
        raise SourceError(f"no address: {text!r}") from None


def _place(parts: SplitResult, text: str) -> str:
    """Return the host and the port."""
    try:
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise SourceError(f"no such port: {text!r}") from None
    if "@" in parts.netloc:
        raise SourceError(f"an address with a user name or a password: {text!r}")
    if not host or re.search(r"[\s\x00-\x20\x7f\\%<>\"]", host):
        raise SourceError(f"no host: {text!r}")
    named = f"[{host}]" if ":" in host else host
    return named if port is None else f"{named}:{port}"


def _query(parts: SplitResult) -> str:
    return _quoted(parts.query)


def _quoted(text: str) -> str:
    return quote(_LONE_PERCENT.sub("%25", text), safe=_SAFE)
