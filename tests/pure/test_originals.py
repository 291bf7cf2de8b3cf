"""Editions in Word, RTF and PDF: the sample rulebook reads like its text, hostile files are refused."""

import zipfile
from io import BytesIO

import pytest

from tests.support.original_files import (
    contents_of,
    docx,
    packed,
    paragraph,
    pdf,
    pdf_of_streams,
    rtf,
    sample_edition,
    sample_lines,
    story,
)
from variorum.errors import DocumentError
from variorum.reading.edition import read_edition
from variorum.reading.originals import take_original

BOMB = """<!DOCTYPE d [<!ENTITY a "lamp"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>"""
LOCKED = (
    f"/Encrypt << /Filter /Standard /V 1 /R 2 /O <{'41' * 32}> /U <{'42' * 32}> /P -4 >> "
    f"/ID [<{'43' * 16}> <{'43' * 16}>]"
)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("docx", docx("".join(map(paragraph, sample_lines())))),
        ("rtf", rtf(sample_lines())),
        ("pdf", pdf(sample_lines())),
        ("pdf", pdf(sample_lines(), header="The Lamp Rules", footer="Page # of 14")),
    ],
    ids=["docx", "rtf", "pdf", "pdf with page numbers"],
)
def test_sample(name: str, data: bytes) -> None:
    """The sample rulebook in each format reads like its text."""
    edition = read_edition(data)

    assert contents_of(edition) == contents_of(sample_edition())
    assert (edition[0].layout, edition[0].encoding) == (name, name)
    assert edition[0].condition == "sound"


def lines(data: bytes) -> tuple[str, ...]:
    """Return the lines of a document that is an original."""
    original = take_original(data)
    assert original is not None
    return tuple(original.text.split("\n"))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # 2018-07-13 has breaks of pages before headings.
        ("<w:p><w:r><w:br w:type='page'/><w:t>Tide</w:t></w:r></w:p>", ("", "Tide")),
        ("<w:p><w:r><w:t>Tide</w:t><w:tab/><w:t>low</w:t></w:r></w:p>", ("Tide\tlow",)),
        ("<w:p><w:pPr><w:tabs><w:tab w:val='left'/></w:tabs></w:pPr></w:p><w:p/>a", None),
        ("<w:p><w:r><w:t>Low</w:t><w:noBreakHyphen/><w:t>tide</w:t></w:r></w:p>", ("Low-tide",)),
        ("<w:p><w:del><w:r><w:delText>no</w:delText></w:r></w:del><w:r><w:t>A</w:t></w:r></w:p>", ("A",)),
    ],
)  # fmt: skip
def test_word(body: str, expected: tuple[str, ...] | None) -> None:
    """Breaks and tabs are read as printed; what is no text is not."""
    if expected is None:
        with pytest.raises(DocumentError):
            take_original(docx(body))
    else:
        assert lines(docx(body)) == expected


def test_what_is_not_read() -> None:
    """What Word prints and is not read is counted."""
    original = take_original(docx(paragraph("A lamp", properties="<w:numPr/>")))

    assert original is not None
    assert original.repairs == ("1 automatic numbers or bullets not read",)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (r"A lamp\par A boat", ("A lamp", "A boat")),
        (r"\{T\}: \ldblquote Tide\rdblquote\emdash keeper\rquote s", ("{T}: “Tide”—keeper’s",)),
        (r"\'93Tide\'94 \u8220\'93Tide\u-3913?", ("“Tide” “Tide\uf0b7",)),
        (r"\u55356?\u57098?", ("\U0001f30a",)),
        (r"\u55356?", ("\ufffd",)),
        (r'{\field{\*\fldinst{HYPERLINK "a"}}{\fldrslt {A lamp}}}', ("A lamp",)),
        (r"{\*\bkmkstart t}Tide{\*\bkmkend t}{\info{\title x}}", ("Tide",)),
    ],
)
def test_rich_text(body: str, expected: tuple[str, ...]) -> None:
    """Signs, Unicode and fields are read as printed."""
    assert lines(f"{{\\rtf1\\ansi{{\\fonttbl{{\\f0 Times;}}}}{body}}}".encode("ascii")) == expected


def below(*texts: str) -> bytes:
    """Return a PDF of lines, one below the other."""
    drawn = [f"BT /F1 10 Tf 72 {700 - 12 * n} Td ({text}) Tj ET\n" for n, text in enumerate(texts)]
    return pdf_of_streams(["".join(drawn).encode("cp1252")])


