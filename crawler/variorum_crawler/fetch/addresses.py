"""Addresses of the web: taken apart, and which hosts are nobody's but ours.

A name is judged by what it resolves to, at the moment of connecting (`wire.py`). A name that a
proxy resolves for us is judged here, as far as its spelling tells.
"""

import re
import socket
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urljoin, urlsplit

from urllib3.exceptions import LocationParseError
from urllib3.util import parse_url

from variorum_crawler.fetch.failures import RefusalError

_PORTS = {"http": 80, "https": 443}
_PASSWORD = re.compile(r"//[^/?#]*@")
_UNFIT = re.compile(r"[\x00-\x20\x7f-\x9f\\]")
_LONGEST_SHOWN = 500
# Beyond what `ipaddress` of Python 3.11 calls private: relays, whose address hides another, and
# blocks that became special later. Of IPv6 only 2000::/3 is given out at all.
_GIVEN_OUT = IPv6Network("2000::/3")
_SPECIAL = tuple(
    map(ip_network, ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "2002::/16", "3fff::/20"))
)
_NAT64 = IPv6Network("64:ff9b::/96")


@dataclass(frozen=True, slots=True)
class Address:
    """An address of the web in its normal form.

    Attributes:
        url: Whole, without a fragment, letters outside ASCII and blanks escaped.
        host: In small letters, without the brackets of IPv6 and a last dot.
    """

    url: str
    scheme: str
    host: str
    port: int

    @property
    def origin(self) -> str:
        """Return the scheme, host and port, as an address that a path can follow."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}"


def parse_address(text: str) -> Address:
    """Take an address apart.

    >>> parse_address("HTTPS://Example.org/Comprehensive Rules 20221007.txt#top").url
    'https://example.org/Comprehensive%20Rules%2020221007.txt'

    Raises:
        RefusalError: It is none of http or https, holds a password, or is none at all.
    """
    scheme = text.partition(":")[0].lower()
    if scheme not in _PORTS or "://" not in text:
        raise RefusalError("is no http or https address")
    if _PASSWORD.match(text, text.index("//")):
        raise RefusalError("holds a user name or a password")
    bare = text.partition("#")[0]
    if not bare.partition("://")[2].partition("/")[0].isascii():
        raise RefusalError("must write its host in ASCII (xn--)")
    try:
        netloc = urlsplit(bare).netloc
        parts = parse_url(bare)
    except (ValueError, LocationParseError):
        raise RefusalError("is no well-formed address") from None
    # A blank in a path is a slip that servers live with, and elsewhere a trick.
    if _UNFIT.search(bare.replace(" ", "")) or _UNFIT.search(netloc):
        raise RefusalError("is no well-formed address")
    host = (parts.host or "").strip("[]").rstrip(".")
    if not host:
        raise RefusalError("names no host")
    port = _PORTS[scheme] if parts.port is None else parts.port
    return Address(parts.url, scheme, host, port)


def follow(base: Address, location: str) -> Address:
    """Return where a redirect leads.

    Raises:
        RefusalError: To no address of the web, or from https to http.
    """
    # Header fields arrive as Latin-1, whatever bytes a server put there: mostly UTF-8.
    text = location.strip().encode("latin-1", "replace").decode("utf-8", "replace")
    try:
        target = parse_address(urljoin(base.url, text))
    except ValueError:
        raise RefusalError("redirects to what is no address") from None
    except RefusalError as error:
        raise RefusalError(f"redirects to {show(text)}, which {error.reason}") from None
    if base.scheme == "https" and target.scheme == "http":
        raise RefusalError(f"redirects from https to http ({show(target.url)})")
    return target


def show(url: str) -> str:
    """Return an address fit for a message: on one line, without a password, of bounded length."""
    text = _PASSWORD.sub("//", url)
    text = "".join(c if c.isprintable() else f"%{ord(c):02X}" for c in text)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address belongs to the Internet at large.

    >>> [is_public(ip_address(a)) for a in ("8.8.8.8", "10.0.0.1", "64:ff9b::a00:1")]
    [True, False, False]
    """
    if isinstance(address, IPv6Address) and address in _NAT64:
        # A network that has IPv6 alone reaches the rest through these.
        address = IPv4Address(int(address) & 0xFFFFFFFF)
    if isinstance(address, IPv6Address) and address not in _GIVEN_OUT:
        return False
    if any(address in network for network in _SPECIAL):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def check_public(address: str) -> None:
    """Refuse an address in digits that is private.

    Raises:
        RefusalError: It is private, of this computer, or set apart in another way.
        ValueError: It is no address in digits.
    """
    if not is_public(ip_address(address)):
        raise RefusalError(f"leads to a private address ({address})", is_of_host=True)


def check_spelling(host: str) -> None:
    """Refuse a host that is private as it is written, in any spelling that computers take.

    Raises:
        RefusalError: Likewise.
    """
    if host == "localhost" or host.endswith(".localhost"):
        raise RefusalError(f"leads to a private address ({host})", is_of_host=True)
    try:
        check_public(host)
    except ValueError:
        # 2130706433, 0x7f.1 and 0177.0.0.1 are 127.0.0.1 for whoever resolves them.
        try:
            check_public(socket.inet_ntoa(socket.inet_aton(host)))
        except OSError:
            return


def is_named(host: str, port: int, hosts: frozenset[str]) -> bool:
    """Return whether a list of hosts, with or without a port, names this one.

    >>> is_named("::1", 8080, frozenset({"[::1]:8080"})), is_named("a", 80, frozenset({"a:81"}))
    (True, False)
    """
    bracketed = f"[{host}]" if ":" in host else host
    forms = {host, bracketed, f"{bracketed}:{port}"}
    return any(name.strip().lower().rstrip(".") in forms for name in hosts)
