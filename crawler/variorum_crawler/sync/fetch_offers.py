"""Fetch the documents that sources offer, address by address, into `crawl/incoming/`."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from variorum.documents.decisions import REDIRECTED, publisher_of, publishers_of
from variorum.model import Sha256, sha256_of
from variorum.thresholds.trust import ENOUGH_PUBLISHERS
from variorum_crawler.errors import FetchError, SourceError
from variorum_crawler.places.offers import find_offers
from variorum_crawler.places.sources import Offer, Source
from variorum_crawler.received import Received
from variorum_crawler.sync.conditional_requests import Asker
from variorum_crawler.sync.documents import Documents
from variorum_crawler.sync.progress import Event, Failed, Got, Looking, Quarantined, Spared
from variorum_crawler.trust.judge import reason_against


@dataclass(slots=True)
class Wanted:
    """An offer, and its addresses that have not been asked yet."""

    offer: Offer
    addresses: list[str]


@dataclass(frozen=True, slots=True)
class Given:
    """The document that was fetched for an offer.

    Attributes:
        wanted: The offer; None for a document from quarantine that is judged again.
    """

    wanted: Wanted | None
    received: Received


@dataclass(slots=True, kw_only=True)
class OfferFetcher:
    """Fetches the documents of offers, address by address.

    Attributes:
        given: The fetched documents in order, by hash.
        fetched: All documents by their address, trusted or not.
        gone: The addresses that have no document, and will have none tomorrow.
    """

    asker: Asker
    documents: Documents
    given: dict[Sha256, list[Given]] = field(default_factory=dict[Sha256, list[Given]])
    fetched: dict[str, Received] = field(default_factory=dict[str, Received])
    gone: list[str] = field(default_factory=list[str])

    def fetch_source(self, source: Source) -> Iterator[Event]:
        """Fetch everything that a source offers.

        If the whole source fails, the last event is its `Failed` with the address "".

        Raises:
            NotWritableError: `crawl/incoming/`, the quarantine or the state cannot be written.
        """
        yield Looking(source.name)
        has_offered = has_given = False
        try:
            for offer in find_offers(source, self.asker.page):
                has_offered = True
                for event in self.fetch_offer(Wanted(offer, self._in_order(offer))):
                    has_given |= isinstance(event, Got | Quarantined | Spared)
                    yield event
        except (FetchError, SourceError) as error:
            self.asker.drop_pages()
            yield Failed(source.name, "", str(error))
            return
        self.asker.keep_pages()
        if has_offered and not has_given:
            yield Failed(source.name, "", "none of its documents could be fetched")

    def _in_order(self, offer: Offer) -> list[str]:
        """Return the addresses of an offer; those whose documents are in the archive are first."""

        def is_later(address: str) -> bool:
            sha256 = self.asker.known(address) or ""
            return not self.documents.is_held(sha256) or self.documents.is_of_another_day(
                offer, sha256
            )

        return sorted(offer.addresses, key=is_later)

    def fetch_offer(self, wanted: Wanted) -> Iterator[Event]:
        """Ask the addresses of an offer in turn, until one serves a document of the offer's day.

        Raises:
            NotWritableError: `crawl/incoming/` or the quarantine cannot be written.
        """
        while wanted.addresses:
            address = wanted.addresses.pop(0)
            if self.documents.is_to_spare(wanted.offer, address):
                yield Spared()
                continue
            try:
                event: Got | Quarantined | Failed = self._ask(wanted, address)
            except FetchError as error:
                if not error.is_passing:
                    self.gone.append(address)
                event = Failed(wanted.offer.source, address, error.reason)
            yield event
            if isinstance(event, Got) and not self.documents.is_of_another_day(
                wanted.offer, event.sha256
            ):
                return

    def _ask(self, wanted: Wanted, address: str) -> Got | Quarantined:
        """Ask an address.

        Raises:
            FetchError: The address serves no document.
        """
        if address in self.fetched:  # for another source
            before = self.fetched[address]
            return self._look_at(wanted, before, self.documents.load(before.sha256), "")
        fetched = self.asker.document(address)
        if isinstance(fetched, str):
            entry = self.documents.quarantine.get(fetched)
            if entry is not None and not self.documents.is_held(fetched):
                return Quarantined(entry, address, is_new=False)
            return Got(fetched)
        headers = fetched.headers
        if publisher_of(fetched.final_url) != publisher_of(address):
            headers = tuple(sorted((*headers, (REDIRECTED, fetched.final_url))))
        received = Received(wanted.offer.name, address, sha256_of(fetched.body), headers)
        self.fetched[address] = received
        reason = reason_against(fetched.body, fetched.url, fetched.final_url)
        return self._look_at(wanted, received, fetched.body, reason)

    def _look_at(
        self, wanted: Wanted, received: Received, data: bytes, reason: str
    ) -> Got | Quarantined:
        """Keep a document, or quarantine it if there is a reason."""
        before = self.documents.quarantine.get(received.sha256)
        if not reason and before is not None:
            # If a second publisher serves a document, it is judged again.
            if (
                len(publishers_of(before.received))
                < ENOUGH_PUBLISHERS
                <= len(publishers_of([*before.received, received]))
            ):
                again = [Given(None, received) for received in before.received]
                self.given.setdefault(received.sha256, again)
            else:
                reason = before.reason
        is_held = self.documents.is_held(received.sha256)
        if reason and not is_held:
            entry, is_new = self.documents.quarantine.put(received, reason, data)
            return Quarantined(entry, received.address, is_new)
        if not is_held:
            self.documents.incoming.keep(received.sha256, data)
        self.given.setdefault(received.sha256, []).append(Given(wanted, received))
        return Got(received.sha256)
