"""Addresses of the web: parsed into one form, followed through redirects, and kept off private networks."""

import re
import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from urllib3.util import parse_url

from variorum_crawler.errors import FetchError

_PORTS = {"http": 80, "https": 443}
_PASSWORD = re.compile(r"//[^/?#]*@")
_UNFIT = re.compile(r"[\x00-\x20\x7f-\x9f\\]")
_LONGEST_SHOWN = 500

# Blocks that `ipaddress` of Python 3.11 does not call private. Some are for relays, which pass
# requests on to other addresses; others became special later. In IPv6, only 2000::/3 is allocated.
_GIVEN_OUT = IPv6Network("2000::/3")
_SPECIAL = tuple(
    map(ip_network, ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "2002::/16", "3fff::/20"))
)
_NAT64 = IPv6Network("64:ff9b::/96")


class Address(NamedTuple):
    """An address in its normal form: without its fragment, with blanks and letters outside ASCII escaped.

    Attributes:
        host: In small letters, without IPv6 brackets or a final dot.
        origin: The scheme, host and port, as an address that a path can follow.
    """

    url: str
    scheme: str
    host: str
    port: int
    origin: str


def parse_address(text: str) -> Address:
    """Parse an address.

    >>> parse_address("HTTPS://Example.org/Comprehensive Rules 20221007.txt#top").url
    'https://example.org/Comprehensive%20Rules%2020221007.txt'

    Raises:
        FetchError: It is not http or https, contains a password, or is malformed.
    """
    scheme = text.partition(":")[0].lower()
    if scheme not in _PORTS or "://" not in text:
        raise FetchError("is no http or https address")
    if _PASSWORD.match(text, text.index("//")):
        raise FetchError("holds a user name or a password")
    bare = text.partition("#")[0]
    try:
        netloc = urlsplit(bare).netloc
        parts = parse_url(bare)
    except ValueError:
        raise FetchError("is no well-formed address") from None
    # A blank in a path is a mistake that servers accept; anywhere else it is an attack.
    if _UNFIT.search(bare.replace(" ", "")) or _UNFIT.search(netloc):
        raise FetchError("is no well-formed address")
    if not netloc.isascii():
        raise FetchError("must write its host in ASCII (xn--)")
    host = (parts.host or "").strip("[]").rstrip(".")
    if not host:
        raise FetchError("names no host")
    port = _PORTS[scheme] if parts.port is None else parts.port
    shown_port = "" if port == _PORTS[scheme] else f":{port}"
    origin = f"{scheme}://{f'[{host}]' if ':' in host else host}{shown_port}"
    return Address(parts.url, scheme, host, port, origin)


def follow(base: Address, location: str) -> Address:
    """Return the address that a redirect leads to.

    Raises:
        FetchError: It leads to something other than a web address, or from https to http.
    """
    # Header fields arrive as Latin-1, although servers mostly send UTF-8.
    text = location.strip().encode("latin-1", "replace").decode("utf-8", "replace")
    try:
        target = parse_address(urljoin(base.url, text))
    except ValueError:
        raise FetchError("redirects to something that is not an address") from None
    except FetchError as error:
        raise FetchError(f"redirects to {show(text)}, which {error.reason}") from None
    if base.scheme == "https" and target.scheme == "http":
        raise FetchError(f"redirects from https to http ({show(target.url)})")
    return target


def show(url: str) -> str:
    """Return an address for a message: on one line, without a password, of limited length."""
    text = _PASSWORD.sub("//", url)
    text = "".join(c if c.isprintable() else f"%{ord(c):02X}" for c in text)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."


def check_public(address: str) -> None:
    """Refuse an IP address that is private, of this computer, or otherwise reserved.

    Raises:
        FetchError: It is.
        ValueError: It is not a numeric address.
    """
    if not is_public(ip_address(address)):
        raise FetchError(f"leads to a private address ({address})", is_of_host=True)


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is on the public Internet.

    >>> [is_public(ip_address(a)) for a in ("8.8.8.8", "10.0.0.1", "64:ff9b::a00:1")]
    [True, False, False]
    """
    if isinstance(address, IPv6Address) and address in _NAT64:
        # A network with only IPv6 reaches IPv4 hosts through these addresses.
        address = IPv4Address(int(address) & 0xFFFFFFFF)
    if isinstance(address, IPv6Address) and address not in _GIVEN_OUT:
        return False
    if any(address in network for network in _SPECIAL):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def check_spelling(host: str) -> None:
    """Refuse a host whose spelling is a private IP address; a proxy resolves the other names.

    Raises:
        FetchError: It is.
    """
    if host == "localhost" or host.endswith(".localhost"):
        raise FetchError(f"leads to a private address ({host})", is_of_host=True)
    try:
        check_public(host)
    except ValueError:
        # 2130706433, 0x7f.1 and 0177.0.0.1 all resolve to 127.0.0.1.
        try:
            check_public(socket.inet_ntoa(socket.inet_aton(host)))
        except OSError:
            return