@pytest.mark.parametrize(
    ("texts", "glue"),
    [
        (("A keeper lights a lamp and then another one.", "Then he goes"), {1: " "}),
        (("A keeper goes.", "Moonlight, and then a lamp of the coast at night."), {}),
        (("A keeper lights a lamp and then another-", "one when it is dark and the tide"), {1: ""}),
        (("1. A keeper lights a lamp and then another.", "2. A lamp of another keeper, so"), {}),
        (("100.1. A keeper lights a lamp and so on here.", "100.2. A lamp of some keeper, so"), {}),
        (("A keeper lights a lamp and then another one", "Example: A lamp of some keeper, so"), {}),
    ],
)
def test_lines_of_a_pdf(texts: tuple[str, ...], glue: dict[int, str]) -> None:
    """A line goes on in the next if its first word had no room; a rule, sense or example begins."""
    original = take_original(below(*texts))

    assert original is not None
    assert original.glue == glue


def locked_zip() -> bytes:
    """Return a Word document that says that it has a password."""
    data = bytearray(docx(paragraph("lamp")))
    entry = -1
    while (entry := data.find(b"PK\x01\x02", entry + 1)) >= 0:
        data[entry + 8] |= 1
    return bytes(data)


def spoilt_zip() -> bytes:
    """Return a Word document with other bytes in its text."""
    data = bytearray(docx(paragraph("A keeper lights a lamp. " * 9)))
    place = data.index(b"word/document.xml") + 60
    data[place : place + 8] = b"\xff" * 8
    return bytes(data)


def oddly_packed() -> bytes:
    """Return a Word document packed in a way that may expand without a limit."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("word/document.xml", story(paragraph("lamp")))
    return file.getvalue()


NO_RULES = "no known layout: no line begins with the number of a rule"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (packed({"a.txt": b"lamp"}), "a ZIP without a Word document in it, not a text"),
        (docx(paragraph("lamp"))[:300], "a ZIP or a Word document that is cut off"),
        (docx(story("<w:p/>", before=" " * 40 * 2**20)), "its part word/document.xml unpacks to"),
        (docx(story("<w:p/>", before=BOMB)), "its part word/document.xml defines entities"),
        (docx(b"<w:p>lamp"), "its part word/document.xml is no sound XML: unbound prefix"),
        (docx(""), "a document in docx without text"),
        (docx(paragraph("A shopping list.")), NO_RULES),
        (locked_zip(), "a ZIP locked with a password"),
        (spoilt_zip(), "a damaged ZIP or Word document: "),
        (oddly_packed(), "its part word/document.xml is packed as Word never does"),
        (b"\xd0\xcf\x11\xe0" + b"\x00" * 600, "an old Word document, not a text"),
        (
            b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le"),
            "a Word document locked with a password",
        ),
        (rtf(sample_lines())[:-900], "an RTF document that is cut off: 1 of its groups do not end"),
        (b"{\\rtf1" + b"{" * 999, "an RTF document that is cut off: 1000 of its groups do not end"),
        (b"{\\rtf1\\uc lamp}", "a damaged RTF document: "),
        (b"{\\rtf1\\u9999999999 lamp}", "a damaged RTF document: "),
        (rtf([]), "a document in rtf without text"),
        (rtf(["A shopping list."]), NO_RULES),
        (pdf(sample_lines())[:-3000], "a PDF that is cut off: its end is missing"),
        (pdf(["lamp"], trailer=LOCKED), "a PDF locked with a password"),
        (b"%PDF-1.7\nlamps and boats\n%%EOF", "a damaged PDF: Failed to load document"),
        (pdf_of_streams([b"0 0 100 100 re f", b""]), "a PDF of 2 pages without text"),
        (pdf(["A shopping list."]), NO_RULES),
    ],
)
def test_hostile_files_are_refused(data: bytes, message: str) -> None:
    """A cut, locked, damaged, endless or other file is refused in one line."""
    with pytest.raises(DocumentError) as caught:
        read_edition(data)

    assert caught.value.message.startswith(message)


def test_without_pdfium(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the package that reads PDF is missing, the message says how to install it."""
    monkeypatch.setattr("variorum.reading.originals.find_spec", lambda _: None)

    with pytest.raises(DocumentError, match=r'a PDF; reading it needs pip install "\.\[pdf\]"'):
        take_original(b"%PDF-1.7")
