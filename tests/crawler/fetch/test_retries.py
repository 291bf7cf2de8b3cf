"""Several attempts at one document: their waits, and what ends them."""

from dataclasses import replace

import pytest

from tests.crawler.fetching import SHORT, WORDS, Clock, Make, refusal
from tests.crawler.mirror import Mirror, Page, Status
from variorum_crawler.fetch.fetched import Validators


def test_waits_double(mirror: Mirror, make: Make, clock: Clock) -> None:
    """Each further attempt waits twice as long, up to a limit."""
    mirror.serve("/a", *[Status(503)] * 8, SHORT)

    assert make(retries=8).fetch(mirror.url("/a")).body == SHORT
    assert clock.waits == [1, 2, 4, 8, 16, 32, 60, 60]


def test_wait_is_longer_than_the_pause(mirror: Mirror, make: Make, clock: Clock) -> None:
    """Before another attempt, the longer of pause and wait applies."""
    mirror.serve("/a", Status(503), Status(503), SHORT)

    make(pause=1.5).fetch(mirror.url("/a"))

    assert clock.waits == [1.5, 1.5, 2]


@pytest.mark.parametrize(
    ("asked", "waited"),
    [
        ("7", 7),
        ("0", 1),
        ("120", 120),
        ("Fri, 20 Nov 2026 12:01:00 GMT", 60),
        ("Fri, 20 Nov 2026 11:00:00 GMT", 1),
        ("Fri, 20 Nov 99999999999999999999 12:01:00 GMT", 1),
        ("soon", 1),
        ("-5", 1),
        ("", 1),
    ],
)
def test_server_says_how_long(
    mirror: Mirror, make: Make, clock: Clock, asked: str, waited: float
) -> None:
    """If a server says how long to wait, the fetcher waits that long."""
    mirror.serve("/a", Status(429, {"Retry-After": asked}), SHORT)

    assert make().fetch(mirror.url("/a")).body == SHORT
    assert clock.waits == [waited]


@pytest.mark.parametrize(
    ("asked", "shown"),
    [("121", "121"), ("9" * 30, "999,999,999,999"), ("Fri, 20 Nov 2026 13:00:00 GMT", "3,600")],
)
def test_error_server_asks_for_too_long(
    mirror: Mirror, make: Make, clock: Clock, asked: str, shown: str
) -> None:
    """If a server asks for more than two minutes, the address is left for the next run."""
    mirror.serve("/a", Status(429, {"Retry-After": asked}))

    assert refusal(make(), mirror.url("/a")) == (
        f"429 Too Many Requests; asks us to wait for {shown} seconds",
        True,
    )
    assert (len(mirror.paths), clock.waits) == (1, [])


def test_trouble_that_passes(mirror: Mirror, make: Make) -> None:
    """A document is fetched in the end, after any number of faults."""
    mirror.serve("/a", Status(503), Page(WORDS, cut_after=9), Page(WORDS))

    assert make().fetch(mirror.url("/a")).body == WORDS


@pytest.mark.parametrize("is_packed", [False, True])
def test_broken_body_is_fetched_again(mirror: Mirror, make: Make, is_packed: bool) -> None:
    """After an incomplete body, the whole document is requested again, with the same conditions."""
    broken = Page(WORDS, etag='"1"', is_packed=is_packed, cut_after=30)
    mirror.serve("/a", broken, replace(broken, is_reset=True), replace(broken, cut_after=None))

    assert make().fetch(mirror.url("/a"), Validators('"0"')).body == WORDS

    asked = [request.headers for request in mirror.asked_for("/a")]
    assert [headers.get("if-none-match") for headers in asked] == ['"0"'] * 3
    assert not any("range" in headers for headers in asked)


def test_document_that_changes_meanwhile(mirror: Mirror, make: Make) -> None:
    """If a document changes after a broken download, its two versions are never mixed."""
    mirror.serve("/a", Page(WORDS, etag='"1"', cut_after=100), Page(SHORT * 20, etag='"2"'))

    fetched = make().fetch(mirror.url("/a"))

    assert (fetched.body, dict(fetched.headers)["etag"]) == (SHORT * 20, '"2"')
