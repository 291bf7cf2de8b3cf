"""Web addresses in normal form, and the targets of redirects."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum_crawler.fetch.addresses import follow, parse_address, show
from variorum_crawler.fetch.failures import RefusalError


@pytest.mark.parametrize(
    ("text", "url", "origin"),
    [
        ("http://H.org", "http://h.org", "http://h.org"),
        ("HTTP://h.org:80/a?b=c#d", "http://h.org:80/a?b=c", "http://h.org"),
        ("https://h.org:443/a", "https://h.org:443/a", "https://h.org"),
        ("https://h.org:8443/", "https://h.org:8443/", "https://h.org:8443"),
        ("https://h.org./a", "https://h.org./a", "https://h.org"),
        ("https://h.org/a b", "https://h.org/a%20b", "https://h.org"),
        ("https://h.org/\u00c6?\u00e6", "https://h.org/%C3%86?%C3%A6", "https://h.org"),
        ("http://[::1]:9/a", "http://[::1]:9/a", "http://[::1]:9"),
        ("http://h/web/2020id_/http://x/y", "http://h/web/2020id_/http://x/y", "http://h"),
        ("http://h/a@b", "http://h/a@b", "http://h"),
        ("https://h/100%.txt", "https://h/100%25.txt", "https://h"),
        ("https://h/a%20b?c=d e", "https://h/a%20b?c=d%20e", "https://h"),
    ],
)
def test_normal_form(text: str, url: str, origin: str) -> None:
    """All spellings of an address have one normal form, which servers accept."""
    address = parse_address(text)

    assert (address.url, address.origin) == (url, origin)


@given(st.text(max_size=30))
def test_normal_form_is_stable(text: str) -> None:
    """An address in normal form is unchanged; anything else raises our own error."""
    try:
        url = parse_address(f"http://h/{text}").url
    except RefusalError:
        return
    assert parse_address(url).url == url
    assert url.isascii()


def test_error_downgrade() -> None:
    """A redirect from https to http is refused."""
    with pytest.raises(RefusalError) as caught:
        follow(parse_address("https://h/a"), "http://h/a?secret")

    assert str(caught.value) == "redirects from https to http (http://h/a?secret)"


def test_upgrade() -> None:
    """A redirect from http to https, or without a scheme, is followed."""
    assert follow(parse_address("http://h/a"), "https://h/b").url == "https://h/b"
    assert follow(parse_address("https://h/a"), "//g/b").url == "https://g/b"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://h/a", "http://h/a"),
        ("http://u:p@h/a@b", "http://h/a@b"),
        ("http://h/\x1b[31m\n", "http://h/%1B[31m%0A"),
        ("http://h/" + "a" * 491, "http://h/" + "a" * 491),
        ("http://h/" + "a" * 492, "http://h/" + "a" * 491 + "..."),
    ],
)
def test_shown(url: str, shown: str) -> None:
    """A message contains no password, no control character and no endless line."""
    assert show(url) == shown
