"""What is remembered of an address to ask it again."""

import pytest

from variorum_crawler.sync.crawl_state import seen_of
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
    """A server that names no validators is asked by our clock, if that can be written."""
    seen = seen_of(Sha256("0a"), (), at)

    assert (seen.validators.last_modified, seen.is_dated_by_us) == (asked_since, True)
