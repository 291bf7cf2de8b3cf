"""The printed lines of a PDF, joined where paragraphs continue."""

from collections import Counter

from variorum.reading.originals.original_lines import Original
from variorum.reading.originals.pdf_lines import flat, lines_of_pages, without_furniture
from variorum.reading.originals.pdf_paragraphs import find_paragraphs
from variorum.reading.originals.pdfium import TextRun, runs_of_pages

# The bars that a broken font map shows for quotation marks. A few bars may be real ones.
_BARS = {"―": "“", "‖": "”"}
_FEWEST_BARS = 3


def take_pdf(data: bytes, file: str) -> Original:
    """Return the lines of a PDF.

    Raises:
        OriginalError: The PDF is cut off, locked, damaged, or far longer than any edition.
        EncodingError: There is no text on its pages.
    """
    pages, mended = mend_quotation_marks(runs_of_pages(data, file))
    upright = [[run for run in page if run.is_upright] for page in pages]
    turned = [flat(run.text) for page in pages for run in page if not run.is_upright]
    body, furniture = without_furniture(lines_of_pages(upright))
    texts, glue = find_paragraphs(body)
    extra = [*(line.text for line in furniture), *filter(None, turned)]
    return Original(
        format="pdf",
        lines=(*texts, *extra),
        reason=f"PDF, {len(pages)} pages, {len(glue)} lines go on in the next",
        repairs=(f"{mended} quotation marks that its font map has as other signs",)
        if mended
        else (),
        glue=glue,
        repeated=len(extra),
    )


def mend_quotation_marks(pages: list[list[TextRun]]) -> tuple[list[list[TextRun]], int]:
    """Restore quotation marks that a broken font map shows as bars; return also how many.

    No edition prints either bar, so if both occur, they are quotation marks. Such a PDF may also
    show apostrophes as opening single quotation marks. These are restored unless closing ones are
    more frequent.
    """
    count = Counter(sign for page in pages for run in page for sign in run.text)
    opened, closed = (count[sign] for sign in "―‖")
    if min(opened, closed) < _FEWEST_BARS or count["“"] + count["”"] > opened + closed:
        return pages, 0
    signs = _BARS if count["’"] > count["‘"] else {**_BARS, "‘": "’"}
    table = str.maketrans(signs)
    mended = [[run._replace(text=run.text.translate(table)) for run in page] for page in pages]
    return mended, sum(count[sign] for sign in signs)
