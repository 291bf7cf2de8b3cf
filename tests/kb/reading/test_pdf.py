"""PDFs: lines at their places on pages, and which of them go on in the next."""

import pytest
from tests.kb.originals import pdf, pdf_of_streams, sample_lines
from tests.kb.readings import contents_of, sample_edition

from variorum_kb.errors import DocumentError
from variorum_kb.model import Condition, Role
from variorum_kb.reading.edition import read_edition
from variorum_kb.reading.originals import Original, take_original

LOCKED = (
    f"/Encrypt << /Filter /Standard /V 1 /R 2 /O <{'41' * 32}> /U <{'42' * 32}> /P -4 >> "
    f"/ID [<{'43' * 16}> <{'43' * 16}>]"
)


def take(*pages: str) -> Original:
    """Take the lines out of a PDF of pages that are drawn as said."""
    original = take_original(pdf_of_streams([page.encode("cp1252") for page in pages]), "a.pdf")
    assert original is not None
    return original


def at(left: float, height: float, text: str, size: float = 10) -> str:
    """Draw a text at a place."""
    return f"BT /F1 {size} Tf {left} {height} Td ({text}) Tj ET\n"


@pytest.mark.parametrize(
    ("header", "footer", "blanks", "furniture"),
    [
        ("", "", True, 0),
        ("Harborlight", "Page # of 90", True, 42),
        ("", "- # -", False, 21),
        ("The # Tides", "", False, 21),
    ],
)
def test_sample(*, header: str, footer: str, blanks: bool, furniture: int) -> None:
    """The sample rulebook reads as its text does, whatever stands at the edges of its pages."""
    data = pdf(sample_lines(), header=header, footer=footer, blanks=blanks)

    found = read_edition(data, "rules.txt")

    (provisions, *others), (expected, *expected_others) = map(
        contents_of, (found, sample_edition())
    )
    # Where gaps are all that parts paragraphs, none can be seen at the end of a page.
    seen = slice(0, 6 if blanks else 5)
    assert [one[seen] for one in provisions] == [one[seen] for one in expected]
    assert others == expected_others
    assert (found.layout, found.decoding.encoding) == ("pdf", "pdf")
    assert found.condition is Condition.SOUND
    assert found.ledger.is_complete
    assert dict(found.ledger.accounted).get(Role.BANNER, 0) == furniture


def test_runs_of_a_line() -> None:
    """Runs at one height make up a line: blanks stand where gaps are, tabs where they are wide."""
    page = at(72, 700, "The") + at(96, 700, "tide") + at(120, 701, "s") + at(300, 700, "turn")

    assert take(page).lines == ("The tides\tturn",)


def test_form() -> None:
    """Text in a group of things stands where the group does, and beside other text."""
    page = ("/X1 Do " + at(102, 700, "tide")).encode()

    original = take_original(pdf_of_streams([page], form=at(62, 700, "Ebb").encode()), "a.pdf")

    assert original is not None
    assert original.lines == ("Ebb tide",)


def test_columns() -> None:
    """Of two columns, the left is read first; a paragraph may go on in the right."""
    words = [f"word{n} of a paragraph that goes on" for n in range(10, 40)]
    left = "".join(at(72, 700 - 12 * n, text) for n, text in enumerate(words[:20]))
    right = "".join(at(320, 700 - 12 * n, text) for n, text in enumerate(words[20:]))

    original = take(left + right)

    assert original.lines == tuple(words)
    assert sorted(original.glue) == list(range(1, 30))


def test_senses_and_examples() -> None:
    """A sense or an example begins a line, however full the line before it is."""
    full = "A keeper lights a lamp and then another lamp on the quay today."
    page = "".join(
        at(72, 700 - 12 * n, text)
        for n, text in enumerate([f"1. {full}", f"2. {full}", f"Example: {full}", full])
    )

    assert take(page).glue == {3: " "}


def test_turned_text() -> None:
    """A stamp across the page is no part of the text, and yet accounted for."""
    page = at(72, 700, "The tide") + "BT /F1 40 Tf 0.7 0.7 -0.7 0.7 200 300 Tm (DRAFT) Tj ET\n"

    original = take(page)

    assert original.lines == ("The tide", "DRAFT")
    assert original.furniture == {2}


def test_dot_leaders() -> None:
    """Dots and page numbers of the contents are left out, which is said."""
    lines = sample_lines()
    first = next(n for n, line in enumerate(lines) if line.startswith("100.1."))
    numbered = [
        f"{line} {'.' * (60 - len(line))} {n}" if n < first - 4 and line[:1].isdigit() else line
        for n, line in enumerate(lines)
    ]

    found = read_edition(pdf(numbered), "a.pdf")

    assert contents_of(found) == contents_of(sample_edition())
    assert found.condition is Condition.REPAIRED


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (pdf(sample_lines())[:-3000], "a PDF that is cut off: its end is missing"),
        (pdf(["lamp"], trailer=LOCKED), "a PDF locked with a password"),
        (b"%PDF-1.7\nlamps and boats\n%%EOF", "a damaged PDF: Failed to load document"),
        (
            pdf_of_streams([b"0 0 100 100 re f", b""]),
            "a PDF of 2 pages without text; scanned pages can't be read",
        ),
        (
            pdf(["A shopping list."]),
            "no known layout: no line begins with the number of a rule",
        ),
    ],
)
def test_error_names_the_reason(data: bytes, message: str) -> None:
    """What is cut off, locked, damaged, scanned or something else is refused in one line."""
    with pytest.raises(DocumentError) as caught:
        read_edition(data, "a.pdf")

    assert str(caught.value).startswith(f"a.pdf: {message}")


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ("_MOST_PAGES", "a PDF of 3 pages, far more than any edition has"),
        ("_MOST_RUNS", "a PDF that holds far more than any edition"),
    ],
)
def test_error_too_long(limit: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A PDF that is far longer than any edition is not read to its end."""
    monkeypatch.setattr(f"variorum_kb.reading.pdf_runs.{limit}", 2)

    with pytest.raises(DocumentError) as caught:
        take(*(at(72, 700, "lamp") for _ in range(3)))

    assert str(caught.value) == f"a.pdf: {message}"
