"""Decisions about documents: a person accepted one, or independent publishers agreed on it.

A document is stored once, whoever sent it. The decision to trust it is in the archive's manifest, and can
be revoked.
"""

import re
from collections.abc import Iterable, Mapping
from ipaddress import ip_address
from typing import Protocol
from urllib.parse import urlsplit

from variorum.records.upkeep import TrustDecision
from variorum.rows import BY_AGREEMENT

# No single publisher is believed.
ENOUGH_PUBLISHERS = 2
# A snapshot counts as published by the site it was taken from, not by the Wayback Machine.
_SNAPSHOTS = re.compile(r"(https?://web\.archive\.org/web/[^/]+/)*")
# A domain that its owner registered: example.co.uk, but also example.com.
_DOMAIN = re.compile(r"(?:.*?\.)??([^.]+\.(?:(?:ac|co|com|edu|gov|net|org)\.[^.]{2}|[^.]+))")
# Our own header with the address to which a request was redirected.
REDIRECTED = "redirected-to"


class Addressed(Protocol):
    """Where a document came from: its web address or the path of a file, and what the server said of it."""

    @property
    def address(self) -> str: ...
    @property
    def headers(self) -> Mapping[str, str] | tuple[tuple[str, str], ...] | None: ...


def agreement_on(sha256: str, sources: Iterable[Addressed], now: str) -> TrustDecision | None:
    """Return the decision that independent publishers made, if enough of them served a document."""
    publishers = publishers_of(sources)
    is_enough = len(publishers) >= ENOUGH_PUBLISHERS
    return TrustDecision(sha256, BY_AGREEMENT, now, [*publishers]) if is_enough else None


def publishers_of(sources: Iterable[Addressed]) -> tuple[str, ...]:
    """Return the independent publishers among the sources of a document, sorted."""
    addresses = [dict(source.headers or ()).get(REDIRECTED, source.address) for source in sources]
    return tuple(sorted({publisher_of(address) for address in addresses} - {""}))


def publisher_of(address: str) -> str:
    """Return the publisher of an address; "" for files, which have none.

    The hosts of one domain are one publisher, and a snapshot of the Wayback Machine is its site's.

    >>> publisher_of("https://media.example.com/rules.txt")
    'example.com'
    >>> publisher_of("https://web.archive.org/web/2026id_/http://www.example.com/rules.txt")
    'example.com'
    >>> publisher_of("http://a.example.co.uk/"), publisher_of("/home/me/rules.txt")
    ('example.co.uk', '')
    """
    try:
        parts = urlsplit(_SNAPSHOTS.sub("", address, count=1))
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return ""
    if parts.scheme not in {"http", "https"}:
        return ""
    try:
        ip_address(host)
    except ValueError:
        domain = _DOMAIN.fullmatch(host)
        if domain:
            return domain[1]
    return f"{host}:{port}" if port else host
