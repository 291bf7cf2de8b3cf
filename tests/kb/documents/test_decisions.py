"""The publishers of addresses: two sources are independent if their publishers differ."""

import pytest

from variorum_kb.documents.decisions import publisher_of


@pytest.mark.parametrize(
    ("address", "publisher"),
    [
        ("https://example.com/rules.txt", "example.com"),
        ("http://media.example.com./rules.txt", "example.com"),
        ("https://rules.example.co.uk/rules.txt", "example.co.uk"),
        ("https://a.b.example.de/rules.txt", "example.de"),
        ("https://rules.co.example/rules.txt", "co.example"),
        ("https://web.archive.org/web/2026id_/https://rules.example.org/rules.txt", "example.org"),
        ("http://localhost:8000/rules.txt", "localhost:8000"),
        ("http://localhost/rules.txt", "localhost"),
        ("http://192.0.2.1:81/rules.txt", "192.0.2.1:81"),
        ("http://[2001:db8::1]/rules.txt", "2001:db8::1"),
        ("http://example.com:port/rules.txt", ""),
        ("ftp://example.com/rules.txt", ""),
        ("/home/me/rules.txt", ""),
    ],
)
def test_publisher(address: str, publisher: str) -> None:
    """A publisher is the registered name of a host, under any snapshot; a file has none."""
    assert publisher_of(address) == publisher
