"""The encoding of a document, and the reason for it."""

import codecs

import pytest

from variorum_kb.errors import EncodingError
from variorum_kb.reading.decode import decode

WORDS = "A keeper’s lamp — “bright” in the Harborlight® game™ — burns. Dandân, Junún, Ma’rûf. "


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("ascii", "plain words"),
        ("cp1252", WORDS),
        ("mac_roman", WORDS),
        ("utf-8", WORDS),
        ("utf-8-sig", WORDS),
        ("gbk", "A keeper’s lamp — “bright” — burns. Junún rests."),
        # Only one letter shows the encoding (2006-07-15, 2006-10-01, 2007-05-01).
        ("cp437", "The island of El-Hajjâj lies far off."),
        ("mac_roman", "The island of El-Hajjâj lies far off."),
        ("cp1252", "The island of El-Hajjâj lies far off."),
        # Also valid in Windows-1252, but with a dash and a quotation mark inside words.
        ("cp437", "Ghazbán and Junún, Æther tell of Ma'rûf."),
        # Unlisted names are recognised by letters that words have.
        ("cp437", "Sár the keeper met Tólm and Brún at night."),
        ("cp1252", "She is the keeper’s daughter; he isn’t."),
    ],
)
def test_round_trip(encoding: str, text: str) -> None:
    """An encoded text is decoded exactly, and the codec is named."""
    result = decode(text.encode(encoding), "a.txt")

    assert result.text == text
    assert result.decoding.encoding == encoding
    assert result.decoding.repairs == ()


