"""Private addresses, in every spelling."""

from ipaddress import ip_address

import pytest

from variorum_crawler.fetch.failures import RefusalError
from variorum_crawler.fetch.private_hosts import check_spelling, is_named, is_public

PUBLIC = [
    "1.1.1.1",
    "8.8.8.8",
    "172.15.255.255",
    "172.32.0.1",
    "192.167.1.1",
    "223.255.255.1",
    "2001:4860:4860::8888",
    "2606:4700::1111",
    "64:ff9b::808:808",
]
PRIVATE = [
    "0.0.0.0",  # noqa: S104, one of what is refused
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.0.9",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::ffff:0:808:808",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::808:808",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:808:808::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%1",
    "fec0::1",
    "ff02::1",
]


@pytest.mark.parametrize("address", PUBLIC)
def test_public(address: str) -> None:
    """Addresses of the public Internet are public."""
    assert is_public(ip_address(address))


@pytest.mark.parametrize("address", PRIVATE)
def test_private(address: str) -> None:
    """Addresses for one computer, a network, multicast or nothing are not public."""
    assert not is_public(ip_address(address))


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("localhost", "localhost"),
        ("rules.localhost", "rules.localhost"),
        ("127.0.0.1", "127.0.0.1"),
        ("127.1", "127.0.0.1"),
        ("0", "0.0.0.0"),  # noqa: S104, one of what is refused
        ("2130706433", "127.0.0.1"),
        ("0x7f000001", "127.0.0.1"),
        ("0x7f.0.0.1", "127.0.0.1"),
        ("0177.0.0.1", "127.0.0.1"),
        ("10.1", "10.0.0.1"),
        ("::1", "::1"),
    ],
)
def test_error_spelling(host: str, address: str) -> None:
    """A private address is recognized in every spelling."""
    with pytest.raises(RefusalError) as caught:
        check_spelling(host)

    assert str(caught.value) == f"leads to a private address ({address})"


@pytest.mark.parametrize("host", ["example.org", "8.8.8.8", "134744072", "2606:4700::1111", "a.b"])
def test_other_spellings(host: str) -> None:
    """A name is not judged before it is resolved, and a public address is allowed."""
    check_spelling(host)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ({"mirror"}, True),
        ({"mirror:8080"}, True),
        ({" Mirror. "}, True),
        ({"mirror:80"}, False),
        ({"mirro", "irror", "mirror2", "a.mirror", "mirror.a"}, False),
        (set[str](), False),
    ],
)
def test_named(names: set[str], expected: bool) -> None:
    """A list names a host by its full name, alone or with its port."""
    assert is_named("mirror", 8080, frozenset(names)) is expected
