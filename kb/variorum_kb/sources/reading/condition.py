"""The condition of a document that is not an edition: sound, repaired or lossy."""

from collections.abc import Iterator

from variorum_kb.model import Condition
from variorum_kb.sources.reading.bulletins.bulletins import Bulletin
from variorum_kb.sources.reading.passages.passages import Partial

_LOST = "\N{REPLACEMENT CHARACTER}"


def condition_of(document: Partial | Bulletin) -> Condition:
    """Return whether a document was repaired, or has lost characters."""
    if any(_LOST in text for text in _texts(document)):
        return Condition.LOSSY
    notes = document.decoding.repairs if isinstance(document, Bulletin) else document.notes
    return Condition.REPAIRED if notes else Condition.SOUND


def _texts(document: Partial | Bulletin) -> Iterator[str]:
    if isinstance(document, Bulletin):
        yield from (
            f"{announcement.words}{announcement.reason}" for announcement in document.announcements
        )
        return
    yield from (part.text for part in document.furniture)
    for passage in document.passages:
        yield passage.headword + passage.heading
        yield from (paragraph.text for paragraph in passage.paragraphs)
