"""Addresses in one form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum_crawler.errors import SourceError
from variorum_crawler.places.tidy_address import host_of, tidy_address


@pytest.mark.parametrize(
    ("text", "tidy"),
    [
        ("http://a.example/b.txt", "http://a.example/b.txt"),
        (" HTTPS://A.Example:8443/B c%20d.txt ", "https://a.example:8443/B%20c%20d.txt"),
        ("https://a.example/100%.txt", "https://a.example/100%25.txt"),
        ("https://a.example/Æther.txt", "https://a.example/%C3%86ther.txt"),
        ("https://a.example/x\n.txt?a=b c#top", "https://a.example/x.txt?a=b%20c"),
        ("http://[::1]:80/x", "http://[::1]:80/x"),
    ],
)
def test_one_form(text: str, tidy: str) -> None:
    """Spellings of an address become one."""
    assert tidy_address(text) == tidy


@given(st.text(max_size=30))
def test_tidy_is_stable(text: str) -> None:
    """What is tidy stays as it is, and anything else is refused by our own error."""
    try:
        tidy = tidy_address(f"http://a.example/{text}")
    except SourceError:
        return
    assert tidy_address(tidy) == tidy
    assert tidy.isascii()


def test_host() -> None:
    """A host has no port and no brackets."""
    assert host_of("http://[::1]:80/x") == "::1"
    assert host_of("https://a.example:8443/") == "a.example"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "neither http nor https: ''"),
        ("ftp://a.example/b", "neither http nor https: 'ftp://a.example/b'"),
        ("javascript:alert(1)", "neither http nor https: 'javascript:alert(1)'"),
        ("b.txt", "neither http nor https: 'b.txt'"),
        ("http:///b.txt", "no host: 'http:///b.txt'"),
        ("http://a b/c", "no host: 'http://a b/c'"),
        ("http://[broken/c", "no address: 'http://[broken/c'"),
        ("http://a.example:port/c", "no such port: 'http://a.example:port/c'"),
        ("http://a.example:99999/c", "no such port: 'http://a.example:99999/c'"),
        (
            "http://me:secret@a.example/c",
            "an address with a user name or a password: 'http://me:secret@a.example/c'",
        ),
        ("http://a.example/\udcff", "no address: 'http://a.example/\\udcff'"),
    ],
)
def test_error_no_address(text: str, message: str) -> None:
    """What is no address of the web is refused with the reason."""
    with pytest.raises(SourceError) as caught:
        tidy_address(text)

    assert str(caught.value) == message
