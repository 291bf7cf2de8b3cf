"""A document that a source offers."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A document that a source offers: one edition, or one issue of it.

    Attributes:
        source: The name of the source.
        name: The name of the file, for people.
        addresses: Its addresses, best first.
        effective: The day of the edition according to the source; None if it gives none. Only the
            text is trusted.
    """

    source: str
    name: str
    addresses: tuple[str, ...]
    effective: date | None = None
