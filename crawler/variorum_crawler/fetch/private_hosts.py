"""Detects private hosts, so that no server can lead us to them.

A name is checked by the addresses it resolves to, when we connect (`connections.py`). If a proxy
resolves the name, only its spelling is checked.
"""

import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

from variorum_crawler.fetch.failures import RefusalError

# Blocks that `ipaddress` of Python 3.11 does not call private. Some are for relays, which pass
# requests on to other addresses; others became special later. In IPv6, only 2000::/3 is allocated.
_GIVEN_OUT = IPv6Network("2000::/3")
_SPECIAL = tuple(
    map(ip_network, ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "2002::/16", "3fff::/20"))
)
_NAT64 = IPv6Network("64:ff9b::/96")


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


def check_public(address: str) -> None:
    """Refuse an IP address that is private.

    Raises:
        RefusalError: It is private, of this computer, or otherwise reserved.
        ValueError: It is not a numeric address.
    """
    if not is_public(ip_address(address)):
        raise RefusalError(f"leads to a private address ({address})", is_of_host=True)


def check_spelling(host: str) -> None:
    """Refuse a host whose spelling is a private IP address, in any notation.

    Raises:
        RefusalError: It is.
    """
    if host == "localhost" or host.endswith(".localhost"):
        raise RefusalError(f"leads to a private address ({host})", is_of_host=True)
    try:
        check_public(host)
    except ValueError:
        # 2130706433, 0x7f.1 and 0177.0.0.1 all resolve to 127.0.0.1.
        try:
            check_public(socket.inet_ntoa(socket.inet_aton(host)))
        except OSError:
            return


def is_named(host: str, port: int, hosts: frozenset[str]) -> bool:
    """Return whether a list of hosts, with or without ports, includes this one.

    >>> is_named("::1", 8080, frozenset({"[::1]:8080"})), is_named("a", 80, frozenset({"a:81"}))
    (True, False)
    """
    bracketed = f"[{host}]" if ":" in host else host
    forms = {host, bracketed, f"{bracketed}:{port}"}
    return any(name.strip().lower().rstrip(".") in forms for name in hosts)
