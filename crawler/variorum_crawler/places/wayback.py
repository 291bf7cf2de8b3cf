"""The Wayback Machine: its captures of our addresses, from its list (CDX).

The list is JSON: a row of column names, then a row for each capture. With "id_" after its time, the
address of a capture gives the original bytes, without the archive's banner.
"""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple, cast
from urllib.parse import quote

from variorum_crawler.errors import SourceError
from variorum_crawler.fetch.addresses import parse_address
from variorum_crawler.fetch.failures import RefusalError
from variorum_crawler.fetch.fetched import Fetched
from variorum_crawler.places.json_answers import parse_json
from variorum_crawler.places.offer import Offer
from variorum_crawler.places.published_file_names import (
    file_name,
    format_of,
    is_foreign_folder,
    is_rules_name,
)

_TIME = re.compile(r"\d{14}")
_DIGEST = re.compile(r"[A-Za-z0-9][\w+/=:-]{0,127}", re.ASCII)
_COLUMNS = ("timestamp", "original", "digest")


class Capture(NamedTuple):
    """A capture of a document.

    Attributes:
        time: The time of the capture, as YYYYMMDDhhmmss.
        original: The captured address.
        digest: A digest of its bytes, usually SHA-1 in base 32.
    """

    time: str
    original: str
    digest: str


def list_address(address: str, wanted: str) -> str:
    """Return the address that lists the captures of an address.

    >>> list_address("https://web.archive.org", "www.example.com/rules/*")[23:73]
    '/cdx/search/cdx?url=www.example.com%2Frules%2F%2A&'

    Args:
        address: The address of the archive.
        wanted: An address; a final "*" stands for any ending.
    """
    query = quote(wanted, safe="").replace("*", "%2A")
    return (
        f"{address.rstrip('/')}/cdx/search/cdx?url={query}"
        "&output=json&filter=statuscode:200&collapse=digest"
    )


def find_captures(source: str, wanted: str, listing: Fetched) -> list[Capture]:
    """Return the captures in a list, except files that are not named like the rules.

    An archive without captures answers with no rows, or with nothing.

    Args:
        source: The name of the source.
        wanted: The address asked for, or a pattern ending in "*". With a pattern, captures are also
            selected by name.
        listing: The list as fetched.

    Raises:
        SourceError: The answer is no such list.
    """
    if not listing.body.strip():
        return []
    where = f"{source}: {listing.url}"
    rows = _rows(parse_json(source, listing), where)
    captures = [_capture(row, where) for row in rows if _is_document(row)]
    is_single = not wanted.endswith("*")
    return [capture for capture in captures if is_single or _is_rules(capture.original)]


def make_offers(source: str, address: str, captures: Iterable[Capture]) -> list[Offer]:
    """Return an offer for each distinct document, oldest capture first.

    Args:
        source: The name of the source.
        address: The address of the archive.
        captures: The captures found, perhaps with repetitions.
    """
    documents: dict[str, list[Capture]] = {}
    for capture in sorted(set(captures)):
        documents.setdefault(capture.digest, []).append(capture)
    return [
        Offer(
            source=source,
            name=file_name(copies[0].original),
            addresses=tuple([_address(address, copy) for copy in copies]),
        )
        for copies in documents.values()
    ]


def _address(address: str, capture: Capture) -> str:
    return f"{address.rstrip('/')}/web/{capture.time}id_/{capture.original}"


def _rows(answer: object, where: str) -> list[Mapping[str, str]]:
    table = cast("list[object]", answer) if isinstance(answer, list) else None
    if table is None or not all(_is_row(row) for row in table):
        raise SourceError(f"{where}: the answer is no list of captures")
    rows = cast("list[list[str]]", table)
    if not rows:
        return []
    columns, *captures = rows
    missing = [name for name in _COLUMNS if name not in columns]
    if missing:
        raise SourceError(f"{where}: the list of captures has no column {missing[0]!r}")
    if any(len(row) != len(columns) for row in captures):
        raise SourceError(f"{where}: a row of the list of captures is cut off")
    return [dict(zip(columns, row, strict=True)) for row in captures]


def _is_row(row: object) -> bool:
    return isinstance(row, list) and all(
        isinstance(cell, str) for cell in cast("list[object]", row)
    )


def _is_document(row: Mapping[str, str]) -> bool:
    """Return whether a capture is a document rather than an error page."""
    return row.get("statuscode", "200") == "200" and row.get("mimetype") != "text/html"


def _capture(row: Mapping[str, str], where: str) -> Capture:
    time, digest = row["timestamp"], row["digest"]
    if not _TIME.fullmatch(time):
        raise SourceError(f"{where}: {time!r} is no time of a capture")
    if not _DIGEST.fullmatch(digest):
        raise SourceError(f"{where}: {digest!r} is no digest of a capture")
    try:
        return Capture(time, parse_address(row["original"]).url, digest)
    except RefusalError as error:
        raise SourceError(f"{where}: {row['original']!r} {error.reason}") from None


def _is_rules(address: str) -> bool:
    name = file_name(address)
    is_ours = is_rules_name(name) and not is_foreign_folder(address)
    return bool(format_of(name)) and is_ours
