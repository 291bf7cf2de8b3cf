"""Word documents: their paragraphs as printed by Word, and limits on unpacking."""

import pytest

from tests.support.original_files import (
    contents_of,
    docx,
    packed,
    paragraph,
    sample_edition,
    sample_lines,
    story,
)
from variorum.errors import DocumentError
from variorum.model import Condition, Role
from variorum.reading.edition import read_edition
from variorum.reading.originals.original_lines import Original, take_original

NUMBERING = """<?xml version="1.0"?>
<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
<w:abstractNum w:abstractNumId="0">
<w:lvl w:ilvl="0"><w:start w:val="100"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
<w:lvl w:ilvl="1"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2."/></w:lvl>
<w:lvl w:ilvl="2"><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2%3"/></w:lvl>
</w:abstractNum>
<w:abstractNum w:abstractNumId="1">
<w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="\uf0b7"/></w:lvl>
</w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
<w:num w:numId="3"><w:abstractNumId w:val="0"/>
<w:lvlOverride w:ilvl="0"><w:startOverride w:val="200"/></w:lvlOverride></w:num>
<w:num w:numId="4"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"/></w:num>
</w:numbering>"""
STYLES = """<?xml version="1.0"?>
<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
<w:style w:styleId="Rule"><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr>
</w:style>
<w:style w:styleId="Rule2"><w:basedOn w:val="Rule"/></w:style>
</w:styles>"""
BOMB = """<!DOCTYPE d [<!ENTITY a "lamp"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>"""


def take(data: bytes) -> Original:
    """Return the lines of a document that is an original."""
    original = take_original(data, "a.docx")
    assert original is not None
    return original


def table(*rows: tuple[str, ...]) -> str:
    """Return a table; lines within a cell become its paragraphs."""
    return "".join(
        f"<w:tr>{''.join(f'<w:tc>{_cell(text)}</w:tc>' for text in row)}</w:tr>" for row in rows
    ).join(("<w:tbl>", "</w:tbl>"))


def _cell(text: str) -> str:
    return "".join(map(paragraph, text.split("\n")))


@pytest.mark.parametrize(
    ("row", "lines"),
    [
        (("100.1.", "The tide turns."), ("100.1. The tide turns.",)),
        (("100.1a", "It ebbs.\nExample: A reef."), ("100.1a It ebbs.", "Example: A reef.")),
        (("1.", "Tides"), ("1. Tides",)),
        (("100.", "General", "5"), ("100. General",)),
        (("100.1.", "", "The tide turns."), ("100.1. The tide turns.",)),
        (("100.1.", "Ebb.", "100.2.", "Flow."), ("100.1. Ebb.", "100.2. Flow.")),
        (("Ebb", "The water falls."), ("Ebb", "The water falls.")),
        (("Ebb", ""), ("Ebb", "")),
    ],
)
def test_rows_of_tables(row: tuple[str, ...], lines: tuple[str, ...]) -> None:
    """A number in a table cell is joined with its words."""
    assert take(docx(table(row))).lines == lines


def test_sample_in_tables() -> None:
    """With rule numbers in table cells, the sample rulebook reads like its text."""
    body = ""
    for line in sample_lines():
        number, _, words = line.partition(" ")
        body += table((number, words)) if number[:3].isdigit() and words else paragraph(line)

    edition = read_edition(docx(body), "rules.txt")

    assert contents_of(edition) == contents_of(sample_edition())
    assert edition.condition is Condition.SOUND


