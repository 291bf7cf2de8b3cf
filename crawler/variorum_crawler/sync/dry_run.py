"""Say what a run would do; fetch lists, but no documents."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from variorum_crawler.errors import FetchError, SourceError
from variorum_crawler.fetch.fetcher import Fetcher
from variorum_crawler.places.discover import discover
from variorum_crawler.places.offer import Offer
from variorum_crawler.places.source import Source
from variorum_crawler.sync.conditional_requests import Asker
from variorum_crawler.sync.crawl_state import CrawlState
from variorum_crawler.sync.incoming import Incoming
from variorum_crawler.sync.progress import Failed
from variorum_crawler.sync.report import Report
from variorum_crawler.trust.held_editions import seen_in
from variorum_crawler.trust.quarantine import Quarantine
from variorum_kb.documents.archive import Archive
from variorum_kb.system.default_folders import DOCUMENTS


@dataclass(frozen=True, slots=True)
class Planned:
    """What a run would do with an offer.

    Attributes:
        address: The address that would be asked first.
        what: "fetch", "ask whether it changed", "take in" for a local file, or "" for nothing.
    """

    offer: Offer
    address: str
    what: str


def plan(
    folder: Path, fetcher: Fetcher, sources: Iterable[Source], report: Report
) -> Iterator[Planned | Failed]:
    """Yield what a run would do with each offer; nothing is written.

    Args:
        folder: The folder of the knowledge base.
        fetcher: Fetches lists from the web.
        sources: The sources to ask.
        report: Counts the requests for lists.

    Raises:
        ArchiveError: The manifest, or the list of the quarantine, is damaged.
    """
    archive, quarantine = Archive(folder / DOCUMENTS), Quarantine(folder)

    held, quarantined = archive.__contains__, quarantine.__contains__
    asker = Asker(fetcher, CrawlState(folder), report, seen_in(archive), held, quarantined)
    incoming = Incoming(folder)
    for source in sources:
        try:
            for offer in discover(source, asker.page):
                stored = [address for address in offer.addresses if asker.known(address) in archive]
                address = (stored or list(offer.addresses))[0]
                if incoming.received(address):
                    action = "take in"
                else:
                    action = "ask whether it changed" if asker.known(address) else "fetch"
                yield Planned(offer, address, action)
        except (FetchError, SourceError) as error:
            yield Failed(source.name, "", str(error))
