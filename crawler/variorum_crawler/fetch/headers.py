"""The header fields that a request sends, and those that are kept of an answer."""

from collections.abc import Mapping

from variorum_kb.versions import PROGRAM

SENT = {
    "User-Agent": f"Variorum/{PROGRAM} (archive of the Comprehensive Rules)",
    "Accept": "*/*",
    "Accept-Encoding": "gzip",
}
_KEPT = (
    "content-disposition",
    "content-length",
    "content-type",
    "date",
    "etag",
    "last-modified",
    # In these headers, the Wayback Machine says when it saw a page, and when the page last changed.
    "memento-datetime",
    "x-archive-orig-last-modified",
)


def keep_headers(headers: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the header fields worth keeping, each on one line, sorted by name."""
    return tuple((name, " ".join(headers[name].split())) for name in _KEPT if name in headers)