def test_sample() -> None:
    """The sample rulebook as a Word document reads like its text."""
    data = docx("".join(map(paragraph, sample_lines())))

    edition = read_edition(data, "rules.txt")

    assert contents_of(edition) == contents_of(sample_edition())
    assert (edition.layout, edition.decoding.encoding) == ("docx", "docx")
    assert edition.condition is Condition.SOUND
    assert edition.ledger.is_complete


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("<w:p><w:r><w:t>1. A flow.</w:t><w:br/><w:t>2. An ebb.</w:t></w:r></w:p>", (
            "1. A flow.", "2. An ebb.",
        )),
        ('<w:p><w:r><w:br w:type="page"/></w:r><w:r><w:t>Tide</w:t></w:r></w:p>', ("", "Tide")),
        ("<w:p><w:r><w:t>Tide</w:t><w:tab/><w:t>low</w:t></w:r></w:p>", ("Tide\tlow",)),
        ("<w:p><w:r><w:t>ebb</w:t><w:noBreakHyphen/><w:t>tide</w:t></w:r></w:p>", ("ebb-tide",)),
        ("<w:p><w:r><w:t>ti</w:t><w:softHyphen/><w:t>de</w:t></w:r></w:p>", ("tide",)),
        ('<w:p><w:r><w:t>A</w:t><w:sym w:font="Symbol" w:char="F0B7"/></w:r></w:p>', ("A•",)),
        ('<w:p><w:r><w:t>A</w:t><w:sym w:font="Runes" w:char="F0B7"/></w:r></w:p>', ("A\ufffd",)),
        ('<w:p><w:r><w:t>A</w:t><w:sym w:font="Symbol" w:char="no"/></w:r></w:p>', ("A\ufffd",)),
        ('<w:p><w:r><w:t>A</w:t><w:sym w:font="Arial" w:char="2022"/></w:r></w:p>', ("A•",)),
        (
            ("<w:p><w:r><w:instrText>PAGEREF tide</w:instrText></w:r><w:hyperlink><w:r><w:t>See"
            "</w:t></w:r></w:hyperlink><w:fldSimple><w:r><w:t> 5</w:t></w:r></w:fldSimple></w:p>"),
            ("See 5",),
        ),
        (
            ('<w:bookmarkStart w:name="t"/><w:tbl><w:tr><w:tc><w:p><w:r><w:t>Ebb</w:t></w:r></w:p>'
            "</w:tc><w:tc><w:p><w:r><w:t>Flow</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"),
            ("Ebb", "Flow"),
        ),
    ],
)  # fmt: skip
def test_what_is_printed(body: str, lines: tuple[str, ...]) -> None:
    """Breaks, tabs, hyphens, signs, fields, links and tables are read as printed."""
    assert take(docx(body)).lines == lines


@pytest.mark.parametrize(
    ("body", "lines", "repairs"),
    [
        (
            (
                "<w:p><w:r><w:t>The </w:t></w:r><w:del><w:r><w:delText>old </w:delText></w:r></w:del>"
                "<w:ins><w:r><w:t>new </w:t></w:r></w:ins><w:r><w:t>tide</w:t></w:r></w:p>"
            ),
            ("The new tide",),
            ("1 tracked deletions left out",),
        ),
        (
            (
                "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>A </w:t></w:r></w:p>"
                "<w:p><w:r><w:t>boat</w:t></w:r></w:p>"
            ),
            ("A boat",),
            (),
        ),
        (
            (
                "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>Secret</w:t></w:r><w:r><w:rPr><w:vanish"
                ' w:val="0"/></w:rPr><w:t>Lamp</w:t></w:r></w:p>'
            ),
            ("Lamp",),
            ("1 runs of hidden text left out",),
        ),
        (
            (
                '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/'
                'markup-compatibility/2006"><mc:Choice><w:p><w:r><w:t>Box</w:t></w:r></w:p></mc:Choice>'
                "<mc:Fallback><w:p><w:r><w:t>Box</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent>"
            ),
            ("Box",),
            (),
        ),
        (
            "<w:p><w:r><w:t>o\ufb00er \xadt\u200bi\u200cd\u200de\u2060s\ufeff</w:t></w:r></w:p>",
            ("offer tides",),
            ("1 ligatures spelled out", "6 soft hyphens and other unprinted signs left out"),
        ),
    ],
)
def test_what_is_not_printed(body: str, lines: tuple[str, ...], repairs: tuple[str, ...]) -> None:
    """Deleted, hidden and repeated text is left out, with a note if a reader may miss it."""
    original = take(docx(body))

    assert (original.lines, original.repairs) == (lines, repairs)


def test_numbers_of_lists() -> None:
    """Word's automatic numbers are put before the words, by list and by style."""

    def item(text: str, level: int, number: int = 1) -> str:
        properties = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
        return paragraph(text, properties=properties)

    body = (
        item("General", 0)
        + paragraph("Two keepers play.", properties='<w:pStyle w:val="Rule2"/>')
        + item("A keeper has a boat.", 2)
        + item("A boat has a lamp.", 2)
        + paragraph("The tide turns.", properties='<w:pStyle w:val="Rule"/>')
        + item("It turns twice.", 2)
        + item("Lamps", 0)
        + item("Oil", 0, 2)
        + item("Boats", 0, 3)
        + item("Coins", 0, 4)
        + item("Plain", 0, 0)
        + item("Odd", 7)
    )
    parts = {"word/numbering.xml": NUMBERING.encode(), "word/styles.xml": STYLES.encode()}

    assert take(docx(body, parts)).lines == (
        "100. General",
        "100.1. Two keepers play.",
        "100.1a A keeper has a boat.",
        "100.1b A boat has a lamp.",
        "100.2. The tide turns.",
        "100.2a It turns twice.",
        "101. Lamps",
        "• Oil",
        "200. Boats",
        "100. Coins",
        "Plain",
        "Odd",
    )


