"""Connections: proxies of the environment, certificates, and messages of failures."""

import gzip
import ssl

import pytest
from urllib3 import exceptions as u3

from tests.crawler.fetching import SHORT, Make, refusal
from tests.crawler.mirror import Mirror, Raw, Status
from variorum_crawler.fetch.addresses import parse_address
from variorum_crawler.fetch.connections import unpack
from variorum_crawler.fetch.failures import AttemptError, RefusalError, describe, translate_errors

URL = "http://rules.example/a"


@pytest.mark.parametrize("name", ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"])
@pytest.mark.parametrize("form", ["http://{}", "{}", "http://{}/"])
def test_proxy(
    mirror: Mirror, make: Make, monkeypatch: pytest.MonkeyPatch, name: str, form: str
) -> None:
    """A proxy of the environment gets the whole address, and may be on a private network."""
    monkeypatch.setenv(name, form.format(mirror.host))
    mirror.serve(URL, SHORT)

    assert make(private_hosts=frozenset()).fetch(URL).body == SHORT

    assert [r.path for r in mirror.requests] == ["http://rules.example/robots.txt", URL]
    assert mirror.requests[1].headers["host"] == "rules.example"
    assert "proxy-authorization" not in mirror.requests[1].headers


def test_proxy_with_password(mirror: Mirror, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy that asks for a password gets it."""
    monkeypatch.setenv("HTTP_PROXY", f"http://u:p@{mirror.host}")
    mirror.serve(URL, SHORT)

    make().fetch(URL)

    assert mirror.requests[1].headers["proxy-authorization"] == "Basic dTpw"


@pytest.mark.parametrize(
    "names", ["*", "127.0.0.1", "example.org, 127.0.0.1", ".0.0.1", "127.0.0.1:{port}"]
)
def test_proxy_is_passed_by(
    mirror: Mirror, make: Make, monkeypatch: pytest.MonkeyPatch, names: str
) -> None:
    """Hosts that NO_PROXY names (by host, domain, port or all) are reached directly."""
    monkeypatch.setenv("HTTP_PROXY", "http://192.0.2.1:9")
    monkeypatch.setenv("NO_PROXY", names.format(port=mirror.host.partition(":")[2]))
    mirror.serve("/a", SHORT)

    assert make().fetch(mirror.url("/a")).body == SHORT


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1/a", "http://2130706433/a", "http://localhost/a", "http://[::1]/a"]
)
def test_error_private_through_a_proxy(
    mirror: Mirror, make: Make, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    """A proxy is not asked for a private address, unless the user allowed it."""
    monkeypatch.setenv("HTTP_PROXY", f"http://{mirror.host}")
    mirror.serve(url, SHORT)

    reason, is_passing = refusal(make(), url)

    assert reason.startswith("leads to a private address (")
    assert (is_passing, mirror.requests) == (False, [])
    host = parse_address(url).host
    assert make(private_hosts=frozenset({host})).fetch(url).body == SHORT


def test_error_tunnel_is_refused(
    mirror: Mirror, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a proxy refuses a tunnel, the message says that the proxy failed."""
    monkeypatch.setenv("HTTPS_PROXY", f"http://{mirror.host}")

    reason, is_passing = refusal(make(retries=0), "https://rules.example/a")

    assert is_passing
    assert reason == "the proxy does not let us through (501 Not Implemented)"


def test_error_proxy_is_gone(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unreachable proxy is reported as the cause of the failure."""
    with Mirror() as gone:
        monkeypatch.setenv("HTTP_PROXY", f"http://{gone.host}")

    reason, is_passing = refusal(make(retries=0), URL)

    assert is_passing
    assert reason == "the proxy does not let us through (no connection)"


@pytest.mark.parametrize(
    ("proxy", "reason"),
    [
        ("socks5://h:1", "a proxy of the kind socks5 is not supported"),
        ("http://h:port", "the proxy that the environment names is no address"),
    ],
)
def test_error_proxy(make: Make, monkeypatch: pytest.MonkeyPatch, proxy: str, reason: str) -> None:
    """An unusable proxy is an error, not ignored."""
    monkeypatch.setenv("ALL_PROXY", proxy)

    assert refusal(make(), URL) == (reason, False)


def test_proxy_of_a_cgi_program_is_ignored(
    mirror: Mirror, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a CGI program, HTTP_PROXY is ignored, because visitors can set it with a header."""
    monkeypatch.setenv("REQUEST_METHOD", "GET")
    monkeypatch.setenv("HTTP_PROXY", "http://evil.example")
    mirror.serve("/a", SHORT)

    assert make().fetch(mirror.url("/a")).body == SHORT


def test_error_no_secure_server(mirror: Mirror, make: Make) -> None:
    """A server that does not answer in TLS counts as a temporary failure."""
    mirror.serve("/a", SHORT)
    url = mirror.url("/a").replace("http:", "https:")

    assert refusal(make(retries=0), url) == (
        "the secure connection failed",
        True,
    )


def test_error_certificate() -> None:
    """After an untrusted certificate, there is no further attempt."""
    cause = ssl.SSLCertVerificationError(1, "verify failed")
    cause.verify_message = "certificate has expired"

    with pytest.raises(RefusalError) as caught, translate_errors(1):
        raise u3.SSLError(cause)

    assert str(caught.value) == "its certificate cannot be trusted (certificate has expired)"
    assert not caught.value.is_passing


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (u3.ConnectTimeoutError("x"), "no answer for 9 seconds"),
        (u3.SSLError("eof"), "the secure connection failed"),
        (u3.SSLError(), "the secure connection failed"),
        (u3.ProtocolError("x"), "the connection broke off"),
        (u3.ProtocolError("x", BrokenPipeError()), "the connection was reset"),
        (u3.ProtocolError("x", OSError(113, "No route to host")), "no route to host"),
        (u3.ProtocolError("x", OSError()), "the connection failed"),
        (u3.InvalidHeader("x"), "the answer cannot be understood"),
    ],
)
def test_error_translation(error: Exception, reason: str) -> None:
    """Errors of urllib3 get messages in our words."""
    with pytest.raises(AttemptError) as caught, translate_errors(9):
        raise error

    assert str(caught.value) == reason


def test_description_prints_no_words_of_others() -> None:
    """Messages do not repeat a proxy's own words."""
    assert describe(OSError("Tunnel connection failed: 407 \r\n\x1bwords")) == (
        "407 Proxy Authentication Required"
    )
    assert describe(OSError("words")) == "the connection failed"


def test_unread_answer_closes_its_connection(mirror: Mirror, make: Make) -> None:
    """The next request does not read the rest of an unread answer."""
    mirror.serve("/robots.txt", b"")
    mirror.serve("/a", Status(404, body=b"x" * 99999))
    mirror.serve("/b", SHORT)
    fetcher = make()

    refusal(fetcher, mirror.url("/a"))

    assert fetcher.fetch(mirror.url("/b")).body == SHORT
    assert mirror.connections == 2


LONG = b"Lamps burn oil, and boats burn nothing. " * 20
PACKED = gzip.compress(LONG, mtime=0)


@pytest.mark.parametrize("limit", [len(LONG), 2 * len(LONG)])
@pytest.mark.parametrize(
    ("packed", "reason"),
    [
        (PACKED[:-4], "the packed body ends too early"),
        (b"evil" + PACKED, "the packed body is damaged"),
        (PACKED + b"evil", "the packed body is damaged"),
    ],
)
def test_error_packed_body(packed: bytes, reason: str, limit: int) -> None:
    """A packed body is refused if it is cut, damaged, or continues after its end."""
    with pytest.raises(AttemptError, match=reason):
        unpack(bytearray(packed), limit)


def test_packed_body() -> None:
    """A packed body is unpacked up to one byte more than the limit; zeros may follow it."""
    assert unpack(bytearray(PACKED + b"\0\0"), len(LONG)) == LONG
    assert unpack(bytearray(PACKED), 10) == LONG[:11]
    assert unpack(bytearray(), 10) == b""


def test_words_behind_the_end(mirror: Mirror, make: Make) -> None:
    """Bytes after the end of an answer are never read as the next answer."""
    first = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    mirror.serve("/robots.txt", b"")
    mirror.serve("/a", Raw(first + b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"))
    mirror.serve("/b", SHORT)
    fetcher = make()

    assert fetcher.fetch(mirror.url("/a")).body == b"ok"
    assert fetcher.fetch(mirror.url("/b")).body == SHORT
