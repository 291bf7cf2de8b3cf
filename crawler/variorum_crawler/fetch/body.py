"""A body as it arrives: unpacked, measured, and resumed where it broke off."""

import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Protocol

from variorum_crawler.fetch.failures import AttemptError, RefusalError

_GZIP = {"gzip", "x-gzip"}
_RANGE = re.compile(r"bytes (?P<first>\d{1,18})-(?P<last>\d{1,18})/(?P<total>\d{1,18}|\*)")
# RFC 9110, 8.8.2.2: a file that changed so shortly before it was sent may have changed twice.
_SETTLED = 60


class _Inflate(Protocol):
    """What `zlib.decompressobj` returns, whose class has no public name."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    @property
    def unconsumed_tail(self) -> bytes: ...
    def decompress(self, packed: bytes, most: int, /) -> bytes: ...


@dataclass(slots=True)
class Unpacker:
    """Unpacks a body as it arrives, up to a limit.

    Attributes:
        limit: In bytes, unpacked.
        is_clipped: Whether what is longer is cut off rather than refused.
    """

    is_packed: bool
    limit: int
    is_clipped: bool = False
    body: bytearray = field(default_factory=bytearray)
    _inflate: "_Inflate | None" = None

    @property
    def is_full(self) -> bool:
        """Return whether nothing further can be taken."""
        return self.is_clipped and len(self.body) >= self.limit

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes of the wire.

        Raises:
            RefusalError: The body is longer than the limit.
            AttemptError: The bytes are not what gzip writes.
        """
        if self.is_packed:
            self._unpack(chunk)
        else:
            self._keep(chunk)

    def finish(self) -> bytes:
        """Return the whole body.

        Raises:
            AttemptError: The packed bytes end too early.
        """
        if self._inflate is not None and not self._inflate.eof and not self.is_full:
            raise AttemptError("the packed body ends too early")
        return bytes(self.body)

    def _unpack(self, chunk: bytes) -> None:
        while not self.is_full:
            if self._inflate is not None and self._inflate.eof:
                # A gzip file may have several members, and be filled up with zeros.
                chunk = chunk.lstrip(b"\0")
                self._inflate = self._inflate if not chunk else None
            if not chunk:
                return
            self._inflate = self._inflate or zlib.decompressobj(31)
            try:
                # One byte more than there is room for tells that there is too much.
                self._keep(self._inflate.decompress(chunk, self.limit - len(self.body) + 1))
            except zlib.error:
                raise AttemptError("the packed body is damaged") from None
            is_over = self._inflate.eof
            chunk = self._inflate.unused_data if is_over else self._inflate.unconsumed_tail

    def _keep(self, chunk: bytes) -> None:
        self.body += chunk
        if len(self.body) <= self.limit:
            return
        if not self.is_clipped:
            raise too_long(self.limit)
        del self.body[self.limit :]


@dataclass(slots=True)
class Download:
    """A body of which a part may have arrived.

    Attributes:
        headers: Of the answer that began it.
        received: Bytes of the wire, still packed.
        total: As many there should be; None where nobody says.
    """

    headers: Mapping[str, str]
    unpacker: Unpacker
    received: int = 0
    total: int | None = None

    @property
    def validator(self) -> str:
        """Return by what the server can tell whether it is still the same body; "" by nothing."""
        if self.headers.get("accept-ranges", "").strip().lower() != "bytes":
            return ""
        etag = self.headers.get("etag", "")
        if etag:
            return "" if etag.startswith("W/") else etag
        modified = self.headers.get("last-modified", "")
        age = seconds_between(modified, self.headers.get("date", ""))
        return modified if age is not None and age >= _SETTLED else ""

    @property
    def _is_chunked(self) -> bool:
        return "transfer-encoding" in self.headers

    def range_headers(self) -> dict[str, str]:
        """Return the header fields that ask for the rest."""
        return {"Range": f"bytes={self.received}-", "If-Range": self.validator}

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes of the wire.

        Raises:
            RefusalError, AttemptError: As `Unpacker.feed`.
        """
        self.received += len(chunk)
        self.unpacker.feed(chunk)

    def finish(self) -> bytes:
        """Return the whole body.

        Raises:
            AttemptError: It is not whole.
        """
        is_short = self.total is not None and self.received != self.total
        if is_short and not self.unpacker.is_full:
            raise AttemptError(f"broke off after {self.received} of {self.total} bytes")
        if self.total is None and not self.received and not self._is_chunked:
            # Where nothing says how long a body is, this is also how headers that broke off look.
            raise AttemptError("the answer is empty")
        return self.unpacker.finish()

    def is_continued_by(self, headers: Mapping[str, str]) -> bool:
        """Return whether an answer of a range holds the rest of this body."""
        match = _RANGE.fullmatch(headers.get("content-range", "").strip().lower())
        if match is None or int(match["first"]) != self.received:
            return False
        # Whatever the server leaves out cannot contradict.
        same = all(
            headers.get(name, value) == value
            for name, value in self.headers.items()
            if name in {"etag", "last-modified", "content-encoding"}
        )
        total = int(match["last"]) + 1 if match["total"] == "*" else int(match["total"])
        is_rest = int(match["last"]) + 1 == total
        return same and is_rest and self.total in {None, total}


def begin(headers: Mapping[str, str], limit: int, *, is_clipped: bool = False) -> Download:
    """Make ready for the body of an answer.

    Raises:
        RefusalError: It says that it is too long, or packed in a way that we have not asked for.
    """
    encoding = headers.get("content-encoding", "").strip().lower()
    if encoding not in _GZIP | {"", "identity"}:
        raise RefusalError(
            f"is packed in a way that we cannot read ({encoding[:40]!a})", status=200
        )
    length = headers.get("content-length", "").strip()
    is_told = length.isascii() and length.isdigit() and "transfer-encoding" not in headers
    total = int(length[:18]) if is_told else None
    if total is not None and total > limit and not is_clipped:
        raise too_long(limit, total)
    return Download(headers, Unpacker(encoding in _GZIP, limit, is_clipped), total=total)


def too_long(limit: int, length: int | None = None) -> RefusalError:
    """Return the error that says that a body is longer than we take."""
    told = f"{length:,} bytes are" if length is not None else "is"
    return RefusalError(f"{told} more than the {limit:,} bytes allowed", status=200)


def seconds_between(first: str, second: str) -> float | None:
    """Return the seconds between two times as header fields write them; None if one is none.

    >>> seconds_between("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:50:07 GMT")
    30.0
    """
    try:
        times = [parsedate_to_datetime(text) for text in (first, second)]
        return (times[1] - times[0]).total_seconds()
    except (TypeError, ValueError, OverflowError):
        # Nonsense, or one of them of no time zone.
        return None
