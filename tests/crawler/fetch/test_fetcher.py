"""Fetching from a server on loopback with every kind of fault."""

import gzip
import socket
from dataclasses import replace

import pytest

from tests.crawler.fetching import SHORT, WORDS, Clock, Make, refusal
from tests.crawler.mirror import (
    DATE,
    LONG_AGO,
    Behaviour,
    Hang,
    Mirror,
    Page,
    Raw,
    Redirect,
    Status,
    bomb,
)
from variorum_crawler.errors import FetchError
from variorum_crawler.fetch.fetched import Validators
from variorum_crawler.fetch.fetcher import Fetcher
from variorum_crawler.fetch.settings import FetchSettings


def test_document_is_fetched(mirror: Mirror, make: Make) -> None:
    """A fetched document has its final address and only the headers worth keeping."""
    headers = {"Set-Cookie": "a=b", "X-Powered-By": "z", "Content-Disposition": "inline"}
    mirror.serve("/a", Page(WORDS, headers, etag='"1"', last_modified=LONG_AGO))

    fetched = make().fetch(mirror.url("/a"))

    assert (fetched.body, fetched.is_modified) == (WORDS, True)
    assert (fetched.url, fetched.final_url) == (mirror.url("/a"), mirror.url("/a"))
    assert fetched.headers == (
        ("content-disposition", "inline"),
        ("content-length", str(len(WORDS))),
        ("content-type", "text/plain"),
        ("date", DATE),
        ("etag", '"1"'),
        ("last-modified", LONG_AGO),
    )


def test_headers_of_the_wayback_machine_are_kept(mirror: Mirror, make: Make) -> None:
    """The archive's headers about the age of a page are kept."""
    mirror.serve("/a", Page(SHORT, {"Memento-Datetime": LONG_AGO, "X-Archive-Orig-Date": DATE}))

    assert dict(make().fetch(mirror.url("/a")).headers)["memento-datetime"] == LONG_AGO


def test_request_is_polite(mirror: Mirror, make: Make) -> None:
    """A request names its sender, accepts only gzip, and sends no cookies."""
    mirror.serve("/a", Page(SHORT, {"Set-Cookie": "a=b"}))
    fetcher = make()

    fetcher.fetch(mirror.url("/a"))
    fetcher.fetch(mirror.url("/a"))

    last = mirror.requests[-1]
    assert last.method == "GET"
    assert last.headers["user-agent"].startswith("Variorum/")
    assert set(last.headers) == {"host", "user-agent", "accept", "accept-encoding"}
    assert last.headers["accept-encoding"] == "gzip"


def test_one_connection_for_a_host(mirror: Mirror, make: Make) -> None:
    """All documents of a host use one connection."""
    mirror.serve_all({"/robots.txt": b"", "/a": SHORT, "/b": WORDS})
    mirror.serve_all({"/c": [Page(is_chunked=True)], "/d": [Page(WORDS, etag='"1"')]})
    fetcher = make()

    for path in ("/a", "/b", "/c", "/d", "/d", "/a"):
        fetcher.fetch(mirror.url(path), Validators('"1"'))

    assert mirror.connections == 1


def test_pause_counts_from_the_last_answer(mirror: Mirror, make: Make, clock: Clock) -> None:
    """Time since the last answer counts as part of the pause."""
    mirror.serve("/a", SHORT)
    fetcher = make(pause=3)

    fetcher.fetch(mirror.url("/a"))
    clock.time += 2
    fetcher.fetch(mirror.url("/a"))
    clock.time += 4
    fetcher.fetch(mirror.url("/a"))

    assert clock.waits == [3.0, 1.0]


