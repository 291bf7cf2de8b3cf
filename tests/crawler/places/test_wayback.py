"""The lists of captures of the Wayback Machine."""

import json

import pytest

from variorum_crawler.errors import SourceError
from variorum_crawler.fetch.fetched import Fetched
from variorum_crawler.places.wayback import find_captures, make_offers

BASE = "https://archive.example.org"
LISTED = f"{BASE}/cdx/search/cdx"
COLUMNS = ["urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length"]
FOLDER = "http://www.example.com:80/magic/comprules"
ONE, TWO = "A" * 32, "B" * 32


def row(time: str, name: str, digest: str, kind: str = "text/plain", status: str = "200") -> object:
    """Return a row of the list."""
    return ["com,example)/", time, f"{FOLDER}/{name}", kind, status, digest, "1"]


def listing(*rows: object) -> Fetched:
    """Return a list with some rows."""
    return raw(json.dumps([COLUMNS, *rows]).encode())


def raw(body: bytes) -> Fetched:
    """Return an answer."""
    return Fetched(url=LISTED, final_url=LISTED, is_modified=True, body=body)


def test_offer_for_each_document() -> None:
    """Captures of the same bytes are addresses of one offer, oldest first."""
    listed = listing(
        row("20100101000000", "MagicCompRules_20091005.txt", TWO),
        row("20091201000000", "MagicCompRules_20091005.txt", ONE),
        row("20120101000000", "MagicCompRules 20091005.txt", ONE),
    )

    captures = find_captures("wayback", f"{FOLDER}/*", listed)

    offers = make_offers("wayback", BASE, [*captures, *captures])
    assert [(offer.name, offer.addresses) for offer in offers] == [
        (
            "MagicCompRules_20091005.txt",
            (
                f"{BASE}/web/20091201000000id_/{FOLDER}/MagicCompRules_20091005.txt",
                f"{BASE}/web/20120101000000id_/{FOLDER}/MagicCompRules%2020091005.txt",
            ),
        ),
        (
            "MagicCompRules_20091005.txt",
            (f"{BASE}/web/20100101000000id_/{FOLDER}/MagicCompRules_20091005.txt",),
        ),
    ]
    assert {offer.effective for offer in offers} == {None}


def test_other_captures_are_left_out() -> None:
    """Pages instead of documents, errors and other downloads are left out."""
    listed = listing(
        row("20100101000000", "MagicCompRules_20091005.txt", ONE, "text/html"),
        row("20100101000000", "MagicCompRules_20091005.txt", ONE, status="404"),
        row("20100101000000", "TournamentRules_20091005.txt", ONE),
        row("20100101000000", "MagicCompRules_20091005.exe", ONE),
        row("20100101000000", "de/MagicCompRules_20091005.txt", ONE),
    )

    assert find_captures("wayback", f"{FOLDER}/*", listed) == []


def test_single_address_is_taken_by_any_name() -> None:
    """For a complete address, captures with any file name are accepted."""
    listed = listing(row("20100101000000", "cr.aspx", ONE, "application/octet-stream"))

    assert len(find_captures("wayback", f"{FOLDER}/cr.aspx", listed)) == 1


@pytest.mark.parametrize("body", [b"", b"\n", b"[]", json.dumps([COLUMNS]).encode()])
def test_nothing_captured(body: bytes) -> None:
    """An archive without captures is no error."""
    assert find_captures("wayback", f"{FOLDER}/*", raw(body)) == []


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"<html>busy</html>", "the answer is not JSON"),
        (b'[["urlkey","timestamp"', "the answer is not JSON"),
        (b"[" * 100_000, "the answer is not JSON"),
        (b"{}", "the answer is no list of captures"),
        (b'["a"]', "the answer is no list of captures"),
        (b'[["timestamp", 1]]', "the answer is no list of captures"),
        (b'[["timestamp", "original"]]', "the list of captures has no column 'digest'"),
        (
            b'[["timestamp", "original", "digest"], ["20100101000000"]]',
            "a row of the list of captures is cut off",
        ),
    ],
)
def test_error_no_list(body: bytes, reason: str) -> None:
    """If the answer is no list of captures, the error says what it is."""
    with pytest.raises(SourceError) as caught:
        find_captures("wayback", f"{FOLDER}/*", raw(body))

    assert str(caught.value) == f"wayback: {LISTED}: {reason}"


@pytest.mark.parametrize(
    ("time", "original", "digest", "reason"),
    [
        ("2010", "http://a.example/CompRules.txt", ONE, "'2010' is no time of a capture"),
        ("20100101000000", "http://a.example/CompRules.txt", "-", "'-' is no digest of a capture"),
        (
            "20100101000000",
            "ftp://a.example/x",
            ONE,
            "'ftp://a.example/x' is no http or https address",
        ),
    ],
)
def test_error_odd_row(time: str, original: str, digest: str, reason: str) -> None:
    """For an impossible row, the error names it."""
    body = json.dumps([["timestamp", "original", "digest"], [time, original, digest]])

    with pytest.raises(SourceError) as caught:
        find_captures("wayback", f"{FOLDER}/*", raw(body.encode()))

    assert str(caught.value) == f"wayback: {LISTED}: {reason}"
