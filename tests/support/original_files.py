"""Small documents in Word, RTF and PDF, made from lines of text, and what a reading of them holds."""

import zipfile
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from io import BytesIO
from textwrap import wrap
from typing import Any

from tests.conftest import SAMPLE
from variorum.reading.edition import read_edition

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def sample_lines() -> list[str]:
    """Return the lines of the newest sample edition, in Unicode."""
    newest = max(SAMPLE.glob("*.txt"), key=lambda path: path.name)
    return newest.read_bytes().decode("utf-8-sig").splitlines()


# Word ---------------------------------------------------------------------------------------------


def paragraph(text: str, *, properties: str = "") -> str:
    """Return a Word paragraph in two runs, with the XML of its properties."""
    half = len(text) // 2
    runs = "".join(
        f'<w:r><w:t xml:space="preserve">{escape(part)}</w:t></w:r>'
        for part in (text[:half], text[half:])
        if part
    )
    return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else ''}{runs}</w:p>"


def story(body: str, *, element: str = "body", before: str = "") -> bytes:
    """Return a part with paragraphs."""
    inside = f"<w:body>{body}</w:body>" if element == "body" else body
    root = "document" if element == "body" else element
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    return f'{head}{before}<w:{root} xmlns:w="{_WORD}">{inside}</w:{root}>'.encode()


def docx(body: str | bytes, parts: Mapping[str, bytes] | None = None) -> bytes:
    """Return a Word document with a body and other parts."""
    main = body if isinstance(body, bytes) else story(body)
    relation = f'Id="r1" Type="{_RELATIONS}/officeDocument" Target="word/document.xml"'
    relations = f"<Relationships><Relationship {relation}/></Relationships>"
    return packed(
        {
            "[Content_Types].xml": b"<Types/>",
            "_rels/.rels": relations.encode(),
            "word/document.xml": main,
            **(parts or {}),
        }
    )


def packed(parts: Mapping[str, bytes]) -> bytes:
    """Return a ZIP."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return file.getvalue()


# RTF ----------------------------------------------------------------------------------------------


def rtf(lines: Iterable[str], *, head: str = "", tail: str = "") -> bytes:
    """Return an RTF document, a paragraph a line."""
    fonts = r"{\fonttbl{\f0\froman\fcharset0 Times;}{\f3\fnil\fcharset2 Symbol;}}"
    body = "\r\n".join(f"{rtf_text(line)}\\par" for line in lines)
    return f"{{\\rtf1\\ansi\\ansicpg1252\\deff0{fonts}{head}\r\n{body}{tail}}}".encode("ascii")


def rtf_text(text: str) -> str:
    """Write a text as RTF."""
    signs = {"\\": r"\\", "{": r"\{", "}": r"\}", "’": r"\rquote ", "—": r"\emdash "}
    return "".join(
        signs.get(c, c if c.isascii() else f"\\u{ord(c) - (ord(c) > 32767) * 65536}?") for c in text
    )


# PDF ----------------------------------------------------------------------------------------------

_SIZE, _LEADING, _TOP, _LEFT = 10, 12, 720, 72
_LINES = 50
_WIDTH = 80  # letters


def pdf(
    lines: Iterable[str],
    *,
    header: str = "",
    footer: str = "",
    blanks: bool = True,
    trailer: str = "",
) -> bytes:
    """Return a PDF in Courier, with wrapped paragraphs; "#" stands for the page number, blank lines may be gaps.

    The trailer is more of the dictionary at the end of the document.
    """
    printed = [piece for line in lines for piece in wrap(line, _WIDTH) or [""]]
    sheets = [printed[n : n + _LINES] for n in range(0, len(printed), _LINES)] or [[]]
    pages = [
        _sheet(sheet, header.replace("#", str(n)), footer.replace("#", str(n)), blanks=blanks)
        for n, sheet in enumerate(sheets, start=1)
    ]
    return pdf_of_streams(pages, trailer)


def _sheet(lines: Sequence[str], header: str, footer: str, *, blanks: bool) -> bytes:
    placed = [(_TOP - n * _LEADING, line) for n, line in enumerate(lines) if line or blanks]
    placed = [(_TOP + 3 * _LEADING, header), *placed, (_TOP - (_LINES + 2) * _LEADING, footer)]
    return b"".join(
        f"BT /F1 {_SIZE} Tf {_LEFT} {height} Td (".encode() + _pdf_text(text or " ") + b") Tj ET\n"
        for height, text in placed
        if text or blanks
    )


def _pdf_text(text: str) -> bytes:
    data = text.encode("cp1252")
    return data.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def pdf_of_streams(pages: Sequence[bytes], trailer: str = "", form: bytes = b"") -> bytes:
    """Return a PDF of pages drawn by streams, which can draw the form as /X1, 10 points to the right."""
    last = 4 + 2 * len(pages)
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>",
    ]
    for n, stream in enumerate(pages):
        objects += [
            (
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] "
                f"/Resources << /Font << /F1 3 0 R >> "
                f"/XObject << /X1 {last} 0 R >> >> /Contents {5 + 2 * n} 0 R >>"
            ).encode(),
            f"<< /Length {len(stream)} >>\nstream\n".encode() + stream + b"\nendstream",
        ]
    head = "<< /Type /XObject /Subtype /Form /BBox [0 0 612 792] /Matrix [1 0 0 1 10 0] "
    fonts = f"/Resources << /Font << /F1 3 0 R >> >> /Length {len(form)} >>\nstream\n"
    objects.append(head.encode() + fonts.encode() + form + b"\nendstream")
    return _document(objects, trailer)


def _document(objects: Sequence[bytes], trailer: str) -> bytes:
    data = b"%PDF-1.4\n"
    places: list[int] = []
    for number, thing in enumerate(objects, start=1):
        places.append(len(data))
        data += f"{number} 0 obj\n".encode() + thing + b"\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    head = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    end = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R {trailer} >>\nstartxref\n{len(data)}\n"
    return data + head.encode() + end.encode() + b"%%EOF\n"


# What was read ------------------------------------------------------------------------------------


def sample_edition() -> tuple[Any, ...]:
    """Return the newest edition of the sample rulebook, read from its text."""
    newest = max(SAMPLE.glob("*.txt"), key=lambda path: path.name)
    return read_edition(newest.read_bytes())


def contents_of(read: tuple[Any, ...]) -> tuple[list[tuple[object, ...]], object, object, object]:
    """Return the words and irregularities of an edition, without line numbers."""
    row, every = read
    provisions: list[tuple[object, ...]] = [
        (
            provision.kind,
            provision.address,
            provision.printed,
            provision.heading,
            [(paragraph.marker, paragraph.text) for paragraph in provision.paragraphs],
            [(odd.kind, odd.printed) for odd in provision.irregularities],
        )
        for provision in every
    ]
    return provisions, row.effective, row.introduction, row.credits