@pytest.mark.parametrize(
    ("mark", "codec"), [(codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")]
)
def test_utf_16(mark: bytes, codec: str) -> None:
    """UTF-16 is recognised by its byte order mark, else by its zero bytes."""
    marked = decode(mark + WORDS.encode(codec), "a.txt")
    unmarked = decode(b"".join([WORDS.encode("ascii", "replace").decode().encode(codec)]), "a.txt")

    assert (marked.text, marked.decoding.encoding) == (WORDS, "utf-16")
    assert unmarked.decoding.encoding == codec


@pytest.mark.parametrize(
    ("text", "encoding", "words"),
    [
        ("Ghazbán and Junún", "cp437", "Ghazbán, Junún, as cp1252 'Ghazb\\xa0n', 'Jun£n'"),
        ("The keeper’s Junún", "gbk", "Junún"),
    ],
)
def test_reason_shows_what_the_words_become(text: str, encoding: str, words: str) -> None:
    """The reason names the deciding words, and their reading in another encoding of single bytes."""
    result = decode(text.encode(encoding), "a.txt")

    assert result.decoding.reason == f"not UTF-8; as {encoding} words read {words}"


def through_the_web(data: bytes) -> bytes:
    """Decode like programs for the web, and encode as UTF-8."""
    return "".join(
        chr(number) if number in b"\x81\x8d\x8f\x90\x9d" else bytes([number]).decode("cp1252")
        for number in data
    ).encode()


DOUBLED = {
    "latin-1": [WORDS.encode().decode("latin-1").encode()],
    "cp1252": [
        through_the_web(WORDS.encode()),
        through_the_web(("\N{BYTE ORDER MARK}" + WORDS).encode()),
    ],
    "mac_roman": [WORDS.encode().decode("mac_roman").encode()],
    "cp437": [WORDS.encode().decode("cp437").encode()],
}


@pytest.mark.parametrize(
    ("wrong", "data"), [(wrong, data) for wrong, cases in DOUBLED.items() for data in cases]
)
def test_double_encoding_is_undone(wrong: str, data: bytes) -> None:
    """A text encoded in UTF-8 twice is decoded twice, with a note."""
    result = decode(data, "a.txt")

    assert result.text == WORDS
    assert result.decoding.encoding == "utf-8"
    (repair,) = result.decoding.repairs
    assert repair.startswith(f"utf-8 read as {wrong} and saved as UTF-8: ")


def test_triple_encoding_is_undone() -> None:
    """A text encoded three times is decoded three times."""
    result = decode(through_the_web(through_the_web(WORDS.encode())), "a.txt")

    assert result.text == WORDS
    assert len(result.decoding.repairs) == 2


@pytest.mark.parametrize(("right", "wrong"), [("cp1252", "mac_roman"), ("mac_roman", "cp1252")])
def test_wrong_codepage_is_undone(right: str, wrong: str) -> None:
    """A text that was read in the wrong encoding and saved is repaired."""
    text = "A keeper’s lamp — “bright” — burns; it isn’t dark. Dandân rests. "
    data = text.encode(right).decode(wrong, "replace").encode()

    result = decode(data, "a.txt")

    assert result.text == text
    assert result.decoding.repairs[0].startswith(f"{right} read as {wrong} and saved as UTF-8: ")


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
@pytest.mark.parametrize(
    "text",
    [
        "Only one sort—barge\nlantern—is known.\n",
        "It follows a dash: “Barge —\nLantern” or\n— “Barge”.\n",
        "Pay 1\n– or nothing.\r\nBoth —\r\n",
        "§ 701.2a Light it.\n§ 701.2b Put it out.\n",
        "¶ Light it.\n· Put it out.\n",
    ],
)
def test_dashes_at_the_ends_of_lines(text: str, encoding: str) -> None:
    """Bytes at line ends may be dashes or signs rather than letters."""
    result = decode(text.encode(encoding), "a.txt")

    assert result.text == text
    assert result.decoding.repairs == ()


def test_broken_utf_8() -> None:
    """UTF-8 with a few broken places is read, with a note."""
    data = (WORDS * 4).encode() + b"\xe2\x80 and on"

    result = decode(data, "a.txt")

    assert result.text == WORDS * 4 + "\N{REPLACEMENT CHARACTER} and on"
    assert result.decoding.repairs == (
        f"not valid UTF-8 in 1 places, the first at byte {len((WORDS * 4).encode())}",
    )


def test_long_runs_without_blanks() -> None:
    """The time for a long run of letters is proportional to its length."""
    data = "Dandân ".encode("cp437") + b"x" * 2_000_000 + "ân ".encode("cp437") * 10

    assert decode(data, "a.txt").decoding.encoding == "cp437"


def test_accented_capitals_are_no_double_encoding() -> None:
    """A text may have the letters that double encoding produces."""
    result = decode("Â lamp, Ã boat".encode(), "a.txt")

    assert (result.text, result.decoding.repairs) == ("Â lamp, Ã boat", ())


def test_noise_ends() -> None:
    """Decoding ends even for bytes that make sense in no encoding."""
    result = decode("’r’h““.”n’.” ’n’\n’".encode(), "a.txt")

    assert len(result.decoding.repairs) <= 1


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "a.txt: the document is empty"),
        (b" \r\n\x1a", "a.txt: the document is empty"),
        (
            b"PK\x03\x04",
            "a.txt: a ZIP or a Word document, not a text; its format can't be read yet",
        ),
        (b"%PDF-1.7", "a.txt: a PDF document, not a text; its format can't be read yet"),
        (b"{\\rtf1", "a.txt: an RTF document, not a text; its format can't be read yet"),
        (
            b"\xd0\xcf\x11\xe0",
            "a.txt: an old Word document, not a text; its format can't be read yet",
        ),
        (b"lamps\x00and\x00boats", "a.txt: not a text: it holds zero bytes"),
        # More than nine of ten characters must be of the first 256.
        ("lampboat.’".encode("utf-16-le"), "a.txt: not a text: it holds zero bytes"),
        (
            codecs.BOM_UTF8 + b"lamp \xff",
            (
                "a.txt: not utf-8-sig, although its byte order mark says so: "
                "invalid start byte at byte 5"
            ),
        ),
        (
            codecs.BOM_UTF16_LE + b"l\x00a",
            "a.txt: not utf-16, although its byte order mark says so: truncated data at byte 4",
        ),
        (
            bytes(range(128, 256)) * 3,
            (
                "a.txt: text in no known encoding: not UTF-8 at byte 0, and as mac_roman, the "
                "likeliest, only 5 % of its characters beyond ASCII make sense"
            ),
        ),
    ],
)
def test_error_names_the_reason(data: bytes, message: str) -> None:
    """Bytes that are not text are refused with the reason."""
    with pytest.raises(EncodingError) as caught:
        decode(data, "a.txt")

    assert str(caught.value) == message