@pytest.mark.parametrize(
    ("held", "sent"),
    [
        (Validators('"1"'), {"if-none-match": '"1"'}),
        (Validators("", LONG_AGO), {"if-modified-since": LONG_AGO}),
        (Validators('"1"', LONG_AGO), {"if-none-match": '"1"', "if-modified-since": LONG_AGO}),
    ],
)
def test_unmodified(mirror: Mirror, make: Make, held: Validators, sent: dict[str, str]) -> None:
    """An unchanged document is not sent again."""
    mirror.serve("/a", Page(WORDS, etag='"1"', last_modified=LONG_AGO))

    fetched = make().fetch(mirror.url("/a"), held)

    assert (fetched.is_modified, fetched.body, dict(fetched.headers)["etag"]) == (False, b"", '"1"')
    asked = mirror.asked_for("/a")[0].headers
    assert {k: v for k, v in asked.items() if k.startswith("if-")} == sent


def test_modified(mirror: Mirror, make: Make) -> None:
    """A changed document is sent completely."""
    mirror.serve("/a", Page(WORDS, etag='"2"'))

    assert make().fetch(mirror.url("/a"), Validators('"1"')).body == WORDS


def test_validators_that_no_header_holds_are_left_out(mirror: Mirror, make: Make) -> None:
    """Damaged validators are not sent, so the document is complete and no header is injected."""
    mirror.serve("/a", WORDS)

    assert make().fetch(mirror.url("/a"), Validators('"1"\r\nX: y', "é")).body == WORDS
    assert set(mirror.asked_for("/a")[0].headers) & {"if-none-match", "if-modified-since"} == set()


@pytest.mark.parametrize(
    "page",
    [
        Page(WORDS, is_packed=True),
        Page(WORDS, is_packed=True, is_chunked=True),
        Page(WORDS, is_chunked=True),
        Page(WORDS, {"Content-Encoding": "identity"}),
        Page(WORDS, {"Content-Length": ""}, length=0),
        Page(b""),
        Page(b"", {"Content-Encoding": "gzip"}),
        Page(b"", is_packed=True),
    ],
)
def test_body_is_unpacked(mirror: Mirror, make: Make, page: Page) -> None:
    """The same bytes arrive, however the body is encoded."""
    mirror.serve("/a", page)

    assert make().fetch(mirror.url("/a")).body == page.body


