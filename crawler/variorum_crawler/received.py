"""A document as one address served it."""

from dataclasses import dataclass
from pathlib import Path

from variorum_kb.model import Sha256, sha256_of


@dataclass(frozen=True, slots=True)
class Received:
    """A document as one address served it, without its bytes.

    Attributes:
        name: The name of the file, for people.
        address: The address that served it.
        sha256: The hash of its bytes.
        headers: The server's headers for it; names in small letters, sorted.
    """

    name: str
    address: str
    sha256: Sha256
    headers: tuple[tuple[str, str], ...] = ()


def load_received(folder: Path, sha256: str) -> bytes | None:
    """Return the bytes of a document from a folder; None if they are missing or damaged."""
    try:
        data = (folder / sha256).read_bytes()
    except OSError:
        return None
    return data if sha256_of(data) == sha256 else None
