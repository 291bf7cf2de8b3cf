"""Editions read from files."""

from pathlib import Path

from variorum_kb.documents.find import load
from variorum_kb.model import Edition
from variorum_kb.reading.edition import read_edition


def load_edition(path: Path) -> Edition:
    """Read the edition in a file."""
    return read_edition(load(path), str(path))