FAULTS: list[tuple[Behaviour, str, bool]] = [
    (Status(401), "401 Unauthorized", False),
    (Status(403), "403 Forbidden", False),
    (Status(404), "404 Not Found", False),
    (Status(410), "410 Gone", False),
    (Status(204), "204 No Content", False),
    (Status(206), "206 Partial Content", False),
    (Status(304), "304 Not Modified", False),
    (Status(302), "302 Found", False),
    (Status(799), "799", False),
    (Status(408), "408 Request Timeout (tried 3 times)", True),
    (Status(425), "425 Too Early (tried 3 times)", True),
    (Status(429), "429 Too Many Requests (tried 3 times)", True),
    (Status(500), "500 Internal Server Error (tried 3 times)", True),
    (Status(502), "502 Bad Gateway (tried 3 times)", True),
    (Status(503), "503 Service Unavailable (tried 3 times)", True),
    (Status(504), "504 Gateway Timeout (tried 3 times)", True),
    (Page(WORDS, cut_after=50), "the body broke off (tried 3 times)", True),
    (Page(WORDS, cut_after=0), "the body broke off (tried 3 times)", True),
    (Page(WORDS, is_chunked=True, cut_after=50), "the body broke off (tried 3 times)", True),
    (Page(WORDS, length=len(WORDS) + 1), "the body broke off (tried 3 times)", True),
    (Page(WORDS, length=5, headers={"Content-Length": "5, 6"}), "the answer cannot be understood (tried 3 times)", True),
    (Page(WORDS, is_packed=True, headers={"Content-Length": ""}, cut_after=60), "the packed body ends too early (tried 3 times)", True),
    (Page(gzip.compress(b"words") + b"more", {"Content-Encoding": "gzip"}), "the packed body is damaged (tried 3 times)", True),
    (Page(WORDS, {"Content-Encoding": "gzip"}), "the packed body is damaged (tried 3 times)", True),
    (Page(WORDS, {"Content-Encoding": "br"}), "is packed in a way that we cannot read ('br')", False),
    (Page(WORDS, {"Content-Encoding": "gzip, gzip"}), "is packed in a way that we cannot read ('gzip, gzip')", False),
    (Raw(b""), "the connection was closed without an answer (tried 3 times)", True),
    (Raw(b"", is_reset=True), "the connection was reset (tried 3 times)", True),
    (Raw(b"\0" * 99 + b"\r\n\r\n"), "the connection broke off (tried 3 times)", True),
    (Raw(b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 200 + b"\r\n"), "the connection broke off (tried 3 times)", True),
    (Raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab"), "the body broke off (tried 3 times)", True),
    (Raw(b"HTTP/1.1 200 OK\r\nA: b\r\nCont"), "the answer is empty (tried 3 times)", True),
    (Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nA"), "the body broke off (tried 3 times)", True),
    (Page(b"x" * 1001), "1,001 bytes are more than the 1,000 bytes allowed", False),
    (Page(b"x" * 1001, is_chunked=True), "is more than the 1,000 bytes allowed", False),
    (Page(b"x" * 1001, is_packed=True), "is more than the 1,000 bytes allowed", False),
    (replace(bomb(900_000), is_chunked=True), "is more than the 1,000 bytes allowed", False),
]  # fmt: skip


@pytest.mark.parametrize(("behaviour", "reason", "is_passing"), FAULTS)
def test_error_fault(
    mirror: Mirror, make: Make, behaviour: Behaviour, reason: str, is_passing: bool
) -> None:
    """Each fault of a server is recognised, and retried only if that may help."""
    mirror.serve("/a", behaviour)

    assert refusal(make(largest=1000), mirror.url("/a")) == (reason, is_passing)

    assert len(mirror.paths) == (3 if is_passing else 1)


@pytest.mark.parametrize("behaviour", [Hang(), Hang(b"abc")])
def test_error_hang(mirror: Mirror, make: Make, behaviour: Behaviour) -> None:
    """The fetcher gives up a silent server."""
    mirror.serve("/a", behaviour)

    reason, is_passing = refusal(make(timeout=0.1, retries=1), mirror.url("/a"))

    assert (reason, is_passing) == ("no answer for 0.1 seconds (tried 2 times)", True)


@pytest.mark.parametrize(
    "behaviour",
    [
        Raw(b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 80, drip=0.01),
        Raw(b"x", drip=0.01),
        Page(WORDS, drip=0.01),
        Page(WORDS, drip=0.01, is_chunked=True),
        Page(WORDS, drip=0.001, is_packed=True),
        # A packed body whose header, a file name, never ends, so nothing can be unpacked.
        Page(b"\x1f\x8b\x08\x08" + b"x" * 999, {"Content-Encoding": "gzip"}, drip=0.001),
    ],
)
def test_error_drip(mirror: Mirror, behaviour: Behaviour) -> None:
    """The fetcher gives up a server that sends a byte now and then."""
    mirror.serve("/robots.txt", b"")
    mirror.serve("/a", behaviour)
    settings = FetchSettings(
        pause=0,
        timeout=5,
        timeouts_a_document=0.02,
        retries=2,
        private_hosts=frozenset({mirror.host}),
    )

    with Fetcher(settings) as fetcher:
        assert refusal(fetcher, mirror.url("/a")) == ("takes longer than 0.1 seconds", True)

    assert len(mirror.paths) == 1


def test_error_nobody_there(make: Make, clock: Clock) -> None:
    """A port without a listener is tried again."""
    with Mirror() as gone:
        url = gone.url("/a")

    reason, is_passing = refusal(make(private_hosts=frozenset({"127.0.0.1"})), url)

    assert is_passing
    assert reason == "the host cannot be reached (connection refused) (tried 3 times)"
    assert len(clock.waits) == 2


def test_error_host_is_remembered(make: Make, clock: Clock) -> None:
    """After a host did not answer, it is not asked for the next document."""
    with Mirror() as gone:
        url = gone.url("/a")
    fetcher = make(private_hosts=frozenset({"127.0.0.1"}))

    assert refusal(fetcher, url) == refusal(fetcher, url)
    assert len(clock.waits) == 2


def test_limit_of_a_document(mirror: Mirror, make: Make) -> None:
    """A document of exactly the maximum length is accepted."""
    mirror.serve("/a", Page(WORDS, is_packed=True))
    reason = f"is more than the {len(WORDS) - 1:,} bytes allowed"

    assert refusal(make(largest=len(WORDS) - 1), mirror.url("/a")) == (reason, False)
    mirror.serve("/b", WORDS)
    fetcher = make(largest=len(WORDS))
    assert [fetcher.fetch(mirror.url(path)).body for path in ("/a", "/b")] == [WORDS, WORDS]


def test_error_document_takes_too_long(mirror: Mirror, make: Make, clock: Clock) -> None:
    """A document may take ten times the timeout."""
    mirror.serve("/robots.txt", b"")
    mirror.serve("/a", Page(WORDS, is_chunked=True))
    fetcher = make(timeout=7)

    clock.pace = 70
    assert fetcher.fetch(mirror.url("/a")).body == WORDS
    clock.pace = 70.5
    assert refusal(fetcher, mirror.url("/a")) == ("takes longer than 70 seconds", True)


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_redirect(mirror: Mirror, make: Make, code: int) -> None:
    """All kinds of redirects are followed, also relative and malformed ones."""
    mirror.serve("/a", Redirect("b/", code))
    mirror.serve("/b/", Redirect("../Rules 2023 \u00c3\u0086.txt#top", code))
    mirror.serve("/Rules%202023%20%C3%86.txt", WORDS)

    fetched = make().fetch(mirror.url("/a"))

    assert (fetched.url, fetched.body) == (mirror.url("/a"), WORDS)
    assert fetched.final_url == mirror.url("/Rules%202023%20%C3%86.txt")


def test_ten_redirects(mirror: Mirror, make: Make) -> None:
    """Ten redirects are followed."""
    for n in range(10):
        mirror.serve(f"/{n}", Redirect(f"/{n + 1}"))
    mirror.serve("/10", WORDS)

    assert make().fetch(mirror.url("/0")).body == WORDS


def test_error_eleven_redirects(mirror: Mirror, make: Make) -> None:
    """An eleventh redirect is refused."""
    for n in range(12):
        mirror.serve(f"/{n}", Redirect(f"/{n + 1}"))

    assert refusal(make(), mirror.url("/0")) == ("redirects more than 10 times", False)


@pytest.mark.parametrize(
    ("location", "reason"),
    [
        ("/a", "redirects in a circle ({}/a)"),
        ("/a#part", "redirects in a circle ({}/a)"),
        ("/gone", "redirects to {}/gone: 404 Not Found"),
        ("ftp://h/", "redirects to ftp://h/, which is no http or https address"),
        ("file:///etc/passwd", "redirects to file:///etc/passwd, which is no http or https address"),
        ("http://u:p@h/", "redirects to http://h/, which holds a user name or a password"),
        ("http://[::1", "redirects to something that is not an address"),
        ("http://h:99999/", "redirects to http://h:99999/, which is no well-formed address"),
        ("http://a\\@h/", "redirects to http://h/, which holds a user name or a password"),
        ("http://10.0.0.1/b", "redirects to http://10.0.0.1/b: leads to a private address (10.0.0.1)"),
        ("http://2130706433:1/b", "redirects to http://2130706433:1/b: leads to a private address (127.0.0.1)"),
        ("http://localhost:1/b", "redirects to http://localhost:1/b: leads to a private address"),
        ("http://[::1]:1/b", "redirects to http://[::1]:1/b: leads to a private address (::1)"),
        ("/hidden", "redirects to {}/hidden: robots.txt of the host asks us to stay away"),
    ],
)  # fmt: skip
def test_error_redirect(mirror: Mirror, make: Make, location: str, reason: str) -> None:
    """A redirect to a forbidden address is refused, and the message names the address."""
    mirror.serve("/robots.txt", b"User-agent: *\nDisallow: /hidden")
    mirror.serve("/a", Redirect(location))

    message, is_passing = refusal(make(), mirror.url("/a"))

    assert message.startswith(reason.format(mirror.address))
    assert not is_passing
    assert mirror.asked_for("/hidden") == []


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("ftp://h/a", "ftp://h/a: is no http or https address"),
        ("/etc/passwd", "/etc/passwd: is no http or https address"),
        ("", ": is no http or https address"),
        ("http:h/a", "http:h/a: is no http or https address"),
        ("http:///a", "http:///a: names no host"),
        ("http://u:secret@h/a", "http://h/a: holds a user name or a password"),
        ("http://h/a\r\nX: y", "http://h/a%0D%0AX: y: is no well-formed address"),
        ("http://h h/", "http://h h/: is no well-formed address"),
        ("http://\u00e6.org/", "http://\u00e6.org/: must write its host in ASCII (xn--)"),
        ("http://127.0.0.1:9/a", "http://127.0.0.1:9/a: leads to a private address (127.0.0.1)"),
        ("http://0/a", "http://0/a: leads to a private address (0.0.0.0)"),
        ("http://0x7f.1/a", "http://0x7f.1/a: leads to a private address (127.0.0.1)"),
        ("http://[::ffff:7f00:1]/", "http://[::ffff:7f00:1]/: leads to a private address (::ffff:127.0.0.1)"),
    ],
)  # fmt: skip
def test_error_address(make: Make, url: str, message: str) -> None:
    """A forbidden address is refused before any request."""
    with pytest.raises(FetchError) as caught:
        make().fetch(url)

    assert str(caught.value) == message
    assert not caught.value.is_passing


