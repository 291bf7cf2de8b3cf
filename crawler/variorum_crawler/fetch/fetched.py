"""A fetched document, and how to ask whether it changed."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Validators:
    """A server's marks of a document, with which we ask whether it changed.

    Attributes:
        etag: As the server wrote it; "" if there is none.
        last_modified: Likewise.
    """

    etag: str = ""
    last_modified: str = ""

    def conditions(self) -> dict[str, str]:
        """Return the header fields that make a request conditional."""
        fields = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        # Leave out a damaged value, which no header can contain.
        return {k: v for k, v in fields.items() if v and v.isascii() and v.isprintable()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """A fetched document, or "not modified".

    Attributes:
        url: The address asked for.
        final_url: Where redirects led.
        is_modified: False if the server says that our copy is current (304); then there
            is no body.
        headers: The headers worth keeping, names in small letters, sorted.
        body: Complete, unpacked from any content encoding.
    """

    url: str
    final_url: str
    is_modified: bool
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
