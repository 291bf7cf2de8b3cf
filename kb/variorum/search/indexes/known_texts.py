"""Stores the distinct texts of a base, so that a later build reads only the new editions."""

from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from variorum.answers.texts import KnownTexts
from variorum.search.indexes.current_indexes import KEYS, LINES
from variorum.search.indexes.number_files import load_array, save_array

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase

_DIGESTS, _EDITIONS = "digests.bin", "editions.txt"


def save_texts(folder: Path, base: "KnowledgeBase", texts: KnownTexts) -> None:
    """Write the distinct texts of a whole base into a folder."""
    save_array(folder / KEYS, texts.keys)
    save_array(folder / LINES, texts.lines)
    save_array(folder / _DIGESTS, texts.digests)
    (folder / _EDITIONS).write_text(f"{texts.editions} {_digest(base, texts.editions)}", "utf-8")


def load_texts(folder: Path, base: "KnowledgeBase") -> KnownTexts | None:
    """Load texts that `save_texts` wrote; None if they are not from this base's first editions.

    If the same program makes two bases from the same documents, their rows are the same.
    """
    count, _, digest = (folder / _EDITIONS).read_text("utf-8").partition(" ")
    editions = int(count)
    if editions > len(base.editions) or digest != _digest(base, editions):
        return None
    digests = load_array(folder / _DIGESTS, "Q")
    return KnownTexts(editions, load_array(folder / KEYS), digests, load_array(folder / LINES))


def _digest(base: "KnowledgeBase", editions: int) -> str:
    hashes = [edition.sha256 for edition in base.editions[:editions]]
    made_by = [f"{name} {version}" for name, version in sorted(base.made_by().items())]
    return blake2b("\n".join([*made_by, *hashes]).encode(), digest_size=16).hexdigest()
