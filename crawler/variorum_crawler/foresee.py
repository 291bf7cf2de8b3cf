"""What a run would do, without doing it: lists are fetched, documents are not."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from variorum_crawler.asking import Asker, Fetches
from variorum_crawler.errors import FetchError, SourceError
from variorum_crawler.events import Failed
from variorum_crawler.holdings import seen_in
from variorum_crawler.model import Offer
from variorum_crawler.places import Place
from variorum_crawler.quarantine import Quarantine
from variorum_crawler.spool import Spool
from variorum_crawler.state import CrawlState, hash_of
from variorum_kb.documents.archive import Archive
from variorum_kb.system.place import DOCUMENTS


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What would be done with an offer.

    Attributes:
        address: The one that would be asked first.
        what: "fetch", "ask whether it changed", "take in" of what lies on this computer, or ""
            where nothing would be done.
    """

    offer: Offer
    address: str
    what: str


def foresee(folder: Path, fetcher: Fetches, places: Iterable[Place]) -> Iterator[Foreseen | Failed]:
    """Yield what a run would do; nothing is written.

    Raises:
        ArchiveError: The manifest, or the list of the quarantine, is damaged.
    """
    archive, quarantine = Archive(folder / DOCUMENTS), Quarantine(folder)

    held, aside = archive.__contains__, quarantine.__contains__
    asker = Asker(fetcher, CrawlState(folder), seen_in(archive), held, aside)
    spool = Spool(folder)
    for place in places:
        try:
            for offer in place.offers(asker):
                known = [one for one in offer.addresses if asker.known(one) in archive]
                address = (known or list(offer.addresses))[0]
                if offer.body is not None:
                    sha256 = hash_of(offer.body)
                    what = "" if sha256 in archive or sha256 in quarantine else "take in"
                elif spool.copy(address):
                    what = "take in"
                else:
                    what = "ask whether it changed" if asker.known(address) else "fetch"
                yield Foreseen(offer, address, what)
        except (FetchError, SourceError) as error:
            yield Failed(place.name, "", str(error))
