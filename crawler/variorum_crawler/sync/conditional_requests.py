"""Ask whether the documents that we have stored have changed."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from variorum.model import Sha256
from variorum_crawler.errors import FetchError
from variorum_crawler.fetch.fetcher import Fetched, Fetcher, Validators
from variorum_crawler.sync.crawl_state import CrawlState, Seen
from variorum_crawler.sync.report import Report

# After this many failures in a row, a host is not asked again in this run; each of these requests
# has already been retried.
_MOST_FAILURES = 4


@dataclass(slots=True)
class Asker:
    """Asks addresses conditionally.

    Attributes:
        report: Counts the requests.
        seen: The last document of each address, from the manifest; used if the state does not know
            the address.
        is_held: Whether a document is in the archive, undamaged.
        is_quarantined: Whether a document is in quarantine. A document that is neither there nor in
            the archive is fetched completely.
    """

    fetcher: Fetcher
    state: CrawlState
    report: Report
    seen: Mapping[str, Seen]
    is_held: Callable[[str], bool]
    is_quarantined: Callable[[str], bool]
    _failures: Counter[str] = field(default_factory=Counter[str])
    _pages: dict[str, Fetched] = field(default_factory=dict[str, Fetched])
    # Unmodified documents and failures, by address, for other sources with the same address.
    _answers: dict[str, Sha256 | FetchError] = field(default_factory=dict[str, Sha256 | FetchError])

    def page(self, url: str) -> Fetched:
        """Return a page that lists editions; if it has not changed, the stored page.

        Raises:
            FetchError: The page cannot be fetched.
        """
        kept = self.state.page(url)
        fetched = self._ask(url, kept[0].validators if kept else Validators())
        if kept and not fetched.is_modified:
            return replace(fetched, is_modified=True, body=kept[1])
        self._pages[url] = fetched
        return fetched

    def keep_pages(self) -> None:
        """Store the fetched pages, which have proved to be lists of editions.

        Raises:
            NotWritableError: The pages cannot be written; the disk may be full.
        """
        for url, fetched in self._pages.items():
            self.state.keep_page(url, fetched)
        self._pages.clear()

    def drop_pages(self) -> None:
        """Forget the fetched pages, because a stored error page might be used for ever."""
        self._pages.clear()

    def known(self, url: str) -> Sha256 | None:
        """Return the last document of an address if we still have it; else None."""
        seen = self._known(url)
        return seen.sha256 if seen else None

    def document(self, url: str) -> Fetched | Sha256:
        """Return the document of an address, or the hash of the stored one if it has not changed.

        An address of several sources is asked once in a run.

        Raises:
            FetchError: The address serves no document.
        """
        answer = self._answers.get(url)
        if isinstance(answer, FetchError):
            raise answer
        if answer is not None:
            return answer
        seen = self._known(url)
        try:
            fetched = self._ask(url, seen.validators if seen else Validators())
        except FetchError as error:
            self._answers[url] = error
            raise
        if fetched.is_modified:
            return fetched
        if seen is None:
            raise FetchError(url, "says that nothing changed, but we have nothing from there")
        self._answers[url] = seen.sha256
        return seen.sha256

    def _known(self, url: str) -> Seen | None:
        seen = self.state.document(url) or self.seen.get(url)
        if seen is None or self.is_held(seen.sha256):
            return seen
        if not self.is_quarantined(seen.sha256):
            return None
        # An error page in quarantine may be newer than the document that replaces it. So we send
        # only the ETag, and no date.
        return Seen(seen.sha256, Validators(etag=seen.validators.etag))

    def _ask(self, url: str, validators: Validators) -> Fetched:
        host = urlsplit(url).netloc
        if self._failures[host] >= _MOST_FAILURES:
            raise FetchError(
                url, f"not asked: {host} failed {_MOST_FAILURES} times in a row", is_passing=True
            )
        self.report.requests += 1
        self.report.conditional += validators != Validators()
        try:
            fetched = self.fetcher.fetch(url, validators)
        except FetchError as error:
            self._failures[host] = self._failures[host] + 1 if error.is_passing else 0
            raise
        self._failures[host] = 0
        self.report.unchanged += not fetched.is_modified
        return fetched
