"""The list of Academy Ruins."""

import json
from datetime import date

import pytest

from variorum_crawler.errors import SourceError
from variorum_crawler.fetch.fetched import Fetched
from variorum_crawler.places.academy_ruins import find_offers

BASE = "https://api.example.com/"
LISTED = "https://api.example.com/metadata/cr"


def listing(body: bytes) -> Fetched:
    """Return a list as fetched."""
    return Fetched(url=LISTED, final_url=LISTED, is_modified=True, body=body)


def entry(day: object, code: object) -> dict[str, object]:
    """Return an entry of the list."""
    return {"creationDay": day, "setCode": code, "setName": "A Set"}


def answer(*entries: object) -> Fetched:
    """Return a list with some entries."""
    return listing(json.dumps({"data": entries}).encode())


def test_offers_by_set() -> None:
    """Each set is an offer with the day of the list, oldest first; a repeated set is one offer."""
    listed = answer(
        entry("2023-09-01", "woe"), entry("2021-02-15", "KHM"), entry("2021-02-05", "KHM")
    )

    offers = list(find_offers("ruins", BASE, listed))

    assert [(offer.name, offer.addresses, offer.effective) for offer in offers] == [
        ("KHM.txt", ("https://api.example.com/file/cr/KHM",), date(2021, 2, 15)),
        ("WOE.txt", ("https://api.example.com/file/cr/WOE",), date(2023, 9, 1)),
    ]


def test_other_forms_of_a_list() -> None:
    """Lists without a table around them, and with times instead of days, are also read."""
    body = json.dumps([entry("2023-09-01T00:00:00.000Z", "WOE")]).encode()

    (offer,) = find_offers("ruins", BASE, listing(body))

    assert (offer.name, offer.effective) == ("WOE.txt", date(2023, 9, 1))


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "the answer is not JSON"),
        (b"<html>sign in</html>", "the answer is not JSON"),
        (b'{"data": [{"creationDay"', "the answer is not JSON"),
        (b"[" * 100_000, "the answer is not JSON"),
        (b"\xff\xfe{}", "the answer is not JSON"),
        (b"[]", "the list of editions is empty"),
        (b'{"detail": "gone"}', "the answer is no list of editions"),
        (b'{"data": {}}', "the answer is no list of editions"),
        (b'{"data": []}', "the list of editions is empty"),
    ],
)
def test_error_no_list(body: bytes, reason: str) -> None:
    """If an answer is no list, the error says what it is."""
    with pytest.raises(SourceError) as caught:
        list(find_offers("ruins", BASE, listing(body)))

    assert str(caught.value) == f"ruins: {LISTED}: {reason}"


@pytest.mark.parametrize(
    "odd",
    [
        None,
        {},
        entry("soon", "WOE"),
        entry(20230901, "WOE"),
        entry("2023-09-01", None),
        entry("2023-09-01", "../../etc"),
        entry("2023-09-01", ""),
    ],
)
def test_error_odd_entry(odd: object) -> None:
    """An unreadable entry is reported after all others are offered."""
    offers = find_offers("ruins", BASE, answer(odd, entry("2021-07-23", "AFR")))

    assert next(offers).name == "AFR.txt"
    with pytest.raises(SourceError) as caught:
        next(offers)
    assert str(caught.value) == (
        f"ruins: {LISTED}: entry 1 of the list has no setCode or creationDay in the form we expect"
    )
