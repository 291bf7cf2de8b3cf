"""The record of an address, which makes the next request conditional."""

from pathlib import Path

import pytest

from variorum_crawler.fetch.fetched import Validators
from variorum_crawler.sync.crawl_state import CrawlState, Seen, seen_of
from variorum_kb.model import Sha256


@pytest.mark.parametrize(
    ("at", "asked_since"),
    [
        ("2026-01-02T03:04:05+00:00", "Fri, 02 Jan 2026 03:04:05 GMT"),
        ("0001-01-01T00:00:00+14:00", ""),
        ("yesterday", ""),
    ],
)
def test_own_clock(at: str, asked_since: str) -> None:
    """For a server without validators, our own clock's date is sent, if HTTP can express it."""
    seen = seen_of(Sha256("0a"), (), at)

    assert (seen.validators.last_modified, seen.is_dated_by_us) == (asked_since, True)


@pytest.mark.parametrize(
    ("sha256", "is_dated_by_us", "is_remembered"),
    [("0a", True, False), ("0a", False, True), ("0b", True, True), ("0b", False, True)],
)
def test_saw_document(
    tmp_path: Path, sha256: str, is_dated_by_us: bool, is_remembered: bool
) -> None:
    """If the same bytes are served again, only a date from the server changes the record."""
    state = CrawlState(tmp_path)
    before = Seen(Sha256("0a"), Validators("", "Fri, 02 Jan 2026 03:04:05 GMT"))
    after = Seen(Sha256(sha256), Validators("", "Sat, 03 Jan 2026 03:04:05 GMT"), is_dated_by_us)
    state.saw_document("https://example.org/rules", before)

    state.saw_document("https://example.org/rules", after)

    assert state.document("https://example.org/rules") == (after if is_remembered else before)
