"""The publishers of addresses: two sources are independent if their publishers differ."""

import pytest

from variorum_kb.documents.archive import Provenance
from variorum_kb.documents.decisions import REDIRECTED, Decision, agreement_on, publisher_of


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
        ("http://192.0.2.1/rules.txt", "192.0.2.1"),
        ("http://intranet/rules.txt", "intranet"),
        ("http://co.uk/rules.txt", "co.uk"),
        ("http:///rules.txt", ""),
        ("http://example.com:port/rules.txt", ""),
        ("ftp://example.com/rules.txt", ""),
        ("/home/me/rules.txt", ""),
    ],
)
def test_publisher(address: str, publisher: str) -> None:
    """A publisher is the registered name of a host, under any snapshot; a file has none."""
    assert publisher_of(address) == publisher


def served(address: str, redirected: str = "") -> Provenance:
    """Return a document as an address served it."""
    headers = ((REDIRECTED, redirected),) if redirected else ()
    return Provenance("a.txt", address, "2030-01-02", headers)


@pytest.mark.parametrize(
    ("sources", "publishers"),
    [
        (
            [served("https://b.example/a"), served("https://a.example/a")],
            ("a.example", "b.example"),
        ),
        ([served("https://b.example/a"), served("https://www.b.example/a")], ()),
        ([served("https://b.example/a"), served("/home/me/a")], ()),
        ([served("https://b.example/a"), served("https://a.example/a", "https://b.example/c")], ()),
    ],
)
def test_agreement(sources: list[Provenance], publishers: tuple[str, ...]) -> None:
    """Two publishers agree; one, or one that a redirect leads to, does not."""
    decision = agreement_on("0a", sources, "2030")

    assert decision == (Decision("0a", "agreement", "2030", publishers) if publishers else None)
    assert decision is None or Decision.from_json({**decision.json()}) == decision
