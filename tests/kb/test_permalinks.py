"""Addresses of the website."""

import pytest

from variorum_kb.permalinks import base_url_of


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("https://rules.example", "https://rules.example/"),
        ("HTTP://Rules.Example:8080/A/b/", "http://rules.example:8080/A/b/"),
        (" https://rules.example/a%20b ", "https://rules.example/a%20b/"),
        ("https://[::1]/x", "https://[::1]/x/"),
    ],
)
def test_base_urls(given: str, expected: str) -> None:
    """An address is in small letters up to the path, and ends with a slash."""
    assert base_url_of(given) == expected


@pytest.mark.parametrize(
    "given",
    [
        "rules.example",
        "//rules.example/",
        "ftp://rules.example/",
        "https://",
        "https:///path",
        "https://user@rules.example/",
        "https://rules.example/?a=b",
        "https://rules.example/#top",
        "https://rules.example?",
        "https://rules.example/a b",
        "https://rules.example/../up",
        "https://rules.example/./here",
        "https://rules.example//",
        "https://[nonsense",
        'https://rules.example/"',
    ],
)
def test_error_base_url(given: str) -> None:
    """A text that is no address, or one with more than a plain path, is refused."""
    with pytest.raises(ValueError, match="takes https://host") as caught:
        base_url_of(given)

    assert str(caught.value).startswith(f"{given!r}: ")
