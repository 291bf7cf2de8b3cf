"""Find the documents that a source offers. Each kind of source has a module of its own."""

from collections.abc import Callable, Iterator
from typing import assert_never

from variorum_crawler.errors import FetchError, SourceError
from variorum_crawler.fetch.fetched import Fetched
from variorum_crawler.places import academy_ruins, official_page, wayback
from variorum_crawler.places.offer import Offer
from variorum_crawler.places.published_file_names import file_name
from variorum_crawler.places.source import Kind, Source

Fetch = Callable[[str], Fetched]


def discover(source: Source, fetch: Fetch) -> Iterator[Offer]:
    """Yield the offers of a source, in an order that depends only on its answers.

    Nothing is fetched before the caller asks for it, and documents are only named.

    Args:
        source: A source that is enabled, or that the user named.
        fetch: Gets a page or a list; called once for each.

    Raises:
        SourceError: The source cannot be understood. If only a part is unreadable, the rest is
            offered first.
        FetchError: A page or a list cannot be fetched.
    """
    match source.kind:
        case Kind.ADDRESSES:
            yield from _known(source)
        case Kind.PAGE:
            yield from official_page.find_offers(source.name, fetch(source.address))
        case Kind.ACADEMY_RUINS:
            listing = fetch(academy_ruins.list_address(source.address))
            yield from academy_ruins.find_offers(source.name, source.address, listing)
        case Kind.WAYBACK:
            yield from _captured(source, fetch)
        case _:
            assert_never(source.kind)


def _known(source: Source) -> Iterator[Offer]:
    for document in source.documents:
        yield Offer(
            source=source.name,
            name=file_name(document.addresses[0]),
            addresses=document.addresses,
            effective=document.effective,
        )


def _captured(source: Source, fetch: Fetch) -> Iterator[Offer]:
    """Yield the captures of each address; a list that fails does not hide the others."""
    captures: list[wayback.Capture] = []
    failed: list[FetchError | SourceError] = []
    for pattern in source.of:
        try:
            listing = fetch(wayback.list_address(source.address, pattern))
            captures += wayback.find_captures(source.name, pattern, listing)
        except (FetchError, SourceError) as error:
            failed.append(error)
    yield from wayback.make_offers(source.name, source.address, captures)
    if failed:
        raise failed[0]
