"""Bodies as they arrive, in whatever pieces."""

import gzip
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum_crawler.fetch.body import Unpacker, begin, seconds_between
from variorum_crawler.fetch.failures import AttemptError, RefusalError

THEN = "Sun, 06 Nov 1994 08:49:37 GMT"


def unpack(pieces: list[bytes], limit: int = 10_000, *, is_clipped: bool = False) -> bytes:
    """Return what packed pieces hold."""
    unpacker = Unpacker(is_packed=True, limit=limit, is_clipped=is_clipped)
    for piece in pieces:
        unpacker.feed(piece)
    return unpacker.finish()


@given(
    st.lists(st.binary(max_size=300), min_size=1, max_size=3),
    st.lists(st.integers(0, 500), max_size=6),
    st.integers(0, 9),
)
def test_pieces_do_not_matter(members: list[bytes], cuts: list[int], zeros: int) -> None:
    """However a packed body is cut into pieces, and of however many members, it is the same."""
    packed = b"".join(map(gzip.compress, members)) + bytes(zeros)
    ends = [0, *sorted(cuts), len(packed)]
    pieces = [packed[a:b] for a, b in pairwise(ends)]

    assert unpack(pieces) == b"".join(members)


@given(st.binary(min_size=1, max_size=2000), st.integers(1, 100), st.integers(1, 5000))
def test_limit_holds(body: bytes, step: int, limit: int) -> None:
    """What is longer than the limit is refused or cut there, and never by a byte more or less."""
    packed = gzip.compress(body)
    pieces = [packed[i : i + step] for i in range(0, len(packed), step)]

    assert unpack(pieces, limit, is_clipped=True) == body[:limit]
    if len(body) <= limit:
        assert unpack(pieces, limit) == body
    else:
        with pytest.raises(RefusalError):
            unpack(pieces, limit)


@given(st.binary(max_size=300), st.data())
def test_error_cut_off(body: bytes, data: st.DataObject) -> None:
    """A packed body that lacks its end is never taken for whole."""
    packed = gzip.compress(body)
    length = data.draw(st.integers(1, len(packed) - 1))

    with pytest.raises(AttemptError, match="the packed body ends too early"):
        unpack([packed[:length]])


@pytest.mark.parametrize(
    "packed",
    [b"words", gzip.compress(b"words") + b"more", gzip.compress(b"words")[:-8] + b"12345678"],
)
def test_error_damaged(packed: bytes) -> None:
    """What gzip would not have written is refused, and so are words behind its end."""
    with pytest.raises(AttemptError) as caught:
        unpack([packed])

    assert str(caught.value) == "the packed body is damaged"


@pytest.mark.parametrize(
    ("headers", "total"),
    [
        ({}, None),
        ({"content-length": "7"}, 7),
        ({"content-length": " 7 "}, 7),
        ({"content-length": "7", "transfer-encoding": "chunked"}, None),
        ({"content-length": "seven"}, None),
        ({"content-length": "-7"}, None),
        ({"content-length": "\u0667"}, None),
    ],
)
def test_length(headers: dict[str, str], total: int | None) -> None:
    """A length is a number in plain digits, and counts only where nothing else ends the body."""
    assert begin(headers, 100).total == total


@pytest.mark.parametrize(
    ("length", "message"),
    [
        ("101", "101 bytes are more than the 100 bytes allowed"),
        ("9" * 5000, "999,999,999,999,999,999 bytes are more than the 100 bytes allowed"),
    ],
)
def test_error_length(length: str, message: str) -> None:
    """A length beyond the limit is refused before the body is read."""
    with pytest.raises(RefusalError) as caught:
        begin({"content-length": length}, 100)

    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (THEN, THEN, 0.0),
        ("Sunday, 06-Nov-94 08:49:37 GMT", THEN, 0.0),
        ("Sun Nov  6 08:49:37 1994", THEN, None),
        ("", THEN, None),
        (THEN, "7", None),
        (THEN, "Sun, 99 Nov 1994 08:49:37 GMT", None),
        (THEN, "Sun, 06 Nov 1994 08:49:37 +9999999999", None),
    ],
)
def test_times(first: str, second: str, expected: float | None) -> None:
    """Times are read in the forms that servers use, and nonsense is no time."""
    assert seconds_between(first, second) == expected
