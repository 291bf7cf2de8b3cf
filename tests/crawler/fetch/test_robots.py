"""Robots.txt: the rules of hosts, and the meaning of missing ones."""

import pytest

from tests.crawler.fetching import SHORT, WORDS, Clock, Make, refusal
from tests.crawler.mirror import Behaviour, Hang, Mirror, Page, Raw, Redirect, Status
from variorum_crawler.fetch.failures import RefusalError
from variorum_crawler.fetch.robots import LONGEST, parse_robots

ASKED_TO_STAY_AWAY = ("robots.txt of the host asks us to stay away", False)


@pytest.mark.parametrize(
    ("text", "is_allowed"),
    [
        ("", True),
        ("User-agent: *\nDisallow: /", False),
        ("User-agent: *\nDisallow:", True),
        ("User-agent: *\nDisallow: /rules/", False),
        ("User-agent: *\nDisallow: /rules/b", True),
        ("User-agent: *\nDisallow: /\nAllow: /rules/a", True),
        ("User-agent: *\nDisallow: /*.txt$", False),
        ("User-agent: *\nDisallow: /*.pdf$", True),
        ("User-agent: *\nDisallow: /rules/%61.txt", False),
        ("User-agent: other\nDisallow: /", True),
        ("User-agent: variorum\nDisallow: /\n\nUser-agent: *\nAllow: /", False),
        ("User-agent: Variorum\nAllow: /\n\nUser-agent: *\nDisallow: /", True),
        ("User-agent: VARIORUM/0.1 # us\nDisallow: /", False),
        ("user-agent: other\nuser-agent: variorum\ndisallow: /", False),
        ("User-agent: *\r\nDisallow: /\r\n", False),
        ("User-agent: *\rDisallow: /\r", False),
        ("\ufeffUser-agent: *\nDisallow: /", False),
        ("<!DOCTYPE html><title>Sign in</title>", True),
        ("\0\0\0", True),
        ("Disallow: /", True),
    ],
)
def test_rules(text: str, is_allowed: bool) -> None:
    """The longest matching rule decides, first among ours, else among those for all."""
    rules = parse_robots(text.encode())

    if is_allowed:
        rules.check("https://h/rules/a.txt")
    else:
        with pytest.raises(RefusalError, match=r"robots\.txt of the host asks us to stay away"):
            rules.check("https://h/rules/a.txt")


@pytest.mark.parametrize("body", [b"\xff\xfe\x00U", b"\xe9" * 99, b":" * 9999, b"User-agent\n" * 9])
def test_what_is_no_robots(body: bytes) -> None:
    """An unreadable robots.txt allows everything."""
    parse_robots(body).check("https://h/a")


