"""The contents of readings, for comparing files of different formats."""

from tests.support.original_files import SAMPLE
from variorum_kb.model import Edition
from variorum_kb.reading.edition import read_edition


def sample_edition() -> Edition:
    """Return the newest edition of the sample rulebook, read from its text."""
    newest = max(SAMPLE.glob("*.txt"), key=lambda path: path.name)
    return read_edition(newest.read_bytes(), newest.name)


def contents_of(edition: Edition) -> tuple[list[tuple[object, ...]], object, object, object]:
    """Return the words and irregularities of an edition, without line numbers."""
    provisions: list[tuple[object, ...]] = [
        (
            provision.kind,
            provision.address,
            provision.printed,
            provision.heading,
            [(paragraph.marker, paragraph.text) for paragraph in provision.paragraphs],
            [(odd.kind, odd.printed) for odd in provision.irregularities],
        )
        for provision in (*edition.provisions, *edition.glossary)
    ]
    return provisions, edition.effective, edition.introduction, edition.credits
