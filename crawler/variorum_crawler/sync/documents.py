"""The documents available to a run: in the archive, in quarantine, or in `crawl/incoming/`."""

from dataclasses import dataclass, field
from datetime import date

from variorum.documents.archive import Archive
from variorum.errors import ArchiveError
from variorum.model import Sha256
from variorum_crawler.places.sources import Offer
from variorum_crawler.sync.crawl_state import CrawlState, Incoming
from variorum_crawler.trust.held_editions import Held
from variorum_crawler.trust.quarantine import Quarantine


@dataclass(slots=True, kw_only=True)
class Documents:
    """The documents in the archive, in quarantine, and in `crawl/incoming/`.

    Attributes:
        today: The day of the run.
        state: The state from earlier runs.
        held: The editions that the base holds.
        days: Known effective dates, by the hash of the document.
    """

    today: date
    archive: Archive
    quarantine: Quarantine
    incoming: Incoming
    state: CrawlState
    held: tuple[Held, ...] = ()
    days: dict[str, date] = field(default_factory=dict[str, date])
    _whole: dict[str, bool] = field(default_factory=dict[str, bool])

    def is_held(self, sha256: str) -> bool:
        """Return whether the archive has a document, undamaged."""
        if sha256 not in self._whole:
            try:
                kept = self.state.copy_of(sha256) or sha256
                self._whole[sha256] = kept in self.archive and bool(self.archive.load(kept))
            except ArchiveError:
                self._whole[sha256] = False
        return self._whole[sha256]

    def is_to_spare(self, offer: Offer, address: str) -> bool:
        """Return whether to skip an address: it was recently gone, and the base has its edition."""
        return self.state.is_lately_gone(address, self.today) and any(
            edition.candidate.effective == offer.effective for edition in self.held
        )

    def is_of_another_day(self, offer: Offer, sha256: str) -> bool:
        """Return whether a document has another date than its offer states."""
        day = self.days.get(self.state.copy_of(sha256) or sha256)
        return None not in {day, offer.effective} and day != offer.effective

    def is_quarantined(self, sha256: str) -> bool:
        """Return whether a document is in quarantine, undamaged."""
        return self.quarantine.load(sha256) is not None

    def load(self, sha256: Sha256) -> bytes:
        """Return a document's bytes from any of these places.

        Raises:
            ArchiveError: They are missing or damaged.
        """
        data = self.incoming.load(sha256)
        if data is None:  # an empty file is valid
            data = self.quarantine.load(sha256)
        return self.archive.load(sha256) if data is None else data

    def reopen_archive(self) -> None:
        """Open the archive again after a build.

        Raises:
            ArchiveError: Its manifest is damaged.
        """
        self.archive = Archive(self.archive.folder)
        self._whole.clear()