def test_error_name_is_judged_by_what_it_resolves_to(
    mirror: Mirror, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A public name with a private address is refused after one resolution."""
    asked: list[str] = []

    def resolve(host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    port = mirror.host.partition(":")[2]

    assert refusal(make(), f"http://rules.example:{port}/a") == (
        "leads to a private address (127.0.0.1)",
        False,
    )
    assert (asked, mirror.requests) == (["rules.example"], [])


def test_name_that_changes_its_mind(
    mirror: Mirror, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fetcher connects to the address that it judged, even if the name resolves anew."""
    port = int(mirror.host.partition(":")[2])
    answers = iter(["8.8.8.8", "127.0.0.1"])
    connected: list[object] = []

    def resolve(host: str, *_: object, **__: object) -> list[tuple[object, ...]]:
        place = next(answers) if host == "rules.example" else host
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (place, port))]

    def connect(_: object, place: object) -> None:
        connected.append(place)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(socket.socket, "connect", connect)

    refusal(make(retries=0), f"http://rules.example:{port}/a")

    assert connected == [("8.8.8.8", port)]
    assert mirror.requests == []


def test_error_many_addresses(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a host's addresses, four are tried before the host counts as unreachable."""
    places = [f"8.8.8.{number}" for number in range(1, 7)]
    connected: list[object] = []

    def resolve(host: str, *_: object, **__: object) -> list[tuple[object, ...]]:
        found = places if host == "rules.example" else [host]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (place, 80)) for place in found]

    def connect(_: object, place: tuple[str, int]) -> None:
        connected.append(place[0])
        raise TimeoutError

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(socket.socket, "connect", connect)

    refusal(make(retries=0), "http://rules.example/a")

    assert connected == places[:4]


def test_error_name_without_address(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that does not resolve counts as a temporary failure."""

    def resolve(*_: object, **__: object) -> list[tuple[object, ...]]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)

    assert refusal(make(retries=0), "http://rules.example/a") == (
        "the name of the host cannot be resolved",
        True,
    )