def test_pages_and_notes() -> None:
    """Headers and footers are furniture; footnotes are put at the end, with a note."""
    body = "".join(map(paragraph, sample_lines()))
    parts = {
        "word/header1.xml": story(paragraph("Harborlight"), element="hdr"),
        "word/footer1.xml": story(paragraph("Page 1") + paragraph(""), element="ftr"),
        "word/footnotes.xml": story(paragraph("An old word."), element="footnotes"),
    }

    edition = read_edition(docx(body, parts), "a.docx")

    assert contents_of(edition)[0] == contents_of(sample_edition())[0]
    assert edition.credits[-1] == "An old word."
    assert edition.notes == ("1 footnotes set at the end",)
    assert (Role.BANNER, 2) in edition.ledger.accounted
    assert edition.ledger.is_complete


def test_page_numbers_of_the_contents() -> None:
    """A contents page made by Word loses its tabs and page numbers, with a note."""
    lines = sample_lines()
    first = next(n for n, line in enumerate(lines) if line.startswith("100.1."))
    body = "".join(
        f"<w:p><w:r><w:t>{line}</w:t><w:tab/><w:t>{n}</w:t></w:r></w:p>"
        if n < first - 4 and line[:1].isdigit()
        else paragraph(line)
        for n, line in enumerate(lines)
    )

    edition = read_edition(docx(body), "a.docx")

    assert contents_of(edition) == contents_of(sample_edition())
    (note,) = edition.notes
    assert note.startswith("the page numbers of ")


def zeros(size: int) -> bytes:
    """Return a body that unpacks to far more than its packed size."""
    return story("<w:p/>", before=" " * size)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (packed({"a.txt": b"lamp"}), "a ZIP without a Word document in it, not a text"),
        (
            packed({"[Content_Types].xml": b"<Types/>", "xl/workbook.xml": b"<x/>"}),
            "a ZIP without a Word document in it, not a text",
        ),
        (
            docx(paragraph("lamp"))[:300],
            "a ZIP or a Word document that is cut off: its list of parts is missing",
        ),
        (
            packed({f"{n}.txt": b"" for n in range(2001)}),
            "a ZIP of 2001 parts, far more than a Word document has",
        ),
        (
            docx(zeros(3 * 2**20)),
            "its part word/document.xml unpacks to far more than any edition holds",
        ),
        (
            docx(story("<w:p/>", before=BOMB)),
            "its part word/document.xml defines entities of its own, which Word never does",
        ),
        (
            docx(paragraph("lamp"), {"word/numbering.xml": BOMB.encode() + b"<d>&b;</d>"}),
            "its part word/numbering.xml defines entities of its own, which Word never does",
        ),
        (
            docx(b"<w:p>lamp"),
            "its part word/document.xml is no sound XML: unbound prefix: line 1, column 0",
        ),
        (docx(""), "a document in docx without text"),
        (
            docx(paragraph("A shopping list.")),
            "no known layout: no line begins with the number of a rule",
        ),
        (
            b"\xd0\xcf\x11\xe0" + b"\x00" * 600,
            "an old Word document, not a text; its format can't be read yet",
        ),
        (
            b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le"),
            "a Word document locked with a password",
        ),
    ],
)
def test_error_names_the_reason(data: bytes, message: str) -> None:
    """A damaged Word document, or one without an edition, is refused in one line."""
    with pytest.raises(DocumentError) as caught:
        read_edition(data, "a.docx")

    assert str(caught.value) == f"a.docx: {message}"


def test_error_huge_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part is unpacked only up to the limit, however well it is packed."""
    monkeypatch.setattr("variorum.reading.originals.docx.LARGEST_PART", 1000)

    with pytest.raises(DocumentError) as caught:
        read_edition(docx(paragraph("lamp " * 400)), "a.docx")

    assert "unpacks to far more than any edition holds" in str(caught.value)


def test_error_damaged_part() -> None:
    """For a part whose bytes were changed, the error names it."""
    data = bytearray(docx(paragraph("A keeper lights a lamp. " * 9)))
    place = data.index(b"word/document.xml") + 60
    data[place : place + 8] = b"\xff" * 8

    with pytest.raises(DocumentError) as caught:
        read_edition(bytes(data), "a.docx")

    assert str(caught.value).startswith("a.docx: its part word/document.xml is damaged: ")


def test_error_locked_part() -> None:
    """For a ZIP with a password, the error says so."""
    data = bytearray(docx(paragraph("lamp")))
    entry = -1
    while (entry := data.find(b"PK\x01\x02", entry + 1)) >= 0:
        data[entry + 8] |= 1

    with pytest.raises(DocumentError) as caught:
        read_edition(bytes(data), "a.docx")

    assert str(caught.value) == "a.docx: a ZIP locked with a password"