def test_end_of_a_long_one_is_left_out() -> None:
    """Nothing after 500 KiB counts, nor does a line that is cut there."""
    rule = b"User-agent: *\nDisallow: /a"
    filling = b"# x\n" * (LONGEST // 4)

    parse_robots(filling + rule).check("https://h/a")
    parse_robots(filling[: LONGEST - len(rule) - 1 & ~3] + rule + b"bc\n").check("https://h/a")
    with pytest.raises(RefusalError):
        parse_robots(rule + b"\n" + filling).check("https://h/a")


@pytest.mark.parametrize(
    ("text", "pause"),
    [("2", 2.0), ("0.5", 0.5), ("-3", 0.0), ("soon", 0.0), ("", 0.0), ("1e9", 1e9), ("nan", 0.0)],
)
def test_crawl_delay(text: str, pause: float) -> None:
    """A pause is a number of seconds; any other value is ignored."""
    assert parse_robots(f"User-agent: *\nCrawl-delay: {text}".encode()).pause == pause


@pytest.mark.parametrize(("asked", "waited"), [("2", 2.0), ("0.1", 1.0), ("3600", 30.0)])
def test_longer_pause(mirror: Mirror, make: Make, clock: Clock, asked: str, waited: float) -> None:
    """A host's longer pause applies up to a limit, also before the first document."""
    mirror.serve("/robots.txt", f"User-agent: *\nCrawl-delay: {asked}".encode())
    mirror.serve("/a", SHORT)
    fetcher = make(pause=1)

    fetcher.fetch(mirror.url("/a"))
    fetcher.fetch(mirror.url("/a"))

    assert clock.waits == [waited, waited]


def test_asked_once(mirror: Mirror, make: Make) -> None:
    """A robots.txt is fetched once, before any document, and stays valid for the fetcher's life."""
    mirror.serve("/robots.txt", b"User-agent: variorum\nDisallow: /b")
    mirror.serve_all({"/a": SHORT, "/b": SHORT})
    fetcher = make()

    assert fetcher.fetch(mirror.url("/a")).body == SHORT
    assert refusal(fetcher, mirror.url("/b")) == ASKED_TO_STAY_AWAY

    assert [request.path for request in mirror.requests] == ["/robots.txt", "/a"]


@pytest.mark.parametrize(
    "behaviour",
    [
        Status(400),
        Status(404),
        Status(499),
        Status(401),
        Status(403),
        Status(410),
        Page(b"x" * (LONGEST + 9)),
        Page(b"x" * (LONGEST + 9), is_packed=True),
        Page(b""),
        Redirect("/robots.txt"),
        Redirect("/elsewhere"),
    ],
)
def test_no_robots(mirror: Mirror, make: Make, behaviour: Behaviour) -> None:
    """A host with no robots.txt, or with one that redirects in circles, allows everything."""
    mirror.serve("/robots.txt", behaviour)
    mirror.serve("/a", WORDS)

    assert make().fetch(mirror.url("/a")).body == WORDS


@pytest.mark.parametrize(("redirects", "is_allowed"), [(5, False), (6, True)])
def test_redirected_robots(mirror: Mirror, make: Make, redirects: int, is_allowed: bool) -> None:
    """Five redirects are followed; a robots.txt after a sixth does not count."""
    mirror.serve("/robots.txt", Redirect("/1"))
    for n in range(1, redirects):
        mirror.serve(f"/{n}", Redirect(f"/{n + 1}"))
    mirror.serve(f"/{redirects}", b"User-agent: *\nDisallow: /")
    mirror.serve("/a", WORDS)

    if is_allowed:
        assert make().fetch(mirror.url("/a")).body == WORDS
    else:
        assert refusal(make(), mirror.url("/a")) == ASKED_TO_STAY_AWAY


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        (Status(500), "500 Internal Server Error (tried 2 times)"),
        (Status(503), "503 Service Unavailable (tried 2 times)"),
        (Status(429), "429 Too Many Requests (tried 2 times)"),
        (Status(501), "501 Not Implemented"),
        (Hang(), "no answer for 0.1 seconds (tried 2 times)"),
        (Raw(b""), "the connection was closed without an answer (tried 2 times)"),
        (Page(WORDS, cut_after=5), "the body broke off (tried 2 times)"),
        (Page(WORDS, {"Content-Encoding": "br"}), "is packed in a way that we cannot read ('br')"),
        (
            Redirect("http://10.0.0.1/robots.txt"),
            "leads to a private address (10.0.0.1)",
        ),
        (Redirect("ftp://h/"), "redirects to ftp://h/, which is no http or https address"),
    ],
)
def test_error_robots_cannot_be_had(
    mirror: Mirror, make: Make, behaviour: Behaviour, reason: str
) -> None:
    """If a robots.txt cannot be fetched, the host is left for the next run."""
    mirror.serve("/robots.txt", behaviour)
    mirror.serve("/a", WORDS)
    fetcher = make(timeout=0.1, retries=1)

    for _ in range(2):
        assert refusal(fetcher, mirror.url("/a")) == (
            f"robots.txt of the host cannot be fetched ({reason})",
            True,
        )

    assert mirror.paths == []
    assert len(mirror.requests) <= 2


def test_each_port_has_its_own(mirror: Mirror, make: Make) -> None:
    """The robots.txt of one server does not bind another on the same host."""
    mirror.serve("/robots.txt", b"User-agent: *\nDisallow: /")
    with Mirror() as second:
        second.serve("/a", SHORT)
        fetcher = make(private_hosts=frozenset({"127.0.0.1"}))

        assert refusal(fetcher, mirror.url("/a")) == ASKED_TO_STAY_AWAY
        assert fetcher.fetch(second.url("/a")).body == SHORT
