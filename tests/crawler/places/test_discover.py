"""The offers of every kind of source."""

import json
from collections.abc import Mapping
from datetime import date

import pytest

from variorum_crawler.errors import FetchError
from variorum_crawler.fetch.fetched import Fetched
from variorum_crawler.places.discover import Fetch, discover
from variorum_crawler.places.offer import Offer
from variorum_crawler.places.source import Kind, Known, Source

ARCHIVE = "http://127.0.0.1:8000"


def answering(answers: Mapping[str, bytes]) -> Fetch:
    """Return a fetcher with answers for some addresses, by their first characters."""

    def fetch(url: str) -> Fetched:
        for start, body in answers.items():
            if url.startswith(start):
                return Fetched(url=url, final_url=url, is_modified=True, body=body)
        raise FetchError(url, "404")

    return fetch


def test_known_addresses() -> None:
    """Known addresses are offered unchanged, without fetching anything."""
    source = Source(
        name="known",
        kind=Kind.ADDRESSES,
        documents=(
            Known(("http://a.example/One%20Two.txt", "http://b.example/x"), date(2021, 7, 23)),
            Known(("http://a.example/three.txt",)),
        ),
    )

    assert list(discover(source, answering({}))) == [
        Offer(
            source="known",
            name="One Two.txt",
            addresses=("http://a.example/One%20Two.txt", "http://b.example/x"),
            effective=date(2021, 7, 23),
        ),
        Offer(source="known", name="three.txt", addresses=("http://a.example/three.txt",)),
    ]


def captured(name: str, digest: str) -> bytes:
    """Return a list with one capture."""
    row = ["20100101000000", f"http://a.example/{name}", digest * 32]
    return json.dumps([["timestamp", "original", "digest"], row]).encode()


WAYBACK = Source(
    name="wayback",
    kind=Kind.WAYBACK,
    address=ARCHIVE,
    of=("http://a.example/one*", "http://a.example/two*", "http://a.example/three*"),
)
ASKED = f"{ARCHIVE}/cdx/search/cdx?url=http%3A%2F%2Fa.example%2F"


def test_wayback() -> None:
    """Each address is requested; a capture listed twice is one offer."""
    fetch = answering(
        {
            f"{ASKED}one": captured("CompRules 1.txt", "A"),
            f"{ASKED}two": captured("CompRules 2.txt", "B"),
            f"{ASKED}three": captured("CompRules 1.txt", "A"),
        }
    )

    assert [offer.name for offer in discover(WAYBACK, fetch)] == [
        "CompRules 1.txt",
        "CompRules 2.txt",
    ]


def test_error_wayback_list() -> None:
    """A failed list is reported after the others are offered."""
    fetch = answering({f"{ASKED}two": captured("CompRules 2.txt", "B"), f"{ASKED}three": b"busy"})

    offers = discover(WAYBACK, fetch)

    assert next(offers).name == "CompRules 2.txt"
    with pytest.raises(FetchError) as caught:
        next(offers)
    assert str(caught.value) == (
        f"{ASKED}one%2A&output=json&filter=statuscode:200&collapse=digest: 404"
    )


@pytest.mark.parametrize("kind", [Kind.PAGE, Kind.ACADEMY_RUINS])
def test_error_fetching(kind: Kind) -> None:
    """If a list cannot be fetched, the fetcher's error is raised."""
    source = Source(name="x", kind=kind, address=ARCHIVE)

    with pytest.raises(FetchError):
        list(discover(source, answering({})))


def test_nothing_happens_before_it_is_asked_for() -> None:
    """A source that was not chosen is not touched."""
    discover(Source(name="x", kind=Kind.PAGE, address=ARCHIVE), answering({}))
