"""Several attempts at one document: waits, and what is left of a broken body."""

import pytest

from tests.crawler.fetching import SHORT, WORDS, Clock, Make, refusal
from tests.crawler.mirror import DATE, LONG_AGO, Behaviour, Mirror, Page, Redirect, Status
from variorum_crawler.fetch.attempts import read_wait
from variorum_crawler.fetch.fetched import Validators

BROKEN = Page(WORDS, etag='"1"', has_ranges=True, cut_after=100)
WHOLE = Page(WORDS, etag='"1"', has_ranges=True)
CHANGED = Page(SHORT * 20, etag='"2"', has_ranges=True)


def ranges(mirror: Mirror) -> list[tuple[str | None, str | None]]:
    """Return what was asked for of a body at each attempt, and on which condition."""
    asked = [request.headers for request in mirror.asked_for("/a")]
    return [(headers.get("range"), headers.get("if-range")) for headers in asked]


def test_waits_double(mirror: Mirror, make: Make, clock: Clock) -> None:
    """Each further attempt waits twice as long, within reason."""
    mirror.serve("/a", *[Status(503)] * 8, SHORT)

    assert make(retries=8, backoff=2).fetch(mirror.url("/a")).body == SHORT
    assert clock.waits == [2, 4, 8, 16, 32, 60, 60, 60]


def test_wait_is_longer_than_the_pause(mirror: Mirror, make: Make, clock: Clock) -> None:
    """Of the pause and the wait before another attempt, the longer one counts."""
    mirror.serve("/a", Status(503), Status(503), SHORT)

    make(backoff=1, pause=1.5).fetch(mirror.url("/a"))

    assert clock.waits == [1.5, 1.5, 2]


@pytest.mark.parametrize(
    ("asked", "waited"),
    [
        ("7", 7),
        ("0", 1),
        ("120", 120),
        ("Fri, 20 Nov 2026 12:01:00 GMT", 60),
        ("Fri, 20 Nov 2026 11:00:00 GMT", 1),
        ("soon", 1),
        ("-5", 1),
        ("", 1),
    ],
)
def test_server_says_how_long(
    mirror: Mirror, make: Make, clock: Clock, asked: str, waited: float
) -> None:
    """A server that says how long to wait is waited for, if it says so in a way that is one."""
    mirror.serve("/a", Status(429, {"Retry-After": asked}), SHORT)

    assert make().fetch(mirror.url("/a")).body == SHORT
    assert clock.waits == [waited]


@pytest.mark.parametrize(
    ("asked", "told"),
    [("121", "121"), ("9" * 30, "999,999,999,999"), ("Fri, 20 Nov 2026 13:00:00 GMT", "3,600")],
)
def test_error_server_asks_for_too_long(
    mirror: Mirror, make: Make, clock: Clock, asked: str, told: str
) -> None:
    """A server that asks for more than two minutes is left for the next time."""
    mirror.serve("/a", Status(429, {"Retry-After": asked}))

    assert refusal(make(), mirror.url("/a")) == (
        f"429 Too Many Requests; asks us to wait for {told} seconds",
        True,
    )
    assert (len(mirror.paths), clock.waits) == (1, [])


def test_wait_of_no_known_length() -> None:
    """A date without the date of the answer says nothing: our clock may be wrong."""
    assert read_wait({"retry-after": DATE}) == 0
    assert read_wait({"retry-after": DATE, "date": "today"}) == 0


@pytest.mark.parametrize("code", [408, 425, 429, 500, 502, 503, 504])
def test_trouble_that_passes(mirror: Mirror, make: Make, code: int) -> None:
    """What may be over is tried again."""
    mirror.serve("/a", Status(code), Page(WORDS, cut_after=9), Page(WORDS))

    assert make().fetch(mirror.url("/a")).body == WORDS


@pytest.mark.parametrize("is_reset", [False, True])
@pytest.mark.parametrize("is_packed", [False, True])
def test_resume(mirror: Mirror, make: Make, is_packed: bool, is_reset: bool) -> None:
    """A body that broke off is continued, as long as it is the same."""
    cut = {"etag": '"1"', "has_ranges": True, "is_packed": is_packed}
    mirror.serve(
        "/a",
        Page(WORDS, **cut, cut_after=30),  # type: ignore[arg-type]
        Page(WORDS, **cut, cut_after=60, is_reset=is_reset),  # type: ignore[arg-type]
        Page(WORDS, **cut),  # type: ignore[arg-type]
    )

    fetched = make().fetch(mirror.url("/a"), Validators('"0"'))

    assert fetched.body == WORDS
    first, second, third = ranges(mirror)
    assert (first, second) == ((None, None), ("bytes=30-", '"1"'))
    # What was on its way at a reset may be lost.
    assert third in {("bytes=60-", '"1"'), ("bytes=30-", '"1"')}
    assert "if-none-match" not in mirror.asked_for("/a")[1].headers


