"""A document as one address served it."""

from dataclasses import dataclass

from variorum.model import Sha256


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
