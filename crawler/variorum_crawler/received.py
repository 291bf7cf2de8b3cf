"""A document as it was received from one address."""

from dataclasses import dataclass

from variorum_kb.model import Sha256


@dataclass(frozen=True, slots=True)
class Received:
    """A document as one address gave it; its bytes lie elsewhere.

    Attributes:
        name: Of the file, for people.
        address: That gave it.
        sha256: Of the bytes.
        headers: What the server said of it, names in small letters, sorted.
    """

    name: str
    address: str
    sha256: Sha256
    headers: tuple[tuple[str, str], ...] = ()