def test_resume_past_other_trouble(mirror: Mirror, make: Make) -> None:
    """What has arrived is kept while the server has other trouble."""
    mirror.serve("/a", BROKEN, Status(503), WHOLE)

    assert make().fetch(mirror.url("/a")).body == WORDS
    assert ranges(mirror)[1:] == [("bytes=100-", '"1"')] * 2


def test_resume_by_date(mirror: Mirror, make: Make) -> None:
    """Without a tag, a date long enough ago tells whether it is the same body."""
    page = {"last_modified": LONG_AGO, "has_ranges": True}
    mirror.serve("/a", Page(WORDS, **page, cut_after=100), Page(WORDS, **page))  # type: ignore[arg-type]

    assert make().fetch(mirror.url("/a")).body == WORDS
    assert ranges(mirror)[1] == ("bytes=100-", LONG_AGO)


@pytest.mark.parametrize(
    "broken",
    [
        Page(WORDS, cut_after=100),
        Page(WORDS, etag='"1"', cut_after=100),
        Page(WORDS, has_ranges=True, cut_after=100),
        Page(WORDS, etag='W/"1"', has_ranges=True, cut_after=100),
        Page(WORDS, last_modified=DATE, has_ranges=True, cut_after=100),
        Page(WORDS, last_modified="long ago", has_ranges=True, cut_after=100),
        Page(WORDS, etag='"1"', has_ranges=True, cut_after=0),
    ],
)
def test_begun_again(mirror: Mirror, make: Make, broken: Page) -> None:
    """Without a sure sign that it is the same body, it is fetched anew."""
    mirror.serve("/a", broken, WHOLE)

    assert make().fetch(mirror.url("/a")).body == WORDS
    assert ranges(mirror) == [(None, None)] * 2


def part(content_range: str, body: bytes = WORDS[100:], **headers: str) -> Status:
    """Return an answer of a range, as it is told."""
    told = {"Content-Range": content_range, "ETag": '"1"'}
    return Status(206, {**told, **{k.replace("_", "-"): v for k, v in headers.items()}}, body)


@pytest.mark.parametrize(
    "answer",
    [
        part("bytes 99-959/960"),
        part("bytes 100-959/961"),
        part("bytes 100-500/960"),
        part("bytes 100-959/960", ETag='"2"'),
        part("bytes 100-959/960", Content_Encoding="gzip"),
        part("bytes 100-959/*", body=WORDS),
        part("words 100-959/960"),
        part(""),
        Status(416),
        Status(304),
        Status(200, {"ETag": '"1"'}, WORDS),
    ],
)
def test_answer_of_another_range(mirror: Mirror, make: Make, answer: Behaviour) -> None:
    """A part that does not fit is thrown away with what it should have continued."""
    mirror.serve("/a", BROKEN, answer, WHOLE)

    assert make().fetch(mirror.url("/a")).body == WORDS


def test_part_that_fits(mirror: Mirror, make: Make) -> None:
    """A part that says of itself what it must is taken, however little else it says."""
    mirror.serve("/a", BROKEN, part("bytes 100-959/*", ETag=""))

    assert make().fetch(mirror.url("/a")).body == WORDS


def test_document_that_changes_meanwhile(mirror: Mirror, make: Make) -> None:
    """A document that changed while it broke off is fetched anew, never mixed."""
    mirror.serve("/a", BROKEN, CHANGED)

    fetched = make().fetch(mirror.url("/a"))

    assert (fetched.body, fetched.header("etag")) == (SHORT * 20, '"2"')


def test_document_that_moves_meanwhile(mirror: Mirror, make: Make) -> None:
    """A document that moved while it broke off is fetched anew from where it is now."""
    mirror.serve("/a", BROKEN, Redirect("/b"))
    mirror.serve("/b", CHANGED)

    assert make().fetch(mirror.url("/a")).body == SHORT * 20
    assert mirror.asked_for("/b")[0].headers.get("range") is None


def test_error_broken_for_ever(mirror: Mirror, make: Make) -> None:
    """A body that breaks off each time at the same place is given up."""
    mirror.serve("/a", BROKEN)

    assert refusal(make(), mirror.url("/a")) == ("the body broke off (tried 3 times)", True)
