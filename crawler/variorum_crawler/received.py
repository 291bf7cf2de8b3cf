"""A document as it was received from one address."""

from dataclasses import dataclass
from pathlib import Path

from variorum_kb.model import Sha256, sha256_of


@dataclass(frozen=True, slots=True)
class Received:
    """A document as one address gave it, without its bytes.

    Attributes:
        name: The name of the file, for people.
        address: The address that gave it.
        sha256: Of the bytes.
        headers: The headers that the server sent with it; names in small letters, sorted.
    """

    name: str
    address: str
    sha256: Sha256
    headers: tuple[tuple[str, str], ...] = ()


def load_received(folder: Path, sha256: str) -> bytes | None:
    """Return the bytes of a document from a folder; None where they are missing or damaged."""
    try:
        data = (folder / sha256).read_bytes()
    except OSError:
        return None
    return data if sha256_of(data) == sha256 else None
