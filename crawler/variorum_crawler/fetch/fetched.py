"""What a server answered, and how to ask whether it still holds."""

from dataclasses import dataclass


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
