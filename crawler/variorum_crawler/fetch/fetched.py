"""A fetched document, and how to ask whether it changed."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Validators:
    """A server's marks of a document, to ask whether it changed.

    Attributes:
        etag: As the server sent it; "" if it sent none.
        last_modified: Likewise.
    """

    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """A fetched document, or "not modified".

    Attributes:
        url: What was asked for.
        final_url: Where redirects led.
        is_modified: False if the server says that our copy is current (304); then there
            is no body.
        headers: Those that are worth keeping, names in small letters, sorted.
        body: Whole, unpacked from any content encoding.
    """

    url: str
    final_url: str
    is_modified: bool
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
