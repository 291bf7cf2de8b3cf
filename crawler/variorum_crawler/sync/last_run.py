"""How the last syncs of a base ended: `crawl/last.json` in its folder."""

from pathlib import Path
from typing import TypedDict

from variorum_crawler.sync.crawl_state import CRAWL
from variorum_kb.errors import ArchiveError
from variorum_kb.system.json_files import load_json, save_json

LAST = "last.json"


class Last(TypedDict):
    """How the last syncs ended.

    Attributes:
        since: When the first of the consecutive syncs ended this way, as an ISO date with time and
            zone.
        new: The labels of the editions that the last sync added.
        failed_sources: The names of the sources that failed entirely.
    """

    since: str
    new: list[str]
    failed_sources: list[str]


def last_of(base: Path) -> Last | None:
    """Return how the last syncs of a base ended; None if unknown."""
    try:
        value = load_json(base / CRAWL / LAST)
        new, failed = map(str, value["new"]), map(str, value["failed_sources"])
        return {"since": str(value["since"]), "new": [*new], "failed_sources": [*failed]}
    except (ArchiveError, KeyError, TypeError):
        return None


def save_last(base: Path, last: Last) -> None:
    """Record how a sync ended, unless it ended like the last one and found nothing new.

    Raises:
        NotWritableError: The record cannot be written; the disk may be full.
    """
    before = last_of(base)
    if before is None or last["new"] or before["failed_sources"] != last["failed_sources"]:
        save_json(base / CRAWL / LAST, {**last})
