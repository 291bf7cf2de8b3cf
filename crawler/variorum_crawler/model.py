"""The nouns of the crawler: what a source offers, and what a server answered."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Validators:
    """What a server said of what we hold, to ask whether it is still so.

    Attributes:
        etag: As it came; "" without.
        last_modified: As it came; "" without.
    """

    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """What a server answered.

    Attributes:
        url: What was asked for.
        final_url: Where redirects led.
        is_modified: False where the server says that what we hold is still so (304); then there
            is no body.
        headers: Those that are worth keeping, names in small letters, sorted.
        body: Whole, unpacked from any content encoding.
    """

    url: str
    final_url: str
    is_modified: bool
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""

    def header(self, name: str) -> str:
        """Return a header by its name in small letters; "" without."""
        return dict(self.headers).get(name, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A document that a source offers: one edition, or one issue of it.

    Attributes:
        source: The name of the source.
        name: Of the file, for people.
        addresses: Where it can be had, the best one first; for what lies on this computer the
            path, with "!" and the member of a ZIP, or with "@" and the commit of a git repository.
        effective: The day that the source believes it is of; None where it says none. Never
            trusted: the text decides.
        body: What lies on this computer already; None of what must be fetched.
    """

    source: str
    name: str
    addresses: tuple[str, ...]
    effective: date | None = None
    body: bytes | None = None
